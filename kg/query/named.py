"""The queries that come with the package: the files of the folder ``queries``.

A file begins with a comment: what it answers, a line ``#``, and a line for each parameter,
``# ?name  what it is``.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files

from ..errors import QueryError
from .engine import DEFAULT_TIMEOUT, run_query
from .results import QueryResult

_PARAMETER = re.compile(r"# \?(\w+)\s+(.+)")


@dataclass(frozen=True, slots=True)
class NamedQuery:
    """A query of the package: its name, what it answers, its parameters and what they are."""

    name: str
    help: str
    parameters: Mapping[str, str]
    sparql: str


def named_queries() -> tuple[NamedQuery, ...]:
    """Return the queries of the package, sorted by name.

    Examples
    --------
    >>> [query.name for query in named_queries() if query.name.endswith("-for-task")]
    ['datasets-for-task', 'methods-for-task', 'metrics-for-task']
    """
    folder = files(__package__) / "queries"
    texts = {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()}
    return tuple(
        _named(name.removesuffix(".rq"), texts[name])
        for name in sorted(texts)
        if name.endswith(".rq")
    )


def run_named(
    build: str | os.PathLike[str],
    name: str,
    *,
    bind: Mapping[str, str] | None = None,
    timeout: float = DEFAULT_TIMEOUT,
) -> QueryResult:
    """Answer one of the package's queries; the other parameters are those of `run_query`.

    Parameters
    ----------
    build
        The folder of a build.
    name
        The name of the query.
    bind
        A value for each of its parameters; names of papers and concepts match in any case.
    timeout
        As for `run_query`.

    Raises
    ------
    QueryError
        If no query has that name, or a parameter is missing or unknown.
    """
    known = {query.name: query for query in named_queries()}
    if name not in known:
        raise QueryError(f"no query is called {name!r}: choose among {', '.join(known)}")
    parameters = known[name].parameters
    given = bind or {}
    for parameter, meaning in parameters.items():
        if parameter not in given:
            raise QueryError(f"{name} needs {parameter}=VALUE, {meaning}")
    if unknown := sorted(given.keys() - parameters.keys()):
        raise QueryError(
            f"{name} has no {unknown[0]!r}: its parameters are {', '.join(parameters)}"
        )
    return run_query(build, known[name].sparql, bind=given, timeout=timeout)


def _named(name: str, sparql: str) -> NamedQuery:
    found = [(_PARAMETER.fullmatch(line), line) for line in _head(sparql)]
    parameters = {match[1]: match[2] for match, _ in found if match}
    prose = [line[1:].strip() for match, line in found if not match]
    return NamedQuery(name, " ".join(filter(None, prose)), parameters, sparql)


def _head(sparql: str) -> Iterator[str]:
    """Yield the lines of the comment that a query begins with."""
    for line in sparql.splitlines():
        if not line.startswith("#"):
            return
        yield line
