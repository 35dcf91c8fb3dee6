"""What a task is done with: what papers state, and what they only name beside it."""

from collections.abc import Callable
from dataclasses import replace

import networkx
import pytest

from kg.errors import NameNotFound
from kg.graph.build import assemble
from kg.graph.task import TaskConcept, concepts_for_task
from kg.records import AnnotatedPaper, Concept, Relation
from kg.resolve.concepts import collect_concepts

Marked = Callable[..., AnnotatedPaper]


def stating(paper: AnnotatedPaper, *triples: tuple[str, str, str]) -> AnnotatedPaper:
    """Return the paper with these relations."""
    relations = tuple(
        Relation(head, kind, tail, 0.5, 0, 5, "abstract")  # type: ignore[arg-type]
        for head, kind, tail in triples
    )
    return replace(paper, relations=relations)


@pytest.fixture
def graph(marked: Marked) -> "networkx.MultiDiGraph[str]":
    first = stating(
        marked("a", "[[Net|M]] [[parsing|T]] [[Bank|D]] [[F1|E]] [[Aside|M]]", year=2023),
        ("Net", "used_for", "parsing"),
        ("Net", "evaluated_on", "Bank"),
        ("Net", "measured_by", "F1"),
    )
    second = stating(
        marked("b", "[[Net|M]] [[deep parsing|T]] [[Bank|D]] [[Other|D]]", year=2024),
        ("Net", "used_for", "deep parsing"),
        ("Other", "benchmark_for", "deep parsing"),
    )
    third = stating(
        marked("c", "[[parsing|T]] [[Bank|D]] [[Elsewhere|M]] [[speed|E]]"),
        ("Elsewhere", "evaluated_on", "Bank"),
        ("parsing", "measured_by", "speed"),
    )
    papers = [first, second, third, marked("d", "[[Net|M]] [[far|T]] [[Far Set|D]]", year=2024)]
    concepts = collect_concepts(papers)
    ids = {concept.label: concept.id for concept in concepts}
    return assemble(papers, [_below(concept, ids) for concept in concepts])


def _below(concept: Concept, ids: dict[str, str]) -> Concept:
    if concept.label != "deep parsing":
        return replace(concept, broader=(), broader_support=())
    return replace(concept, broader=(ids["parsing"],), broader_support=(1,))


def test_what_papers_state_comes_before_what_they_only_name(
    graph: "networkx.MultiDiGraph[str]",
) -> None:
    assert concepts_for_task(graph, "Parsing") == [
        TaskConcept("Net", "Method", 2, 2, {2023: 1, 2024: 1}),
        TaskConcept("Aside", "Method", 0, 1, {2023: 1}),
        TaskConcept("Elsewhere", "Method", 0, 1, {}),
        TaskConcept("Bank", "Dataset", 1, 3, {2023: 1, 2024: 1}),
        TaskConcept("Other", "Dataset", 1, 1, {2024: 1}),
        TaskConcept("F1", "Metric", 1, 1, {2023: 1}),
        TaskConcept("speed", "Metric", 1, 1, {}),
    ]


def test_a_narrower_task_has_only_its_own(graph: "networkx.MultiDiGraph[str]") -> None:
    found = concepts_for_task(graph, "deep parsing")
    assert [(one.concept, one.stated, one.papers) for one in found] == [
        ("Net", 1, 1),
        ("Other", 1, 1),
        ("Bank", 0, 1),
    ]


def test_type_and_top_of_each_type(graph: "networkx.MultiDiGraph[str]") -> None:
    assert [one.concept for one in concepts_for_task(graph, "parsing", top=1)] == [
        "Net",
        "Bank",
        "F1",
    ]
    only = concepts_for_task(graph, "parsing", type="Metric")
    assert [one.concept for one in only] == ["F1", "speed"]
    assert concepts_for_task(graph, "parsing", type="Task") == []


def test_an_unknown_task_is_told_with_the_nearest(graph: "networkx.MultiDiGraph[str]") -> None:
    with pytest.raises(NameNotFound, match=r"parsin: no concept of that name; nearest: parsing"):
        concepts_for_task(graph, "parsin")
