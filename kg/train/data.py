"""Annotations for training and evaluation: JSON Lines, one paper a line.

A line holds ``id``, ``text``, ``mentions`` (``start``, ``end`` exclusive, ``type``, ``concept``)
and, where they are known, ``concepts`` (``name``, ``core``, ``must``, ``proposed``) and
``relations`` (``head``, ``type``, ``tail``). Offsets count the text as it stands there. A line
that a machine annotated may add ``tags``, what its annotator held likely for every token (see
`pack_tags`).
"""

import base64
import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import InputError
from ..read.clean import clean_text, move_span, offset_map
from ..records import CONCEPT_TYPES, RELATION_TYPES, ConceptType, Paper

Tags = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class GoldMention:
    """An annotated stretch of a text that names a concept."""

    start: int
    end: int
    type: ConceptType
    concept: str


@dataclass(frozen=True, slots=True)
class GoldConcept:
    """An annotated concept; `core` if the paper could not be found without it.

    `proposed` if the paper itself introduces it.
    """

    name: str
    core: bool = False
    must: bool = False
    proposed: bool = False


@dataclass(frozen=True, slots=True)
class GoldPaper:
    """An annotated text; `tags` is what a machine thought of each token, if one annotated it."""

    id: str
    text: str
    mentions: tuple[GoldMention, ...] = ()
    concepts: tuple[GoldConcept, ...] = ()
    relations: tuple[tuple[str, str, str], ...] = ()
    title: str | None = None
    tags: Tags | None = None


def read_gold(path: Path) -> list[GoldPaper]:
    """Return the annotated papers of a JSON Lines file.

    Parameters
    ----------
    path : Path
        The file, in the form that this module describes.

    Returns
    -------
    list of GoldPaper
        In the order of the file, at least one.

    Raises
    ------
    InputError
        If the file cannot be read, holds no paper, or a line is not an annotated paper.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error}); give a JSON Lines file") from error
    papers = [_paper(line, f"{path}:{at}") for at, line in enumerate(lines, 1) if line.strip()]
    if not papers:
        raise InputError(f"{path}: holds no annotated paper; give one JSON object a line")
    return papers


def clean_paper(paper: GoldPaper) -> GoldPaper:
    """Return the paper with its text cleaned as `kg` cleans texts, and its offsets moved along.

    >>> paper = GoldPaper("p", "A  GAN", (GoldMention(3, 6, "Method", "GAN"),))
    >>> clean_paper(paper).mentions[0].start
    2
    """
    text = clean_text(paper.text)
    if text == paper.text or paper.tags is not None:  # a machine's tags are of clean texts
        return paper
    places = offset_map(paper.text, text)
    moved = [(m, move_span(places, m.start, m.end)) for m in paper.mentions]
    mentions = tuple(GoldMention(*span, m.type, m.concept) for m, span in moved if span)
    return replace(paper, text=text, mentions=mentions)


def as_papers(gold: Iterable[GoldPaper]) -> Iterator[Paper]:
    """Yield the texts of gold papers as papers to be annotated, cleaned as reading cleans them."""
    for paper in gold:
        yield Paper(paper.id, abstract=clean_text(paper.text) or None)


def unlabelled_paper(paper: GoldPaper) -> Paper:
    """Return what a machine tagged as a paper to be annotated: a title's line is its title.

    >>> unlabelled_paper(GoldPaper("p", "A title\\nAn abstract.")).abstract
    'An abstract.'
    """
    title, _, abstract = paper.text.rpartition("\n")
    return Paper(paper.id, title=title or None, abstract=abstract)


def pack_tags(tags: npt.NDArray[np.float32]) -> str:
    """Write a distribution over tags for each token as text, in steps of 1/255.

    >>> unpack_tags(pack_tags(np.array([[0.2, 0.8]], dtype=np.float32)), columns=2).tolist()
    [[51, 204]]
    """
    return base64.b64encode(zlib.compress(np.rint(tags * 255).astype(np.uint8).tobytes())).decode()


def unpack_tags(text: str, *, columns: int) -> Tags:
    """Return what `pack_tags` wrote, one row a token."""
    return np.frombuffer(zlib.decompress(base64.b64decode(text)), np.uint8).reshape(-1, columns)


def _paper(line: str, place: str) -> GoldPaper:
    from ..extract.decode import TAGS

    try:
        raw: dict[str, Any] = json.loads(line)
        tags = raw.get("tags")
        for relation in raw.get("relations", ()):
            if relation["type"] not in RELATION_TYPES:
                raise ValueError(f"{relation['type']!r} is no type of relation")
        return GoldPaper(
            id=str(raw["id"]),
            text=_string(raw["text"]),
            title=raw.get("title"),
            mentions=tuple(_mentions(raw)),
            concepts=tuple(_concept(concept) for concept in raw.get("concepts", ())),
            relations=tuple(
                (_string(r["head"]), r["type"], _string(r["tail"]))
                for r in raw.get("relations", ())
            ),
            tags=unpack_tags(tags, columns=len(TAGS)) if tags else None,
        )
    except (ValueError, KeyError, TypeError, AttributeError, zlib.error) as error:
        detail = f"{type(error).__name__}: {error}"
        raise InputError(f"{place}: not an annotated paper ({detail}); mend the line") from error


def _concept(raw: dict[str, Any]) -> GoldConcept:
    marks = {mark: bool(raw.get(mark)) for mark in ("core", "must", "proposed")}
    return GoldConcept(_string(raw["name"]), **marks)


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _mentions(raw: dict[str, Any]) -> Iterator[GoldMention]:
    for mention in raw["mentions"]:
        start, end, kind = mention["start"], mention["end"], mention["type"]
        if kind not in CONCEPT_TYPES:
            raise ValueError(f"type {kind!r} is none of {', '.join(CONCEPT_TYPES)}")
        if not (isinstance(start, int) and isinstance(end, int)):
            raise TypeError(f"mention {start}-{end} has no whole numbers")
        if not 0 <= start < end <= len(raw["text"]):
            raise ValueError(f"mention {start}-{end} lies outside the text")
        yield GoldMention(start, end, kind, _string(mention["concept"]))
