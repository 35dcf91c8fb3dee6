"""The networkx graph -> the statements of its RDF, in the terms of a syntax.

A `Description` is all that is said of one subject; the writers of `kg.export.syntax` join them. A
layer is a part of the RDF that can be left out:

===========  ======================================================================
papers       the papers and what their sources tell of them
concepts     the concepts, and which paper speaks of which
mentions     where a paper names a concept, and in which sentence
text         the papers' titles and abstracts themselves
claims       what papers say of two concepts, with the evidence
similarity   links between papers, with the concepts they share
prov         the program, the versions and the settings, and what the graph holds
===========  ======================================================================
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..errors import OutputError
from .described import Described
from .provenance import Provenance
from .summary import summarized
from .syntax import Description, NTriples

if TYPE_CHECKING:
    import networkx

LAYERS = ("papers", "concepts", "mentions", "text", "claims", "similarity", "prov")

# What a layer points at comes with it, so that the RDF never points at nothing.
_NEEDED = {
    "mentions": ("papers", "concepts"),
    "text": ("papers",),
    "claims": ("papers", "concepts"),
    "similarity": ("papers", "concepts"),
}


def descriptions(
    graph: "networkx.MultiDiGraph[str]",
    syntax: NTriples,
    *,
    layers: Iterable[str] = LAYERS,
) -> Iterator[Description]:
    """Return all that the RDF says, subject by subject, in an order that content alone decides.

    Parameters
    ----------
    graph
        The graph (`kg.graph.schema`), with a `Provenance` as ``graph.graph["provenance"]`` if
        its origin is to be stated.
    syntax
        What writes the terms.
    layers
        The layers to write; those that they point at are added.

    Raises
    ------
    OutputError
        If a layer does not exist.
    """
    layers = closed(layers)
    found = Described(graph, syntax, layers).everything()
    origin: Provenance | None = graph.graph.get("provenance")
    return summarized(found, syntax, origin) if origin and "prov" in layers else found


def closed(layers: Iterable[str]) -> frozenset[str]:
    """Return the layers with those that they point at; an unknown one is an `OutputError`."""
    wanted = frozenset(layers)
    if unknown := sorted(wanted.difference(LAYERS)):
        raise OutputError(f"no layer is called {unknown[0]!r}: choose among {', '.join(LAYERS)}")
    return wanted.union(*(_NEEDED.get(layer, ()) for layer in wanted))
