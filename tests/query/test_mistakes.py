import pyoxigraph
import pytest

from kg.query.mistakes import explain
from kg.query.named import named_queries
from kg.query.syntax import check, place, tokens

PREFIXES = {prefix: f"http://example.org/{prefix}#" for prefix in ("kg", "skos")}


def mistake(sparql: str) -> str:
    check(sparql, prefixes=PREFIXES)
    with pytest.raises(SyntaxError) as wrong:
        pyoxigraph.Store().query(sparql, prefixes=PREFIXES)
    return explain(sparql, str(wrong.value))


@pytest.mark.parametrize(
    ("sparql", "column", "word"),
    [
        ("SELECT ?s ?s ?p ?o }", 20, "}"),
        ("SELECT ?s { ?s ?p ?o ?s ?q ?r }", 22, "?s"),
        ("SELECT ?s { ?s ?p ?o LIMIT 3", 22, "LIMIT"),
        ("SELECT ?s { ?s ?p ?o } LIMIT x ", 30, "x"),
        ("SELECT ?s { ?s ?p } # two terms", 19, "}"),
        ("SELECT ?s { ?s ?p ?o } }", 24, "}"),
        ("SELECT ?s { ?s a kg:Method , }", 30, "}"),
        ("SELECT ?s { ?s a kg.Method }", 18, "kg"),
        ("SELECT ?s { ?s skosprefLabel ?o }", 16, "skosprefLabel"),
        ("SELECT ?s, ?o { ?s ?p ?o }", 10, ","),
        ("SELECT s { ?s ?p ?o }", 8, "s"),
        ("SELECT ?s COUNT(?o) AS ?n { ?s ?p ?o } GROUP BY ?s", 11, "COUNT"),
        ("SELECT ?s (COUNT(?o)) { ?s ?p ?o } GROUP BY ?s", 21, ")"),
        ("SELECT ?s (COUNT(?o) ?n) { ?s ?p ?o } GROUP BY ?s", 22, "?n"),
        ("SELECT ?s { ?s ?p ?o FILTER ?o > 3 }", 29, "?o"),
        ("SELECT ?s { ?s ?p ?o FILTER(?o > 3 }", 36, "}"),
        ("SELECT ?s { ?s ?p ?o FILTER(?o > 3)) }", 36, ")"),
        ("SELECT ?s { ?s ?p ?o FILTER(?o > ) } ORDER BY ?s", 34, ")"),
        ("SELECT ?s { ?s ?p ?o FILTER(?o == 3) }", 32, "="),
        ("SELECT ?s { ?s ?p ?o FILTER(?o > 3 AND ?o < 5) }", 36, "AND"),
        ("SELECT ?s { ?s ?p ?o FILTER(CONTAINS(?o)) }", 40, ")"),
        ("SELECT ?s { ?s ?p ?o OPTIONAL ?s ?q ?z }", 31, "?s"),
        ("SELECT ?s { ?s ?p ?o MINUS ?s ?q ?r }", 28, "?s"),
        ("SELECT ?s { ?s ?p ?o BIND(1 + 1 ?x) }", 33, "?x"),
        ("SELECT ?s { ?s ?p ?o } ORDER ?s", 30, "?s"),
        ("SELECT ?s { ?s ?p ?o } ORDER BY DESC ?s", 38, "?s"),
        ("SELECT ?s { ?s skos:prefLabel 'it's' }", 35, "s"),
        ("PREFIX ex <http://x/> ASK { ?s ?p ?o }", 8, "ex"),
        ("PREFIX ex: http://x/ ASK { ?s ?p ?o }", 12, "http:"),
        ("SELECT * { ?s ?p '苹果🦆' . ?o 🦆 ?s }", 29, "🦆"),
    ],
)
def test_explain_names_the_word_and_its_place(sparql: str, column: int, word: str) -> None:
    assert mistake(sparql) == f"line 1, column {column}: SPARQL does not go on with `{word}` here"


@pytest.mark.parametrize(
    ("sparql", "column", "meant"),
    [
        ("SELCT ?s { ?s ?p ?o }", 1, "SELECT"),
        ("SELECT DISTINT ?s { ?s ?p ?o }", 8, "DISTINCT"),
        ("SELECT ?s WEHRE { ?s ?p ?o }", 11, "WHERE"),
        ("SELECT ?s { ?s ?p ?o . optinal { ?s ?q ?r } }", 24, "OPTIONAL"),
        ("SELECT ?s { ?s ?p ?o FILTER(CONTAIN(?o, 'x')) }", 29, "CONTAINS"),
        ("SELECT ?s { ?s ?p ?o FILTER NOT EXIST { ?s ?q ?r } }", 33, "EXISTS"),
        ("SELECT ?s { ?s ?p ?o } LIMT 10", 24, "LIMIT"),
    ],
)
def test_explain_tells_a_misspelt_word(sparql: str, column: int, meant: str) -> None:
    told = mistake(sparql)
    assert told.startswith(f"line 1, column {column}: ") and told.endswith(f": is {meant} meant?")


@pytest.mark.parametrize(
    ("sparql", "told"),
    [
        ("", "line 1, column 1: the query ends too early"),
        ("ASK", "line 1, column 4: the query ends too early"),
        ("SELECT ?s { ?s ?p ?o } GROUP BY", "line 1, column 32: the query ends too early"),
        ("SELECT ?s {\n ?s ?p ?o", "line 1, column 11: `{` is never closed"),
        ("SELECT ?s { ?s ?p ?o { ?s ?q ?r }", "line 1, column 11: `{` is never closed"),
        ("SELECT ?s {\n ?s ?p 'open }", "line 2, column 8: `'` is never closed"),
        ('SELECT ?s { ?s ?p "a\nb" }', 'line 1, column 19: `"` is never closed'),
        ('SELECT ?s { ?s ?p "a", "b }', 'line 1, column 24: `"` is never closed'),
        (
            "SELECT ?s\n{ ?s ?p\n?o\n?q ?r }",
            "line 4, column 1: SPARQL does not go on with `?q` here",
        ),
    ],
)
def test_explain_finds_what_is_missing(sparql: str, told: str) -> None:
    assert mistake(sparql) == told


@pytest.mark.parametrize(
    ("sparql", "column"),
    [
        ("SELECT ?s (COUNT(?o) AS ?n) { ?s ?p ?o }", 8),
        ("SELECT (COUNT(?o) AS ?n) ?p { ?s ?p ?o } GROUP BY ?s", 26),
    ],
)
def test_explain_names_the_variable_that_is_not_grouped(sparql: str, column: int) -> None:
    told = mistake(sparql)
    variable = sparql[column - 1 : column + 1]
    assert told.startswith(f"line 1, column {column}: {variable} is neither grouped")


def test_explain_gives_the_reason_of_the_engine_if_there_is_one() -> None:
    told = mistake("SELECT * { ?s ?p ?o } GROUP BY ?s")
    assert told == "line 1, column 8: SELECT * is not authorized with GROUP BY"
    assert "overrides an existing variable" in mistake("SELECT (?s AS ?s) { ?s ?p ?o }")


def test_explain_passes_on_a_message_of_another_form() -> None:
    assert explain("ASK {}", "something\nelse") == "something else"


def test_a_query_too_long_to_look_at_twice_has_a_place_too() -> None:
    told = mistake(f"SELECT ?s {{ {'?s ?p ?o . ' * 300} ?s ?p }}")
    assert told.startswith("line 1, column 33") and told.endswith("like this before here")


@pytest.mark.parametrize("named", named_queries(), ids=lambda named: named.name)
def test_no_beginning_of_a_query_is_wrong(named: object) -> None:
    """Wherever a word too many is put, it is that word which is told."""
    sparql = named.sparql  # type: ignore[attr-defined]
    spaces = [token.start for token in tokens(sparql) if sparql[token.start - 1] in " \n"]
    for start in spaces[1::7]:
        broken = f"{sparql[:start]}% {sparql[start:]}"
        told = explain(broken, "error at 1:1: expected SELECT")
        assert told == f"{place(broken, start)}: SPARQL does not go on with `%` here"
