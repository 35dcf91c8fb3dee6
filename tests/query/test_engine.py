import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kg.errors import OutputError, QueryError
from kg.query.engine import run_query

ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"


def test_select_gives_rows_in_order(build: Path) -> None:
    result = run_query(
        build,
        "SELECT ?paper ?label { ?paper a fabio:ResearchPaper ; rdfs:label ?label } ORDER BY ?paper",
    )
    assert result.kind == "select"
    assert result.variables == ("paper", "label")
    assert result.rows == (
        ("paper:10.1%2Fc%20d", "10.1/c d"),
        ("paper:a", "Foo for All"),
        ("paper:b", "Bar for All"),
    )


def test_unbound_is_none(build: Path) -> None:
    query = "SELECT ?x ?title { BIND(paper:b AS ?x) OPTIONAL { ?x dct:issued ?title } }"
    assert run_query(build, query).rows == (("paper:b", None),)


@pytest.mark.parametrize(("year", "answer"), [("2024", "true"), ("2025", "false")])
def test_ask_gives_yes_or_no(year: str, answer: str, build: Path) -> None:
    result = run_query(build, f"ASK {{ paper:a dct:issued '{year}'^^xsd:gYear }}")
    assert (result.kind, result.variables, result.rows) == ("ask", ("answer",), ((answer,),))


def test_construct_gives_sorted_triples(build: Path) -> None:
    query = "CONSTRUCT { ?b kg:linked ?a } WHERE { ?a dct:relation ?b }"
    result = run_query(build, query)
    assert result.kind == "graph"
    assert result.rows == (
        ("paper:a", "kg:linked", "paper:b"),
        ("paper:b", "kg:linked", "paper:a"),
    )


def test_describe_gives_triples(build: Path) -> None:
    result = run_query(build, "DESCRIBE paper:b")
    assert ("paper:b", "rdfs:label", "Bar for All") in result.rows


def test_a_prefix_of_the_query_wins(build: Path) -> None:
    query = "PREFIX paper: <http://example.com/> ASK { paper:a ?p ?o }"
    assert run_query(build, query).rows == (("false",),)


@pytest.mark.parametrize(
    "value",
    ["Foo for All", "x' . ?s ?p ?o } #", '"', "\\", "} SERVICE <http://x> {", "量子"],
)
def test_bind_enters_as_a_term(value: str, build: Path) -> None:
    query = "SELECT ?wanted ?paper { ?paper rdfs:label ?label FILTER(?label = ?wanted) }"
    rows = run_query(build, query, bind={"wanted": value}).rows
    assert rows == ((("Foo for All", "paper:a"),) if value == "Foo for All" else ())


def test_bind_of_what_is_not_used_is_an_error(build: Path) -> None:
    with pytest.raises(QueryError, match=r"\?x cannot be bound: the query does not use it"):
        run_query(build, "SELECT ?s { ?s ?p ?o }", bind={"x": "1"})


def test_bind_reaches_every_form_of_query(build: Path) -> None:
    name = {"name": "Foo for All"}
    where = "{ ?paper rdfs:label ?name }"
    assert run_query(build, f"ASK {where}", bind=name).rows == (("true",),)
    made = run_query(build, f"CONSTRUCT {{ ?paper dct:title ?name }} WHERE {where}", bind=name)
    assert made.rows == (("paper:a", "dct:title", "Foo for All"),)
    told = run_query(build, f"DESCRIBE ?paper WHERE {where}", bind=name)
    assert {row[0] for row in told.rows} == {"paper:a"}


def test_syntax_error_says_where_in_one_line(build: Path) -> None:
    with pytest.raises(QueryError) as wrong:
        run_query(build, "SELECT ?s\nWHERE { ?s ?p }")
    assert str(wrong.value) == "line 2, column 15: SPARQL does not go on with `}` here"


def test_the_place_is_that_of_the_query_as_it_was_given(build: Path) -> None:
    with pytest.raises(QueryError, match=r"line 1, column 23: .*`LIMIT`"):
        run_query(build, "SELECT ?s { ?s ?p ?o  LIMIT 3", bind={"o": "a long value"})


def test_an_empty_query_is_an_error(build: Path) -> None:
    with pytest.raises(QueryError, match="line 1, column 1"):
        run_query(build, "")


def test_an_unknown_function_is_an_error(build: Path) -> None:
    with pytest.raises(QueryError, match=r"the query failed: .*nonsense"):
        run_query(build, "SELECT (kg:nonsense(1) AS ?x) {}")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> "list[subprocess.Popen[bytes]]":
    """The processes that the engine starts."""
    processes = []

    class Watched(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, *arguments: object, **options: object) -> None:
            super().__init__(*arguments, **options)  # type: ignore[call-overload]
            processes.append(self)

    monkeypatch.setattr("kg.query.process.subprocess.Popen", Watched)
    return processes


def test_a_refused_query_starts_nothing(
    started: "list[subprocess.Popen[bytes]]", build: Path
) -> None:
    with pytest.raises(QueryError, match="SERVICE"):
        run_query(build, "ASK { SERVICE <http://127.0.0.1:9/> {} }")
    assert started == []


def test_deadline_ends_the_work(started: "list[subprocess.Popen[bytes]]", build: Path) -> None:
    before = time.monotonic()
    with pytest.raises(QueryError, match=r"more than 0\.3 seconds"):
        run_query(build, ENDLESS, timeout=0.3)
    assert time.monotonic() - before < 5
    [process] = started
    assert process.poll() is not None


def test_deadline_ends_the_reading_of_a_mistake(build: Path) -> None:
    before = time.monotonic()
    with pytest.raises(QueryError, match=r"more than 0\.5 seconds"):
        run_query(build, f"SELECT * {{ FILTER({'!(' * 40}1{')' * 40}}} x", timeout=0.5)
    assert time.monotonic() - before < 5


def test_a_folder_without_a_build_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="no build here"):
        run_query(tmp_path, "ASK {}")


def test_a_damaged_graph_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "graph.ttl").write_text("@prefix kg: <http://x/> .\nkg:a kg:b .\n")
    with pytest.raises(OutputError, match=r"graph\.ttl is damaged .* line 2"):
        run_query(tmp_path, "ASK {}")


def test_a_graph_that_is_not_strictly_turtle_is_refused(tmp_path: Path) -> None:
    (tmp_path / "graph.ttl").write_text("<http://x/a b> <http://x/p> 1 .\n")
    with pytest.raises(OutputError, match="is damaged"):
        run_query(tmp_path, "ASK {}")


def test_what_a_query_needs_is_all_that_is_imported(build: Path) -> None:
    code = (
        "import sys; from kg.query.named import run_named;"
        f"run_named({str(build)!r}, 'top-concepts', bind={{'type': 'Method'}}).serialize('csv');"
        "print(sorted({'rdflib', 'spacy', 'pyvis', 'networkx', 'numpy'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert json.loads(run.stdout.decode().replace("'", '"')) == []
