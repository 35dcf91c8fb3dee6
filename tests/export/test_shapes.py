"""The shapes accept what is written, and refuse what is not."""

from importlib.resources import files

import pyshacl
import pytest
import rdflib
from networkx import MultiDiGraph
from rdflib import RDF, SKOS, XSD, Literal, URIRef

from kg.export.iris import Iris
from kg.export.provenance import Provenance
from kg.export.rdf import prefixes, to_rdf
from kg.export.triples import LAYERS
from kg.export.vocabulary import rdflib_namespace

KG = rdflib_namespace()
NIF = rdflib.Namespace(prefixes()["nif"])
ITSRDF = rdflib.Namespace(prefixes()["itsrdf"])
IRIS = Iris()
PAPER = URIRef(IRIS.paper("a"))
MENTION = URIRef(IRIS.mention("a", "abstract", (11, 17)))
LINK = URIRef(IRIS.similarity("a", "b"))


@pytest.fixture(scope="module")
def shapes() -> rdflib.Graph:
    text = files("kg.export").joinpath("shapes.ttl").read_text(encoding="utf-8")
    return rdflib.Graph().parse(data=text, format="turtle")


@pytest.fixture
def rdf(small_graph: "MultiDiGraph[str]") -> rdflib.Graph:
    graph = small_graph.copy()
    graph.graph["provenance"] = Provenance.of("1.0", {"spaCy": "3.8"}, {"min_support": 1})
    return to_rdf(graph)


def conforms(rdf: rdflib.Graph, shapes: rdflib.Graph) -> tuple[bool, str]:
    accepted, _, report = pyshacl.validate(rdf, shacl_graph=shapes)
    return bool(accepted), str(report)


def test_sample_conforms(rdf: rdflib.Graph, shapes: rdflib.Graph) -> None:
    assert conforms(rdf, shapes) == (True, "Validation Report\nConforms: True\n")


@pytest.mark.parametrize(
    "left_out", [layer for layer in LAYERS if layer not in ("papers", "concepts")]
)
def test_sample_conforms_without_a_layer(
    left_out: str, small_graph: "MultiDiGraph[str]", shapes: rdflib.Graph
) -> None:
    rdf = to_rdf(small_graph, layers=[layer for layer in LAYERS if layer != left_out])
    assert conforms(rdf, shapes)[0]


def test_shapes_themselves_are_sound(shapes: rdflib.Graph) -> None:
    accepted, _, report = pyshacl.validate(rdflib.Graph(), shacl_graph=shapes, meta_shacl=True)
    assert accepted, report


WRONG = {
    "a second label": (PAPER, rdflib.RDFS.label, Literal("other")),
    "a subject that is no concept": (PAPER, rdflib.DCTERMS.subject, PAPER),
    "a second year": (PAPER, rdflib.DCTERMS.issued, Literal("1999", datatype=XSD.gYear)),
    "a second concept": (MENTION, ITSRDF.taIdentRef, URIRef(IRIS.concept("x"))),
    "a confidence above one": (MENTION, ITSRDF.taConfidence, Literal("1.5", datatype=XSD.decimal)),
    "a third member": (LINK, KG.member, URIRef(IRIS.paper("10.1/c d"))),
    "a word of its own on a link": (LINK, KG.support, Literal(1)),
    "a time": (
        URIRef(IRIS.run("x")),
        rdflib.PROV.startedAtTime,
        Literal("2020-01-01T00:00:00", datatype=XSD.dateTime),
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_shapes_refuse(wrong: str, rdf: rdflib.Graph, shapes: rdflib.Graph) -> None:
    subject, predicate, value = WRONG[wrong]
    if predicate == rdflib.PROV.startedAtTime:
        subject = next(rdf.subjects(RDF.type, rdflib.PROV.Activity))
    rdf.add((subject, predicate, value))
    assert not conforms(rdf, shapes)[0]


def test_shapes_refuse_a_concept_of_two_types(rdf: rdflib.Graph, shapes: rdflib.Graph) -> None:
    method = next(rdf.subjects(RDF.type, KG.Method))
    rdf.add((method, RDF.type, KG.Task))
    assert not conforms(rdf, shapes)[0]


def test_shapes_refuse_an_alias_that_is_the_label(rdf: rdflib.Graph, shapes: rdflib.Graph) -> None:
    subject, label = next(iter(rdf.subject_objects(SKOS.prefLabel)))
    rdf.add((subject, SKOS.altLabel, label))
    assert not conforms(rdf, shapes)[0]


def test_shapes_refuse_offsets_that_miss_the_anchor(
    rdf: rdflib.Graph, shapes: rdflib.Graph
) -> None:
    rdf.set((MENTION, NIF.anchorOf, Literal("BarNet")))
    accepted, report = conforms(rdf, shapes)
    assert not accepted
    assert "the anchor is not what the text says" in report


def test_shapes_refuse_a_mention_outside_its_sentence(
    rdf: rdflib.Graph, shapes: rdflib.Graph
) -> None:
    sentence = rdf.value(MENTION, NIF.sentence)
    rdf.set((sentence, NIF.endIndex, Literal("12", datatype=XSD.nonNegativeInteger)))
    assert "not within its sentence" in conforms(rdf, shapes)[1]
