"""Links between papers through the concepts that they share, weighted by rarity.

Papers are rows, in the order of their ids, concepts columns, in the order of their labels: all is
numbers in arrays, since there are millions of them in a large build.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from .matrix import Matrix, expanded

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
_Number = TypeVar("_Number", np.int64, np.float64)

# A concept in more than this share of the papers tells them apart no more; in a small pile of
# papers even a frequent one does.
MAX_SHARE = 0.2
ALWAYS_KEPT = 25
NEVER_ABOVE = 2000
# Below one, so that a few rare names do not drown the rest (see tests/benchmarks).
IDF_POWER = 0.75
PRECISION = 9  # decimals of a cosine that are no chance
_SAMPLE = 10  # rows that are looked at for each that is wanted, to find where these begin
_BLOCK = 1 << 15  # pairs of papers that are explained at once


@dataclass(frozen=True, slots=True)
class Links:
    """Pairs of rows with the cosine of their concepts, and what each shared concept adds to it.

    Pair ``n`` joins the rows ``ones[n]`` and ``others[n]``. It shares the columns from
    ``starts[n]`` to ``starts[n + 1]``, the weightiest first; `entries` and `other_entries` say
    which entries of the matrix these are in either row.
    """

    ones: Ints
    others: Ints
    weights: Floats
    starts: Ints
    columns: npt.NDArray[np.int32]
    parts: Floats
    entries: npt.NDArray[np.int32]
    other_entries: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.ones)


def link_papers(matrix: Matrix, *, top: int = 10) -> Links:
    """Link each paper to the papers that share its rarest concepts.

    Each concept weighs ``log(1 + papers / papers with the concept) ** IDF_POWER`` times the factor
    that the paper gives it; the weight of a link is the cosine of the two papers' vectors of such
    weights, and a shared concept's part of it is its term of that sum. A link stands if it is
    among the `top` of either paper, ties broken by id.

    Parameters
    ----------
    matrix
        The concepts of each paper, each with its factor.
    top
        How many links a paper keeps of its own.

    Returns
    -------
    Links
        Sorted by rows, the smaller row first.

    Examples
    --------
    >>> from kg.graph.matrix import matrix_of
    >>> papers = [{"LoRA": (1, 0), "GPT-2": (1, 0)}, {"LoRA": (1, 0)}, {"PCA": (1, 0)}]
    >>> links = link_papers(matrix_of(papers))
    >>> links.ones.tolist(), links.others.tolist(), links.columns.tolist()
    ([0], [1], [1])
    """
    vectors = Vectors.of(matrix)
    ones, others = best_pairs(vectors, range(len(vectors.starts) - 1), top)
    return explained(vectors, ones, others)


def rank_papers(matrix: Matrix, wanted: Mapping[str, tuple[float, int]], *, top: int = 10) -> Links:
    """Return the papers nearest to a set of concepts, best first, by the weights of the papers.

    Parameters
    ----------
    matrix
        As for `link_papers`.
    wanted
        The labels wanted, each with its factor; those that no paper has count for nothing.
    top
        How many papers at most.

    Returns
    -------
    Links
        The wanted concepts are row 0 of a new matrix, before the papers.

    Examples
    --------
    >>> from kg.graph.matrix import matrix_of
    >>> papers = [{"LoRA": (1, 0)}, {"LoRA": (1, 0), "GPT-2": (1, 0)}, {"PCA": (1, 0)}]
    >>> rank_papers(matrix_of(papers), {"LoRA": (1, 0)}).others.tolist()
    [1, 2]
    """
    vectors = Vectors.of(matrix.with_first(wanted))
    [best] = vectors.nearest([0], top)
    return explained(vectors, np.zeros_like(best), best)


@dataclass(frozen=True, slots=True)
class Vectors:
    """The rows of a matrix as unit vectors, the too common concepts left out.

    Row ``r`` has its `columns` and `weights` from ``starts[r]`` to ``starts[r + 1]``, and `entries`
    says where in the matrix they stand; column ``c`` has its `rows` and `row_weights` from
    ``column_starts[c]`` to ``column_starts[c + 1]``.
    """

    width: int
    starts: Ints
    columns: Ints
    weights: Floats
    entries: Ints
    column_starts: Ints
    rows: Ints
    row_weights: Floats

    @classmethod
    def of(cls, matrix: Matrix) -> "Vectors":
        height, width = len(matrix.starts) - 1, len(matrix.labels)
        frequency = np.bincount(matrix.columns, minlength=width)
        cap = min(max(MAX_SHARE * height, ALWAYS_KEPT), NEVER_ABOVE)
        entries = np.flatnonzero((frequency <= cap)[matrix.columns])
        columns = matrix.columns[entries].astype(np.int64)
        of_row = np.repeat(np.arange(height), np.diff(matrix.starts))[entries]
        idf = [math.log1p(height / papers) ** IDF_POWER for papers in frequency.tolist()]
        weights = np.array(idf)[columns] * matrix.factors[entries]
        norms = np.sqrt(np.bincount(of_row, weights**2, minlength=height))
        weights /= norms[of_row]
        order = np.argsort(columns, kind="stable")
        return cls(
            width,
            np.searchsorted(of_row, np.arange(height + 1)),
            columns,
            weights,
            entries,
            np.searchsorted(columns[order], np.arange(width + 1)),
            of_row[order],
            weights[order],
        )

    def nearest(self, rows: Iterable[int], top: int) -> Iterator[Ints]:
        """Yield for each of some rows the others with the highest cosines, best first.

        Those that share only frequent columns are many, and few of them are near: what rows that
        share a rare one reach sets the mark, and only what is above it is sorted.
        """
        sums = np.zeros(len(self.starts) - 1)
        for row in rows:
            start, end = self.starts[row : row + 2].tolist()
            spans = self._spans(self.columns[start:end])
            sizes = [span.stop - span.start for span in spans]
            met, weights = _joined(self.rows, spans), _joined(self.row_weights, spans)
            weights *= np.repeat(self.weights[start:end], sizes)
            np.add.at(sums, met, weights)
            mark = self._mark(sums, [spans[place] for place in np.argsort(sizes).tolist()], top)
            others = _distinct(met[sums[met] >= mark - 10.0**-PRECISION])
            cosines = np.round(sums[others], PRECISION)
            sums[met] = 0
            order = np.lexsort((others, -cosines))
            best = others[order[cosines[order] > 0]]
            yield best[best != row][:top]

    def _spans(self, columns: Ints) -> list[slice]:
        """Return where the rows of some columns stand."""
        firsts, ends = self.column_starts[columns], self.column_starts[columns + 1]
        return [slice(*span) for span in zip(firsts.tolist(), ends.tolist(), strict=True)]

    def _mark(self, sums: Floats, rarest: Iterable[slice], top: int) -> float:
        """Return a sum that more than `top` rows have or exceed, if as many are met at all."""
        sample, size = [], 0
        for span in rarest:
            sample.append(span)
            size += span.stop - span.start
            if size >= _SAMPLE * top:
                break
        found = sums[_distinct(_joined(self.rows, sample))]
        return float(np.partition(found, -top - 1)[-top - 1]) if len(found) > top else 0.0


def _joined(values: npt.NDArray[_Number], spans: Iterable[slice]) -> npt.NDArray[_Number]:
    return np.concatenate([values[:0], *[values[span] for span in spans]])


def _distinct(values: Ints) -> Ints:
    """Return the values sorted, each once; of few, `numpy.unique` takes ten times as long."""
    values = np.sort(values)
    is_new = np.ones(len(values), np.bool_)
    np.not_equal(values[1:], values[:-1], out=is_new[1:])
    return values[is_new]


def best_pairs(vectors: Vectors, rows: Sequence[int], top: int) -> tuple[Ints, Ints]:
    """Return the pairs (smaller row first) that are among the best of one of some rows, sorted."""
    height = len(vectors.starts) - 1
    pairs = [np.zeros(0, np.int64)]
    for row, best in zip(rows, vectors.nearest(rows, top), strict=True):
        pairs.append(np.minimum(best, row) * height + np.maximum(best, row))
    every = np.unique(np.concatenate(pairs))
    return every // max(height, 1), every % max(height, 1)


def explained(vectors: Vectors, ones: Ints, others: Ints) -> Links:
    """Return the pairs with their weights and shared columns."""
    rows = np.repeat(np.arange(len(vectors.starts) - 1), np.diff(vectors.starts))
    places = rows * vectors.width + vectors.columns  # sorted, as both are
    blocks = [
        _shared(vectors, places, ones[start : start + _BLOCK], others[start : start + _BLOCK])
        for start in range(0, max(len(ones), 1), _BLOCK)
    ]
    sizes, here, there, parts = map(np.concatenate, zip(*blocks, strict=True))
    pair = np.repeat(np.arange(len(ones)), sizes)
    return Links(
        ones,
        others,
        np.round(np.bincount(pair, parts, minlength=len(ones)), 6),
        np.concatenate([[0], np.cumsum(sizes)]),
        vectors.columns[here].astype(np.int32),
        parts,
        vectors.entries[here].astype(np.int32),
        vectors.entries[there].astype(np.int32),
    )


def _shared(
    vectors: Vectors, places: Ints, ones: Ints, others: Ints
) -> tuple[Ints, Ints, Ints, Floats]:
    """Return for some pairs how many columns they share, where these stand, and their parts."""
    sizes = vectors.starts[ones + 1] - vectors.starts[ones]
    here = expanded(vectors.starts[ones], sizes)
    pair = np.repeat(np.arange(len(ones)), sizes)
    wanted = others[pair] * vectors.width + vectors.columns[here]
    there = np.searchsorted(places, wanted)
    found = np.append(places, -1)[there] == wanted
    here, there, pair = here[found], there[found], pair[found]
    parts = np.round(vectors.weights[here] * vectors.weights[there], 6)
    order = np.lexsort((vectors.columns[here], -parts, pair))
    sizes = np.bincount(pair, minlength=len(ones))
    return sizes, here[order], there[order], parts[order]
