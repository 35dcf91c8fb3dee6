import io
import json
from typing import Any

import pytest

from kg.read.found import Found
from kg.read.jsonl import read_json, read_json_lines
from kg.read.shapes import SHAPES, raw_of
from kg.read.wrapped import records_of
from kg.records import Paper


def read(value: Any) -> list[Found]:
    return list(read_json(io.StringIO(json.dumps(value, indent=1))))


def paper(record: dict[str, Any]) -> Paper:
    [found] = read(record)
    assert found.paper is not None, found.reason
    return found.paper


@pytest.mark.parametrize(
    ("record", "shape"),
    [
        ({"id": "1", "title": "T"}, "canonical"),
        ({"id": "2101.1", "authors_parsed": [], "categories": "cs.LG"}, "arXiv snapshot"),
        ({"id": "https://openalex.org/W1", "title": "T"}, "OpenAlex"),
        ({"DOI": "10.9999/x", "title": ["T"]}, "Crossref"),
        ({"itemType": "book", "title": "T", "DOI": "x"}, "Zotero"),
        ({"paper_url": "https://x", "title": "T"}, "Papers with Code"),
        ({"paperId": None, "title": "T"}, "Semantic Scholar"),
        ({"paper_id": "1", "s2_url": "x", "title": "T"}, "Semantic Scholar"),
        ({"id": "1", "content": {"title": "T"}}, "OpenReview"),
        ({"id": "1", "type": "book", "issued": {}, "title": "T"}, "CSL"),
        ({"id": "1", "author": [{"family": "A"}], "title": "T"}, "CSL"),
    ],
)
def test_shapes_are_told(record: dict[str, Any], shape: str) -> None:
    assert next(one.name for one in SHAPES if one.told_by(record)) == shape


def test_arxiv_snapshot() -> None:
    found = paper(
        {
            "id": "0704.0001", "submitter": "P", "title": "On\n  Nets", "doi": None,
            "authors": "A. Alpha, B. Beta", "abstract": "  We use\n$\\ell_2$ nets.\n",
            "journal-ref": "J. X", "categories": "cs.LG", "update_date": "2008-11-26",
            "versions": [{"version": "v1", "created": "Mon, 2 Apr 2007 19:18:42 GMT"}],
            "authors_parsed": [["Alpha", "A.", ""], ["Beta", "B.", "Jr."]],
        }
    )  # fmt: skip
    assert found == Paper(
        "0704.0001", "On Nets", "We use ℓ2 nets.", 2007, "J. X", ("A. Alpha", "B. Beta Jr."),
        url="https://arxiv.org/abs/0704.0001",
    )  # fmt: skip


def test_s2orc_names_and_parts() -> None:
    found = paper(
        {
            "paper_id": "5", "s2_url": "https://s2.org/5", "doi": "10.9999/S", "year": 2019,
            "metadata": {"title": "T"}, "abstract": [{"text": "One."}, {"text": "Two."}, None],
            "authors": [{"first": "A", "middle": ["B."], "last": "C", "suffix": ""}],
        }
    )  # fmt: skip
    assert (found.title, found.abstract, found.authors) == ("T", "One. Two.", ("A B. C",))


def test_zotero_attachments_are_no_papers() -> None:
    items = [
        {"itemType": "conferencePaper", "key": "K", "title": "T", "abstractNote": "A."},
        {"itemType": "attachment", "title": "Full Text PDF"},
        {"itemType": "note", "note": "mine"},
    ]
    found = read({"items": items})
    assert [one.paper.id for one in found if one.paper] == ["K"]
    assert [one.reason for one in found if one.reason] == [
        "a Zotero attachment, not a paper",
        "a Zotero note, not a paper",
    ]
    api = [{"key": "K", "version": 1, "data": item} for item in items]
    assert [one.paper.title for one in read(api) if one.paper] == ["T"]


REPLY = {"id": "r", "forum": "s", "replyto": "s", "content": {"title": "Review", "review": "Good"}}
REVISION = {"id": "v", "forum": "s", "content": {"title": "Revised", "abstract": "B."}}
NOTE = {"id": "s", "forum": "s", "content": {"title": {"value": "T"}, "abstract": {"value": "A."}}}


@pytest.mark.parametrize(
    "crawl",
    [
        {"submissions": [NOTE]},
        {"venue": "ICLR", "title": "ICLR 2024", "submissions": [NOTE]},
        {"submissions": {"s": NOTE}},
        [{"venue": "ICLR", "submissions": [NOTE]}],
        {"ICLR": {"submissions": [NOTE]}},
        {"submissions": [{**NOTE, "revisions": [REVISION], "reviews": [REPLY]}]},
        {"submissions": [{**NOTE, "details": {"replies": [REPLY], "revisions": [REVISION]}}]},
        {"submissions": [{"submission": NOTE, "reviews": [REPLY], "revisions": [REVISION]}]},
        {"notes": [NOTE, REPLY, REVISION]},
    ],
    ids=range(9),
)
def test_crawls_of_openreview(crawl: Any) -> None:
    assert [(one.paper.id, one.paper.title) for one in read(crawl) if one.paper] == [("s", "T")]


@pytest.mark.parametrize(
    "wrapped",
    [
        {"results": [{"title": "A"}, {"title": "B"}]},
        {"data": [{"title": "A"}, {"title": "B"}], "total": 2},
        {"status": "ok", "message": {"items": [{"title": "A"}, {"title": "B"}]}},
        {"response": {"docs": [{"title": "A"}, {"title": "B"}]}},
        {"hits": {"hits": [{"_source": {"title": "A"}}, {"_source": {"title": "B"}}]}},
        {"p1": {"title": "A"}, "p2": {"title": "B"}},
        [[{"title": "A"}], [{"title": "B"}]],
        {"data": [{"citedPaper": {"title": "A"}}, {"citedPaper": {"title": "B"}}]},
    ],
    ids=range(8),
)
def test_wrapped_lists(wrapped: Any) -> None:
    assert [one["title"] for one in records_of(wrapped)] == ["A", "B"]


def test_a_record_that_holds_a_list_is_still_a_record() -> None:
    record = {"title": "A", "references": [{"title": "B"}], "data": [{"title": "C"}]}
    assert list(records_of(record)) == [record]


def test_several_objects_without_a_list_around_them() -> None:
    pretty = '{\n "title": "A"\n}\n{\n "title": "B"\n}\n'
    found = list(read_json(io.StringIO(pretty)))
    assert [(one.line, one.paper.title) for one in found if one.paper] == [(1, "A"), (4, "B")]
    joined = list(read_json_lines(io.StringIO('{"title": "A"}{"title": "B"}\n{"title": "C"}')))
    assert [(one.line, one.paper.title) for one in joined if one.paper] == [
        (1, "A"), (1, "B"), (2, "C"),
    ]  # fmt: skip


def test_a_long_array_is_read_as_a_stream_with_its_lines() -> None:
    records = [{"id": str(n), "title": f"T{n}", "abstract": "x " * (n % 700)} for n in range(5_000)]
    text = "[\n" + ",\n".join(map(json.dumps, records)) + "\n]"
    found = list(read_json(io.StringIO(text)))
    assert [one.paper.id for one in found if one.paper] == [str(n) for n in range(5_000)]
    assert [one.line for one in found] == list(range(2, 5_002))


def test_an_array_that_is_cut_short_keeps_what_it_has() -> None:
    text = "[" + ",\n".join(json.dumps({"title": f"T{n}"}) for n in range(10))
    for end in ("", ",\n", ',\n{"title": "cut'):
        found = list(read_json(io.StringIO(text + end)))
        assert [one.paper.title for one in found if one.paper] == [f"T{n}" for n in range(10)]
        assert found[-1].reason and "broken JSON" in found[-1].reason


@pytest.mark.parametrize("value", [None, 7, True, [], {}, [None], {"a": None}, "x", float("nan")])
@pytest.mark.parametrize("name", ["title", "abstract", "year", "authors", "keywords", "doi", "id"])
def test_values_of_any_kind_anywhere(name: str, value: Any) -> None:
    bases: list[dict[str, Any]] = [
        {"title": "T"}, {"title": "T", "authors_parsed": []}, {"title": "T", "itemType": "book"},
        {"title": ["T"], "DOI": "x"}, {"title": "T", "paperId": "1"},
        {"title": "T", "abstract_inverted_index": value}, {"content": {"title": "T", name: value}},
        {"title": "T", "type": "book", "issued": value, "author": value},
    ]  # fmt: skip
    for base in bases:
        raw_of({**base, name: value})
        read({**base, name: value})


def test_what_a_build_wrote_is_taken_as_it_stands() -> None:
    text = "R&amp;D of $x$ and \\emph{y}"
    written = {"id": "p", "title": text, "abstract": text, "label": "L", "mentions": []}
    found = paper(written)
    assert (found.title, found.abstract) == (text, text)
    assert paper({"id": "p", "abstract": text}).abstract == "R&D of x and y"
