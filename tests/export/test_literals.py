from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Literal, RdfFormat, parse

from kg.export import literals


@given(st.text())
def test_any_string_comes_back(text: str) -> None:
    [quad] = parse(f"<a:a> <a:b> {literals.string(text)} .", RdfFormat.N_TRIPLES)
    assert isinstance(quad.object, Literal)
    assert quad.object.value == text


@given(st.floats(min_value=0, max_value=1000))
def test_decimal_is_the_very_number_without_an_exponent(number: float) -> None:
    written = literals.decimal(number)
    assert float(written) == number
    assert "." in written and "e" not in written
