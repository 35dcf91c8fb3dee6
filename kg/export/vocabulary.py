"""The words of the RDF: our own closed vocabulary, and the prefixes of all that we borrow.

Terms are strings in N-Triples syntax (``<https://…>``), so the fast writers join them as they are;
`rdflib_namespace` gives the same closed vocabulary to users of rdflib. ``ontology.ttl`` beside
this file declares every own term, and a test holds the two together.
"""

from enum import StrEnum, auto
from functools import cache
from typing import TYPE_CHECKING

from ..records import ConceptType, RelationType

if TYPE_CHECKING:
    from rdflib.namespace import ClosedNamespace

KG_IRI = "https://w3id.org/kg-papers/ns#"

PREFIXES = {
    "bibo": "http://purl.org/ontology/bibo/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcat": "http://www.w3.org/ns/dcat#",
    "dct": "http://purl.org/dc/terms/",
    "fabio": "http://purl.org/spar/fabio/",
    "itsrdf": "http://www.w3.org/2005/11/its/rdf#",
    "kg": KG_IRI,
    "nif": "http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#",
    "prism": "http://prismstandard.org/namespaces/basic/2.0/",
    "prov": "http://www.w3.org/ns/prov#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "schema": "https://schema.org/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "skosxl": "http://www.w3.org/2008/05/skos-xl#",
    "void": "http://rdfs.org/ns/void#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}


class KG(StrEnum):
    """Our own terms; a misspelt one is an `AttributeError`, and an error to a type checker."""

    __hash__ = str.__hash__  # that of an enumeration takes a call

    @staticmethod
    def _generate_next_value_(name: str, *_: object) -> str:
        return f"<{KG_IRI}{name}>"

    # Classes
    Method = auto()
    Task = auto()
    Dataset = auto()
    Metric = auto()
    Subsumption = auto()
    Claim = auto()
    Assertion = auto()
    Similarity = auto()
    Contribution = auto()
    # Papers
    proposes = auto()
    text = auto()
    field = auto()
    keywordList = auto()
    mergedId = auto()
    # Concepts
    commonConcept = auto()
    paperCount = auto()
    reason = auto()
    # Relations between concepts, plain and as claims
    usedFor = auto()
    evaluatedOn = auto()
    trainedOn = auto()
    benchmarkFor = auto()
    partOf = auto()
    comparedWith = auto()
    measuredBy = auto()
    support = auto()
    confidence = auto()
    evidence = auto()
    asserts = auto()
    # Links between papers
    member = auto()
    weight = auto()
    sharedConcept = auto()
    contributesTo = auto()
    # Provenance
    setting = auto()
    component = auto()


@cache
def term(name: str) -> str:
    """Return a borrowed term by its prefixed name.

    Examples
    --------
    >>> term("dct:title")
    '<http://purl.org/dc/terms/title>'
    """
    prefix, local = name.split(":")
    return f"<{PREFIXES[prefix]}{local}>"


CLASS_OF_TYPE: dict[ConceptType, str] = {
    "Method": KG.Method,
    "Task": KG.Task,
    "Dataset": KG.Dataset,
    "Metric": KG.Metric,
}

# That one concept is a kind of another is what SKOS calls broader.
PREDICATE_OF_RELATION: dict[RelationType, str] = {
    "used_for": KG.usedFor,
    "evaluated_on": KG.evaluatedOn,
    "trained_on": KG.trainedOn,
    "benchmark_for": KG.benchmarkFor,
    "part_of": KG.partOf,
    "subclass_of": term("skos:broader"),
    "compared_with": KG.comparedWith,
    "measured_by": KG.measuredBy,
}


def rdflib_namespace() -> "ClosedNamespace":
    """Return our vocabulary as an rdflib namespace that refuses terms it does not have.

    Examples
    --------
    >>> rdflib_namespace().usedFor
    rdflib.term.URIRef('https://w3id.org/kg-papers/ns#usedFor')
    """
    from rdflib.namespace import ClosedNamespace

    return ClosedNamespace(KG_IRI, [own.name for own in KG])
