import json
from pathlib import Path

import pytest
import rdflib

from kg.errors import QueryError
from kg.query.engine import run_query
from kg.query.results import QueryResult

QUERY = "SELECT ?paper ?label { ?paper rdfs:label ?label FILTER(?paper = paper:a) }"
IRI = "https://kg.example.org/paper/a"


def test_csv_and_tsv_hold_whole_terms(build: Path) -> None:
    result = run_query(build, QUERY)
    assert result.serialize("csv") == f"paper,label\r\n{IRI},Foo for All\r\n"
    assert result.serialize("tsv") == f'?paper\t?label\n<{IRI}>\t"Foo for All"\n'


def test_json_and_xml_are_sparql_results(build: Path) -> None:
    result = run_query(build, QUERY)
    assert json.loads(result.serialize("json"))["results"]["bindings"] == [
        {
            "paper": {"type": "uri", "value": IRI},
            "label": {"type": "literal", "value": "Foo for All"},
        }
    ]
    assert "<literal>Foo for All</literal>" in result.serialize("xml")


def test_ask_in_every_format(build: Path) -> None:
    result = run_query(build, "ASK {}")
    assert json.loads(result.serialize("json"))["boolean"] is True
    assert result.serialize("csv") == "true"
    assert "<boolean>true</boolean>" in result.serialize("xml")


def test_triples_as_turtle_and_ntriples_are_the_same(build: Path) -> None:
    result = run_query(build, "DESCRIBE paper:a")
    turtle = rdflib.Graph().parse(data=result.serialize("ttl"), format="turtle")
    ntriples = rdflib.Graph().parse(data=result.serialize("nt"), format="nt")
    assert set(turtle) == set(ntriples)
    assert len(turtle) == len(result.rows) > 10
    assert "paper:a" in result.serialize("ttl")


@pytest.mark.parametrize(
    ("kind", "format", "message"),
    [
        ("select", "ttl", "a SELECT query gives rows, which ttl does not hold: use table, csv"),
        ("graph", "csv", "a CONSTRUCT or DESCRIBE query gives triples, .* use table, ttl, nt"),
        ("ask", "nt", "an ASK query gives yes or no"),
        ("select", "pdf", "use table"),
    ],
)
def test_a_format_that_does_not_fit_is_an_error(kind: str, format: str, message: str) -> None:
    result = QueryResult(kind, b"")  # type: ignore[arg-type]
    with pytest.raises(QueryError, match=message):
        result.serialize(format)
