import pyoxigraph
import pytest

from kg.query.mistakes import explain


def mistake(sparql: str) -> str:
    with pytest.raises(SyntaxError) as wrong:
        pyoxigraph.Store().query(sparql)
    return explain(sparql, str(wrong.value))


@pytest.mark.parametrize(
    ("sparql", "place", "word"),
    [
        ("SELECT ?s { ?s ?p ?o LIMIT 3", "line 1, column 22", "LIMIT"),
        ("SELECT ?s { ?s ?p ?o } LIMIT x ", "line 1, column 30", "x"),
        ("SELECT ?s\n{ ?s ?p } # two terms", "line 2, column 3", "?s"),
        ("SELECT ?s { ?s ?p ?o FILTER(?o > ) } ORDER BY ?s", "line 1, column 34", ")"),
        ("SELEC ?s { ?s ?p ?o }", "line 1, column 1", "SELEC"),
        ("SELECT ?s WHER { ?s ?p ?o }", "line 1, column 11", "WHER"),
        ("SELECT * { ?s ?p ?o OPTIONAL ?o ?q ?z }", "line 1, column 30", "?o"),
        ("SELECT * { ?s ?p ?o } }", "line 1, column 23", "}"),
        ("SELECT * { ?s skosprefLabel ?o }", "line 1, column 15", "skosprefLabel"),
        ("SELECT * { ?s ?p '苹果🦆' . ?o 🦆 ?s }", "line 1, column 26", "?o"),
    ],
)
def test_explain_names_the_word_and_its_place(sparql: str, place: str, word: str) -> None:
    assert mistake(sparql) == f"{place}: SPARQL does not go on with `{word}` here"


@pytest.mark.parametrize(
    ("sparql", "place"),
    [
        ("", "line 1, column 1"),
        ("ASK", "line 1, column 4"),
        ("SELECT ?s { ?s ?p ?o } GROUP BY", "line 1, column 32"),
        ("SELECT ?s { ?s ?p 'open }", "line 1, column 26"),
    ],
)
def test_explain_says_that_the_end_comes_too_early(sparql: str, place: str) -> None:
    assert mistake(sparql) == f"{place}: the query ends too early"


def test_explain_gives_the_reason_of_the_engine_if_there_is_one() -> None:
    assert "a variable that is unbound" in mistake("SELECT ?x { ?s ?p ?o } GROUP BY ?s")


def test_explain_passes_on_a_message_of_another_form() -> None:
    assert explain("ASK {}", "something\nelse") == "something else"
