import subprocess
import sys

import pyoxigraph
import pytest

from kg.query import worker


@pytest.fixture
def store() -> pyoxigraph.Store:
    store = pyoxigraph.Store()
    store.load("<a:a> <a:b> 1, 2, 3 .", pyoxigraph.RdfFormat.TURTLE)
    return store


def request(sparql: str, **formats: str | None) -> dict[str, object]:
    return {"sparql": sparql, "prefixes": {}, "results": "json", "triples": "nt", **formats}


@pytest.mark.parametrize("form", ["SELECT *", "CONSTRUCT { ?a ?e ?c, ?f }"])
def test_an_answer_that_is_too_long_is_an_error(form: str, store: pyoxigraph.Store) -> None:
    with pytest.raises(ValueError, match="add LIMIT"):
        worker.answer(store, request(f"{form} {{ ?a ?b ?c . ?d ?e ?f }}"), 100)


@pytest.mark.parametrize("sparql", ["ASK {}", "CONSTRUCT { ?a ?b ?c } WHERE { ?a ?b ?c }"])
def test_what_nobody_takes_is_not_written(sparql: str, store: pyoxigraph.Store) -> None:
    with pytest.raises(worker.Unacceptable):
        worker.answer(store, request(sparql, results=None, triples=None), 1000)


@pytest.mark.parametrize("format", worker.TRIPLES)
def test_triples_are_a_sorted_set(format: str, store: pyoxigraph.Store) -> None:
    sparql = "CONSTRUCT { <a:x> <a:b> ?c } WHERE { ?a ?b ?c . ?d ?e ?f } ORDER BY DESC(?c)"
    kind, data = worker.answer(store, request(sparql, triples=format), 10_000)
    found = [quad.object.value for quad in pyoxigraph.parse(data, worker.TRIPLES[format])]
    assert (kind, found) == ("graph", ["1", "2", "3"])


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts address space so")
def test_memory_has_a_limit() -> None:
    code = "from kg.query import worker; worker.limit_memory(0); bytearray(1 << 32)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "MemoryError" in run.stderr
