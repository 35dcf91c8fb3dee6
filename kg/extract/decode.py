"""Tags of tokens to spans: the BIOES scheme and the probability of a span.

Tags are ``O`` and, of each type, ``B``egin, ``I``nside, ``E``nd and ``S``ingle (Ratinov & Roth
2009). The network gives each token a distribution over tags; the paths that the scheme forbids
have probability zero, and the forward-backward algorithm (Rabiner 1989) sums over the others, so
that a span's probability is that of just this span, with this type, being in the text.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import mul
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kg.records import CONCEPT_TYPES

Floats = npt.NDArray[np.float32]

TAGS: tuple[str, ...] = ("O", *(f"{p}-{kind}" for kind in CONCEPT_TYPES for p in "BIES"))
KINDS = range(len(CONCEPT_TYPES))
MAX_LENGTH = 20  # tokens; the longest span that is looked for
SURELY_OUTSIDE = 0.98
NONE_OPEN = [0.0 for _ in KINDS]


class TokenSpan(NamedTuple):
    """Tokens `start` to `end` (exclusive) as a mention of type number `kind`."""

    start: int
    end: int
    kind: int
    probability: float


def probabilities(scores: Floats) -> Floats:
    """Return the softmax of each row of `scores`."""
    exp: Floats = np.exp(scores - scores.max(axis=1, keepdims=True))
    exp /= exp.sum(axis=1, keepdims=True)
    return exp


def tag_targets(spans: Iterable[tuple[int, int, int]], size: int) -> Floats:
    """Return one row a token with a one at its tag, for `spans` of (start, end, kind)."""
    target = np.zeros((size, len(TAGS)), dtype=np.float32)
    target[:, 0] = 1
    for start, end, kind in spans:
        begin = 1 + 4 * kind
        target[start:end] = 0
        if end - start == 1:
            target[start, begin + 3] = 1
        else:
            target[start, begin] = target[end - 1, begin + 2] = 1
            target[start + 1 : end - 1, begin + 1] = 1
    return target


def span_probabilities(tags: Floats, *, least: float = 0.05) -> list[TokenSpan]:
    """Return every span whose probability is at least `least`, given each token's `tags`.

    Tokens that are nearly sure to be outside all spans are taken to be: most are, and it saves
    most of the time.

    >>> tags = tag_targets([(1, 3, 1)], 4) * 0.9 + 0.1 / len(TAGS)
    >>> [(s.start, s.end, s.kind, round(s.probability, 2)) for s in span_probabilities(tags)]
    [(1, 3, 1, 1.0)]
    """
    rows: list[list[float] | None] = [None] * len(tags)
    doubtful = np.flatnonzero(tags[:, 0] <= SURELY_OUTSIDE)
    for place, row in zip(doubtful.tolist(), tags[doubtful].tolist(), strict=True):
        rows[place] = row
    before, after, scale = _around(rows)
    found = []
    for start, row in enumerate(rows):
        if row is None or 1 - row[0] < least:
            continue
        lead = before[start] / scale[start]
        for kind in KINDS:
            b = 1 + 4 * kind
            single = lead * row[b + 3] * after[start + 1]
            if single >= least:
                found.append(TokenSpan(start, start + 1, kind, min(single, 1.0)))
            inside = lead * row[b]
            for end in range(start + 1, min(start + MAX_LENGTH, len(rows))):
                last = rows[end]
                if inside < least or last is None:
                    break
                whole = inside * last[b + 2] * after[end + 1] / scale[end]
                if whole >= least:
                    found.append(TokenSpan(start, end + 1, kind, min(whole, 1.0)))
                inside *= last[b + 1] / scale[end]
    return found


def _around(rows: Sequence[Sequence[float] | None]) -> tuple[list[float], list[float], list[float]]:
    """Return the weight of all that may lie before and after each place between tokens.

    A row that is None is that of a token outside all spans: whatever is open ends before it, so
    that each stretch of other rows is summed by itself. The weights are divided by those of all
    paths up to there, which are returned too: products of probabilities soon vanish.
    """
    before, after, scale = [1.0] * (len(rows) + 1), [1.0] * (len(rows) + 1), [1.0] * len(rows)
    start = 0
    for _, group in groupby(rows, key=lambda row: row is None):
        alike = list(group)
        stop = start + len(alike)
        if stretch := [row for row in alike if row is not None]:
            before[start + 1 : stop + 1], scale[start:stop] = _forward(stretch)
            last = before[stop] or 1.0
            after[start : stop + 1] = [out / last for out in _backward(stretch, scale[start:stop])]
        start = stop
    return before, after, scale


def _forward(rows: Sequence[Sequence[float]]) -> tuple[list[float], list[float]]:
    """Return the weight of all paths that end outside after each row, and what it is divided by."""
    before, scale = [], []
    out, opened = 1.0, NONE_OPEN
    for row in rows:
        closed = out * (row[0] + sum(row[4::4])) + sum(map(mul, opened, row[3::4]))
        opened = [out * b + o * i for o, b, i in zip(opened, row[1::4], row[2::4], strict=True)]
        total = closed + sum(opened) or 1.0
        out, opened = closed / total, [o / total for o in opened]
        scale.append(total)
        before.append(out)
    return before, scale


def _backward(rows: Sequence[Sequence[float]], scale: Sequence[float]) -> list[float]:
    """Return the weight of all paths from each place between the rows, first to last."""
    out, opened = 1.0, NONE_OPEN
    after = [out]
    for row, total in zip(reversed(rows), reversed(scale), strict=True):
        closed = out * (row[0] + sum(row[4::4])) + sum(map(mul, opened, row[1::4]))
        opened = [
            (out * e + o * i) / total for o, e, i in zip(opened, row[3::4], row[2::4], strict=True)
        ]
        out = closed / total
        after.append(out)
    return after[::-1]


def without_overlap(spans: Iterable[TokenSpan], *, least: float) -> list[TokenSpan]:
    """Return the likeliest spans of at least `least` that do not overlap, in order of place."""
    taken: list[TokenSpan] = []
    for span in sorted(spans, key=lambda s: (-s.probability, s.start, s.end, s.kind)):
        if span.probability >= least and all(
            span.end <= other.start or other.end <= span.start for other in taken
        ):
            taken.append(span)
    return sorted(taken)
