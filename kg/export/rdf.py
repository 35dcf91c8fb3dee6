"""The graph as RDF: Turtle for reading and diffs, N-Triples for size, rdflib for users.

All three are written from one stream of descriptions (`kg.export.triples`), sorted, without blank
nodes, clock or chance: the same graph gives the same bytes.
"""

import os
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from operator import methodcaller
from typing import TYPE_CHECKING

from ..collector import no_collection
from .iris import DEFAULT_BASE, check_base
from .syntax import NTriples, Turtle, prefixes_of
from .triples import LAYERS, descriptions

if TYPE_CHECKING:
    import networkx
    import rdflib
    from pyoxigraph import BlankNode, Literal, NamedNode
    from rdflib.term import Node

_BUFFER, _AT_ONCE = 1 << 20, 1 << 10
_encoded = methodcaller("encode", "utf-8", "replace")


def prefixes(base_iri: str = DEFAULT_BASE) -> dict[str, str]:
    """Return the prefixes that a graph with this base is written with.

    Examples
    --------
    >>> prefixes()["concept"]
    'https://kg.example.org/concept/'
    """
    return prefixes_of(check_base(base_iri))


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
    write_stream(graph, path, Turtle(check_base(base_iri)), layers=layers)


def write_ntriples(
    graph: "networkx.MultiDiGraph[str]",
    path: str | os.PathLike[str],
    *,
    base_iri: str = DEFAULT_BASE,
    layers: Iterable[str] = LAYERS,
) -> None:
    """Write the graph as N-Triples, the form for large graphs; parameters as in `write_turtle`."""
    write_stream(graph, path, NTriples(check_base(base_iri)), layers=layers)


def write_stream(
    graph: "networkx.MultiDiGraph[str]",
    path: str | os.PathLike[str],
    syntax: NTriples,
    *,
    layers: Iterable[str] = LAYERS,
) -> None:
    """Write the graph in one of the syntaxes of `kg.export.syntax`; otherwise as `write_turtle`."""
    with no_collection():
        blocks = syntax.blocks(descriptions(graph, syntax, layers=layers))
        with open(path, "wb", buffering=_BUFFER) as file:
            file.write(syntax.head().encode())
            file.writelines(map(_encoded, blocks))
            file.write(syntax.tail().encode())


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
    from pyoxigraph import RdfFormat, parse

    rdf = rdflib.Graph(bind_namespaces="none")
    for prefix, iri in prefixes(base_iri).items():
        rdf.bind(prefix, iri)
    syntax, node = NTriples(check_base(base_iri)), lru_cache(maxsize=1 << 16)(rdflib_term)
    blocks = syntax.blocks(descriptions(graph, syntax, layers=layers))
    for text in iter(lambda: "".join(islice(blocks, _AT_ONCE)), ""):
        for quad in parse(_encoded(text), RdfFormat.N_TRIPLES):
            triple = quad.triple
            rdf.add((node(triple.subject), node(triple.predicate), node(triple.object)))
    return rdf


def rdflib_term(term: "NamedNode | BlankNode | Literal") -> "Node":
    """Return the rdflib term of a term of pyoxigraph, its letters as they are."""
    import pyoxigraph
    import rdflib

    if isinstance(term, pyoxigraph.NamedNode):
        return rdflib.URIRef(term.value)
    if isinstance(term, pyoxigraph.BlankNode):
        return rdflib.BNode(term.value)
    kind = rdflib.URIRef(term.datatype.value)
    if term.language or kind == rdflib.XSD.string:  # to rdflib a plain string has no datatype
        return rdflib.Literal(term.value, lang=term.language)
    return rdflib.Literal(term.value, datatype=kind, normalize=False)
