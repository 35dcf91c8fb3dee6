from collections.abc import Callable

import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat

from kg.export.iris import Iris
from kg.export.syntax import NQuads, NTriples, TriG, Turtle, shape_of, shortener
from kg.export.vocabulary import PREFIXES

FORMS = {
    NTriples: RdfFormat.N_TRIPLES,
    NQuads: RdfFormat.N_QUADS,
    Turtle: RdfFormat.TURTLE,
    TriG: RdfFormat.TRIG,
}
SHAPE = shape_of(("<a:Class>", "<a:Other>"), ("<a:p>", "<a:p>", "<a:q>"))


def read(syntax: NTriples, subject: str, *values: str) -> list[Quad]:
    """What a strict parser reads of a subject with two classes and three values."""
    text = "".join(syntax.blocks([(subject, SHAPE, values)]))  # type: ignore[list-item, arg-type]
    return list(pyoxigraph.parse(syntax.head() + text + syntax.tail(), FORMS[type(syntax)]))


@pytest.mark.parametrize("form", FORMS)
def test_a_subject_is_written_with_its_classes_and_values(form: type[NTriples]) -> None:
    syntax = form()
    quads = read(syntax, syntax.paper("a"), syntax.string("x\ny"), syntax.integer(3), "<a:%25s>")
    assert {(str(quad.predicate), str(quad.object)) for quad in quads} == {
        ("<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>", "<a:Class>"),
        ("<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>", "<a:Other>"),
        ("<a:p>", '"x\\ny"'),
        ("<a:p>", '"3"^^<http://www.w3.org/2001/XMLSchema#integer>'),
        ("<a:q>", "<a:%25s>"),
    }
    assert {quad.subject for quad in quads} == {NamedNode(Iris().paper("a"))}
    named = form in (NQuads, TriG)
    assert {str(quad.graph_name) for quad in quads} == {f"<{Iris().graph}>" if named else "DEFAULT"}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("write", "text", "datatype"),
    [
        (lambda syntax: syntax.decimal(1e-7), "0.0000001", "decimal"),
        (lambda syntax: syntax.integer(3), "3", "integer"),
        (lambda syntax: syntax.offset(0), "0", "nonNegativeInteger"),
        (lambda syntax: syntax.year(79), "0079", "gYear"),
        (lambda syntax: syntax.address("no address <at> all"), "no address <at> all", "anyURI"),
    ],
)
def test_values_have_their_datatypes(
    form: type[NTriples], write: Callable[[NTriples], str], text: str, datatype: str
) -> None:
    syntax = form()
    value = read(syntax, "<a:a>", '"x"', '"y"', write(syntax))[-1].object
    assert isinstance(value, Literal)
    assert value.value == text
    assert value.datatype.value == f"{PREFIXES['xsd']}{datatype}"


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_name_is_the_same_iri_in_turtle(name: str) -> None:
    for base in ("https://kg.example.org/", "urn:example:kg:", "https://w3id.org/kg-papers/ns#"):
        syntax = Turtle(base)
        quads = read(syntax, syntax.paper(name), '"x"', '"y"', syntax.iri(syntax.scheme))
        assert {quad.subject.value for quad in quads} == {Iris(base).paper(name)}
        assert quads[-1].object == NamedNode(Iris(base).scheme)


@pytest.mark.parametrize("name", ["a.", ".a", "-a", "a/b", "%4", "a%zz", "", "a~"])
def test_what_is_no_local_name_is_written_in_full(name: str) -> None:
    iri = f"<https://kg.example.org/paper/{name}>"
    assert shortener("https://kg.example.org/")(iri) == iri
