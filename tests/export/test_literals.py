import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Literal, RdfFormat, parse

from kg.export import literals


def value(written: str) -> Literal:
    """The literal as a strict parser of N-Triples reads it."""
    [quad] = parse(f"<a:a> <a:b> {written} .", RdfFormat.N_TRIPLES)
    assert isinstance(quad.object, Literal)
    return quad.object


@given(st.text())
def test_any_string_comes_back(text: str) -> None:
    assert value(literals.string(text)).value == text


@given(st.floats(min_value=0, max_value=1000))
def test_decimal_is_the_very_number_without_an_exponent(number: float) -> None:
    written = value(literals.decimal(number)).value
    assert float(written) == number
    assert "." in written and "e" not in written


@pytest.mark.parametrize(
    ("written", "text", "datatype"),
    [
        (literals.integer(3), "3", "integer"),
        (literals.offset(0), "0", "nonNegativeInteger"),
        (literals.year(79), "0079", "gYear"),
        (literals.address("no address <at> all"), "no address <at> all", "anyURI"),
    ],
)
def test_values_have_their_datatypes(written: str, text: str, datatype: str) -> None:
    literal = value(written)
    assert literal.value == text
    assert literal.datatype.value == f"http://www.w3.org/2001/XMLSchema#{datatype}"
