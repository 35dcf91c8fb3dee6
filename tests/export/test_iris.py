import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import NamedNode

from kg.errors import OutputError
from kg.export.iris import DEFAULT_BASE, Iris, check_base, doi_iri, encode

IRIS = Iris(DEFAULT_BASE)
# All but lone surrogates, which no file of UTF-8 can hold.
TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@given(TEXT, TEXT)
def test_encode_is_sound_and_different_for_different_texts(one: str, other: str) -> None:
    NamedNode(IRIS.paper(one))
    assert (encode(one) == encode(other)) == (one == other)


def test_encode_keeps_every_ascii_sign_apart() -> None:
    signs = [chr(code) for code in range(128)]
    assert len({encode(sign) for sign in signs}) == 128
    assert all(
        set(encode(sign)) <= set(string.ascii_letters + string.digits + "-._~%") for sign in signs
    )


@given(TEXT, TEXT, TEXT, TEXT)
def test_similarities_of_different_papers_have_different_iris(
    a: str, b: str, c: str, d: str
) -> None:
    assert (IRIS.similarity(a, b) == IRIS.similarity(c, d)) == ((a, b) == (c, d))


def test_similarity_tells_ids_with_dots_apart() -> None:
    assert IRIS.similarity("x..y", "z") != IRIS.similarity("x", "y..z")


def test_claim_depends_on_head_relation_and_tail() -> None:
    claims = {
        IRIS.claim("a", "used_for", "b"),
        IRIS.claim("b", "used_for", "a"),
        IRIS.claim("a", "part_of", "b"),
    }
    assert len(claims) == 3
    assert IRIS.claim("a", "used_for", "b") in claims


@given(TEXT)
def test_doi_iri_is_sound(doi: str) -> None:
    NamedNode(doi_iri(doi))


@pytest.mark.parametrize(
    ("given", "closed"),
    [
        ("https://example.org/", "https://example.org/"),
        ("https://example.org/kg", "https://example.org/kg/"),
        ("http://example.org/kg#", "http://example.org/kg#"),
        ("urn:example:kg", "urn:example:kg:"),
        ("https://例え.jp/図/", "https://例え.jp/図/"),
    ],
)
def test_check_base_closes_the_base(given: str, closed: str) -> None:
    assert check_base(given) == closed


@pytest.mark.parametrize(
    "base_iri",
    [
        "",
        "example.org/",
        "/papers/",
        "ftp://example.org/",
        "javascript:alert(1)",
        "https://",
        "https://example.org/a b/",
        "https://example.org/<x>/",
        "https://example.org/\n/",
        "urn:x",
        "https://example.org/%zz/",
    ],
)
def test_check_base_refuses_what_is_no_absolute_iri(base_iri: str) -> None:
    with pytest.raises(
        OutputError, match=r"give an absolute one such as https://kg\.example\.org/"
    ):
        check_base(base_iri)
