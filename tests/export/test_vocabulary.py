from importlib.resources import files

import pytest
import rdflib
from networkx import MultiDiGraph

from kg.export import vocabulary
from kg.export.provenance import Provenance
from kg.export.rdf import to_rdf
from kg.export.vocabulary import CLASS_OF_TYPE, KG, KG_IRI, PREDICATE_OF_RELATION, rdflib_namespace
from kg.records import CONCEPT_TYPES, RELATION_TYPES

OWL = rdflib.OWL
RDFS = rdflib.RDFS


@pytest.fixture(scope="module")
def ontology() -> rdflib.Graph:
    text = files("kg.export").joinpath("ontology.ttl").read_text(encoding="utf-8")
    return rdflib.Graph().parse(data=text, format="turtle")


def declared(ontology: rdflib.Graph) -> set[str]:
    kinds = (OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty)
    terms = {subject for kind in kinds for subject in ontology.subjects(rdflib.RDF.type, kind)}
    return {f"<{term}>" for term in terms if isinstance(term, rdflib.URIRef)}


def test_ontology_declares_the_vocabulary_and_nothing_else(ontology: rdflib.Graph) -> None:
    assert declared(ontology) == set(KG)


@pytest.mark.parametrize("own", list(KG), ids=lambda own: own.name)
def test_ontology_explains_every_term(own: KG, ontology: rdflib.Graph) -> None:
    term = rdflib.URIRef(own.value[1:-1])
    wanted = [RDFS.label, RDFS.comment]
    if own.name[0].islower():
        wanted += [RDFS.domain, RDFS.range]
    assert [len(list(ontology.objects(term, predicate))) for predicate in wanted] == [1] * len(
        wanted
    )


def test_every_own_term_written_is_declared_and_every_declared_term_is_written(
    small_graph: "MultiDiGraph[str]",
) -> None:
    graph = small_graph.copy()
    graph.graph["provenance"] = Provenance.of("1.0", {"spaCy": "3.8"}, {"min_support": 1})
    written = {
        f"<{term}>"
        for triple in to_rdf(graph)
        for term in triple
        if isinstance(term, rdflib.URIRef) and term.startswith(KG_IRI) and str(term) != KG_IRI
    }
    relations_not_in_the_sample = {
        KG.trainedOn,
        KG.benchmarkFor,
        KG.partOf,
        KG.comparedWith,
        KG.measuredBy,
    }
    assert written == set(KG) - relations_not_in_the_sample


def test_every_type_and_relation_has_a_term() -> None:
    assert tuple(CLASS_OF_TYPE) == CONCEPT_TYPES
    assert tuple(PREDICATE_OF_RELATION) == RELATION_TYPES
    assert len(set(PREDICATE_OF_RELATION.values())) == len(RELATION_TYPES)


def test_a_misspelt_term_is_an_error() -> None:
    with pytest.raises(AttributeError):
        _ = KG.usedfor  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        _ = rdflib_namespace().usedfor
    with pytest.raises(KeyError):
        vocabulary.term("dcterms:title")
