import pickle
import tracemalloc
from collections.abc import Callable

import networkx
import pytest

from kg.graph.build import assemble
from kg.graph.compact import PaperGraph, shared_keys
from kg.graph.edges import MentionsEdge
from kg.graph.schema import MENTIONS, RELATED
from kg.graph.shared import Shared
from kg.records import AnnotatedPaper
from kg.resolve.concepts import collect_concepts

Graph = networkx.MultiDiGraph


@pytest.fixture
def graph(marked: Callable[..., AnnotatedPaper]) -> Graph:
    papers = [marked(name, "A [[GNN|M]] on [[Cora|D]] and [[more|D]].") for name in "abc"]
    return assemble(papers, collect_concepts(papers))


def test_attributes_take_less_memory_than_usual() -> None:
    usual = {"count": 1, "score": 0.5, "proposed": False}
    assert shared_keys(usual) == usual and type(shared_keys(usual)) is dict
    assert memory(lambda: shared_keys(usual)) < 0.7 * memory(lambda: dict(usual))


def memory(make: Callable[[], object]) -> int:
    """What a thousand such objects take."""
    tracemalloc.start()
    try:
        made = [make() for _ in range(1000)]
        return tracemalloc.get_traced_memory()[0] if made else 0
    finally:
        tracemalloc.stop()


def test_the_graph_changes_like_any_other(graph: Graph) -> None:
    whole = networkx.MultiDiGraph(graph)
    assert dict(whole.nodes(data=True)) == dict(graph.nodes(data=True))
    assert list(whole.edges(keys=True, data=True)) == list(graph.edges(keys=True, data=True))
    graph.nodes["paper:a"]["colour"] = "red"
    graph.add_edge("paper:a", "paper:b", "cites", year=2024)
    graph.remove_edge("paper:a", "paper:b", RELATED)
    assert graph["paper:a"]["paper:b"] == {"cites": {"year": 2024}}
    assert "colour" not in graph.nodes["paper:b"]
    graph.remove_node("paper:a")
    assert "paper:a" not in graph.pred["paper:b"]


def test_an_edge_that_is_changed_stays_changed(graph: Graph) -> None:
    paper, [concept, *_] = "paper:a", [key for key in graph if key.startswith("concept:")]
    edges = graph[paper][concept]
    before = dict(graph.edges[paper, concept, MENTIONS])
    assert edges == {MENTIONS: before} and f"({{{MENTIONS!r}: {before}}})" in repr(edges)
    graph.edges[paper, concept, MENTIONS]["colour"] = "red"
    graph.add_edge(paper, concept, MENTIONS, count=7)  # networkx takes it out and puts it back
    assert graph.pred[concept][paper][MENTIONS] == {**before, "count": 7, "colour": "red"}
    del graph.edges[paper, concept, MENTIONS]["colour"]
    assert graph.edges[paper, concept, MENTIONS] == {**before, "count": 7}
    graph.add_edge(paper, concept, "cites")
    graph.remove_edge(paper, concept)  # the last that was added
    assert list(graph[paper][concept]) == [MENTIONS]
    graph.remove_edge(paper, concept, MENTIONS)
    assert not graph.has_edge(paper, concept)


def test_an_edge_takes_less_memory_than_dictionaries() -> None:
    usual = {"count": 1, "score": 0.5, "proposed": False}
    one = memory(lambda: MentionsEdge(1, 0.5, False))
    assert one < 0.3 * memory(lambda: {MENTIONS: dict(usual)})
    assert dict(MentionsEdge(1, 0.5, False)[MENTIONS]) == usual


def test_a_second_edge_between_two_nodes_keeps_the_first() -> None:
    graph = PaperGraph()
    graph.put_edge("a", "b", "one", weight=1)
    graph.put_edge("a", "b", "other", weight=2)
    assert graph["a"]["b"] == {"one": {"weight": 1}, "other": {"weight": 2}}
    assert graph.pred["b"]["a"] == graph["a"]["b"]


def test_copies_and_pickles_hold_the_same(graph: Graph) -> None:
    for other in (graph.copy(), pickle.loads(pickle.dumps(graph))):
        assert list(other.edges(keys=True, data=True)) == list(graph.edges(keys=True, data=True))


def test_what_is_shared_reads_like_a_tuple(graph: Graph) -> None:
    shared = graph.edges["paper:a", "paper:b", RELATED]["shared"]
    assert isinstance(shared, Shared)
    assert shared == tuple(shared) and hash(shared) == hash(tuple(shared))
    assert len(shared) == 3 and shared[0] == next(iter(shared)) and shared[1:] == tuple(shared)[1:]
    assert {one.concept for one in shared} == {"GNN", "Cora", "more"}
    assert shared != "GNN" and repr(shared) == repr(tuple(shared))
    assert [part[0] for part in shared.parts()] == [one.concept for one in shared]
