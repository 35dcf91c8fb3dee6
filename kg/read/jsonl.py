"""JSON Lines and JSON: records of any known shape, by the line, in an array, or wrapped."""

import json
import re
from collections.abc import Iterator
from typing import Any, TextIO

from .found import Found
from .raw import found
from .shapes import NoPaper, raw_of
from .wrapped import records_of

# An array of papers begins with one, or is empty; "[1] A. Alpha" and "[Background] We" do not.
_ARRAY = re.compile(r"\s*\[\s*(?:\{|\]|null\b|$)")
_OBJECT = re.compile(r"\s*\{\s*(?:\"|\}|$)")
_GAP = re.compile(r"[\s,]*")
CHUNK = 1 << 20


def read_json_lines(text: TextIO) -> Iterator[Found]:
    r"""Read the papers of a JSON Lines text; a line that is no record is found with its reason.

    Examples
    --------
    >>> import io
    >>> good, bad = read_json_lines(io.StringIO('{"id": "p1", "title": "X"}\nnull\n'))
    >>> good.paper.id, bad.line, bad.reason
    ('p1', 2, 'not a JSON object')
    """
    for number, line in enumerate(text, 1):  # splitlines would cut at U+2028 too
        line = line.strip().strip("\ufeff")
        if not line:
            continue
        for _, value in _whole(line):
            if isinstance(value, ValueError):
                yield Found(number, reason=f"broken JSON: {value}")
                continue
            for record in records_of(value) if value else [value]:
                yield found_record(number, record)


def read_json(text: TextIO) -> Iterator[Found]:
    """Read the papers of a JSON array, of one object, or of the list that an object wraps.

    An array is read as a stream. What stands before a fault in it is kept.

    Examples
    --------
    >>> import io
    >>> [one] = read_json(io.StringIO('{"results": [{"abstract": "We study X."}]}'))
    >>> one.paper.abstract
    'We study X.'
    """
    for line, value in _values(text):
        if isinstance(value, ValueError):
            yield Found(line, reason=f"broken JSON: {value}")
            continue
        for number, record in enumerate(records_of(value)):
            yield found_record(line + number, record)


def is_json_lines(head: str) -> bool:
    """Tell whether one of the first two lines is a whole JSON object, so that each line is one.

    A first line too long to be seen whole is taken for one.
    """
    if "\n" not in head.strip():
        return bool(_OBJECT.match(head))
    lines = [line for line in head.split("\n", 4)[:4] if line.strip()][:2]
    return head.lstrip().startswith("{") and any(map(_is_object, lines))


def is_json(head: str) -> bool:
    """Tell whether a text begins as an array of objects or as an object does."""
    return bool(_ARRAY.match(head) or _OBJECT.match(head))


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) < 16 else digits  # an id must not be rounded


_DECODER = json.JSONDecoder(parse_constant=lambda _: None, parse_int=_integer, strict=False)


def _is_object(line: str) -> bool:
    try:
        return isinstance(_DECODER.decode(line), dict)
    except (ValueError, RecursionError):
        return False


def _values(text: TextIO) -> Iterator[tuple[int, Any]]:
    """Yield each element of an array, or else the whole value, with the line it starts on."""
    buffer = text.read(CHUNK).lstrip("\ufeff")
    if _ARRAY.match(buffer):
        yield from _elements(buffer, text)
    else:
        yield from _whole(buffer + text.read())


def _elements(buffer: str, text: TextIO) -> Iterator[tuple[int, Any]]:
    """Yield the elements of an array, reading on only while the next one is not yet whole."""
    place, size = buffer.index("[") + 1, CHUNK
    line = 1 + buffer.count("\n", 0, place)
    while True:
        start = _end_of_gap(buffer, place)
        line += buffer.count("\n", place, start)
        place = start
        if buffer.startswith("]", place):
            return
        value, end = _decode(buffer, place)
        if end == len(buffer) and (more := text.read(size)):
            buffer, place, size = buffer[place:] + more, 0, 2 * size
            continue
        yield line, value
        if isinstance(value, ValueError):
            return
        line += buffer.count("\n", place, end)
        place, size = end, CHUNK


def _decode(buffer: str, place: int) -> tuple[Any, int]:
    """Return the value at a place, or what is wrong with it, and where it ends: at the end of the
    buffer if more of the text could mend it."""
    try:
        return _DECODER.raw_decode(buffer, place)
    except RecursionError:
        return ValueError("nested too deeply; the rest is not read"), place
    except json.JSONDecodeError as error:
        may_go_on = error.pos > len(buffer) - 16 or error.msg.startswith("Unterminated")
        return ValueError(f"{error.msg}; the rest is not read"), len(buffer) if may_go_on else place


def _end_of_gap(buffer: str, place: int) -> int:
    gap = _GAP.match(buffer, place)
    return gap.end() if gap else place


def _whole(text: str) -> Iterator[tuple[int, Any]]:
    """Yield the value of a text, or all of those that stand in it one after the other."""
    place = _end_of_gap(text, 0)
    while place < len(text):
        line = 1 + text.count("\n", 0, place)
        try:
            value, place = _DECODER.raw_decode(text, place)
        except RecursionError:
            value, place = ValueError("nested too deeply"), len(text)
        except json.JSONDecodeError as error:
            line, value, place = error.lineno, error, len(text)
        yield line, value
        place = _end_of_gap(text, place)


def found_record(line: int, record: object) -> Found:
    """Return the paper that a record of any known shape is, or the reason why it is none."""
    try:
        return found(line, raw_of(record))
    except NoPaper as error:
        return Found(line, reason=str(error))
    except RecursionError:
        return Found(line, reason="nested too deeply")
