from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import networkx
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from networkx import MultiDiGraph

from kg.export.gexf import write_gexf
from kg.graph.build import assemble
from kg.records import AnnotatedPaper, Mention, Paper
from kg.resolve.concepts import collect_concepts

NS = "{http://gexf.net/1.3}"


@pytest.fixture
def again(small_graph: "MultiDiGraph[str]", tmp_path: Path) -> "MultiDiGraph[str]":
    write_gexf(small_graph, tmp_path / "graph.gexf")
    return networkx.read_gexf(tmp_path / "graph.gexf", version="1.3")


def test_nodes_have_their_attributes(
    small_graph: "MultiDiGraph[str]", again: "MultiDiGraph[str]"
) -> None:
    assert set(again) == set(small_graph)
    assert again.nodes["paper:a"] == {
        "kind": "paper",
        "label": "Foo for All",
        "title": "Foo for All",
        "year": 2024,
        "venue": "A Conference",
        "url": "https://example.org/a b",
    }
    [concept] = [one for _, one in again.nodes(data=True) if one["label"] == "graph neural network"]
    assert concept == {
        "kind": "concept",
        "label": "graph neural network",
        "type": "Method",
        "aliases": "GNN",
        "papers": 2,
    }


def test_edges_have_their_attributes(again: "MultiDiGraph[str]") -> None:
    [related] = [data for *_, data in again.edges(data=True) if data["label"] == "related"]
    assert sorted(related["shared"].split("; ")) == ["Cora", "graph neural network"]
    assert 0 < related["weight"] < 1
    [said] = [data for *_, data in again.edges(data=True) if data["label"] == "evaluated_on"]
    assert (said["support"], said["score"]) == (1, 0.7)
    proposed = [data["proposed"] for *_, data in again.edges(data=True) if "proposed" in data]
    assert sorted(set(proposed)) == [False, True]


def test_parallel_edges_keep_their_keys(
    marked: Callable[..., AnnotatedPaper], tmp_path: Path
) -> None:
    papers = [marked("a", "[[x|M]] [[y|M]]")]
    graph = assemble(papers, collect_concepts(papers))
    one, other = (key for key in graph if key.startswith("concept:"))
    for kind in ("part_of", "used_for"):
        graph.add_edge(one, other, key=kind, support=1, score=0.5, evidence=())
    write_gexf(graph, tmp_path / "graph.gexf")
    again = networkx.read_gexf(tmp_path / "graph.gexf", version="1.3")
    assert set(again.edges(keys=True)) == set(graph.edges(keys=True))


def test_file_keeps_to_the_schema_of_gexf(small_graph: "MultiDiGraph[str]", tmp_path: Path) -> None:
    write_gexf(small_graph, tmp_path / "graph.gexf")
    root = ElementTree.parse(tmp_path / "graph.gexf").getroot()
    assert (root.tag, root.get("version")) == (f"{NS}gexf", "1.3")
    [graph] = root
    kinds = [child.tag.removeprefix(NS) for child in graph]
    assert kinds == ["attributes", "attributes", "nodes", "edges"]
    edges = list(graph[3])
    assert len({edge.get("id") for edge in edges}) == small_graph.number_of_edges()
    known = {"id", "source", "target", "kind", "label", "weight"}
    assert all(set(edge.keys()) <= known for edge in edges)
    for declared, used in ((graph[0], graph[2]), (graph[1], graph[3])):
        ids = {one.get("id") for one in declared}
        assert {one.get("for") for one in used.iter(f"{NS}attvalue")} <= ids
        types = {"string", "integer", "double", "boolean"}
        assert {one.get("type") for one in declared} <= types


@settings(max_examples=60, deadline=None)
@given(text=st.text(min_size=1, max_size=30))
@example("".join(map(chr, range(128))))
@example("\"quotes\" 'too' \\ <b>&amp; \n\r\t ]]> 🦆")
def test_any_text_that_xml_can_hold_comes_back(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    mention = Mention(0, len(text), text, "Method", "x", 0.5, "title", (0, len(text)))
    papers = [AnnotatedPaper(Paper(text, title=text), text, (mention,))]
    path = tmp_path_factory.mktemp("any") / "graph.gexf"
    write_gexf(assemble(papers, collect_concepts(papers)), path)
    again = networkx.read_gexf(path, version="1.3")
    cleaned = "".join(
        sign if sign in "\t\n\r" or " " <= sign <= "\ud7ff" or "\ue000" <= sign <= "\ufffd"
        or sign >= "\U00010000" else "\ufffd"
        for sign in text
    )  # fmt: skip
    assert again.nodes[f"paper:{cleaned}"]["title"] == cleaned
    assert again.nodes[f"paper:{cleaned}"]["label"] == cleaned
