"""The answer to a query, and the formats it can be written in."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from ..errors import QueryError

Kind = Literal["select", "ask", "graph"]
Row = tuple[str | None, ...]

KINDS: dict[str, Kind] = {kind: kind for kind in get_args(Kind)}

# The formats that each kind of answer can be written in.
FORMATS: dict[Kind, tuple[str, ...]] = {
    "select": ("csv", "tsv", "json", "xml"),
    "ask": ("csv", "tsv", "json", "xml"),
    "graph": ("ttl", "nt"),
}
_MEANT = {
    "select": "a SELECT query gives rows",
    "ask": "an ASK query gives yes or no",
    "graph": "a CONSTRUCT or DESCRIBE query gives triples",
}


@dataclass(frozen=True, slots=True)
class QueryResult:
    """What a query found.

    `data` is the whole answer: SPARQL results as JSON for SELECT and ASK, sorted N-Triples for
    CONSTRUCT and DESCRIBE. `prefixes` are those of the build.
    """

    kind: Kind
    data: bytes = field(repr=False)
    prefixes: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the columns of `rows`."""
        if self.kind == "graph":
            return ("subject", "predicate", "object")
        if self.kind == "ask":
            return ("answer",)
        return tuple(json.loads(self.data)["head"]["vars"])

    @property
    def rows(self) -> tuple[Row, ...]:
        """The values found, IRIs by prefixed name where there is one, None where unbound."""
        short = _shortener(self.prefixes)
        if self.kind == "graph":
            return tuple(_triples(self.data, short))
        found = json.loads(self.data)
        if self.kind == "ask":
            return (("true" if found["boolean"] else "false",),)
        names = found["head"]["vars"]
        return tuple(
            tuple(_value(binding.get(name), short) for name in names)
            for binding in found["results"]["bindings"]
        )

    def serialize(self, format: str) -> str:
        """Return the answer in one of the `FORMATS` of its kind.

        Raises
        ------
        QueryError
            If an answer of this kind has no such format.
        """
        if format not in FORMATS[self.kind]:
            formats = ", ".join(("table", *FORMATS[self.kind]))
            raise QueryError(f"{_MEANT[self.kind]}, which {format} does not hold: use {formats}")
        if format == "nt":
            return self.data.decode()
        from pyoxigraph import QueryResultsFormat, RdfFormat, parse, parse_query_results

        if self.kind == "graph":
            from .worker import write_triples

            triples = [quad.triple for quad in parse(self.data, RdfFormat.N_TRIPLES)]
            return write_triples(triples, format, dict(self.prefixes)).decode()
        known = parse_query_results(self.data, format=QueryResultsFormat.JSON)
        written = known.serialize(format=getattr(QueryResultsFormat, format.upper()))
        return (written or b"").decode()


def _triples(data: bytes, short: Callable[[str], str]) -> Iterator[Row]:
    from pyoxigraph import NamedNode, RdfFormat, parse

    for quad in parse(data, RdfFormat.N_TRIPLES):
        yield tuple(
            short(node.value) if isinstance(node, NamedNode) else str(node.value)
            for node in quad.triple
        )


def _value(bound: Mapping[str, Any] | None, short: Callable[[str], str]) -> str | None:
    if bound is None:
        return None
    return short(bound["value"]) if bound["type"] == "uri" else str(bound["value"])


def _shortener(prefixes: Mapping[str, str]) -> Callable[[str], str]:
    """Return a function that gives an IRI its prefixed name, or leaves it as it is."""
    prefix_of = {namespace: prefix for prefix, namespace in prefixes.items()}

    def short(iri: str) -> str:
        cut = max(iri.rfind("/"), iri.rfind("#")) + 1
        prefix = prefix_of.get(iri[:cut])
        return iri if prefix is None else f"{prefix}:{iri[cut:]}"

    return short
