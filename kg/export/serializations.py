"""The graph in the further forms of RDF: N-Quads, TriG, JSON-LD, RDF/XML."""

import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import OutputError
from .iris import DEFAULT_BASE, Iris, check_base
from .rdf import prefixes, write_ntriples
from .triples import LAYERS

if TYPE_CHECKING:
    import networkx
    from pyoxigraph import Quad

# Each form with the name that pyoxigraph gives it; the first two name the graph of a triple.
_NAMES = {"nq": "N_QUADS", "trig": "TRIG", "jsonld": "JSON_LD", "rdfxml": "RDF_XML"}
_OF_QUADS = ("nq", "trig")
FORMATS = tuple(_NAMES)


def write_rdf(
    graph: "networkx.MultiDiGraph[str]",
    path: str | os.PathLike[str],
    *,
    format: str,
    base_iri: str = DEFAULT_BASE,
    layers: Iterable[str] = LAYERS,
) -> None:
    """Write the graph in one of the `FORMATS`, as a stream.

    In N-Quads and TriG the triples are in the graph whose IRI is ``{base}graph``. The other
    parameters are those of `kg.export.rdf.write_turtle`, which with `write_ntriples` writes the
    forms that need no library.

    Parameters
    ----------
    format
        ``nq``, ``trig``, ``jsonld`` or ``rdfxml``.

    Raises
    ------
    OutputError
        If there is no such format or layer, or the base IRI cannot be used.
    """
    if format not in FORMATS:
        raise OutputError(f"RDF has no format {format!r} here: choose among {', '.join(FORMATS)}")
    from pyoxigraph import RdfFormat, parse, serialize

    with tempfile.TemporaryDirectory() as folder:
        triples = Path(folder) / "graph.nt"
        write_ntriples(graph, triples, base_iri=base_iri, layers=layers)
        quads = parse(path=triples, format=RdfFormat.N_TRIPLES)
        serialize(
            _named(quads, base_iri) if format in _OF_QUADS else (quad.triple for quad in quads),
            os.fspath(path),
            getattr(RdfFormat, _NAMES[format]),
            prefixes=prefixes(base_iri),
        )


def _named(quads: "Iterable[Quad]", base_iri: str) -> "Iterator[Quad]":
    """Yield the quads with the name of their graph."""
    from pyoxigraph import NamedNode, Quad

    name = NamedNode(Iris(check_base(base_iri)).graph)
    for quad in quads:
        yield Quad(quad.subject, quad.predicate, quad.object, name)
