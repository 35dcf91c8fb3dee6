"""What the RDF says of itself is so."""

from pathlib import Path

import pyoxigraph
import pytest
from networkx import MultiDiGraph

from kg.export.iris import Iris
from kg.export.provenance import Provenance
from kg.export.rdf import prefixes, write_turtle
from kg.export.summary import Tally
from kg.export.syntax import NTriples, shape_of
from kg.export.triples import LAYERS, descriptions
from kg.export.vocabulary import term

NAMES = prefixes()


@pytest.fixture(scope="module")
def graph(small_graph: "MultiDiGraph[str]") -> "MultiDiGraph[str]":
    graph = small_graph.copy()
    graph.graph["provenance"] = Provenance.of("1.0", {"spaCy": "3.8"}, {"text": "full"})
    return graph


@pytest.fixture(
    scope="module", params=[LAYERS, ("papers", "prov")], ids=["all layers", "two layers"]
)
def store(
    request: pytest.FixtureRequest,
    graph: "MultiDiGraph[str]",
    tmp_path_factory: pytest.TempPathFactory,
) -> pyoxigraph.Store:
    path: Path = tmp_path_factory.mktemp("summary") / "graph.ttl"
    write_turtle(graph, path, layers=request.param)
    store = pyoxigraph.Store()
    store.load(path=path, format=pyoxigraph.RdfFormat.TURTLE)
    return store


def rows(store: pyoxigraph.Store, sparql: str) -> list[tuple[str, ...]]:
    found = store.query(sparql, prefixes=NAMES)
    assert isinstance(found, pyoxigraph.QuerySolutions)
    return [tuple(str(value.value) for value in row) for row in found]


@pytest.mark.parametrize(
    ("figure", "counted"),
    [
        ("void:triples", "COUNT(*)"),
        ("void:distinctSubjects", "COUNT(DISTINCT ?s)"),
        ("void:properties", "COUNT(DISTINCT ?p)"),
    ],
)
def test_figures_are_those_that_a_query_counts(
    store: pyoxigraph.Store, figure: str, counted: str
) -> None:
    [(told, found)] = rows(
        store,
        f"SELECT ?told ({counted} AS ?n) {{ ?graph a void:Dataset ; {figure} ?told . ?s ?p ?o }} "
        "GROUP BY ?told",
    )
    assert told == found


def test_each_property_and_class_has_its_part(store: pyoxigraph.Store) -> None:
    told = rows(
        store,
        "SELECT ?p ?n { [] void:propertyPartition ?x . ?x void:property ?p ; void:triples ?n }",
    )
    found = rows(
        store,
        "SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o "
        'FILTER(!STRSTARTS(STR(?p), CONCAT(STR(rdf:), "_"))) } GROUP BY ?p',
    )
    assert sorted(told) == sorted(found)
    told = rows(
        store, "SELECT ?c ?n { [] void:classPartition ?x . ?x void:class ?c ; void:entities ?n }"
    )
    assert sorted(told) == sorted(rows(store, "SELECT ?c (COUNT(*) AS ?n) { ?s a ?c } GROUP BY ?c"))


def test_each_file_of_the_graph_is_a_distribution(store: pyoxigraph.Store) -> None:
    found = rows(
        store, "SELECT ?name { ?graph a dcat:Dataset ; dcat:distribution/dct:title ?name }"
    )
    assert sorted(found) == [("graph.graphml",), ("graph.html",), ("graph.ttl",), ("papers.jsonl",)]


def test_vocabularies_are_those_that_are_used(graph: "MultiDiGraph[str]") -> None:
    said = {subject: rest for subject, *rest in descriptions(graph, NTriples())}
    shape, told = said[f"<{Iris().graph}>"]
    pairs = zip(shape.properties, told, strict=True)
    values = {value for predicate, value in pairs if "vocabulary" in predicate}
    used = {predicate for shape, _ in said.values() for predicate in shape.properties}
    assert {f"<{NAMES['kg']}>", f"<{NAMES['dcat']}>", f"<{NAMES['nif']}>"} <= values
    assert all(any(one.startswith(value[:-1]) for value in values) for one in used)


def test_without_its_origin_a_graph_says_nothing_of_itself(
    graph: "MultiDiGraph[str]", small_graph: "MultiDiGraph[str]"
) -> None:
    syntax = NTriples()
    for described in (
        descriptions(small_graph, syntax),
        descriptions(graph, syntax, layers=("papers",)),
    ):
        assert f"<{Iris().graph}>" not in {subject for subject, *_ in described}


def test_a_long_stream_of_many_shapes_is_counted_to_its_end() -> None:
    tally = Tally()
    shapes = [
        shape_of(("<http://x/C>",), ("<http://x/p>", f"<http://x/q{n % 9_000}>"))
        for n in range(30_000)
    ]
    stream = ((f"<{n}>", shape, ('"1"', '"2"')) for n, shape in enumerate(shapes))
    assert sum(1 for _ in tally.counting(stream)) == tally.subjects == 30_000
    assert tally.classes == {"<http://x/C>": 30_000}
    assert tally.predicates["<http://x/p>"] == tally.predicates[term("rdf:type")] == 30_000
    assert tally.predicates["<http://x/q1>"] == 4
