"""The RDF against the shapes, by pySHACL."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from ..export.rdf import rdflib_term
from .faults import Fault
from .rdf import TURTLE, short_names

if TYPE_CHECKING:
    import pyoxigraph
    import rdflib


def check_shapes(triples: "Iterable[pyoxigraph.Triple]", base_iri: str) -> Iterator[Fault]:
    """Yield what the shapes refuse, by the node that it is about.

    The shapes in SPARQL, which are on offsets, are left out: they take most of the time, and
    `kg.validate.papers` checks the same.

    Parameters
    ----------
    triples
        What a build's Turtle holds.
    base_iri
        What the IRIs of the build begin with.
    """
    import pyshacl
    import rdflib
    from rdflib import SH

    text = files("kg.export").joinpath("shapes.ttl").read_text(encoding="utf-8")
    shapes = rdflib.Graph().parse(data=text, format="turtle")
    shapes.remove((None, SH.sparql, None))
    _, report, _ = pyshacl.validate(_rdflib_graph(triples), shacl_graph=shapes)
    shorten = short_names(base_iri)
    refused = []
    for result in report.subjects(rdflib.RDF.type, SH.ValidationResult):
        focus, way = report.value(result, SH.focusNode), report.value(result, SH.resultPath)
        where = shorten(f"<{way}>") if isinstance(way, rdflib.URIRef) else "it"
        refused.append(
            (shorten(f"<{focus}>"), f"{where}: {report.value(result, SH.resultMessage)}")
        )
    for place, what in sorted(refused):
        yield Fault(TURTLE, place, what)


def _rdflib_graph(triples: "Iterable[pyoxigraph.Triple]") -> "rdflib.Graph":
    """Return the triples as an rdflib graph, some ten times faster than rdflib parses them."""
    import rdflib

    graph = rdflib.Graph(bind_namespaces="none")
    node = lru_cache(maxsize=1 << 16)(rdflib_term)
    for triple in triples:
        graph.add((node(triple.subject), node(triple.predicate), node(triple.object)))
    return graph
