"""One JSON value -> the records in it, however a service or a crawl wrapped them."""

from collections.abc import Iterator
from typing import Any

# Under which names services and crawls keep the list of their records, the likeliest first.
_LISTS = (
    "results", "data", "items", "notes", "papers", "works", "submissions", "records", "docs",
    "documents", "articles", "entries", "publications", "references", "hits", "hit", "message",
    "response", "result", "rows",
)  # fmt: skip
# A record may be wrapped alone, beside its replies or its rank.
_SINGLE = ("submission", "note", "paper", "work", "record", "_source", "citedPaper", "citingPaper")
_OWN = frozenset(
    """title Title abstract Abstract display_name abstract_inverted_index content itemType DOI
    paperId paper_id paper_url replyto submissions""".split()
)  # fmt: skip
DEEPEST = 6


def records_of(value: Any, *, depth: int = 0) -> Iterator[Any]:
    """Yield the records that a JSON value is or wraps; what wraps none is a record itself.

    Examples
    --------
    >>> list(records_of({"message": {"items": [{"title": "A"}, {"title": "B"}]}}))
    [{'title': 'A'}, {'title': 'B'}]
    >>> list(records_of({"p1": {"title": "A"}}))
    [{'id': 'p1', 'title': 'A'}]
    """
    if isinstance(value, list) and depth < DEEPEST:
        for element in value:
            yield from records_of(element, depth=depth + 1)
        return
    inner = _inner(value) if isinstance(value, dict) and depth < DEEPEST else None
    if inner is None:
        yield value
    else:
        yield from records_of(inner, depth=depth + 1)


def _inner(value: dict[str, Any]) -> Any:
    """Return what an object wraps, or None if it is a record itself or wraps nothing."""
    if isinstance(value.get("submissions"), list | dict):  # a venue has a title too
        return value["submissions"]
    if not _OWN.isdisjoint(value):
        return None
    for name in _SINGLE:
        if isinstance(value.get(name), dict):
            return value[name]
    for name in _LISTS:
        inner = value.get(name)
        if isinstance(inner, list) or (isinstance(inner, dict) and inner):
            return inner
    return _keyed(value)


def _keyed(value: dict[str, Any]) -> list[Any] | None:
    """Return the records of an object that has one under each key, which is then its id."""
    inner = list(value.values())
    if not inner or not all(isinstance(one, dict) and not _OWN.isdisjoint(one) for one in inner):
        return None
    return [{"id": key, **one} for key, one in value.items()]
