"""Links between papers through the concepts that they share, weighted by rarity."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

# A concept in more than this share of the papers tells them apart no more; in a small pile of
# papers even a frequent one does.
MAX_SHARE = 0.2
ALWAYS_KEPT = 25
NEVER_ABOVE = 2000
# Below one, so that a few rare names do not drown the rest (see tests/benchmarks).
IDF_POWER = 0.75
ROWS_AT_ONCE = 512


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
    labels, matrix = _weights([concepts_of[paper_id] for paper_id in ids])
    pairs = _best_pairs(matrix, top)
    return [_link(ids[row], ids[column], labels, matrix, row, column) for row, column in pairs]


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
    labels, matrix = _weights([query, *rows])
    scores = (matrix[1:] @ matrix[0].T).toarray().ravel().round(9)
    best = np.lexsort((np.arange(len(ids)), -scores))[:top].tolist()
    return [_link("", ids[row], labels, matrix, 0, row + 1) for row in best if scores[row] > 0]


def _weights(concepts: Sequence[Mapping[str, float]]) -> tuple[list[str], sparse.csr_matrix]:
    """Return the labels and the papers-by-concepts matrix of unit rows of weights."""
    labels = sorted({label for row in concepts for label in row})
    column = {label: index for index, label in enumerate(labels)}
    entries = [(column[label], row[label]) for row in concepts for label in sorted(row)]
    indices = np.array([index for index, _ in entries], dtype=np.int64)
    factors = np.array([factor for _, factor in entries], dtype=np.float64)
    indptr = np.cumsum([0, *map(len, concepts)])
    frequency = np.bincount(indices, minlength=len(labels))
    idf = np.log1p(len(concepts) / np.maximum(frequency, 1)) ** IDF_POWER
    cap = min(max(MAX_SHARE * len(concepts), ALWAYS_KEPT), NEVER_ABOVE)
    idf[frequency > cap] = 0
    shape = (len(concepts), len(labels))
    matrix = sparse.csr_matrix((idf[indices] * factors, indices, indptr), shape)
    matrix.eliminate_zeros()
    norms = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    return labels, sparse.csr_matrix(sparse.diags(1 / np.where(norms, norms, 1)) @ matrix)


def _best_pairs(matrix: sparse.csr_matrix, top: int) -> list[tuple[int, int]]:
    """Return the pairs (smaller row first) that are among the best of either row, sorted."""
    columns = matrix.T.tocsr()
    pairs: set[tuple[int, int]] = set()
    for start in range(0, matrix.shape[0], ROWS_AT_ONCE):
        block = (matrix[start : start + ROWS_AT_ONCE] @ columns).tocsr()
        for offset in range(block.shape[0]):
            row = start + offset
            span = slice(block.indptr[offset], block.indptr[offset + 1])
            others, weights = block.indices[span], block.data[span].round(9)
            kept = np.lexsort((others, -weights))[: top + 1]
            best = [int(other) for other in others[kept] if other != row][:top]
            pairs.update((min(row, other), max(row, other)) for other in best)
    return sorted(pairs)


def _link(
    source: str, target: str, labels: list[str], matrix: sparse.csr_matrix, row: int, column: int
) -> Link:
    one, other = (
        dict(zip(matrix.indices[span].tolist(), matrix.data[span].tolist(), strict=True))
        for index in (row, column)
        for span in [slice(matrix.indptr[index], matrix.indptr[index + 1])]
    )
    parts = sorted(
        ((labels[i], round(one[i] * other[i], 6)) for i in one.keys() & other.keys()),
        key=lambda part: (-part[1], part[0]),
    )
    return Link(source, target, round(sum(weight for _, weight in parts), 6), tuple(parts))
