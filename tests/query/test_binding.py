import pytest

from kg.errors import QueryError
from kg.query.binding import bound
from kg.query.syntax import tokens


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("SELECT ?x {", " ?x ?p ?o }"),
        ("SELECT ?x WHERE {", " { ?x ?p ?o } UNION { ?o ?p ?x } }"),
        ("CONSTRUCT { ?x a ?y } WHERE {", " ?x ?p ?y }"),
        ("CONSTRUCT { { } ?x a ?y } WHERE {", " ?x ?p ?y }"),
        ("DESCRIBE ?x {", " ?x ?p ?o }"),
        ("SELECT ?x { SELECT ?x {", " ?x ?p ?o } }"),
        ("# { \nPREFIX a: <x> SELECT ?x {", " ?x a: '{' }"),
    ],
)
def test_values_stand_at_the_start_of_the_where_clause(before: str, after: str) -> None:
    assert bound(before + after, {"x": "1"}) == f'{before} VALUES ?x {{ "1" }}{after}'


@pytest.mark.parametrize("value", ['"', "\\", "\n", "} #", "'''", "\u2028", "<a>"])
def test_a_value_is_one_token(value: str) -> None:
    before = [token.kind for token in tokens(bound("ASK { ?s ?p ?x }", {"x": "1"}))]
    after = [token.kind for token in tokens(bound("ASK { ?s ?p ?x }", {"x": value}))]
    assert before == after


def test_a_query_without_a_place_for_values_is_an_error() -> None:
    with pytest.raises(QueryError, match="CONSTRUCT WHERE takes no values"):
        bound("CONSTRUCT WHERE { ?s ?p ?x }", {"x": "1"})
