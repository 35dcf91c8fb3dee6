"""Where sentences begin and end in a cleaned abstract: a few rules, no model."""

import re
from bisect import bisect_right
from collections.abc import Sequence

from ..records import Span

# A full stop, question or exclamation mark with closing signs after it, then blanks.
_END = re.compile(r"[.?!][)\]\"'\u201d\u2019]*\s+")
# What stands before a full stop that ends no sentence.
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|cf|al|vs|viz|resp|approx|et|Figs?|figs?|Eqs?|eqs?|Secs?|Sects?|Tabs?|Refs?"
    r"|Nos?|Vols?|pp|Drs?|Mrs?|Ms|Prof|St|w\.r\.t|i\.i\.d|a\.k\.a|s\.t|incl|ca|Thm|Alg)"
    r"|(?:^|[.,&(] )[A-Z])$"
)
_LOOK_BACK = 12


def split_sentences(text: str) -> list[Span]:
    """Return the spans of the sentences of a text, in order, without the blanks between them.

    Examples
    --------
    >>> text = "We follow Alpha et al. and use X (cf. Fig. 2). It wins, e.g. on Y! Good."
    >>> [text[start:end] for start, end in split_sentences(text)]
    ['We follow Alpha et al. and use X (cf. Fig. 2).', 'It wins, e.g. on Y!', 'Good.']
    """
    spans = []
    start = 0
    for match in _END.finditer(text):
        if _ends_sentence(text, match):
            spans.append((start, match.start() + len(match[0].rstrip())))
            start = match.end()
    if start < len(text):
        spans.append((start, len(text)))
    return spans


def sentence_at(sentences: Sequence[Span], place: int) -> Span:
    """Return the sentence that holds the character at `place`.

    Examples
    --------
    >>> sentence_at([(0, 5), (6, 9)], 7)
    (6, 9)
    """
    return sentences[max(bisect_right(sentences, (place, 1 << 60)) - 1, 0)]


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    following = text[match.end()] if match.end() < len(text) else "A"
    if following.islower() or following in ",;)":
        return False
    before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
    return match[0][0] != "." or not _ABBREVIATION.search(before)
