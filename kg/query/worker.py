"""The process that answers queries, so that a deadline can end one.

A script of its own, run by path: it imports nothing of `kg` until a query has a mistake, and
starts in some 50 ms. It opens the file or store of its first argument and writes the line
``ready``. Each line of its input is a request as JSON; to each it writes a line of JSON that says
what the answer is and how long, and the answer. With ``--store FOLDER`` it writes the file as a
store instead, and ends.
"""

import argparse
import io
import itertools
import json
import os
import signal
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyoxigraph

MEGABYTE = 1 << 20
RESULTS = {
    "json": pyoxigraph.QueryResultsFormat.JSON,
    "xml": pyoxigraph.QueryResultsFormat.XML,
    "csv": pyoxigraph.QueryResultsFormat.CSV,
    "tsv": pyoxigraph.QueryResultsFormat.TSV,
}
TRIPLES = {
    "nt": pyoxigraph.RdfFormat.N_TRIPLES,
    "ttl": pyoxigraph.RdfFormat.TURTLE,
    "jsonld": pyoxigraph.RdfFormat.JSON_LD,
    "rdfxml": pyoxigraph.RdfFormat.RDF_XML,
}


class Unacceptable(Exception):
    """The asker takes no format that an answer of this kind can be written in."""


class Answer(io.BytesIO):
    """A file in memory that refuses to grow beyond all bounds."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def write(self, part: Any) -> int:
        """Keep a part of the answer."""
        if self.tell() + len(part) > self.most:
            size = f"{self.most / MEGABYTE:g} MB"
            raise ValueError(f"the answer is longer than {size}: select less, or add LIMIT")
        return super().write(part)


def answer(store: pyoxigraph.Store, request: dict[str, Any], most: int) -> tuple[str, bytes]:
    """Return the kind of answer and the answer, in the format that the request has for its kind.

    Solutions and yes or no are written in ``request["results"]``, triples, as a set that is
    sorted, in ``request["triples"]``; where that is None, the kind is ``Unacceptable``.
    """
    results = store.query(request["sparql"], prefixes=request["prefixes"])
    is_graph = isinstance(results, pyoxigraph.QueryTriples)
    wanted = request["triples" if is_graph else "results"]
    if wanted is None:
        raise Unacceptable
    written = Answer(most)
    if isinstance(results, pyoxigraph.QueryTriples):
        triples: set[pyoxigraph.Triple] = set()
        told = Answer(most)  # so that an endless graph is not gathered first
        for triple in results:
            if triple not in triples:
                told.write(str(triple).encode())
                triples.add(triple)
        written.write(write_triples(triples, wanted, request["prefixes"]))
        return "graph", written.getvalue()
    kind = "ask" if isinstance(results, pyoxigraph.QueryBoolean) else "select"
    results.serialize(written, RESULTS[wanted])
    return kind, written.getvalue()


def mistake(store: pyoxigraph.Store, request: dict[str, Any], error: str) -> str:
    """Return what is wrong with a query that could not be read.

    It is told of the query as its author wrote it, ``request["written"]`` where values were put
    into it since. Here and not in the asker, for the engine can take for ever to read a query.
    """
    sparql = request.get("written", request["sparql"])
    if sparql != request["sparql"]:
        try:
            store.query(sparql, prefixes=request["prefixes"])
        except SyntaxError as told:
            error = str(told)
        else:
            sparql = request["sparql"]
    package = str(Path(__file__).parents[2])
    sys.path.insert(0, package)
    try:
        from kg.query.mistakes import explain
    finally:
        sys.path.remove(package)
    return explain(sparql, error)


def write_triples(
    triples: Iterable[pyoxigraph.Triple], format: str, prefixes: dict[str, str]
) -> bytes:
    """Return triples in one of the formats of `TRIPLES`, the same bytes for the same triples."""
    ordered = sorted(triples, key=str)
    if format != "ttl":  # the others are not read by eye, and have prefixes in any order
        return pyoxigraph.serialize(ordered, format=TRIPLES[format]) or b""
    turtle = pyoxigraph.serialize(ordered, format=TRIPLES[format], prefixes=prefixes) or b""
    lines = turtle.splitlines(keepends=True)
    head = list(itertools.takewhile(lambda line: line.startswith(b"@prefix "), lines))
    body = b"".join(lines[len(head) :])
    used = [line for line in head if line.split()[1] in body]
    return b"".join(sorted(used)) + body


def limit_memory(most: int) -> None:
    """End this process rather than let a query take the machine's memory, where that can be."""
    try:
        import resource
    except ImportError:  # Windows
        return
    try:
        with open("/proc/self/statm", "rb") as told:
            used = int(told.read().split()[0]) * resource.getpagesize()
    except OSError:  # macOS: its figure is of what lies in memory, and the limit is looser
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    resource.setrlimit(resource.RLIMIT_AS, (used + most, resource.RLIM_INFINITY))


def end_with_deadline(seconds: float | None) -> None:
    """End this process soon after the deadline, even if nobody is left to do it."""
    if hasattr(signal, "alarm"):  # not on Windows
        signal.alarm(0 if seconds is None else int(seconds) + 2)


def open_graph(path: str) -> pyoxigraph.Store:
    """Return the graph of a Turtle file, or of a store's folder."""
    if os.path.isdir(path):
        return pyoxigraph.Store.read_only(path)
    store = pyoxigraph.Store()
    store.load(path=path, format=pyoxigraph.RdfFormat.TURTLE)
    return store


def write_store(path: str, folder: str) -> None:
    """Write the graph of a Turtle file as a store."""
    store = pyoxigraph.Store(folder)
    store.bulk_load(path=path, format=pyoxigraph.RdfFormat.TURTLE)
    store.optimize()
    store.flush()


def answered(store: pyoxigraph.Store, request: dict[str, Any], most: int) -> tuple[str, bytes]:
    """Return what `answer` does, or the mistake in a query that cannot be read."""
    try:
        return answer(store, request, most)
    except SyntaxError as error:
        return "SyntaxError", mistake(store, request, str(error)).encode(errors="replace")


def serve(store: pyoxigraph.Store, most: int) -> None:
    """Answer the requests of standard input until it ends."""
    output = sys.stdout.buffer
    for line in sys.stdin.buffer:
        request = json.loads(line)
        end_with_deadline(request["timeout"])
        try:
            kind, data = answered(store, request, most)
        except Exception as error:
            kind, data = type(error).__name__, str(error).encode()
        end_with_deadline(None)
        output.write(json.dumps({"kind": kind, "bytes": len(data)}).encode() + b"\n")
        output.write(data)
        output.flush()


def main() -> None:
    """Open the graph, say so, and answer; or say why it cannot be opened."""
    parser = argparse.ArgumentParser()
    parser.add_argument("graph")
    parser.add_argument("--store")
    # In megabytes: what queries may take beside the graph, and how long an answer may be.
    parser.add_argument("--memory", type=int, default=4096)
    parser.add_argument("--answer", type=int, default=256)
    told = parser.parse_args()
    try:
        if told.store:
            write_store(told.graph, told.store)
            print("ready", flush=True)
            return
        store = open_graph(told.graph)
    except Exception as error:
        print(error)
        return
    limit_memory(told.memory * MEGABYTE)
    print("ready", flush=True)
    serve(store, told.answer * MEGABYTE)


if __name__ == "__main__":
    main()
