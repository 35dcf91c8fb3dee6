"""The network of both models: it scores rows (pairs, or concepts) that know of one another.

The first layer sees one row: hashed features and numbers. Two rows of one abstract belong
together if they share a concept, so the second layer also sees the mean of the first over the rows
around either concept, over the whole abstract, and the row of the reversed pair: one round of
message passing (Gilmer et al. 2017, "Neural Message Passing for Quantum Chemistry").
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .relation_layout import Floats, Ints

Steps = npt.NDArray[np.int8]
Weights = Mapping[str, Floats]
Drop = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Rows:
    """What the network sees: one row a pair.

    `columns` are rows of the hashed weight table (0: none), `numbers` are numbers; `head` and
    `tail` number the concepts that the row joins, `text` the abstract it is of, and `reverse` is
    the row that joins the same the other way round, or the number of rows if there is none.
    """

    columns: Ints
    numbers: Floats
    head: Ints
    tail: Ints
    text: Ints
    reverse: Ints

    def __len__(self) -> int:
        return len(self.head)


class Trace(NamedTuple):
    """The layers of a pass through the network, for the way back."""

    hidden: Floats
    around: Floats
    whole: Floats
    mixed: Floats
    scores: Floats


@dataclass(frozen=True, slots=True)
class Network:
    """The weights of a network, by name."""

    weights: Weights

    def __call__(self, rows: Rows) -> Floats:
        """Return the probability of each output for each row."""
        hashed = self.weights["table"][rows.columns].sum(axis=1)
        return sigmoid(forward(self.weights, hashed, rows).scores)


def to_steps(table: Floats) -> tuple[Steps, Floats]:
    """Return a table as whole steps, 127 to each side of zero, and the step of each column.

    >>> steps, step = to_steps(np.array([[0.5], [-1.27], [0.0]], dtype=np.float32))
    >>> steps[:, 0].tolist(), round(float(step[0]), 3)
    ([50, -127, 0], 0.01)
    """
    step = np.maximum(np.abs(table).max(axis=0) / np.float32(127), np.float32(1e-8))
    return np.rint(table / step).astype(np.int8), step


def from_steps(steps: Steps, step: Floats) -> Floats:
    """Return the table that `to_steps` made steps of."""
    return steps.astype(np.float32) * step


def sigmoid(scores: Floats) -> Floats:
    """Return the logistic function of `scores`, without overflow."""
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * scores)), dtype=np.float32)


def forward(weights: Weights, hashed: Floats, rows: Rows, drop: Drop = lambda x: x) -> Trace:
    """Return the layers for `rows`, whose hashed features have the summed weights `hashed`."""
    width = weights["hidden"].shape[0]
    into_hidden, into_scores = hashed[:, :width], hashed[:, width:]
    hidden = into_hidden + rows.numbers @ weights["numbers"] + weights["bias"]
    hidden = drop(np.maximum(hidden, 0))
    size = concepts(rows)
    around = np.hstack([mean(rows.head, hidden, size), mean(rows.tail, hidden, size)])
    whole = mean(rows.text, hidden, int(rows.text.max()) + 1)
    mixed = hidden @ weights["own"] + weights["mixed_bias"]
    mixed += (around @ weights["by_head"])[rows.head] + (around @ weights["by_tail"])[rows.tail]
    mixed += (whole @ weights["by_text"])[rows.text]
    mixed += turned(hidden, rows.reverse) @ weights["by_reverse"]
    mixed = drop(np.maximum(mixed, 0))
    scores = into_scores + hidden @ weights["hidden"] + mixed @ weights["mixed"] + weights["prior"]
    return Trace(hidden, around, whole, mixed, scores)


def concepts(rows: Rows) -> int:
    """Return how many concepts the rows join."""
    return int(max(rows.head.max(), rows.tail.max())) + 1


def total(group: Ints, values: Floats, size: int) -> Floats:
    """Return the sum of the rows of each of `size` groups.

    >>> total(np.array([1, 1]), np.array([[2.0], [3.0]], dtype=np.float32), 3).tolist()
    [[0.0], [5.0], [0.0]]
    """
    member = np.arange(size)[:, None] == group
    return np.asarray(member.astype(np.float32) @ values)


def mean(group: Ints, values: Floats, size: int) -> Floats:
    """Return the mean of the rows of each of `size` groups, zero for an empty one."""
    return np.asarray(total(group, values, size) / members(group, size), dtype=np.float32)


def members(group: Ints, size: int) -> Floats:
    """Return how many rows each of `size` groups has, one for an empty one, as a column."""
    counts = np.maximum(np.bincount(group, minlength=size), 1)
    return counts.astype(np.float32)[:, None]


def turned(values: Floats, reverse: Ints) -> Floats:
    """Return the values of each row's reverse, zero where there is none."""
    return np.vstack([values, np.zeros_like(values[:1])])[reverse]
