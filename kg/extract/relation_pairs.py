"""The pairs of concepts that may be related, and where their mentions stand to one another."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..records import CONCEPT_TYPES, RELATION_TYPES
from .relation_layout import Ints, Layout

Bools = npt.NDArray[np.bool_]

# Which relations can hold between a head and a tail of these types.
_ALLOWED: dict[tuple[str, str], tuple[str, ...]] = {
    ("Method", "Task"): ("used_for",),
    ("Method", "Method"): ("used_for", "part_of", "subclass_of", "compared_with"),
    ("Method", "Dataset"): ("evaluated_on", "trained_on"),
    ("Method", "Metric"): ("measured_by",),
    ("Task", "Task"): ("subclass_of",),
    ("Task", "Metric"): ("measured_by",),
    ("Dataset", "Task"): ("benchmark_for",),
}
KIND: Ints = np.full((len(CONCEPT_TYPES), len(CONCEPT_TYPES)), -1)
ALLOWED: Bools = np.zeros((len(_ALLOWED), len(RELATION_TYPES)), dtype=bool)
for _number, ((_head, _tail), _types) in enumerate(_ALLOWED.items()):
    KIND[CONCEPT_TYPES.index(_head), CONCEPT_TYPES.index(_tail)] = _number
    for _type in _types:
        ALLOWED[_number, RELATION_TYPES.index(_type)] = True

SENTENCE = 30  # tokens that the end of a sentence counts for when the nearest mentions are sought


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of concepts, each with its two mentions that stand nearest to one another.

    `head` and `tail` number concepts, `kind` is the number of their types' combination, `at_head`
    and `at_tail` are the nearest mentions, `gap` the tokens between those, `apart` the sentences;
    `together` counts the pairs of mentions in one sentence, and `cost` holds the distance of
    every two concepts.
    """

    head: Ints
    tail: Ints
    kind: Ints
    at_head: Ints
    at_tail: Ints
    gap: Ints
    apart: Ints
    together: Ints
    cost: Ints

    def __len__(self) -> int:
        return len(self.head)


def pair_up(layout: Layout) -> Pairs:
    """Return every pair of concepts whose types allow a relation, by head, then by tail."""
    start, end, first = layout.start, layout.end, layout.first
    gap = np.maximum(start[None, :] - end[:, None], start[:, None] - end[None, :])
    gap = np.maximum(gap, 0)
    apart = np.abs(layout.sentence[:, None] - layout.sentence[None, :])
    size = len(start)
    place = np.arange(size)
    coded = ((gap + SENTENCE * apart) * size + place[:, None]) * size + place
    nearest = np.minimum.reduceat(np.minimum.reduceat(coded, first, axis=0), first, axis=1)
    together = np.add.reduceat(np.add.reduceat(apart == 0, first, axis=0), first, axis=1)
    kinds = KIND[layout.type][:, layout.type]
    head, tail = np.nonzero((kinds >= 0) & ~np.eye(len(first), dtype=bool))
    at_head, at_tail = nearest[head, tail] // size % size, nearest[head, tail] % size
    return Pairs(
        head=head,
        tail=tail,
        kind=kinds[head, tail],
        at_head=at_head,
        at_tail=at_tail,
        gap=gap[at_head, at_tail],
        apart=apart[at_head, at_tail],
        together=together[head, tail],
        cost=nearest // (size * size),
    )
