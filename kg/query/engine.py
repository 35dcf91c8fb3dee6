"""SPARQL over a build: read-only, bounded in time, within the build alone."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from ..errors import OutputError, QueryError
from .mistakes import explain
from .results import KINDS, QueryResult
from .syntax import check

GRAPH = "graph.ttl"
DEFAULT_TIMEOUT = 30.0

_WORKER = Path(__file__).with_name("worker.py")
_PREFIX = re.compile(r"@prefix ([\w.-]*): <([^>]*)> \.\s*")
_UNSELECTED = re.compile(r"does not contains? variable (\?\w+) in its SELECT")


def run_query(
    build: str | os.PathLike[str],
    sparql: str,
    *,
    bind: Mapping[str, str] | None = None,
    timeout: float = DEFAULT_TIMEOUT,
) -> QueryResult:
    """Answer a SPARQL 1.1 query (SELECT, ASK, CONSTRUCT, DESCRIBE) from a build's ``graph.ttl``.

    The prefixes of ``graph.ttl`` (``kg:``, ``skos:``, ``paper:``, ``concept:`` …) need not be
    declared. The query runs in a process of its own, which ends with the deadline.

    Parameters
    ----------
    build
        The folder of a build.
    sparql
        The query.
    bind
        Values for variables that the query selects, as plain strings; they enter as terms, never
        as text of the query.
    timeout
        The seconds that the answer may take once the graph is loaded.

    Raises
    ------
    OutputError
        If the folder holds no build, or its ``graph.ttl`` is damaged.
    QueryError
        If the query is wrong, would change something or leave the build, or takes too long.
    """
    path = Path(build) / GRAPH
    prefixes = _prefixes(path)
    check(sparql, prefixes=prefixes)
    request = {"sparql": sparql, "prefixes": prefixes, "bind": dict(bind or {}), "timeout": timeout}
    kind, data = _ask(path, json.dumps(request).encode(), timeout)
    if kind not in KINDS:
        raise _failed(sparql, kind, data.decode(errors="replace"))
    return QueryResult(KINDS[kind], data, prefixes)


def _prefixes(path: Path) -> dict[str, str]:
    """Return the prefixes that the head of a Turtle file declares."""
    prefixes = {}
    try:
        with path.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                match = _PREFIX.fullmatch(line)
                if match is None:
                    break
                prefixes[match[1]] = match[2]
    except (FileNotFoundError, NotADirectoryError):
        folder = path.parent
        raise OutputError(f"{folder}: no build here; run `kg build INPUT -o {folder}`") from None
    except OSError as error:
        raise OutputError(f"{path} cannot be read ({error.strerror}): check the path") from error
    return prefixes


def _ask(path: Path, request: bytes, timeout: float) -> tuple[str, bytes]:
    """Return the worker's answer to the request, or end it at the deadline."""
    # Unbuffered, so that reading the first line takes nothing of the answer; -P keeps the
    # worker's own folder from hiding modules of the standard library.
    command = [sys.executable, "-P", os.fspath(_WORKER), os.fspath(path)]
    pipe, quiet = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=quiet, bufsize=0) as process:
        assert process.stdout is not None
        try:
            if process.stdout.readline() != b"ready\n":
                reason = " ".join(process.stdout.read().decode(errors="replace").split())
                raise OutputError(f"{path} is damaged ({reason}): build it again with `kg build`")
            answer, _ = process.communicate(request, timeout=timeout)
        except subprocess.TimeoutExpired:
            advice = "narrow it, add LIMIT, or give it more time"
            raise QueryError(f"the query took more than {timeout:g} seconds: {advice}") from None
        finally:
            process.kill()
    head, _, data = answer.partition(b"\n")
    return str(json.loads(head)["kind"]) if head else "ended", data


def _failed(sparql: str, kind: str, reason: str) -> QueryError:
    """Return the error of a query in one line."""
    if kind == "SyntaxError":
        return QueryError(explain(sparql, reason))
    reason = " ".join(reason.split())
    if unselected := _UNSELECTED.search(reason):
        return QueryError(f"{unselected[1]} cannot be bound: the query does not select it")
    return QueryError(f"the query failed: {reason or 'its process ended, perhaps out of memory'}")
