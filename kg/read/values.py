"""Values of JSON records, of any kind where one is expected -> text, names, dates.

Nothing here minds nulls or values of the wrong kind: they are as good as missing.
"""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from .names import split_authors, split_keywords

Record = Mapping[str, Any]
Path = tuple[str, ...]
Paths = tuple[Path, ...]
MILLISECONDS = range(10**11, 10**13)
LONGEST_INDEX = 100_000


def dig(record: object, path: Path) -> Any:
    """Follow a path of keys; a number picks of a list, ``[]`` goes through all of one.

    Examples
    --------
    >>> dig({"a": [{"b": 1}, None, {"b": 2}]}, ("a", "[]", "b")), dig({"a": None}, ("a", "b"))
    ([1, 2], None)
    """
    value: Any = record
    for place, key in enumerate(path):
        if isinstance(value, dict):
            value = value.get(key)
            if isinstance(value, dict) and "value" in value:  # OpenReview's second interface
                value = value["value"]
        elif isinstance(value, list) and key == "[]":
            values = (dig(each, path[place + 1 :]) for each in value)
            return [one for one in values if one is not None]
        elif isinstance(value, list) and key.isdigit():
            value = value[int(key)] if int(key) < len(value) else None
        else:
            return None
    return value


def paths_of(text: str) -> Paths:
    """Return the paths that a text words: ``"doi ids.doi"``.

    Examples
    --------
    >>> paths_of("doi ids.doi")
    (('doi',), ('ids', 'doi'))
    """
    return tuple(tuple(path.split(".")) for path in text.split())


def first(record: Record, paths: Paths, read: Callable[[Any], Any]) -> Any:
    """Return the first value at any of the paths that `read` makes something of."""
    for path in paths:
        value = dig(record, path)
        if value is not None and (found := read(value)):
            return found
    return None


def label_of(value: Any) -> str | None:
    """Return an identifier or an address as text."""
    if isinstance(value, list):
        return next(filter(None, map(label_of, value)), None)
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else None


def text_of(value: Any) -> str | None:
    """Return running text, also of parts, of an object that holds one, or of an inverted index."""
    if isinstance(value, str):
        index = _index(value) if value.startswith('{"') else None
        return (index and _uninvert(index)) or value
    if isinstance(value, list):
        return " ".join(filter(None, map(text_of, value))) or None
    if isinstance(value, dict):
        if isinstance(value.get("text"), str):
            return str(value["text"])
        return _uninvert(value)
    return None


def _index(text: str) -> Record | None:
    """Return the inverted index that a text words, as tables hold it."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    inner = value.get("InvertedIndex", value) if isinstance(value, dict) else None
    return inner if isinstance(inner, dict) else None


def _uninvert(index: Record) -> str | None:
    """Return the text of an inverted index; gaps close, and of two words in a place both stay."""
    placed = [
        (place, word)
        for word, places in index.items()
        if isinstance(places, list)
        for place in places
        if isinstance(place, int) and place >= 0
    ]
    placed = sorted(placed[:LONGEST_INDEX], key=lambda pair: pair[0])
    return " ".join(word for _, word in placed) or None


def title_of(value: Any) -> str | None:
    """Return a title, the first of a list."""
    title = value[0] if isinstance(value, list) and value else value
    return title if isinstance(title, str) else None


def date_of(value: Any) -> str | int | None:
    """Return a date as text or year: of CSL's parts, of milliseconds, or as it is."""
    if isinstance(value, dict):
        parts = dig(value, ("date-parts", "0", "0"))
        if isinstance(parts, str | int):
            return parts
        keys = ("literal", "raw", "year", "date-time")
        return next((value[key] for key in keys if isinstance(value.get(key), str | int)), None)
    if isinstance(value, int) and value in MILLISECONDS:
        return datetime.fromtimestamp(value / 1000, UTC).year
    if isinstance(value, float):
        return str(value)
    return value if isinstance(value, str | int) else None


def names_of(value: Any) -> list[str]:
    if isinstance(value, str):
        return split_authors(value)
    if not isinstance(value, list):
        return []
    return [name for name in map(_name, value) if name]


def _name(value: Any) -> str | None:
    """Return one name, whole or in the parts that services know."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):  # arXiv: last, first, suffix
        return " ".join(str(part) for part in (value[1:2] + value[:1] + value[2:3]) if part)
    if not isinstance(value, dict):
        return None
    for key in ("name", "display_name", "literal", "fullname", "author", "raw_author_name"):
        if value.get(key):
            return _name(value[key])
    keys = (
        ("given", "first", "firstName", "given_name"), ("middle",),
        ("dropping-particle",), ("non-dropping-particle",),
        ("family", "last", "lastName", "family_name"), ("suffix",),
    )  # fmt: skip
    parts = [next((value[key] for key in some if value.get(key)), None) for some in keys]
    words = [" ".join(map(str, part)) if isinstance(part, list) else part for part in parts]
    return " ".join(str(word) for word in words if word) or None


def words_of(value: Any) -> list[str]:
    if isinstance(value, str):
        return split_keywords(value)
    if not isinstance(value, list):
        return []
    return [word for word in map(_word, value) if word]


def _word(value: Any) -> str | None:
    if isinstance(value, dict):
        keys = ("display_name", "name", "tag", "term")
        value = next((value[key] for key in keys if value.get(key)), None)
    return value if isinstance(value, str) else None
