"""How fast a large build is asked: ``python tests/benchmarks/sparql_speed.py DIR``.

DIR is a build's folder. The named queries are asked of a server over HTTP, of ``kg query`` (which
opens the store that the first of them writes), and of rdflib, which reads the same triples into
memory; rdflib has so many seconds for each. Their parameters are filled with what the build's
papers speak of most.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pyoxigraph
import rdflib

from kg.query.binding import bound
from kg.query.engine import declared_prefixes, run_query
from kg.query.named import NamedQuery, named_queries
from kg.query.store import stored

RDFLIB_SECONDS = 30.0
ROUNDS = 11


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def examples(build: Path) -> dict[str, str]:
    """Return values for the parameters of the named queries, from the build itself."""

    def first(query: str) -> list[str]:
        rows = run_query(build, query, timeout=600).rows
        return [str(value) for value in rows[0]] if rows else ["nothing", "nothing"]

    def top(kind: str) -> str:
        return first(
            f"SELECT ?l (COUNT(?p) AS ?n) {{ ?c a kg:{kind} ; skos:prefLabel ?l . "
            "?p dct:subject ?c } GROUP BY ?l ORDER BY DESC(?n) ?l LIMIT 1"
        )[0]

    one, other = first(
        "SELECT ?one ?other { ?link kg:member ?a, ?b FILTER(?a != ?b) "
        "?a dct:identifier ?one . ?b dct:identifier ?other } ORDER BY ?one ?other LIMIT 1"
    )
    values = {"task": top("Task"), "method": top("Method"), "concept": top("Task")}
    return {**values, "type": "Method", "one": one, "other": other, "paper": one}


def filled(query: NamedQuery, values: dict[str, str]) -> str:
    return bound(query.sparql, {name: values[name] for name in query.parameters})


def ask(address: str, query: str) -> int:
    """Return how many rows a server answers with."""
    data = urlencode({"query": query}).encode()
    request = Request(address, data, {"Accept": "application/sparql-results+json"})
    with urlopen(request, timeout=120) as answer:
        return len(json.load(answer)["results"]["bindings"])


def rdflib_graph(store: Path) -> rdflib.Graph:
    """Return the graph of a store in memory."""
    graph = rdflib.Graph()
    for quad in pyoxigraph.Store.read_only(str(store)):
        graph.add(tuple(map(rdflib_term, quad.triple)))  # type: ignore[arg-type]
    return graph


def rdflib_term(term: pyoxigraph.NamedNode | pyoxigraph.Literal) -> rdflib.term.Identifier:
    if isinstance(term, pyoxigraph.NamedNode):
        return rdflib.URIRef(term.value)
    datatype = rdflib.URIRef(term.datatype.value)
    return rdflib.Literal(term.value, datatype=datatype, normalize=False)


def rdflib_seconds(graph: rdflib.Graph, query: str, prefixes: dict[str, str]) -> float:
    """Return how long rdflib takes for a query, or its limit, at which it is ended."""
    process = get_context("fork").Process(target=lambda: list(graph.query(query, initNs=prefixes)))
    start = time.perf_counter()
    process.start()
    process.join(RDFLIB_SECONDS)
    taken = time.perf_counter() - start
    if process.is_alive():
        process.kill()
        process.join()
        return RDFLIB_SECONDS
    assert process.exitcode == 0, query
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--no-rdflib", action="store_true")
    told = parser.parse_args()
    print(f"store opened or written in {seconds(lambda: stored(told.build, least=0)):.2f} s")
    values = examples(told.build)
    print(f"values: {values}")
    opened = seconds(lambda: run_query(told.build, "ASK {}"))
    print(f"`kg query` opens the store and answers in {opened:.2f} s")
    named = named_queries()
    queries = [filled(query, values) for query in named]
    command = [sys.executable, "-m", "kg", "serve", str(told.build), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[0] + "sparql"
        rows = [ask(address, query) for query in queries]  # each process has opened its store
        ours = [
            statistics.median(seconds(lambda q=query: ask(address, q)) for _ in range(ROUNDS))
            for query in queries
        ]
        server.terminate()
    theirs: list[float | None] = [None] * len(queries)
    if not told.no_rdflib:
        prefixes = declared_prefixes(told.build)
        start = time.perf_counter()
        graph = rdflib_graph(stored(told.build, least=0))
        print(f"rdflib has its {len(graph):,} triples after {time.perf_counter() - start:.0f} s")
        theirs = [rdflib_seconds(graph, query, prefixes) for query in queries]
    for query, count, mine, other in zip(named, rows, ours, theirs, strict=True):
        times = "" if other is None else f"  rdflib {other:6.2f} s, {other / mine:6.0f} times"
        print(f"{query.name:18}{count:6} rows  server {mine * 1000:7.1f} ms{times}")
    print(f"median of the server: {statistics.median(ours) * 1000:.1f} ms")
    ratios = [other / mine for mine, other in zip(ours, theirs, strict=True) if other is not None]
    if ratios:
        print(f"median ratio to rdflib: {statistics.median(ratios):.0f}")


if __name__ == "__main__":
    main()
