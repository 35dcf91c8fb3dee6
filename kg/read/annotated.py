"""Papers that were annotated before: what ``kg build`` and ``kg extract`` write, read again.

A person may have corrected them by hand, so what they hold is kept and never extracted anew.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from sys import intern
from typing import Any

from ..records import (
    CONCEPT_TYPES,
    RELATION_TYPES,
    AnnotatedPaper,
    Mention,
    Paper,
    Relation,
    Span,
)

_OFFSETS: dict[int, int] = {}  # each kept once, as Python does with names and very small numbers
FIELDS = ("label", "mentions", "relations", "proposes")


def is_annotated(record: Mapping[str, Any]) -> bool:
    """Tell whether a record of JSON holds annotations."""
    return "mentions" in record and "label" in record


def with_annotations(paper: Paper, record: Mapping[str, Any]) -> AnnotatedPaper:
    """Return the paper with the annotations of a record of JSON.

    Raises
    ------
    ValueError
        If they do not fit: a field is missing or of another kind, a mention is not the text at
        its place, a type is unknown, or a relation names what no mention does.

    Examples
    --------
    >>> record = {"label": "X", "mentions": [], "relations": [], "proposes": []}
    >>> with_annotations(Paper("p1", abstract="X wins."), record).label
    'X'
    """
    try:
        annotated = AnnotatedPaper(
            paper=paper,
            label=str(record["label"]),
            mentions=mentions_of(record["mentions"]),
            relations=relations_of(record.get("relations") or ()),
            proposes=tuple(record.get("proposes") or ()),
        )
        return _checked(annotated)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"its annotations do not fit ({error})") from error


def mentions_of(records: Iterable[Mapping[str, Any]]) -> tuple[Mention, ...]:
    """Return the mentions of one paper from records of JSON; equal names and places are kept once.

    A large build has millions of mentions, of which many name the same.
    """
    places: dict[Span, Span] = {}
    mentions = []
    for record in records:
        start, end = (_OFFSETS.setdefault(offset, offset) for offset in record["sentence"])
        sentence = places.setdefault((start, end), (start, end))
        mentions.append(Mention(**{**_interned(record), "sentence": sentence}))
    return tuple(mentions)


def relations_of(records: Iterable[Mapping[str, Any]]) -> tuple[Relation, ...]:
    """Return the relations of one paper from records of JSON; equal names are kept once."""
    return tuple(Relation(**_interned(record)) for record in records)


def _interned(record: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: intern(value)
        if type(value) is str
        else _OFFSETS.setdefault(value, value)
        if type(value) is int
        else value
        for name, value in record.items()
    }


def _checked(annotated: AnnotatedPaper) -> AnnotatedPaper:
    order = {"title": 0, "abstract": 1}
    mentions = sorted(annotated.mentions, key=lambda m: (order[m.field], m.start, m.end))
    for mention in mentions:
        if mention.text != annotated.paper.text(mention.field)[mention.start : mention.end]:
            raise ValueError(f"the mention {mention.text!r} is not the text at its place")
        if mention.type not in CONCEPT_TYPES:
            raise ValueError(f"{mention.type} is no type of concept")
    named = {mention.concept for mention in mentions}
    for relation in annotated.relations:
        if relation.type not in RELATION_TYPES or not {relation.head, relation.tail} <= named:
            raise ValueError(f"no relation is {relation.head} {relation.type} {relation.tail}")
    proposes = tuple(name for name in annotated.proposes if name in named)
    return replace(annotated, mentions=tuple(mentions), proposes=proposes)
