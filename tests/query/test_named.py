"""The named queries give the same rows from either engine."""

from pathlib import Path

import pytest
import rdflib

from kg.errors import QueryError
from kg.query.named import NamedQuery, named_queries, run_named

BINDS = [
    ("shared-concepts", {"one": "a", "other": "b"}),
    ("shared-concepts", {"one": "BAR for all", "other": "Foo for All"}),
    ("shared-concepts", {"one": "a", "other": "10.1/c d"}),
    ("methods-for-task", {"task": "Node Classification"}),
    ("methods-for-task", {"task": "nothing"}),
    ("top-concepts", {"type": "method"}),
    ("top-concepts", {"type": "Dataset"}),
]


def query(name: str) -> NamedQuery:
    return {query.name: query for query in named_queries()}[name]


@pytest.mark.parametrize(("name", "bind"), BINDS)
def test_both_engines_agree(name: str, bind: dict[str, str], build: Path) -> None:
    result = run_named(build, name, bind=bind)
    graph = rdflib.Graph().parse(build / "graph.ttl")
    bindings = {parameter: rdflib.Literal(value) for parameter, value in bind.items()}
    other = graph.query(query(name).sparql, initBindings=bindings)
    assert tuple(str(variable) for variable in other.vars or ()) == result.variables
    rows = [tuple(None if value is None else str(value) for value in row) for row in other]
    assert rows == list(result.rows)


def test_shared_concepts(build: Path) -> None:
    rows = run_named(build, "shared-concepts", bind={"one": "A", "other": "bar for all"}).rows
    assert [row[2:4] for row in rows] == [
        ("graph neural network", "Method"),
        ("Cora", "Dataset"),
    ]
    assert all(float(row[4] or 0) > 0 for row in rows)


def test_methods_for_task_puts_those_said_to_be_used_first(build: Path) -> None:
    rows = run_named(build, "methods-for-task", bind={"task": "node classification"}).rows
    assert [row[1:] for row in rows] == [("FooNet", "1", "1"), ("graph neural network", "0", "1")]


def test_a_concept_is_found_by_an_alias(build: Path) -> None:
    """`GNN` is a method, so that what is used for it is nothing, but it is found as a goal."""
    by_alias = run_named(build, "methods-for-task", bind={"task": "gnn"}).rows
    by_label = run_named(build, "methods-for-task", bind={"task": "graph neural network"}).rows
    assert by_alias
    assert [row[1:] for row in by_alias] == [row[1:] for row in by_label]


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
        ("top", {}, "no query is called 'top': choose among methods-for-task"),
        ("top-concepts", {}, "top-concepts needs type=VALUE, Method, Task, Dataset or Metric"),
        ("top-concepts", {"type": "Task", "x": "1"}, "has no 'x': its parameters are type"),
    ],
)
def test_wrong_use_is_an_error(name: str, bind: dict[str, str], message: str, build: Path) -> None:
    with pytest.raises(QueryError, match=message):
        run_named(build, name, bind=bind)
