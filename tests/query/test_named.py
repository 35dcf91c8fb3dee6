"""The named queries give the same rows from either engine."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import rdflib

from kg.errors import QueryError
from kg.export.from_rdf import from_rdf
from kg.export.rdf import write_turtle
from kg.graph.build import assemble
from kg.query.named import NamedQuery, named_queries, run_named
from kg.records import AnnotatedPaper, Relation
from kg.resolve.concepts import collect_concepts

SEEDS = Path(__file__).parents[2] / "exports" / "graph.ttl"
BINDS = [
    ("compared-with", {"method": "graph neural network"}),
    ("datasets-for-task", {"task": "Node Classification"}),
    ("evidence-for", {"one": "Cora", "other": "foonet"}),
    ("methods-for-task", {"task": "Node Classification"}),
    ("methods-for-task", {"task": "nothing"}),
    ("metrics-for-task", {"task": "node classification"}),
    ("papers-about", {"concept": "gnn"}),
    ("parts-of-method", {"method": "FooNet"}),
    ("related-papers", {"paper": "foo for all"}),
    ("shared-concepts", {"one": "a", "other": "b"}),
    ("shared-concepts", {"one": "BAR for all", "other": "Foo for All"}),
    ("shared-concepts", {"one": "a", "other": "10.1/c d"}),
    ("top-concepts", {"type": "method"}),
    ("top-concepts", {"type": "Dataset"}),
]
ON_SEEDS = [
    ("compared-with", {"method": "LoRA"}),
    ("datasets-for-task", {"task": "Zero-Shot Quantization"}),
    ("evidence-for", {"one": "ViT", "other": "computer vision"}),
    ("methods-for-task", {"task": "image classification"}),
    ("metrics-for-task", {"task": "recommendation"}),
    ("papers-about", {"concept": "graph neural network"}),
    ("parts-of-method", {"method": "LayerMerge"}),
    ("related-papers", {"paper": "000_3b75ba93e3f3b8ee-06"}),
    ("shared-concepts", {"one": "000_3b75ba93e3f3b8ee-06", "other": "000_3b75ba93e3f3b8ee-18"}),
    ("top-concepts", {"type": "dataset"}),
]


@pytest.fixture(scope="module")
def seeds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The graph of the seeds as it is written now."""
    folder = tmp_path_factory.mktemp("seeds")
    write_turtle(from_rdf(SEEDS), folder / "graph.ttl")
    return folder


@pytest.fixture(scope="module")
def by_rdflib(build: Path, seeds: Path) -> dict[Path, rdflib.Graph]:
    return {folder: rdflib.Graph().parse(folder / "graph.ttl") for folder in (build, seeds)}


def query(name: str) -> NamedQuery:
    return {query.name: query for query in named_queries()}[name]


def answers(folder: Path, name: str, **bind: str) -> list[tuple[str | None, ...]]:
    """Return the rows of a named query without the columns of its parameters."""
    return [row[len(bind) :] for row in run_named(folder, name, bind=bind).rows]


def assert_equal_answers(
    folder: Path, name: str, bind: dict[str, str], graph: rdflib.Graph
) -> None:
    result = run_named(folder, name, bind=bind)
    bindings = {parameter: rdflib.Literal(value) for parameter, value in bind.items()}
    other = graph.query(query(name).sparql, initBindings=bindings)
    assert tuple(str(variable) for variable in other.vars or ()) == result.variables
    rows = [tuple(None if value is None else str(value) for value in row) for row in other]
    assert rows == list(result.rows)


@pytest.mark.parametrize(("name", "bind"), BINDS)
def test_both_engines_agree(
    name: str, bind: dict[str, str], build: Path, by_rdflib: dict[Path, rdflib.Graph]
) -> None:
    assert_equal_answers(build, name, bind, by_rdflib[build])


@pytest.mark.parametrize(("name", "bind"), ON_SEEDS, ids=[name for name, _ in ON_SEEDS])
def test_both_engines_agree_on_the_seeds(
    name: str, bind: dict[str, str], seeds: Path, by_rdflib: dict[Path, rdflib.Graph]
) -> None:
    assert_equal_answers(seeds, name, bind, by_rdflib[seeds])


def test_every_query_is_asked_of_the_seeds() -> None:
    assert [name for name, _ in ON_SEEDS] == [query.name for query in named_queries()]


def test_what_is_for_a_task_puts_first_what_papers_say(build: Path) -> None:
    task = "node classification"
    assert answers(build, "methods-for-task", task=task) == [
        ("FooNet", "true", "1"),
        ("graph neural network", "false", "1"),
    ]
    assert answers(build, "datasets-for-task", task=task) == [("Cora", "true", "1")]
    assert answers(build, "metrics-for-task", task=task) == [("accuracy", "false", "1")]


def test_a_concept_is_found_by_an_alias_in_any_case(build: Path) -> None:
    about = answers(build, "papers-about", concept="gNN")
    assert about == answers(build, "papers-about", concept="graph neural network")


def test_papers_about_a_concept_are_on_narrower_ones_too(build: Path) -> None:
    assert answers(build, "papers-about", concept="graph neural network") == [
        ("a", "Foo for All", "2024", "1"),
        ("b", "Bar for All", None, "0"),
    ]


def test_evidence_is_the_sentence(build: Path) -> None:
    [row] = answers(build, "evidence-for", one="cora", other="FooNet")
    assert row[:-1] == ("FooNet", "evaluatedOn", "Cora", "0.7", "a")
    assert str(row[-1]).strip() == "Cora it does node classification at 90 % accuracy."
    assert answers(build, "evidence-for", one="FooNet", other="CORA") == [row]
    assert answers(build, "evidence-for", one="Cora", other="C++") == []


def test_related_papers_come_with_what_links_them(build: Path) -> None:
    rows = answers(build, "related-papers", paper="BAR FOR ALL")
    assert [(row[0], row[1], row[3]) for row in rows] == [
        ("a", "Foo for All", "graph neural network"),
        ("a", "Foo for All", "Cora"),
    ]
    assert answers(build, "related-papers", paper="cora") == []


def test_shared_concepts_come_with_the_rarest_first(build: Path) -> None:
    assert answers(build, "shared-concepts", one="A", other="bar for all") == [
        ("Cora", "Dataset", "2"),
        ("graph neural network", "Method", "2"),
    ]


@pytest.fixture(scope="module")
def methods(
    marked: Callable[..., AnnotatedPaper], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A build of one paper that compares and takes apart its methods."""
    paper = marked("p", "[[Duo|M]] has [[Uno|M]] with [[Nil|M]], and beats [[Trio|M]].")
    relations = tuple(
        Relation(head, kind, tail, 0.5, 0, len(paper.paper.abstract or ""), "abstract")  # type: ignore[arg-type]
        for head, kind, tail in (
            ("Duo", "compared_with", "Trio"),
            ("Uno", "part_of", "Duo"),
            ("Nil", "part_of", "Uno"),
        )
    )
    papers = [replace(paper, relations=relations)]
    folder = tmp_path_factory.mktemp("methods")
    write_turtle(assemble(papers, collect_concepts(papers)), folder / "graph.ttl")
    return folder


def test_a_comparison_is_found_from_either_side(methods: Path) -> None:
    assert answers(methods, "compared-with", method="Duo") == [("Trio", "1")]
    assert answers(methods, "compared-with", method="trio") == [("Duo", "1")]


def test_parts_of_parts_are_parts(methods: Path) -> None:
    parts = [("Uno", "Duo", "1"), ("Nil", "Uno", "1")]
    assert answers(methods, "parts-of-method", method="duo") == parts
    assert answers(methods, "parts-of-method", method="Uno") == parts[1:]


def test_top_concepts_counts_papers(build: Path) -> None:
    rows = run_named(build, "top-concepts", bind={"type": "Method"}).rows
    assert rows[0][1:] == ("graph neural network", "2")
    assert {row[1] for row in rows[1:]} == {"C++", "FooNet", "苹果"}


@pytest.mark.parametrize("named", named_queries(), ids=lambda named: named.name)
def test_each_query_explains_itself(named: NamedQuery) -> None:
    assert named.help.endswith(".")
    assert named.parameters
    assert all(f"?{parameter}" in named.sparql for parameter in named.parameters)
    assert "PREFIX" not in named.sparql


@pytest.mark.parametrize(
    ("name", "bind", "message"),
    [
        ("top", {}, "no query is called 'top': choose among compared-with"),
        ("top-concepts", {}, "top-concepts needs type=VALUE, Method, Task, Dataset or Metric"),
        ("top-concepts", {"type": "Task", "x": "1"}, "has no 'x': its parameters are type"),
    ],
)
def test_wrong_use_is_an_error(name: str, bind: dict[str, str], message: str, build: Path) -> None:
    with pytest.raises(QueryError, match=message):
        run_named(build, name, bind=bind)
