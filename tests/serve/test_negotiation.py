import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.serve.negotiation import chosen

OFFERS = ["text/html", "text/csv", "application/json"]


@pytest.mark.parametrize(
    ("accept", "offer"),
    [
        (None, "text/html"),
        ("", "text/html"),
        ("*/*", "text/html"),
        ("text/*", "text/html"),
        ("application/*", "application/json"),
        ("text/csv, text/html", "text/html"),
        ("text/csv, text/html;q=0.9", "text/csv"),
        ("*/*, text/html;q=0", "text/csv"),
        ("text/*;q=0.3, text/html;q=0.1, */*;q=0.2", "text/csv"),
        ("TEXT/CSV ; charset=utf-8 ; Q=1", "text/csv"),
        ("text/csv;q=high, application/json;q=0.1", "application/json"),
        ("image/png", None),
        ("*/*;q=0", None),
    ],
)
def test_the_most_precise_range_decides(accept: str | None, offer: str | None) -> None:
    assert chosen(accept, OFFERS) == offer


@given(st.text())
def test_any_header_has_an_answer(accept: str) -> None:
    assert chosen(accept, OFFERS) in (*OFFERS, None)
