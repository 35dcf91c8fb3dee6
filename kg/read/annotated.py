"""Papers that were annotated before: what ``kg build`` and ``kg extract`` write, read again.

A person may have corrected them by hand, so what they hold is kept and never extracted anew, and
what a person need not write is filled in.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import product
from sys import intern
from typing import Any, TypeGuard, get_args

from ..extract.sentences import sentence_at, split_sentences
from ..records import (
    CONCEPT_TYPES,
    RELATION_TYPES,
    AnnotatedPaper,
    Field,
    Mention,
    Paper,
    Relation,
    Span,
)

# Each kept once, as Python does with names and very small numbers; scores have three decimals.
_OFFSETS: dict[int, int] = {}
_SCORES = {score: score for score in (n / 1000 for n in range(1001))}
FIELDS = ("label", "mentions", "relations", "proposes")


def is_annotated(record: Mapping[str, Any]) -> bool:
    """Tell whether a record of JSON holds annotations."""
    return "mentions" in record and "label" in record


def with_annotations(paper: Paper, record: Mapping[str, Any]) -> AnnotatedPaper:
    """Return the paper with the annotations of a record of JSON.

    A mention needs ``start``, ``end``, ``text`` and ``type``, a relation ``head``, ``type`` and
    ``tail``; the rest is filled in. A relation or proposal that names what no mention does is left
    out (`left_out` tells which). A new title is the label too, unless that is a short one of its
    own, and its mentions move with it.

    Raises
    ------
    ValueError
        If they do not fit: a field is missing or of another kind, a mention is not the text at
        its place, or a type is unknown.

    Examples
    --------
    >>> mentions = [{"start": 0, "end": 1, "text": "X", "type": "Method"}]
    >>> record = {"label": "X", "mentions": mentions, "proposes": ["X", "Y"]}
    >>> annotated = with_annotations(Paper("p1", abstract="X wins."), record)
    >>> annotated.mentions[0].sentence, annotated.mentions[0].score, annotated.proposes
    ((0, 7), 1.0, ('X',))
    """
    try:
        whole = partial(_whole_mention, paper, split_sentences(paper.text("abstract")))
        found = mentions_of(map(whole, record["mentions"]))
        mentions = tuple(sorted(found, key=lambda m: (m.field != "title", m.start, m.end)))
        named = {mention.concept for mention in mentions}
        proposes = tuple(name for name in record.get("proposes") or () if name in named)
        stated = map(partial(_whole_relation, paper, mentions), record.get("relations") or ())
        relations = relations_of(one for one in stated if {one["head"], one["tail"]} <= named)
        label = _label(paper, str(record["label"] or ""), mentions, proposes)
        return AnnotatedPaper(paper, label, mentions, relations, proposes)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"its annotations do not fit ({error})") from error


def left_out(annotated: AnnotatedPaper, record: Mapping[str, Any]) -> str | None:
    """Tell what relations and proposals of a record are about, but no mention of the paper.

    Examples
    --------
    >>> record = {"relations": [{"head": "X", "type": "used_for", "tail": "Y"}], "proposes": ["X"]}
    >>> left_out(AnnotatedPaper(Paper("p1"), "X"), record)
    'no mention is of X, Y; relations and proposals of it are left out'
    """
    relations = record.get("relations") or ()
    names = {one[end] for one in relations for end in ("head", "tail")}
    names.update(record.get("proposes") or ())
    gone = sorted(map(str, names - {mention.concept for mention in annotated.mentions}))
    if not gone:
        return None
    return f"no mention is of {', '.join(gone)}; relations and proposals of it are left out"


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
        else _SCORES.get(value, value)
        if type(value) is float
        else value
        for name, value in record.items()
    }


def _whole_mention(
    paper: Paper, sentences: Sequence[Span], record: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the fields of a mention, those filled in that a person need not write."""
    wanted, kind = _needed(record, "mention", "text", "type")
    start, end = _needed(record, f"mention {wanted!r}", "start", "end")
    field = _field(paper, record)
    text = paper.text(field)
    if field == "title" and text[start:end] != wanted:
        start, end = _moved(text, wanted, start)
    if not 0 <= start < end or text[start:end] != wanted:
        raise ValueError(f"in the {field} the mention {wanted!r} is not the text at its place")
    if kind not in CONCEPT_TYPES:
        raise ValueError(f"{kind} is no type of concept; they are {', '.join(CONCEPT_TYPES)}")
    sentence = record.get("sentence")
    if field == "title":
        sentence = 0, len(text)
    elif not (_is_span(sentence, text) and sentence[0] <= start < sentence[1]):
        sentence = sentence_at(sentences, start)
    return {
        "start": start,
        "end": end,
        "text": wanted,
        "type": kind,
        "concept": str(record.get("concept") or wanted),
        "score": _score(record),
        "field": field,
        "sentence": sentence,
    }


def _whole_relation(
    paper: Paper, mentions: Sequence[Mention], record: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the fields of a relation, those filled in that a person need not write."""
    head, kind, tail = _needed(record, "relation", "head", "type", "tail")
    if kind not in RELATION_TYPES:
        raise ValueError(f"{kind} is no type of relation; they are {', '.join(RELATION_TYPES)}")
    field = _field(paper, record)
    span = record.get("start"), record.get("end")
    if not _is_span(span, paper.text(field)):
        here = [mention for mention in mentions if mention.field == field]
        span = _evidence(here, head, tail) or (0, len(paper.text(field)))
    return {
        "head": head,
        "type": kind,
        "tail": tail,
        "score": _score(record),
        "start": span[0],
        "end": span[1],
        "field": field,
    }


def _needed(record: Mapping[str, Any], what: str, *names: str) -> tuple[Any, ...]:
    for name in names:
        value = record.get(name)
        if value is None or value == "":
            raise ValueError(f"a {what} lacks {name!r}")
        if type(value) is not (int if name in ("start", "end") else str):
            raise ValueError(f"{name!r} of a {what} is {value!r}")
    return tuple(record[name] for name in names)


def _field(paper: Paper, record: Mapping[str, Any]) -> Field:
    field: Field = record.get("field") or ("abstract" if paper.abstract else "title")
    if field not in get_args(Field):
        raise ValueError(f"the field {field!r} is none; it is abstract or title")
    return field


def _score(record: Mapping[str, Any]) -> float:
    score = record.get("score")
    if score is None:
        return 1.0  # a person is sure
    if type(score) not in (int, float) or not 0 <= score <= 1:
        raise ValueError(f"the score {score!r} is none; it is a number from 0 to 1")
    return float(score)


def _is_span(value: Any, text: str) -> TypeGuard[Span]:
    """Tell whether a value is a span of the text."""
    return (
        isinstance(value, list | tuple)
        and [*map(type, value)] == [int, int]
        and 0 <= value[0] < value[1] <= len(text)
    )


def _moved(title: str, wanted: str, start: int) -> Span:
    """Return where the mention stands in a new title: nearest to where it was."""
    whole = re.finditer(rf"(?<!\w){re.escape(wanted)}(?!\w)", title)
    spans = sorted((match.span() for match in whole), key=lambda span: abs(span[0] - start))
    return spans[0] if spans else (0, 0)


def _evidence(mentions: Sequence[Mention], head: str, tail: str) -> Span | None:
    """Return the span of the sentences of the nearest mentions of two concepts."""
    heads, tails = ([m for m in mentions if m.concept == name] for name in (head, tail))
    nearest = min(product(heads, tails), key=lambda p: abs(p[0].start - p[1].start), default=None)
    if nearest is None:
        return None
    first, second = sorted(mention.sentence for mention in nearest)
    return first[0], second[1]


def _label(paper: Paper, label: str, mentions: Sequence[Mention], proposes: Sequence[str]) -> str:
    """Return the title of the paper, unless its label is a short one that a person gave it.

    The label may be the title that stood before, or where there was none (so that no mention is
    in it) the first words of the abstract or the name of what the paper proposes.
    """
    title = paper.title
    if not title or not label:
        return label or title or paper.id
    untitled = all(mention.field == "abstract" for mention in mentions)
    surfaces = {mention.text for mention in mentions if mention.concept in proposes}
    first_words = paper.text("abstract").startswith(label.removesuffix(" …"))
    derived = untitled and (label in surfaces or first_words or label == paper.id)
    return label if 2 * len(label) <= len(title) and not derived else title
