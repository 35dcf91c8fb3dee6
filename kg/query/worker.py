"""The process that answers one query, so that a deadline can end it.

A script of its own, run by path: it imports nothing of `kg` and starts in some 50 ms. It loads
the file of its argument, writes the line ``ready``, reads a request as JSON from standard input,
and writes a line of JSON that says what the answer is, followed by the answer.
"""

import io
import json
import signal
import sys
from typing import Any

import pyoxigraph

GIGABYTE = 1 << 30
# What a query may take beside the graph, and how long its answer may be.
MEMORY = 4 * GIGABYTE
ANSWER = GIGABYTE // 4


class Answer(io.BytesIO):
    """A file in memory that refuses to grow beyond all bounds."""

    def write(self, part: Any) -> int:
        """Keep a part of the answer."""
        if self.tell() + len(part) > ANSWER:
            raise ValueError("the answer is too long: select less, or add LIMIT")
        return super().write(part)


def answer(store: pyoxigraph.Store, request: dict[str, Any]) -> tuple[str, bytes]:
    """Return the kind of answer and the answer: results as JSON, or triples as N-Triples."""
    bind: dict[Any, Any] = {
        pyoxigraph.Variable(name): pyoxigraph.Literal(value)
        for name, value in request["bind"].items()
    }
    results = store.query(request["sparql"], prefixes=request["prefixes"], substitutions=bind)
    written = Answer()
    if isinstance(results, pyoxigraph.QueryTriples):
        lines: set[bytes] = set()
        for triple in results:
            line = f"{triple} .\n".encode()
            if line not in lines:
                written.write(line)
                lines.add(line)
        # A set of triples has no order: sorted, the same query gives the same bytes.
        return "graph", b"".join(sorted(lines))
    kind = "ask" if isinstance(results, pyoxigraph.QueryBoolean) else "select"
    results.serialize(written, pyoxigraph.QueryResultsFormat.JSON)
    return kind, written.getvalue()


def limit_memory() -> None:
    """End this process rather than let a query take the machine's memory, where that can be."""
    try:
        import resource
    except ImportError:  # Windows
        return
    # Kilobytes on Linux, bytes on macOS: there the limit is looser.
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, resource.RLIM_INFINITY))


def end_with_deadline(seconds: float) -> None:
    """End this process soon after the deadline, even if nobody is left to do it."""
    if hasattr(signal, "alarm"):  # not on Windows
        signal.alarm(int(seconds) + 2)


def main(path: str) -> None:
    """Load the graph, say so, answer the one request, and end."""
    store = pyoxigraph.Store()
    output = sys.stdout.buffer
    try:
        store.load(path=path, format=pyoxigraph.RdfFormat.TURTLE)
        limit_memory()
        output.write(b"ready\n")
        output.flush()
        request = json.load(sys.stdin.buffer)
        end_with_deadline(request["timeout"])
        kind, data = answer(store, request)
    except Exception as error:
        kind, data = type(error).__name__, str(error).encode()
    output.write(json.dumps({"kind": kind}).encode() + b"\n" + data)


if __name__ == "__main__":
    main(sys.argv[1])
