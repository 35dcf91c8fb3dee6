"""What is known of each concept of a text that tells whether the paper itself introduces it."""

import numpy as np
import numpy.typing as npt

from .relation_columns import Columns, bins, both
from .relation_layout import Floats, Ints, Layout
from .relation_network import Rows

_BEFORE = 8  # tokens in front of a mention that are all looked at
_MENTIONS = 4


def concept_rows(layout: Layout, *, table: int) -> Rows:
    """Return what a network with a hashed table of `table` rows sees of the concepts."""
    kind = layout.type
    columns = Columns()
    _add_name(columns, layout)
    for nth in range(_MENTIONS):
        at = np.minimum(layout.first + nth, len(layout.start) - 1)
        _add_context(columns, layout, at, nth < layout.count)
    return Rows(
        columns=columns.hashed(table),
        numbers=_numbers(layout),
        head=kind,
        tail=kind,
        text=np.zeros(len(kind), dtype=np.int64),
        reverse=np.full(len(kind), len(kind)),
    )


def _add_name(columns: Columns, layout: Layout) -> None:
    kind, words = layout.type, layout.words
    times = bins(layout.count, [2, 3, 5])
    opens = np.minimum(layout.sentence[layout.first], 6)
    begin, stop = layout.start[layout.longest], layout.end[layout.longest]
    earlier = layout.start[layout.first] < layout.start[layout.first][:, None]
    rank = ((kind[:, None] == kind) & earlier).sum(1)
    for value in (times, opens, layout.shape, np.minimum(rank, 5), np.minimum(stop - begin, 6)):
        columns.add(value, kind)
    columns.add(layout.shape * 8 + opens, kind)
    columns.add(layout.shape * 8 + times, kind)
    columns.add(words[stop - 1], kind)
    columns.add(words[begin], kind)


def _add_context(columns: Columns, layout: Layout, at: Ints, there: npt.NDArray[np.bool_]) -> None:
    """Add the words around one mention of each concept that has so many."""
    kind, words, start, end = layout.type, layout.words, layout.start[at], layout.end[at]
    shaped = kind * 3 + layout.shape
    for edge, step in ((start - 1, -1), (end, 1)):
        near, far, third = (words[edge + step * k] for k in range(3))
        columns.add(near, shaped, where=there)
        columns.add(far, kind, where=there)
        columns.add(both(near, far), kind, where=there)
        columns.add(both(both(near, far), third), kind, where=there)
    place = start[:, None] - 1 - np.arange(_BEFORE)
    inside = (place >= layout.opens[layout.sentence[at]][:, None]) & there[:, None]
    before = words[place]
    columns.add(before, kind, where=inside)
    columns.add(layout.stems[place], shaped, where=inside)
    columns.add(both(before[:, 1:], before[:, :-1]), kind, where=inside[:, 1:])
    opens = layout.opens[layout.sentence[at]]
    columns.add(both(words[opens], words[opens + 1]), kind, where=there)


def _numbers(layout: Layout) -> Floats:
    """Return counts and places, and the mean vectors of names and of what stands around them."""
    start, end = layout.start[layout.first], layout.end[layout.first]
    last = np.append(layout.first[1:], len(layout.start)) - 1
    numbers = [
        np.log1p(layout.count),
        layout.sentence[layout.first] / layout.sentences,
        layout.sentence[last] / layout.sentences,
        layout.shape == 2,
    ]
    parts = [
        np.stack(numbers, axis=1),
        layout.sums.mean(layout.start[layout.longest], layout.end[layout.longest]),
        layout.sums.mean(start - 4, start),
        layout.sums.mean(end, end + 3),
    ]
    return np.hstack(parts, dtype=np.float32)
