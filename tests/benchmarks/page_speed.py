"""How fast the page opens and pans, beside pyvis's own page of the same nodes, edges and places.

    python tests/benchmarks/page_speed.py [--papers 2070] [--rounds 3]
    python tests/benchmarks/page_speed.py --build exports [--alone]

Both pages are opened in turns in Debian's chromium without a graphics card and without a network.
`open` runs from the start of the navigation until the first picture can be read back, `cpu` is the
processor time of the page until then; `pan` counts drawn frames a second while the mouse drags the
graph. Medians over the rounds are printed with the least and the greatest. `--alone` leaves
pyvis's page out, which takes minutes to open with tens of thousands of nodes.
"""

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

import networkx
from playwright.sync_api import Browser, sync_playwright

from kg.export.html import write_html
from kg.export.load import load_graph
from kg.export.page.model import by_links, page_data

sys.path.insert(0, str(Path(__file__).parents[1] / "export"))
sys.path.insert(0, str(Path(__file__).parents[1]))
from conftest import FLAGS
from page_graphs import synthetic_graph

DRAWN = """() => {
  const canvas = document.querySelector("canvas");
  network.redraw();
  canvas.getContext("2d").getImageData(0, 0, 1, 1);
  return performance.now();
}"""
COUNT = "() => { window.frames_ = 0; network.on('afterDrawing', () => { frames_ += 1; }); }"
PAN_SECONDS = 2.5


def write_stock(graph: "networkx.MultiDiGraph[str]", path: Path) -> None:
    """Write pyvis's own page with our places and no physics."""
    from pyvis.network import Network

    data = page_data(graph, by_links(graph))
    network = Network(height="900px", cdn_resources="in_line")
    for node in data.nodes:
        network.add_node(node["id"], node["label"], x=node["x"], y=node["y"], size=node["size"])
    edges = [edge for edge in data.edges if edge["kind"] != "related"]
    network.edges = [{"from": edge["from"], "to": edge["to"]} for edge in edges]
    network.toggle_physics(False)
    path.write_text(network.generate_html(), encoding="utf-8")


def measure(browser: Browser, path: Path) -> tuple[float, float, float]:
    """Return seconds until the page is open, its CPU seconds, and frames a second when dragged."""
    context = browser.new_context(offline=True, viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.set_default_timeout(600_000)
    page.goto(path.as_uri())
    opened = page.evaluate(DRAWN) / 1000
    client = context.new_cdp_session(page)
    client.send("Performance.enable")
    metrics = client.send("Performance.getMetrics")["metrics"]
    spent = next(metric["value"] for metric in metrics if metric["name"] == "ProcessTime")
    page.evaluate(COUNT)
    page.mouse.move(400, 400)
    page.mouse.down()
    start, step = time.perf_counter(), 0
    while time.perf_counter() - start < PAN_SECONDS:
        step += 1
        page.mouse.move(400 + 7 * step % 200, 400 + 3 * step % 100)
    rate = page.evaluate("frames_") / (time.perf_counter() - start)
    page.mouse.up()
    context.close()
    return opened, spent, rate


def spread(values: list[float]) -> str:
    return f"{statistics.median(values):6.2f} [{min(values):.2f} to {max(values):.2f}]"


def main() -> None:
    """Print a table of both pages."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--papers", type=int, default=2_070)
    parser.add_argument("--build", type=Path, help="a build's folder, instead of made-up papers")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--alone", action="store_true")
    args = parser.parse_args()
    made_up = args.build is None
    graph = synthetic_graph(args.papers, concepts_each=7) if made_up else load_graph(args.build)
    figures: dict[str, list[tuple[float, float, float]]] = {"kg": []}
    if not args.alone:
        figures["pyvis"] = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        pages = {name: Path(folder, f"{name}.html") for name in figures}
        start = time.process_time()
        write_html(graph, pages["kg"])
        print(f"write_html: {time.process_time() - start:.1f} CPU seconds")
        print(f"{len(graph):,} nodes, {graph.number_of_edges():,} edges")
        if not args.alone:
            write_stock(graph, pages["pyvis"])
        executable = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=executable, args=list(FLAGS))
        for _ in range(args.rounds):
            for name, path in pages.items():
                figures[name].append(measure(browser, path))
        browser.close()
        sizes = {name: path.stat().st_size / 1e6 for name, path in pages.items()}
    print(f"{'page':6}{'MB':>6}  {'open, s':24}{'cpu, s':24}{'pan, frames/s':24}")
    for name, measured in figures.items():
        columns = [spread(list(values)) for values in zip(*measured, strict=True)]
        print(f"{name:6}{sizes[name]:6.1f}  " + "".join(f"{column:24}" for column in columns))


if __name__ == "__main__":
    main()
