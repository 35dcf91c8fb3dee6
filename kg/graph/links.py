"""Links between papers through the concepts that they share, weighted by rarity."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

# A concept in more than this share of the papers tells them apart no more; in a small pile of
# papers even a frequent one does.
MAX_SHARE = 0.2
ALWAYS_KEPT = 25
NEVER_ABOVE = 2000
# Below one, so that a few rare names do not drown the rest (see tests/benchmarks).
IDF_POWER = 0.75


@dataclass(frozen=True, slots=True)
class Link:
    """Two papers, the smaller id first, with the cosine of their concepts.

    `shared` holds the label of each shared concept with its part of the weight, largest first.
    """

    source: str
    target: str
    weight: float
    shared: tuple[tuple[str, float], ...]


def link_papers(concepts_of: Mapping[str, Mapping[str, float]], *, top: int = 10) -> list[Link]:
    """Link each paper to the papers that share its rarest concepts.

    Each concept weighs ``log(1 + papers / papers with the concept) ** IDF_POWER`` times the factor
    that the paper gives it; the weight of a link is the cosine of the two papers' vectors of such
    weights, and a shared concept's part of it is its term of that sum. A link stands if it is
    among the `top` of either paper, ties broken by id.

    Parameters
    ----------
    concepts_of
        By paper id, the labels of the paper's concepts, each with its factor.
    top
        How many links a paper keeps of its own.

    Returns
    -------
    list of Link
        Sorted by source and target.

    Examples
    --------
    >>> links = link_papers({"a": {"LoRA": 1, "GPT-2": 1}, "b": {"LoRA": 1}, "c": {"PCA": 1}})
    >>> [(link.source, link.target, link.shared[0][0]) for link in links]
    [('a', 'b', 'LoRA')]
    """
    ids = sorted(concepts_of)
    vectors = _vectors([concepts_of[paper_id] for paper_id in ids])
    pairs = _best_pairs(vectors, top)
    return [_link(ids[one], ids[other], vectors, one, other) for one, other in pairs]


def rank_papers(
    concepts_of: Mapping[str, Mapping[str, float]], wanted: Mapping[str, float], *, top: int = 10
) -> list[Link]:
    """Return the papers nearest to a set of concepts, best first, by the weights of the papers.

    Parameters
    ----------
    concepts_of
        As for `link_papers`.
    wanted
        The labels wanted, each with its factor; those that no paper has count for nothing.
    top
        How many papers at most.

    Examples
    --------
    >>> papers = {"a": {"LoRA": 1, "GPT-2": 1}, "b": {"LoRA": 1}, "c": {"PCA": 1}}
    >>> [link.target for link in rank_papers(papers, {"LoRA": 1})]
    ['b', 'a']
    """
    ids = sorted(concepts_of)
    rows = [concepts_of[paper_id] for paper_id in ids]
    known = {label for row in rows for label in row}
    query = {label: factor for label, factor in wanted.items() if label in known}
    vectors = _vectors([query, *rows])
    scores = vectors.cosines(0)[1:]
    best = np.lexsort((np.arange(len(ids)), -scores))[:top].tolist()
    return [_link("", ids[row], vectors, 0, row + 1) for row in best if scores[row] > 0]


@dataclass(frozen=True, slots=True)
class _Vectors:
    """Papers as unit vectors of their concepts' weights, and where each concept stands.

    `rows` holds each paper's weights by the concept's number, in order; `papers` and `weights`
    those of concept ``c`` from ``starts[c]`` to ``starts[c + 1]``.
    """

    labels: list[str]
    rows: list[dict[int, float]]
    papers: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]
    starts: npt.NDArray[np.int64]

    def cosines(self, row: int) -> npt.NDArray[np.float64]:
        """Return the cosine of a paper with every paper."""
        spans = [slice(self.starts[c], self.starts[c + 1]) for c in self.rows[row]]
        if not spans:
            return np.zeros(len(self.rows))
        papers = np.concatenate([self.papers[span] for span in spans])
        weights = np.concatenate(
            [self.weights[s] * w for s, w in zip(spans, self.rows[row].values(), strict=True)]
        )
        cosines = np.bincount(papers, weights, minlength=len(self.rows))
        return np.asarray(np.round(cosines, 9), dtype=np.float64)


def _vectors(concepts: Sequence[Mapping[str, float]]) -> _Vectors:
    frequency = Counter(label for row in concepts for label in row)
    cap = min(max(MAX_SHARE * len(concepts), ALWAYS_KEPT), NEVER_ABOVE)
    labels = sorted(label for label, papers in frequency.items() if papers <= cap)
    number = {label: index for index, label in enumerate(labels)}
    idf = [math.log1p(len(concepts) / frequency[label]) ** IDF_POWER for label in labels]
    rows = []
    for factors in concepts:
        known = sorted((number[label], factors[label]) for label in factors if label in number)
        norm = math.hypot(*(idf[index] * factor for index, factor in known))
        rows.append({index: idf[index] * factor / norm for index, factor in known})
    columns = np.array([index for row in rows for index in row], dtype=np.int64)
    order = np.argsort(columns, kind="stable")
    papers = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    weights = np.array([weight for row in rows for weight in row.values()], dtype=np.float64)
    starts = np.searchsorted(columns[order], np.arange(len(labels) + 1))
    return _Vectors(labels, rows, papers[order], weights[order], starts)


def _best_pairs(vectors: _Vectors, top: int) -> list[tuple[int, int]]:
    """Return the pairs (smaller row first) that are among the best of either row, sorted."""
    pairs: set[tuple[int, int]] = set()
    for row in range(len(vectors.rows)):
        cosines = vectors.cosines(row)
        others = np.flatnonzero(cosines)
        kept = np.lexsort((others, -cosines[others]))[: top + 1]
        best = [other for other in others[kept].tolist() if other != row][:top]
        pairs.update((min(row, other), max(row, other)) for other in best)
    return sorted(pairs)


def _link(source: str, target: str, vectors: _Vectors, one: int, other: int) -> Link:
    here, there = vectors.rows[one], vectors.rows[other]
    parts = sorted(
        ((vectors.labels[i], round(here[i] * there[i], 6)) for i in here.keys() & there.keys()),
        key=lambda part: (-part[1], part[0]),
    )
    return Link(source, target, round(sum(weight for _, weight in parts), 6), tuple(parts))
