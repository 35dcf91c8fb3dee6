from collections.abc import Callable
from dataclasses import replace

import networkx
import pytest

from kg.errors import NameNotFound
from kg.graph.build import assemble
from kg.graph.describe import describe
from kg.graph.find import find_node
from kg.graph.path import find_path
from kg.graph.related import papers_per_year, related_papers, top_concepts
from kg.graph.schema import MENTIONS, RELATED, concept_key, paper_key
from kg.graph.search import related_to_annotated
from kg.records import AnnotatedPaper, Relation
from kg.resolve.concepts import collect_concepts

Marked = Callable[..., AnnotatedPaper]


@pytest.fixture
def papers(marked: Marked) -> list[AnnotatedPaper]:
    first = marked(
        "a",
        "We propose [[FooNet|M]]. It is a [[GNN|M|graph neural network]] like other "
        "[[graph neural networks|M|graph neural network]].",
        proposes=("FooNet",),
        title="Foo for All",
        year=2024,
    )
    relation = Relation("FooNet", "subclass_of", "graph neural network", 0.8, 25, 60, "abstract")
    return [
        replace(first, relations=(relation,)),
        marked("b", "A [[graph neural network|M]] on [[Cora|D]].", title="Bar for All"),
        marked("c", "We read [[C++|M]].", title="Quiet"),
    ]


@pytest.fixture
def graph(papers: list[AnnotatedPaper]) -> "networkx.MultiDiGraph[str]":
    return assemble(papers, collect_concepts(papers))


def test_assemble_gives_documented_attributes(graph: "networkx.MultiDiGraph[str]") -> None:
    paper = graph.nodes[paper_key("a")]
    assert (paper["kind"], paper["label"], paper["year"]) == ("paper", "Foo for All", 2024)
    concept = graph.nodes[concept_key("graph neural network")]
    assert (concept["kind"], concept["type"], concept["papers"]) == ("concept", "Method", 2)
    assert concept["aliases"] == ("GNN", "graph neural networks")
    edge = graph.edges[paper_key("a"), concept_key("graph neural network"), MENTIONS]
    assert edge == {"count": 2, "score": 0.9, "proposed": False}
    assert graph.edges[paper_key("a"), concept_key("FooNet"), MENTIONS]["proposed"]
    claim = graph.edges[concept_key("FooNet"), concept_key("graph neural network"), "subclass_of"]
    assert (claim["support"], claim["score"], claim["evidence"][0][0]) == (1, 0.8, "a")


def test_link_holds_the_shared_concept_and_both_sentences(
    graph: "networkx.MultiDiGraph[str]",
) -> None:
    [shared] = graph.edges[paper_key("a"), paper_key("b"), RELATED]["shared"]
    assert shared.concept == "graph neural network"
    assert shared.here.startswith("It is a GNN") and shared.there.startswith("A graph neural")


def test_order_of_papers_does_not_change_the_graph(papers: list[AnnotatedPaper]) -> None:
    one = assemble(papers, collect_concepts(papers))
    other = assemble(papers[::-1], collect_concepts(papers[::-1])[::-1])
    assert list(one.nodes(data=True)) == list(other.nodes(data=True))
    assert list(one.edges(keys=True, data=True)) == list(other.edges(keys=True, data=True))


def test_related_papers_sees_a_link_from_either_side(graph: "networkx.MultiDiGraph[str]") -> None:
    [there] = related_papers(graph, "Foo for All")
    [back] = related_papers(graph, "b")
    assert (there.paper, back.paper, there.score) == ("b", "a", back.score)
    assert (there.shared[0].here, there.shared[0].there) == (
        back.shared[0].there,
        back.shared[0].here,
    )
    assert related_papers(graph, "Quiet") == []


@pytest.mark.parametrize(
    ("name", "node"),
    [
        ("FooNet", concept_key("FooNet")),
        ("foonet", concept_key("FooNet")),
        ("GNN", concept_key("graph neural network")),
        ("Graph Neural-Networks", concept_key("graph neural network")),
        ("c++", concept_key("C++")),
        ("a", paper_key("a")),
        ("Foo for All", paper_key("a")),
        ("bar", paper_key("b")),
        ("paper:c", paper_key("c")),
        ("concept:Cora", concept_key("Cora")),
    ],
)
def test_find_node_by_every_name(graph: "networkx.MultiDiGraph[str]", name: str, node: str) -> None:
    assert find_node(graph, name) == node


def test_concept_goes_before_the_paper_of_the_same_name(marked: Marked) -> None:
    papers = [marked("a", "We propose [[FooNet|M]].", title="FooNet")]
    graph = assemble(papers, collect_concepts(papers))
    assert find_node(graph, "FooNet") == concept_key("FooNet")
    assert find_node(graph, "paper:FooNet") == find_node(graph, "FooNet", kind="paper") == "paper:a"


def test_paper_is_found_by_what_it_alone_proposes(marked: Marked) -> None:
    papers = [
        marked("a", "We propose [[FooNet|M]].", title="On nets", proposes=("FooNet",)),
        marked("b", "We use [[FooNet|M]] and [[BarNet|M]].", title="More", proposes=("BarNet",)),
        marked("c", "We also made [[BarNet|M]].", title="Too", proposes=("BarNet",)),
    ]
    graph = assemble(papers, collect_concepts(papers))
    assert find_node(graph, "foonet", kind="paper") == "paper:a"
    with pytest.raises(NameNotFound, match=r"2 have that name: paper:b .*paper:c"):
        find_node(graph, "BarNet", kind="paper")
    with pytest.raises(NameNotFound, match="no paper of that name"):
        find_node(graph, "", kind="paper")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("FooNit", "no concept or paper of that name; nearest: .*FooNet"),
        ("for All", "2 have that name: paper:a .*paper:b"),
        ("zzzzzz", "see `kg concepts`"),
        ("", "no concept or paper"),
    ],
)
def test_find_node_says_what_is_near(
    graph: "networkx.MultiDiGraph[str]", name: str, message: str
) -> None:
    with pytest.raises(NameNotFound, match=message):
        find_node(graph, name)


def test_untitled_paper_is_named_by_a_part_of_its_label(marked: Marked) -> None:
    annotated = replace(marked("a", "We use [[X1|M]]."), label="We investigate coresets for …")
    assert find_node(assemble([annotated], collect_concepts([annotated])), "coresets") == "paper:a"


def test_merged_ids_still_name_the_paper(marked: Marked) -> None:
    papers = [marked("a", "We use [[X1|M]].", merged=("old-id",))]
    assert find_node(assemble(papers, collect_concepts(papers)), "old-id") == "paper:a"


def test_top_concepts_sorts_by_papers_then_label(graph: "networkx.MultiDiGraph[str]") -> None:
    assert [concept.label for concept in top_concepts(graph, top=3)] == [
        "graph neural network",
        "C++",
        "Cora",
    ]
    assert [concept.label for concept in top_concepts(graph, type="Dataset")] == ["Cora"]


def test_describe_concept_holds_its_evidence(graph: "networkx.MultiDiGraph[str]") -> None:
    known = describe(graph, "GNN")
    assert known["aliases"][0] == {"alias": "GNN", "reason": "acronym of"}
    assert [paper["paper"] for paper in known["papers"]] == ["a", "b"]
    assert known["papers"][1]["sentence"] == "A graph neural network on Cora."
    assert known["relations"] == [
        {
            "head": "FooNet",
            "type": "subclass_of",
            "tail": "graph neural network",
            "support": 1,
            "score": 0.8,
        }
    ]


def test_describe_paper_holds_concepts_and_links(graph: "networkx.MultiDiGraph[str]") -> None:
    known = describe(graph, "paper:a")
    assert known["proposes"] == ["FooNet"]
    assert [concept["concept"] for concept in known["concepts"]] == [
        "FooNet",
        "graph neural network",
    ]
    assert known["related"] == [
        {
            "paper": "b",
            "label": "Bar for All",
            "score": known["related"][0]["score"],
            "shared": ["graph neural network"],
        }
    ]


def test_find_path_says_each_step(graph: "networkx.MultiDiGraph[str]") -> None:
    steps = find_path(graph, "FooNet", "Cora")
    assert [(step.source, step.how, step.target) for step in steps] == [
        ("FooNet", "subclass_of", "graph neural network"),
        ("Bar for All", "mentions", "graph neural network"),
        ("Bar for All", "mentions", "Cora"),
    ]
    assert steps[0].paper == "a" and steps[1].sentence == "A graph neural network on Cora."
    assert find_path(graph, "FooNet", "foonet") == []


def test_find_path_prefers_the_rarer_concept(marked: Marked) -> None:
    text = "We use [[common|M]] and [[rare|M]]."
    papers = [marked("a", text), marked("b", text), marked("c", "The [[common|M]] thing.")]
    graph = assemble(papers, collect_concepts(papers))
    assert [step.target for step in find_path(graph, "paper:a", "paper:b")] == ["rare", "rare"]


def test_find_path_tells_when_nothing_joins(graph: "networkx.MultiDiGraph[str]") -> None:
    with pytest.raises(NameNotFound, match="nothing that papers say joins them"):
        find_path(graph, "C++", "Cora")


def test_related_to_annotated_ranks_by_shared_concepts(
    graph: "networkx.MultiDiGraph[str]", marked: Marked
) -> None:
    text = marked("text", "A [[GNN|M]] on [[Cora|D]] with [[magic|M]].")
    found = related_to_annotated(graph, text)
    assert [paper.paper for paper in found] == ["b", "a"]
    assert {shared.concept for shared in found[0].shared} == {"Cora", "graph neural network"}
    assert found[0].shared[0].here == "A GNN on Cora with magic."
    assert related_to_annotated(graph, marked("text", "Nothing [[here|M]].")) == []


def test_papers_per_year_counts_known_years(graph: "networkx.MultiDiGraph[str]") -> None:
    years = papers_per_year(graph, top_concepts(graph, top=2))
    assert years == [{2024: 1}, {}]
