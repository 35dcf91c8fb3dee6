import pytest

from kg.read.raw import NOT_ENGLISH, Raw, found, year_of
from kg.records import Paper


def paper(**fields: object) -> Paper:
    one = found(1, Raw(**{"title": "T", **fields}))  # type: ignore[arg-type]
    assert one.paper is not None
    return one.paper


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("We do. © 2020 Elsevier B.V. All rights reserved.", "We do."),
        ("We do. (C) 2010 Example. All rights reserved.", "We do."),
        ("We do. Copyright (c) 2011 John Wiley & Sons, Ltd.", "We do."),
        ("We do. © The Author(s) 2019. Published by X.", "We do."),
        ("© 2020 IEEE. We do.", "We do."),
        ("© 2021 Elsevier B.V. We do.", "We do."),
        ("Abstract: We do.", "We do."),
        ("ABSTRACT— We do.", "We do."),
    ],
)
def test_headings_and_notices_are_taken_off(raw: str, clean: str) -> None:
    assert paper(abstract=raw).abstract == clean


@pytest.mark.parametrize(
    "text",
    [
        "Abstract meaning representations are used.",
        "Abstract-level nets win.",
        "We use (a) 2009, (b) 2010 and (c) 2011 data.",
        "We study the Copyright 2019 directive.",
    ],
)
def test_what_only_looks_like_a_notice_stays(text: str) -> None:
    assert paper(abstract=text).abstract == text


@pytest.mark.parametrize(
    "text",
    ["", " ", "N/A", "[No abstract available]", "No abstract available.", "null", "--", "NaN"],
)
def test_placeholders_are_no_abstract(text: str) -> None:
    assert paper(abstract=text).abstract is None


@pytest.mark.parametrize(
    ("date", "year"),
    [
        (2020, 2020), ("2020.0", 2020), ("20200506", 2020), ("2020-05-06T00:00Z", 2020),
        ("[2019?]", 2019), ("1998 Dec-1999 Jan", 1998), ("Mon, 2 Apr 2007 19:18:42 GMT", 2007),
        ("", None), (None, None), ("forthcoming", None), (0, None), (9999, None), ("20155", None),
        (float("inf"), None), ("12/05/99", None),
    ],
)  # fmt: skip
def test_years(date: object, year: int | None) -> None:
    assert year_of(date) == year


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"id": "k", "doi": "10.9999/X"}, "k"),
        ({"doi": "https://dx.doi.org/10.9999/X."}, "10.9999/x"),
        ({"arxiv": "arXiv:2101.00001v3"}, "2101.00001v3"),
        ({"pmid": "77"}, "77"),
        ({}, ""),
    ],
)
def test_the_id_is_the_best_that_a_source_gives(fields: dict[str, str], expected: str) -> None:
    assert paper(**fields).id == expected


@pytest.mark.parametrize(
    ("fields", "keys"),
    [
        ({"id": "10.9999/X"}, {("doi", "10.9999/x")}),
        ({"id": "2101.00001v2"}, {("arxiv", "2101.00001")}),
        ({"id": "arXiv:hep-th/9901001"}, {("arxiv", "hep-th/9901001")}),
        ({"id": "http://arxiv.org/abs/2101.00001"}, {("arxiv", "2101.00001")}),
        ({"id": "12", "pmid": "PMID: 12"}, {("pmid", "12")}),
        ({"id": "2101.99"}, set()),
        ({"id": "smith2101.00001"}, set()),
    ],
)
def test_identifiers_tell_equal_papers(fields: dict[str, str], keys: set[tuple[str, str]]) -> None:
    assert set(found(1, Raw(title="T", **fields)).keys) == keys  # type: ignore[arg-type]


def test_an_abstract_that_is_not_english_is_kept_with_a_remark() -> None:
    text = "Wir stellen ein neues Verfahren vor, das Graphen schneller und besser vergleicht. " * 3
    one = found(1, Raw(abstract=text))
    assert one.paper and one.paper.abstract == text.strip()
    assert one.remark == NOT_ENGLISH


def test_repeated_authors_are_one() -> None:
    assert paper(authors=["A", " A ", "", "B"]).authors == ("A", "B")
