import io
import json

from hypothesis import given
from hypothesis import strategies as st

from kg.read.clean import clean_or_none
from kg.read.found import Found
from kg.read.jsonl import is_json_lines
from kg.read.jsonl import read_json as read_json_stream
from kg.read.jsonl import read_json_lines as read_json_lines_stream
from kg.records import Paper


def read_json_lines(text: str) -> list[Found]:
    return list(read_json_lines_stream(io.StringIO(text)))


def read_json(text: str) -> list[Found]:
    return list(read_json_stream(io.StringIO(text)))


def test_read_json_lines_reports_each_bad_line() -> None:
    lines = [
        '{"title": "A"}',
        '{"title": "cut',
        "",
        "null",
        "[]",
        "42",
        '{"title": "B"}\r',
        '{"id": 1}',
    ]
    found = list(read_json_lines("\n".join(lines)))
    assert [one.paper.title for one in found if one.paper] == ["A", "B"]
    assert [one.line for one in found if one.reason] == [2, 4, 5, 6, 8]


def test_read_json_lines_splits_on_newline_only() -> None:
    text = '{"title": "a\u2028b\u0085c"}\n{"title": "d"}'
    assert [one.paper.title for one in read_json_lines(text) if one.paper] == ["a b c", "d"]


def test_read_json_lines_takes_odd_values() -> None:
    text = (
        '{"id": "n1", "title": "NaN", "abstract": NaN, "year": Infinity}\n'
        '{"id": "n2", "title": "Old", "title": "New"}\n'
        '{"id": 12345678901234567890123, "title": "Big", "year": "2020.0", "authors": "Solo"}'
    )
    one, two, three = (found.paper for found in read_json_lines(text))
    assert one == Paper("n1", "NaN")
    assert two == Paper("n2", "New")
    assert three == Paper("12345678901234567890123", "Big", year=2020, authors=("Solo",))


def test_ids_are_kept_character_for_character() -> None:
    raw = 't 1/ä?#<>"{}|^`\\ **x** $y$'
    [found] = read_json(json.dumps({"id": raw, "title": "X"}))
    assert found.paper and found.paper.id == raw


def test_read_json_of_a_broken_array_names_its_line() -> None:
    good, found = read_json('[{"title": "A"},\n {"title": ]')
    assert good.paper and good.paper.title == "A"
    assert found.paper is None and found.line == 2 and found.reason


def test_read_json_survives_deep_nesting() -> None:
    [found] = read_json("[" * 100_000)
    assert found.reason


def test_is_json_lines_tells_an_indented_object_apart() -> None:
    assert is_json_lines('\n{"a": 1}\n{"b": 2}')
    assert not is_json_lines('{\n "a": 1\n}')


TEXTS = st.none() | st.text()


@given(st.text(min_size=1), TEXTS, st.lists(st.text()), st.none() | st.integers(1900, 2100))
def test_canonical_json_reads_back(
    title: str, venue: str | None, names: list[str], year: int | None
) -> None:
    record = {"title": title, "venue": venue, "authors": names, "year": year}
    [found] = read_json_lines(json.dumps(record))
    if clean_or_none(title) is None:
        assert found.reason
        return
    assert found.paper == Paper(
        "",
        clean_or_none(title),
        venue=clean_or_none(venue),
        authors=tuple(dict.fromkeys(filter(None, map(clean_or_none, names)))),
        year=year,
    )
