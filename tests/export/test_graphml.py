from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from networkx import MultiDiGraph

from kg.export.graphml import write_graphml
from kg.graph.build import assemble
from kg.records import AnnotatedPaper, Mention, Paper
from kg.resolve.concepts import collect_concepts


def read(path: Path) -> "MultiDiGraph[str]":
    return networkx.read_graphml(path, force_multigraph=True)


@pytest.fixture
def again(small_graph: "MultiDiGraph[str]", tmp_path: Path) -> "MultiDiGraph[str]":
    write_graphml(small_graph, tmp_path / "graph.graphml")
    return read(tmp_path / "graph.graphml")


def test_nodes_edges_and_keys_come_back(
    small_graph: "MultiDiGraph[str]", again: "MultiDiGraph[str]"
) -> None:
    assert set(again) == set(small_graph)
    assert set(again.edges(keys=True)) == set(small_graph.edges(keys=True))


def test_paper_has_its_attributes_and_none_it_lacks(again: "MultiDiGraph[str]") -> None:
    assert again.nodes["paper:a"] == {
        "kind": "paper",
        "label": "Foo for All",
        "title": "Foo for All",
        "year": 2024,
        "venue": "A Conference",
        "url": "https://example.org/a b",
    }
    assert again.nodes["paper:10.1/c d"] == {"kind": "paper", "label": "10.1/c d"}


def test_concept_has_its_attributes(
    small_graph: "MultiDiGraph[str]", again: "MultiDiGraph[str]"
) -> None:
    [key] = [key for key, label in again.nodes(data="label") if label == "graph neural network"]
    assert again.nodes[key] == {
        "kind": "concept",
        "label": "graph neural network",
        "type": "Method",
        "aliases": "GNN",
        "papers": 2,
    }


def test_edges_have_their_attributes_in_their_types(again: "MultiDiGraph[str]") -> None:
    edges = {
        (source, again.nodes[target]["label"], key): data
        for source, target, key, data in again.edges(keys=True, data=True)
    }
    assert edges["paper:a", "FooNet", "mentions"] == {
        "key": "mentions",
        "count": 1,
        "score": 0.9,
        "proposed": True,
    }
    related = edges["paper:a", "Bar for All", "related"]
    assert sorted(related["shared"].split("; ")) == ["Cora", "graph neural network"]
    assert isinstance(related["weight"], float)
    [said] = [data for (_, _, key), data in edges.items() if key == "evaluated_on"]
    assert said == {"key": "evaluated_on", "score": 0.7, "support": 1}


def test_parallel_edges_keep_their_keys(
    marked: Callable[..., AnnotatedPaper], tmp_path: Path
) -> None:
    papers = [marked("a", "[[x|M]] [[y|M]]")]
    graph = assemble(papers, collect_concepts(papers))
    one, other = (key for key in graph if key.startswith("concept:"))
    for kind in ("part_of", "used_for"):
        graph.add_edge(one, other, key=kind, support=1, score=0.5, evidence=())
    write_graphml(graph, tmp_path / "graph.graphml")
    again = networkx.read_graphml(tmp_path / "graph.graphml")
    assert isinstance(again, networkx.MultiDiGraph)
    assert set(again[one][other]) == {"part_of", "used_for"}


def test_edges_have_no_ids_that_they_could_share(
    small_graph: "MultiDiGraph[str]", tmp_path: Path
) -> None:
    write_graphml(small_graph, tmp_path / "graph.graphml")
    tree = ElementTree.parse(tmp_path / "graph.graphml")
    edges = tree.findall(".//{http://graphml.graphdrawing.org/xmlns}edge")
    assert len(edges) == small_graph.number_of_edges()
    assert not any(edge.get("id") for edge in edges)


def test_order_of_the_graph_does_not_matter(
    small_graph: "MultiDiGraph[str]", tmp_path: Path
) -> None:
    backwards: MultiDiGraph[str] = networkx.MultiDiGraph()
    backwards.add_nodes_from(reversed(list(small_graph.nodes(data=True))))
    backwards.add_edges_from(reversed(list(small_graph.edges(keys=True, data=True))))
    for name, graph in (("one", small_graph), ("other", backwards)):
        write_graphml(graph, tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


@settings(max_examples=60, deadline=None)
@given(text=st.text(min_size=1, max_size=30))
def test_any_text_that_xml_can_hold_comes_back(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    mention = Mention(0, len(text), text, "Method", "x", 0.5, "title", (0, len(text)))
    papers = [AnnotatedPaper(Paper(text, title=text), text, (mention,))]
    path = tmp_path_factory.mktemp("any") / "graph.graphml"
    write_graphml(assemble(papers, collect_concepts(papers)), path)
    again = read(path)
    [paper] = [key for key in again if key.startswith("paper:")]
    cleaned = "".join(
        sign if sign in "\t\n\r" or " " <= sign <= "\ud7ff" or "\ue000" <= sign <= "\ufffd"
        or sign >= "\U00010000" else "\ufffd"
        for sign in text
    )  # fmt: skip
    assert paper == f"paper:{cleaned}"
    assert again.nodes[paper]["title"] == cleaned
