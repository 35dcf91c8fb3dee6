"""The graph in the further forms of RDF: N-Quads, TriG, JSON-LD, RDF/XML."""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import OutputError
from .iris import DEFAULT_BASE, check_base
from .rdf import prefixes, write_ntriples, write_stream
from .syntax import NQuads, NTriples, TriG
from .triples import LAYERS

if TYPE_CHECKING:
    import networkx

# The forms that name the graph of a triple, and those that pyoxigraph writes, by its names.
_QUADS: dict[str, type[NTriples]] = {"nq": NQuads, "trig": TriG}
_TREES = {"jsonld": "JSON_LD", "rdfxml": "RDF_XML"}
FORMATS = (*_QUADS, *_TREES)


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
    if format in _QUADS:
        write_stream(graph, path, _QUADS[format](check_base(base_iri)), layers=layers)
        return
    from pyoxigraph import RdfFormat, parse, serialize

    with tempfile.TemporaryDirectory() as folder:
        triples = Path(folder) / "graph.nt"
        write_ntriples(graph, triples, base_iri=base_iri, layers=layers)
        quads = parse(path=triples, format=RdfFormat.N_TRIPLES)
        serialize(
            (quad.triple for quad in quads),
            os.fspath(path),
            getattr(RdfFormat, _TREES[format]),
            prefixes=prefixes(base_iri),
        )
