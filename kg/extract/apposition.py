"""Mentions that a text sets side by side as two names of one thing.

``Pairwise Proximal Policy Optimization (P3O)``, ``re-id (person re-identification)``,
``ARES, an Automated RAG Evaluation System``, ``in-context learning or ICL``. Where an acronym is
looked for by its letters alone (`kg.extract.abbreviations`), its expansion may begin too late, end
too late (``curriculum learning framework (CL)``) or not be found; the mentions tell where it is.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ..records import Mention, Paper
from ..resolve.names import words
from .abbreviations import has_letters, looks_short, spells

_QUOTES = r"[*\"'\u2018\u2019\u201c\u201d$`]*"
_OPENS = re.compile(rf"(?: [a-z]+)?\s*[(\[]\s*{_QUOTES}")
_CLOSES = re.compile(rf"{_QUOTES}\s*[)\]]")
_DIGIT = re.compile(r"\d")
_CALLED = re.compile(
    r",? \(?(?:or|namely|a\.?k\.?a\.?|(?:also |so-|which (?:we|is|are) )?(?:abbreviated|call|called"
    rf"|denoted|dubbed|known|named|referred to|termed)(?: as| by)?),? {_QUOTES}"
)
_DATA = r"(?:benchmark|corpus|dataset|testbed)"
_TOOL = r"(?:algorithm|approach|engine|framework|generator|library|method|metric|model|pipeline)"
# A word of the kind of data, no preposition, participle or article, nor the data themselves.
_ATTRIBUTE = (
    rf"(?!(?:an?|and|by|for|from|in|of|on|that|the|to|using|utilizing|which|with|{_DATA})\b)"
    r"[\w/-]+,? "
)
_IS_DATA = re.compile(
    rf"(?:\s*\([^()]{{1,60}}\))?,?(?: which)?(?: is)? (?:an?|the (?:first|only|\w+est)) "
    rf"(?:{_ATTRIBUTE}){{0,7}}{_DATA}\b(?!-)(?! (?:[\w-]+ ){{0,3}}{_TOOL}\b)",
    re.IGNORECASE,
)
_DATA_CALLED = re.compile(
    rf"\b{_DATA},? (?:called|coined|dubbed|named|namely|termed) $", re.IGNORECASE
)
_EXPLAINS = re.compile(r"\s*(?::|[-\u2013\u2014]+)\s*|, (?:an?|the|our)(?: new| novel)? ")


def appositions(paper: Paper, mentions: Sequence[Mention]) -> Iterator[tuple[str, str]]:
    """Yield the short and the full name of what mentions of one type name side by side.

    Parameters
    ----------
    paper
        The paper whose text stands between the mentions.
    mentions
        Its mentions, in the order of the text.

    Examples
    --------
    >>> paper = Paper("p", abstract="Pairwise Policy Proximity (P3) wins.")
    >>> name = Mention(0, 25, "Pairwise Policy Proximity", "Method", "", 0.9, "abstract", (0, 36))
    >>> short = Mention(27, 29, "P3", "Method", "", 0.9, "abstract", (0, 36))
    >>> list(appositions(paper, [name, short]))
    [('P3', 'Pairwise Policy Proximity')]
    """
    for one, other in pairwise(mentions):
        if (one.field, one.type) != (other.field, other.type):
            continue
        text = paper.text(one.field)
        between = text[one.end : other.start]
        short, full = sorted((one.text, other.text), key=_shortest_first)
        bracketed = _OPENS.fullmatch(between) and _CLOSES.match(text, other.end)
        called = short == other.text and _CALLED.fullmatch(between)
        explained = short == one.text and _EXPLAINS.fullmatch(between)
        if (
            (bracketed and _is_gloss(short, full))
            or (called and _is_name_of(short, full))
            or (explained and _is_expansion(short, full))
        ):
            yield short, full


def is_called_data(paper: Paper, mention: Mention) -> bool:
    """Tell whether the text says of a proper name that it is a dataset, benchmark or the like.

    Examples
    --------
    >>> paper = Paper("p", abstract="We curate BIRD, a dataset of songs.")
    >>> is_called_data(paper, Mention(10, 14, "BIRD", "Method", "", 0.9, "abstract", (0, 35)))
    True
    """
    text = paper.text(mention.field)
    return mention.text != mention.text.lower() and bool(
        _IS_DATA.match(text, mention.end)
        or _DATA_CALLED.search(text, max(0, mention.start - 30), mention.start)
    )


def _shortest_first(name: str) -> tuple[bool, int]:
    return not looks_short(name), len(name)


def _is_gloss(short: str, full: str) -> bool:
    """Tell whether names, one of them in brackets, can be of one thing, not of it and its sort."""
    parts, whole = set(words(short)), set(words(full))
    if parts <= whole or whole <= parts:
        return False
    if looks_short(short):
        return has_letters(full, short) or spells(full, short)
    return has_letters(full, short) and " " not in short


def _is_name_of(short: str, full: str) -> bool:
    """Tell whether an acronym after `or` can be of the name before: GPT-4 or GPT-3 are two."""
    return (
        " " in full
        and looks_short(short)
        and _is_gloss(short, full)
        and set(_DIGIT.findall(short)) <= set(_DIGIT.findall(full))
    )


def _is_expansion(short: str, full: str) -> bool:
    """Tell whether a name explains another that it follows without brackets."""
    written_as_name = " " in full and full != full.lower()
    return looks_short(short) and written_as_name and spells(full, short)
