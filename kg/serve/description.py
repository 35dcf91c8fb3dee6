"""What the service says of itself: a SPARQL 1.1 Service Description."""

from ..query.worker import write_triples

_SD = "http://www.w3.org/ns/sparql-service-description#"
_FORMATS = "http://www.w3.org/ns/formats/"
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
FORMAT_NAMES = {
    "json": "SPARQL_Results_JSON",
    "xml": "SPARQL_Results_XML",
    "csv": "SPARQL_Results_CSV",
    "tsv": "SPARQL_Results_TSV",
    "ttl": "Turtle",
    "nt": "N-Triples",
    "jsonld": "JSON-LD",
    "rdfxml": "RDF_XML",
}


def service_description(endpoint: str, format: str) -> bytes:
    """Return the description of the service at an address, in one of the formats of graphs.

    Examples
    --------
    >>> b"sd:SPARQL11Query" in service_description("http://localhost/sparql", "ttl")
    True
    """
    from pyoxigraph import NamedNode, Triple

    service, dataset, graph = endpoint, f"{endpoint}#dataset", f"{endpoint}#graph"
    said = [
        (service, _TYPE, f"{_SD}Service"),
        (service, f"{_SD}endpoint", endpoint),
        (service, f"{_SD}supportedLanguage", f"{_SD}SPARQL11Query"),
        *((service, f"{_SD}resultFormat", _FORMATS + name) for name in FORMAT_NAMES.values()),
        (service, f"{_SD}defaultDataset", dataset),
        (dataset, _TYPE, f"{_SD}Dataset"),
        (dataset, f"{_SD}defaultGraph", graph),
        (graph, _TYPE, f"{_SD}Graph"),
    ]
    triples = [Triple(*map(NamedNode, triple)) for triple in said]
    return write_triples(triples, format, {"sd": _SD, "formats": _FORMATS})
