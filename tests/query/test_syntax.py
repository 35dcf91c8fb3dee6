import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import QueryError
from kg.query.syntax import check, tokens

PREFIXES = ("kg", "rdf", "skos", "paper")


def reason(sparql: str) -> str:
    with pytest.raises(QueryError) as refused:
        check(sparql, prefixes=PREFIXES)
    return str(refused.value)


@pytest.mark.parametrize(
    ("sparql", "kinds"),
    [
        ("a<b", "word sign word"),
        ("?a < ?b && ?c > ?d", "variable sign variable sign sign variable sign variable"),
        ("<http://x#y> # <z>\n1.5", "iri number sign number"),
        ('"a # b"@en-GB', "string language"),
        ("'''it's'''^^kg:x", "string sign sign name"),
        ('"""a"b""" "\\""', "string string"),
        ("?x 'open", "variable open"),
        (":a kg: kg:a.b kg:a%20\\,b _:n", "name name name name node"),
    ],
)
def test_tokens_are_those_of_sparql(sparql: str, kinds: str) -> None:
    assert [token.kind for token in tokens(sparql)] == kinds.split()


@given(st.text())
def test_tokens_lose_nothing_but_blanks_and_comments(text: str) -> None:
    found = list(tokens(text))
    assert all(text.startswith(token.text, token.start) for token in found)
    ends = [token.start + len(token.text) for token in found]
    gaps = [text[end : token.start] for end, token in zip([0, *ends], found, strict=False)]
    assert all(not gap.strip() or "#" in gap for gap in gaps)


@pytest.mark.parametrize(
    "sparql",
    [
        "SELECT * { ?s ?p ?o }",
        "ask{}",
        "# SERVICE <http://x> {}\nASK { ?s ?p ?o # FROM <x>\n }",
        "SELECT ?service ?from { ?service kg:from ?from }",
        "ASK { ?s ?p 'SERVICE <http://x> {}', \"FROM <x>\", '''DROP ALL; SERVICE ?x {}''' }",
        "ASK { <http://x/SERVICE> <http://service.x/from:1> ?o }",
        "ASK { ?s kg:service kg:web.service, kg:SERVICE . { ?a ?b ?c } }",
        "PREFIX service: <http://x/> PREFIX from: <http://y/> ASK { service:a from:b ?o }",
        "PREFIX : <http://x/> BASE <http://y/> DESCRIBE :a",
        "SELECT * { ?insert kg:delete 'INSERT DATA' }",
        "CONSTRUCT { ?s kg:load ?o } WHERE { ?s kg:clear ?o }",
        "SELECT * { ?s ?p ?o FILTER(?o < 5 && ?o > 1) }",
        "SELECT * { ?s ?p ",
    ],
)
def test_check_lets_through(sparql: str) -> None:
    check(sparql, prefixes=PREFIXES)


@pytest.mark.parametrize(
    "sparql",
    [
        "ASK { SERVICE <http://x> { ?s ?p ?o } }",
        "ASK { service silent ?x {} }",
        "ASK { SERVICE kg:x {} }",
        "ASK { SERVICE # why\n <http://x> {} }",
        "ASK { ?s ?p ?o # not this \rSERVICE <http://x> {} }",
        # What the engine takes for a clause though no blank parts it from its neighbours.
        "ASK { ?s ?p trueSERVICE<http://x>{} }",
        "ASK { ?s ?p 1SERVICE<http://x>{} }",
        "ASK { ?s ?p 'a'SERVICE<http://x>{} }",
        "ASK { ?s ?p kg:a.b.SERVICE<http://x>{} }",
        "ASK { SERVICESILENT<http://x>{} }",
        "PREFIX : <http://x/> ASK { SERVICE:a {} }",
        "PREFIX SERVICE: <http://x/> PREFIX : <http://y/> ASK { ?s ?p ?o . SERVICE:a {} }",
        # `<'>` read as an IRI would turn what follows into a string.
        "ASK { ?s ?p ?o FILTER(?o<'>')SERVICE<http://x>{ FILTER(?o='x') } }",
        "PREFIX : <http://x/> ASK { ?s ?p true.SERVICE:a {} }",
        "PREFIX x: <http://x/> ASK { SERVICE x:a\\#b#c d\n{} }",
        "ASK { SERVICE#<a>\n#{\n<http://x>#{\n\n{} }",
        "PREFIX a:<b:c> ASK { SERVICE " + "a" * 300 + ":b {} }",
        'ASK { ?s ?p ?o FILTER(?o<">")SERVICE<http://x>{ FILTER(?o="x") } }',
    ],
)
def test_check_refuses_another_service(sparql: str) -> None:
    assert "SERVICE asks another machine" in reason(sparql)


@pytest.mark.parametrize(
    "sparql",
    [
        "SELECT * FROM <file:///etc/passwd> { ?s ?p ?o }",
        "SELECT * from named kg:x { GRAPH ?g { ?s ?p ?o } }",
        "DESCRIBE ?s FROM <http://x> WHERE { ?s ?p ?o }",
        "ASK FROM<x>{}",
    ],
)
def test_check_refuses_another_graph(sparql: str) -> None:
    assert "FROM names another graph" in reason(sparql)


@pytest.mark.parametrize(
    "keyword",
    "INSERT DELETE LOAD CLEAR DROP CREATE ADD MOVE COPY WITH delete".split(),
)
def test_check_refuses_an_update(keyword: str) -> None:
    sparql = f"# SELECT\nPREFIX x: <http://x/>\n{keyword} DATA {{ x:a x:b 1 }}"
    assert reason(sparql).startswith(f"line 3, column 1: {keyword.upper()} would change the graph")


def test_check_says_which_prefix_is_not_declared_and_where() -> None:
    message = reason("SELECT *\n{ ?s ex:p ?o }")
    assert message.startswith("line 2, column 6: nobody declared the prefix `ex:`")


@pytest.mark.parametrize(
    "text",
    [
        "'" * 50_000,
        "a." * 50_000,
        "<" * 50_000,
        "service " * 20_000,
        "service " + "#" * 50_000,
        "service " + " " * 50_000,
        "service." * 12_500,
        "service-" * 12_500,
        '"\\' * 50_000,
        "'\\" * 50_000,
        '"""\\' * 25_000,
        "<service#>" * 10_000,
        "<service#>" * 5_000 + "#\n" * 25_000,
        "service silent " * 6_500,
        "service" * 14_000,
        "<'>" * 33_000,
    ],
)
def test_check_takes_a_moment_even_for_a_long_query(text: str) -> None:
    started = time.process_time()
    check(f"ASK {{ {text} }}", prefixes=())
    assert time.process_time() - started < 2
