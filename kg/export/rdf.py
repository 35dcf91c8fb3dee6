"""The graph as RDF: Turtle for reading and diffs, N-Triples for size, rdflib for users.

All three are written from one stream of descriptions (`kg.export.triples`), sorted, without blank
nodes, clock or chance: the same graph gives the same bytes.
"""

import json
import os
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from .iris import DEFAULT_BASE, KINDS, check_base
from .nodes import Description
from .triples import LAYERS, descriptions
from .vocabulary import PREFIXES, term

if TYPE_CHECKING:
    import networkx
    import rdflib
    from rdflib.term import Node

_TYPE = term("rdf:type")
_LOCAL_NAME = re.compile(
    r"(?:[\w:]|%[0-9A-F]{2})(?:(?:[\w.:-]|%[0-9A-F]{2})*(?:[\w:-]|%[0-9A-F]{2}))?", re.ASCII
)
# Literals that Turtle writes without quotes and datatype.
_BARE = {
    term("xsd:integer"): re.compile(r"[+-]?[0-9]+"),
    term("xsd:decimal"): re.compile(r"[+-]?[0-9]*\.[0-9]+"),
}


def prefixes(base_iri: str = DEFAULT_BASE) -> dict[str, str]:
    """Return the prefixes that a graph with this base is written with.

    Examples
    --------
    >>> prefixes()["concept"]
    'https://kg.example.org/concept/'
    """
    base = check_base(base_iri)
    return dict(sorted({**PREFIXES, **{kind: f"{base}{kind}/" for kind in KINDS}}.items()))


def write_turtle(
    graph: "networkx.MultiDiGraph[str]",
    path: str | os.PathLike[str],
    *,
    base_iri: str = DEFAULT_BASE,
    layers: Iterable[str] = LAYERS,
) -> None:
    """Write the graph as Turtle, subject by subject, one object a line.

    Parameters
    ----------
    graph
        The graph (`kg.graph.schema`).
    path
        The file to write.
    base_iri
        What the IRIs of papers, concepts and all else begin with.
    layers
        The layers to write (`kg.export.triples.LAYERS`).

    Raises
    ------
    OutputError
        If the base IRI cannot be used, or a layer does not exist.
    """
    described = descriptions(graph, base_iri=base_iri, layers=layers)
    names = prefixes(base_iri)
    shorten = shortener(names)
    with open(path, "w", encoding="utf-8", errors="replace", newline="\n") as file:
        file.writelines(f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in names.items())
        file.writelines(_block(description, shorten) for description in described)


def write_ntriples(
    graph: "networkx.MultiDiGraph[str]",
    path: str | os.PathLike[str],
    *,
    base_iri: str = DEFAULT_BASE,
    layers: Iterable[str] = LAYERS,
) -> None:
    """Write the graph as N-Triples, the form for large graphs; parameters as in `write_turtle`."""
    described = descriptions(graph, base_iri=base_iri, layers=layers)
    with open(path, "w", encoding="utf-8", errors="replace", newline="\n") as file:
        file.writelines(
            "".join([f"{subject} {predicate} {value} .\n" for predicate, value in pairs])
            for subject, pairs in described
        )


def to_rdf(
    graph: "networkx.MultiDiGraph[str]",
    *,
    base_iri: str = DEFAULT_BASE,
    layers: Iterable[str] = LAYERS,
) -> "rdflib.Graph":
    """Return the graph as an rdflib graph, the prefixes bound; parameters as in `write_turtle`.

    Examples
    --------
    >>> import networkx
    >>> len(to_rdf(networkx.MultiDiGraph()))  # a scheme without concepts
    2
    """
    import rdflib

    rdf = rdflib.Graph(bind_namespaces="none")
    for prefix, iri in prefixes(base_iri).items():
        rdf.bind(prefix, iri)
    node = lru_cache(maxsize=1 << 16)(_node)
    for subject, pairs in descriptions(graph, base_iri=base_iri, layers=layers):
        for predicate, value in pairs:
            rdf.add((node(subject), node(predicate), node(value)))
    return rdf


def _node(written: str) -> "Node":
    """Return the rdflib term of a term in N-Triples syntax."""
    from rdflib import Literal, URIRef

    if written.startswith("<"):
        return URIRef(written[1:-1])
    quoted, end = json.JSONDecoder().raw_decode(written)
    if written.startswith("^^", end):
        return Literal(quoted, datatype=URIRef(written[end + 3 : -1]), normalize=False)
    return Literal(quoted, lang=written[end + 1 :] or None)


def shortener(names: dict[str, str]) -> Callable[[str], str]:
    """Return a function that writes a term as Turtle does, by prefixed name where there is one."""
    prefix_of = {iri: prefix for prefix, iri in names.items()}

    @lru_cache(maxsize=1 << 16)
    def shorten(written: str) -> str:
        if written[0] == "<":
            # A local name holds neither sign, so the namespace ends at the last of them.
            cut = max(written.rfind("/"), written.rfind("#")) + 1
            prefix, local = prefix_of.get(written[1:cut]), written[cut:-1]
            return f"{prefix}:{local}" if prefix and _LOCAL_NAME.fullmatch(local) else written
        quoted, _, datatype = written.rpartition("^^")
        bare = _BARE.get(datatype)
        if bare and bare.fullmatch(quoted, 1, len(quoted) - 1):
            return quoted[1:-1]
        return f"{quoted}^^{shorten(datatype)}"

    return shorten


def _block(description: Description, shorten: Callable[[str], str]) -> str:
    """Return all that is said of one subject, its types on one line, then an object a line."""
    subject, pairs = description
    parts = [f"\n{shorten(subject)}"]
    before = ""
    for predicate, value in pairs:
        # Terms in N-Triples syntax that Turtle writes shorter end alike.
        written = shorten(value) if value[-1] == ">" else value
        if predicate != before:
            verb = "a" if predicate == _TYPE else shorten(predicate)
            separator = " ;\n    " if before else " "
            parts.append(f"{separator}{verb} {written}")
        else:
            separator = ", " if predicate == _TYPE else ",\n        "
            parts.append(f"{separator}{written}")
        before = predicate
    parts.append(" .\n")
    return "".join(parts)
