"""The page as a file: its bytes, its size, what it holds."""

import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_graphs import graph_of, hostile_graph, synthetic_graph, toy_graph

from kg.errors import OutputError
from kg.export.html import write_html
from kg.export.page.evidence import utf16_offset
from kg.records import AnnotatedPaper, Paper


class Blocks(HTMLParser):
    """Read the data of a page as a browser would."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.read: dict[str, str] = {}
        self.open: str | None = None
        self.sources: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.sources += [given[name] or "" for name in ("src", "href") if name in given]
        if tag == "script" and given.get("type") == "application/json":
            self.open = given["id"]

    def handle_endtag(self, tag: str) -> None:
        self.open = None

    def handle_data(self, data: str) -> None:
        if self.open:
            self.read[self.open] = self.read.get(self.open, "") + data

    def json(self, name: str) -> Any:
        return json.loads(self.read[name])


def written(graph: "networkx.MultiDiGraph[str]", folder: Path, **options: Any) -> str:
    write_html(graph, folder / "graph.html", **options)
    return (folder / "graph.html").read_text(encoding="utf-8")


def test_write_html_keeps_nodes_and_edges_of_the_graph(tmp_path: Path) -> None:
    graph = toy_graph()
    page = Blocks(written(graph, tmp_path))
    keys = [node["key"] for node in page.json("nodes")]
    assert set(keys) == set(graph)
    edges = {(keys[edge["from"]], keys[edge["to"]], edge["kind"]) for edge in page.json("edges")}
    assert edges == set(graph.edges(keys=True))
    assert len(page.json("edges")) == graph.number_of_edges()


def test_write_html_leaves_the_graph_as_it_was(tmp_path: Path) -> None:
    graph = toy_graph()
    written(graph, tmp_path)
    assert dict(graph.nodes(data=True)) == dict(toy_graph().nodes(data=True))
    assert list(graph.edges(data=True)) == list(toy_graph().edges(data=True))


def test_write_html_refers_to_nothing_outside(tmp_path: Path) -> None:
    page = written(toy_graph(), tmp_path)
    assert Blocks(page).sources == ["data:,"]
    assert "sourceMappingURL" not in page


def test_write_html_drops_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_html(toy_graph(), "deep/er/graph.html")
    assert [str(path.relative_to(tmp_path)) for path in sorted(tmp_path.rglob("*"))] == [
        "deep",
        "deep/er",
        "deep/er/graph.html",
    ]


def test_write_html_gives_the_same_bytes_in_any_process_and_locale(tmp_path: Path) -> None:
    code = (
        "import page_graphs, kg.export.html as h; h.write_html(page_graphs.toy_graph(), 'p.html')"
    )
    pages = []
    for seed, encoding in (("1", "utf-8"), ("2", "cp1252")):
        folder = tmp_path / seed
        folder.mkdir()
        path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
        environment = os.environ | {
            "PYTHONHASHSEED": seed,
            "PYTHONIOENCODING": encoding,
            "PYTHONUTF8": "0",
            "LC_ALL": "C",
            "PYTHONPATH": path,
        }
        subprocess.run([sys.executable, "-c", code], cwd=folder, env=environment, check=True)
        pages.append((folder / "p.html").read_bytes())
    assert pages[0] == pages[1]


def test_write_html_loads_pyvis_only_when_it_writes() -> None:
    code = "import sys, kg.export.html; sys.exit('pyvis' in sys.modules or 'scipy' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_write_html_of_an_empty_graph(tmp_path: Path) -> None:
    page = Blocks(written(networkx.MultiDiGraph(), tmp_path))
    assert page.json("nodes") == page.json("edges") == []


def test_write_html_of_one_paper_without_concepts(tmp_path: Path) -> None:
    graph = graph_of([AnnotatedPaper(Paper("p1", title="Alone"), "Alone")])
    [node] = Blocks(written(graph, tmp_path)).json("nodes")
    assert (node["label"], node["x"], node["y"]) == ("Alone", 0, 0)


def test_write_html_into_a_file_that_is_a_folder_says_so(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot write"):
        write_html(toy_graph(), tmp_path)


def test_write_html_escapes_all_that_could_end_a_script(tmp_path: Path) -> None:
    page = written(hostile_graph(), tmp_path)
    assert len(re.findall("</script", page)) == 8
    assert "<!--" not in page
    blocks = Blocks(page)
    assert all("<" not in text and ">" not in text for text in blocks.read.values())
    labels = {node["label"] for node in blocks.json("nodes")}
    assert labels == {label for _, label in hostile_graph().nodes(data="label")}


def test_write_html_keeps_below_its_cap_and_says_what_it_leaves_out(tmp_path: Path) -> None:
    graph = synthetic_graph(150)
    whole = written(graph, tmp_path)
    cap = len(whole.encode()) - 60_000
    page = written(graph, tmp_path, max_bytes=cap)
    assert cap / 2 < len(page.encode()) <= cap
    blocks = Blocks(page)
    left_out = blocks.json("about")["left_out"]
    assert left_out["papers"] > 0
    assert len(blocks.json("nodes")) + sum(left_out.values()) == len(graph)
    kept = {node["key"] for node in blocks.json("nodes")}
    dropped = [graph.degree(key) for key in graph if key not in kept]
    assert max(dropped) <= min(graph.degree(key) for key in kept)


@given(st.text())
def test_utf16_counts_units_as_javascript_does(text: str) -> None:
    offset = utf16_offset(text)
    for place in range(len(text) + 1):
        assert offset(place) == len(text[:place].encode("utf-16-le", "surrogatepass")) // 2
