"""SPARQL over a build: read-only, bounded in time, within the build alone."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from ..errors import OutputError, QueryError
from .binding import bound
from .process import Worker
from .results import KINDS, QueryResult
from .store import GRAPH, stored
from .syntax import check

DEFAULT_TIMEOUT = 30.0

_PREFIX = re.compile(r"@prefix ([\w.-]*): <([^>]*)> \.\s*")


def run_query(
    build: str | os.PathLike[str],
    sparql: str,
    *,
    bind: Mapping[str, str] | None = None,
    timeout: float = DEFAULT_TIMEOUT,
) -> QueryResult:
    """Answer a SPARQL 1.1 query (SELECT, ASK, CONSTRUCT, DESCRIBE) from a build's ``graph.ttl``.

    The prefixes of ``graph.ttl`` (``kg:``, ``skos:``, ``paper:``, ``concept:`` …) need not be
    declared. The query runs in a process of its own, which ends with the deadline. The first
    query to a large build writes a store beside it (`kg.query.store`), which the next ones open.

    Parameters
    ----------
    build
        The folder of a build.
    sparql
        The query.
    bind
        Values for variables of the query, as plain strings; they enter as terms, never as text
        of the query.
    timeout
        The seconds that the answer may take once the graph is loaded.

    Raises
    ------
    OutputError
        If the folder holds no build, or its ``graph.ttl`` is damaged.
    QueryError
        If the query is wrong, would change something or leave the build, or takes too long.
    """
    prefixes = declared_prefixes(build)
    check(sparql, prefixes=prefixes)
    request = {
        "sparql": bound(sparql, bind or {}),
        "written": sparql,
        "prefixes": prefixes,
        "results": "json",
        "triples": "nt",
    }
    with Worker(stored(build)) as worker:
        kind, data = worker.ask(request, timeout=timeout)
    if kind not in KINDS:
        raise failed(kind, data.decode(errors="replace"))
    return QueryResult(KINDS[kind], data, prefixes)


def declared_prefixes(build: str | os.PathLike[str]) -> dict[str, str]:
    """Return the prefixes that the head of a build's ``graph.ttl`` declares.

    Raises
    ------
    OutputError
        If the folder holds no build, or it cannot be read.
    """
    path = Path(build) / GRAPH
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


def failed(kind: str, reason: str) -> QueryError:
    """Return the error of a query, in one line, from what its process told."""
    if kind == "SyntaxError":
        return QueryError(reason)
    return QueryError(f"the query failed: {' '.join(reason.split()) or 'out of memory'}")
