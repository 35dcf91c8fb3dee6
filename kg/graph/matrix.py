"""Which concepts papers speak of, as a sparse matrix."""

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Matrix:
    """The concepts of papers, a row a paper, a column a concept, sorted by label.

    Row ``r`` has its entries from ``starts[r]`` to ``starts[r + 1]``, by column: how much the paper
    speaks of the concept (`factors`), and the number of its mention that shows it (`mentions`).
    """

    labels: list[str]
    starts: Ints
    columns: npt.NDArray[np.int32]
    factors: npt.NDArray[np.float64]
    mentions: npt.NDArray[np.int32]

    def with_first(self, row: Mapping[str, tuple[float, int]]) -> "Matrix":
        """Return the matrix with another row before all, of which it takes the known labels."""
        number = {label: column for column, label in enumerate(self.labels)}
        known = sorted((number[label], *entry) for label, entry in row.items() if label in number)
        columns, factors, mentions = zip(*known, strict=True) if known else ((), (), ())
        return Matrix(
            self.labels,
            np.concatenate([[0], self.starts + len(known)]),
            np.concatenate([np.array(columns, np.int32), self.columns]),
            np.concatenate([np.array(factors, np.float64), self.factors]),
            np.concatenate([np.array(mentions, np.int32), self.mentions]),
        )


def matrix_of(rows: Iterable[Mapping[str, tuple[float, int]]]) -> Matrix:
    """Return the matrix of papers, each given as its concepts' labels with factor and mention.

    Examples
    --------
    >>> matrix = matrix_of([{"PCA": (1.0, 0), "LoRA": (2.0, 1)}, {}])
    >>> matrix.labels, matrix.starts.tolist(), matrix.factors.tolist()
    (['LoRA', 'PCA'], [0, 2, 2], [2.0, 1.0])
    """
    number: dict[str, int] = {}
    starts, columns, factors, mentions = array("q", [0]), array("i"), array("d"), array("i")
    for row in rows:
        for label, (factor, mention) in row.items():
            columns.append(number.setdefault(label, len(number)))
            factors.append(factor)
            mentions.append(mention)
        starts.append(len(columns))
    labels = sorted(number)
    place = np.empty(len(labels), np.int32)
    place[[number[label] for label in labels]] = np.arange(len(labels))
    by_label = place[np.array(columns, np.int32)]
    of_row = np.repeat(np.arange(len(starts) - 1), [end - start for start, end in pairwise(starts)])
    order = np.lexsort((by_label, of_row))
    return Matrix(
        labels,
        np.array(starts),
        by_label[order],
        np.array(factors)[order],
        np.array(mentions, np.int32)[order],
    )


def expanded(starts: Ints, sizes: Ints) -> Ints:
    """Return the numbers of all ranges with these starts and sizes, one after the other.

    Examples
    --------
    >>> expanded(np.array([5, 0]), np.array([3, 2])).tolist()
    [5, 6, 7, 0, 1]
    """
    ends = np.cumsum(sizes)
    return np.repeat(starts - ends + sizes, sizes) + np.arange(sizes.sum())
