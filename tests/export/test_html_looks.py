"""How the page looks, and how fast: colours, labels, narrow screens, large graphs."""

import itertools
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from page_graphs import synthetic_graph
from playwright.sync_api import Page, expect

from kg.export import html
from kg.export.html import write_html

STYLE = (Path(html.__file__).parent / "page" / "style.css").read_text(encoding="utf-8")
TYPES = ("paper", "Method", "Task", "Dataset", "Metric")


def palette(dark: bool) -> dict[str, np.ndarray]:
    """Return the colours of the style sheet as linear RGB."""
    found = re.findall(r"--([\w-]+): light-dark\(#(\w{6}), #(\w{6})\)", STYLE)
    colours = {}
    for name, *both in found:
        values = np.array([int(both[dark][at : at + 2], 16) for at in (0, 2, 4)]) / 255
        colours[name] = np.where(
            values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4
        )
    return colours


def contrast(one: np.ndarray, other: np.ndarray) -> float:
    """Return the contrast of two colours as WCAG 2.2 defines it."""
    light = sorted(float(colour @ [0.2126, 0.7152, 0.0722]) for colour in (one, other))
    return (light[1] + 0.05) / (light[0] + 0.05)


def lab(linear: np.ndarray) -> np.ndarray:
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    x, y, z = np.cbrt(np.maximum(to_xyz @ linear / [0.9505, 1, 1.089], 0.008856))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


# Machado, Oliveira and Fernandes, A physiologically-based model for simulation of color vision
# deficiency, IEEE TVCG 15(6), 2009: the matrices of severity 1.
DEFICIENCIES = {
    "none": "1 0 0 / 0 1 0 / 0 0 1",
    "protanopia": "0.152286 1.052583 -0.204868 / 0.114503 0.786281 0.099216 / "
    "-0.003882 -0.048116 1.051998",
    "deuteranopia": "0.367322 0.860646 -0.227968 / 0.280085 0.672501 0.047413 / "
    "-0.01182 0.04294 0.968881",
    "tritanopia": "1.255528 -0.076749 -0.178779 / -0.078411 0.930809 0.147602 / "
    "0.004733 0.691367 0.3039",
}


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_types_differ_in_colour_for_every_kind_of_sight(deficiency: str, dark: bool) -> None:
    colours = palette(dark)
    matrix = np.array([row.split() for row in DEFICIENCIES[deficiency].split("/")], dtype=float)
    seen = [lab(np.clip(matrix @ colours[name], 0, 1)) for name in TYPES]
    distances = [np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)]
    assert min(distances) > 15


@pytest.mark.parametrize("dark", [False, True])
def test_text_and_signs_have_the_contrast_of_wcag_aa(dark: bool) -> None:
    colours = palette(dark)
    grounds = [colours["ground"], colours["card"], colours["hover"]]
    for ground in grounds:
        for text in ("ink", "muted", "accent"):
            assert contrast(colours[text], ground) >= 4.5, text
        for name in TYPES:
            assert contrast(colours[name], ground) >= 3, name


@pytest.mark.parametrize("options", [{}, {"color_scheme": "dark"}, {"width": 390}])
def test_no_label_lies_on_another_at_rest(
    open_page: Callable[..., Page], page_file: Callable[[str], Path], options: dict[str, object]
) -> None:
    width = int(options.pop("width", 1400))  # type: ignore[call-overload]
    page = open_page(page_file("seeds"), viewport={"width": width, "height": 860}, **options)
    boxes = page.evaluate(
        """() => {
          const boxes = [];
          class Recorder extends SvgContext {
            fillText(text, x, y) {
              const { width } = this.measureText(text);
              boxes.push([x - width / 2, y - 6, x + width / 2, y + 6]);
            }
          }
          paint(new Recorder(camera()), camera(), scene);
          return boxes;
        }"""
    )
    assert len(boxes) > (40 if width > 1000 else 10)
    for one, other in itertools.combinations(boxes, 2):
        apart = one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]
        assert apart, (one, other)


def test_theme_follows_the_system_and_the_button(
    open_page: Callable[..., Page], page_file: Callable[[str], Path]
) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    page = open_page(page_file("toy"), color_scheme="dark")
    dark = page.evaluate(ground)
    assert page.evaluate("theme.ground") == dark
    page.get_by_role("button", name="Switch between light and dark").click()
    assert page.evaluate(ground) != dark
    assert page.evaluate("theme.ground") == page.evaluate(ground)
    page.emulate_media(color_scheme="light")
    assert page.evaluate("theme.ground") == page.evaluate(ground)


def test_phone_shows_graph_and_panel_without_sideways_scrolling(
    open_page: Callable[..., Page], page_file: Callable[[str], Path]
) -> None:
    page = open_page(
        page_file("seeds"), viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    cut = page.evaluate(
        """[...document.querySelectorAll(".bar button, #legend button")]
          .filter((button) => button.offsetParent)
          .filter((button) => button.getBoundingClientRect().right > 390 ||
            button.scrollWidth > button.clientWidth + 1).map((button) => button.textContent)"""
    )
    assert cut == []
    place = page.evaluate(
        """() => {
          const { left, top } = container.getBoundingClientRect();
          const [node] = scene.nodes;
          return [left + camera().x(node), top + camera().y(node), node.label];
        }"""
    )
    page.touchscreen.tap(*place[:2])
    expect(page.locator("#panel h2")).to_have_text(place[2])
    assert page.evaluate("container.clientHeight") > 200


# --- large graphs --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of 5,000 nodes or so, opening on all of them."""
    path = tmp_path_factory.mktemp("large") / "large.html"
    graph = synthetic_graph(2_300)
    assert len(graph) > 4_500 and graph.number_of_edges() > 15_000
    write_html(graph, path)
    return path


def spent(page: Page) -> float:
    """Return the processor seconds of a page, which a busy machine does not lengthen."""
    client = page.context.new_cdp_session(page)
    client.send("Performance.enable")
    metrics = client.send("Performance.getMetrics")["metrics"]
    return float(next(metric["value"] for metric in metrics if metric["name"] == "ProcessTime"))


def test_page_of_the_seeds_opens_in_time(
    open_page: Callable[..., Page], page_file: Callable[[str], Path]
) -> None:
    page = open_page(page_file("seeds"))
    assert page.evaluate("scene.shown.size") > 100
    assert spent(page) < 1


def test_large_page_opens_and_pans_in_time(open_page: Callable[..., Page], large: Path) -> None:
    page = open_page(large)
    assert page.evaluate("scene.shown.size") > 4_500
    opened = spent(page)
    assert opened < 2
    page.evaluate("() => { frames = 0; network.on('afterDrawing', () => { frames += 1; }); }")
    page.mouse.move(400, 400)
    page.mouse.down()
    for step in range(20):
        page.mouse.move(400 + 5 * step, 400 + 2 * step)
    page.mouse.up()
    frames = page.evaluate("frames")
    assert frames >= 10
    assert frames / (spent(page) - opened) >= 15
    # The labels moved along, and are set anew at rest.
    assert page.evaluate("isDragged") is False and page.evaluate("placed.labels.length") > 5


def test_large_page_paints_names_and_every_type(
    open_page: Callable[..., Page], large: Path
) -> None:
    page = open_page(large)
    names = page.evaluate("about.communities.map(([name]) => name)")
    labels = page.evaluate("placed.labels.map(({ text }) => text)")
    assert len(set(names) & set(labels)) > 3
    coloured = page.evaluate(
        """() => {
          const canvas = document.querySelector("#network canvas");
          const { width, height } = canvas;
          const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
          const ground = theme.ground.match(/\\d+/g).map(Number);
          let ink = 0;
          for (let at = 0; at < data.length; at += 4) {
            ink += ground.some((value, part) => Math.abs(data[at + part] - value) > 24);
          }
          return ink / (width * height);
        }"""
    )
    assert coloured > 0.05


def test_page_above_the_stated_size_opens_on_its_most_linked_part(
    open_page: Callable[..., Page], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(html, "SHOWN_AT_FIRST", 50)
    graph = synthetic_graph(60)
    write_html(graph, tmp_path / "graph.html")
    page = open_page(tmp_path / "graph.html")
    notice = page.locator("#notice")
    expect(notice).to_contain_text(f"The 50 most linked of {len(graph)} nodes are shown")
    assert page.evaluate("scene.shown.size") == 50
    degrees = sorted((graph.degree(key) for key in graph), reverse=True)
    shown = page.evaluate("scene.nodes.map((node) => node.key)")
    assert min(graph.degree(key) for key in shown) >= degrees[49]

    hidden = next(key for key in graph if key not in shown and key.startswith("concept:"))
    page.locator("#search").fill(graph.nodes[hidden]["label"])
    page.keyboard.press("Enter")
    assert hidden in page.evaluate("scene.nodes.map((node) => node.key)")
    page.keyboard.press("Escape")
    notice.get_by_role("button", name="Show all").click()
    assert page.evaluate("scene.shown.size") == len(graph)
    expect(notice).to_be_hidden()


def test_page_says_what_was_left_out(open_page: Callable[..., Page], tmp_path: Path) -> None:
    graph = synthetic_graph(200)
    write_html(graph, tmp_path / "graph.html", max_bytes=700_000)
    page = open_page(tmp_path / "graph.html")
    left_out = len(graph) - page.evaluate("nodes.length")
    assert left_out > 0
    expect(page.locator("#notice")).to_contain_text("Left out of this page to keep it small")
