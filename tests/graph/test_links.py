import math
import random
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.graph import links as module
from kg.graph.links import ALWAYS_KEPT, IDF_POWER, Links
from kg.graph.matrix import Matrix, matrix_of

Pile = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class Link:
    source: str
    target: str
    weight: float
    shared: tuple[tuple[str, float], ...]


def matrix(pile: Pile) -> Matrix:
    """Each paper's concepts and factors as a matrix; the mention's number is that of the paper."""
    rows = (pile[paper] for paper in sorted(pile))
    return matrix_of({c: (f, n) for c, f in row.items()} for n, row in enumerate(rows))


def link_papers(pile: Pile, *, top: int = 10) -> list[Link]:
    """The links of a pile of papers, spelled out."""
    of = matrix(pile)
    return spelled(sorted(pile), of, module.link_papers(of, top=top))


def spelled(ids: list[str], of: Matrix, links: Links) -> list[Link]:
    shared = [(of.labels[c], p) for c, p in zip(links.columns, links.parts.tolist(), strict=True)]
    return [
        Link(
            ids[links.ones[n]],
            ids[links.others[n]],
            links.weights[n],
            tuple(shared[links.starts[n] : links.starts[n + 1]]),
        )
        for n in range(len(links))
    ]


def ones(labels: dict[str, str]) -> dict[str, dict[str, float]]:
    """Each paper's one-letter concepts, all with factor one."""
    return {paper: dict.fromkeys(letters, 1.0) for paper, letters in labels.items()}


def test_link_papers_known_weights() -> None:
    """Three papers: x in all, y in two, so x weighs log(2) ** 0.75 and y log(2.5) ** 0.75."""
    links = link_papers(ones({"a": "xy", "b": "xy", "c": "x"}))
    x, y = math.log(2) ** IDF_POWER, math.log(2.5) ** IDF_POWER
    norm = math.hypot(x, y)
    assert [(link.source, link.target) for link in links] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert math.isclose(links[0].weight, 1, abs_tol=1e-5)
    assert math.isclose(links[1].weight, x / norm, abs_tol=1e-5)
    assert [label for label, _ in links[0].shared] == ["y", "x"]
    assert math.isclose(links[0].shared[0][1], (y / norm) ** 2, abs_tol=1e-5)


def test_common_concepts_link_nothing_in_a_large_pile() -> None:
    papers = {f"p{number:03}": {"all": 1.0} for number in range(ALWAYS_KEPT + 1)}
    assert link_papers(papers) == []


def test_top_keeps_the_best_of_either_paper_and_breaks_ties_by_id() -> None:
    links = link_papers(ones({"a": "x", "b": "x", "c": "x", "d": "x"}), top=1)
    assert [(link.source, link.target) for link in links] == [("a", "b"), ("a", "c"), ("a", "d")]


def test_papers_without_concepts_are_not_linked() -> None:
    assert link_papers(ones({"a": "", "b": ""})) == []
    assert link_papers({}) == []


def test_a_factor_makes_a_concept_count_less() -> None:
    whole = link_papers({"a": {"x": 1, "y": 1}, "b": {"x": 1, "z": 1}})
    half = link_papers({"a": {"x": 0.5, "y": 1}, "b": {"x": 1, "z": 1}})
    assert half[0].weight < whole[0].weight


FACTORS = st.dictionaries(st.sampled_from("uvwxyz"), st.sampled_from([0.25, 0.5, 1.0]))
PILES = st.dictionaries(st.text("abc", min_size=1), FACTORS, max_size=8)


@settings(deadline=None)
@given(PILES, st.randoms(use_true_random=False))
def test_links_do_not_depend_on_order(
    pile: dict[str, dict[str, float]], rng: random.Random
) -> None:
    items = [(paper, dict(rng.sample(list(row.items()), len(row)))) for paper, row in pile.items()]
    rng.shuffle(items)
    assert link_papers(dict(items)) == link_papers(pile)


@settings(deadline=None)
@given(PILES)
def test_links_are_cosines_explained_by_shared_concepts(pile: dict[str, dict[str, float]]) -> None:
    for link in link_papers(pile):
        assert link.source < link.target
        assert 0 < link.weight <= 1 + 1e-5
        assert {label for label, _ in link.shared} == set(pile[link.source]) & set(
            pile[link.target]
        )


@settings(deadline=None)
@given(PILES)
def test_entries_point_at_the_shared_concept_in_either_paper(pile: Pile) -> None:
    of = matrix(pile)
    links = module.link_papers(of)
    pair = np.repeat(np.arange(len(links)), np.diff(links.starts))
    for rows, entries in ((links.ones, links.entries), (links.others, links.other_entries)):
        assert (of.columns[entries] == links.columns).all()
        assert (of.mentions[entries] == rows[pair]).all()


@settings(deadline=None)
@given(PILES)
def test_links_are_those_of_all_cosines(pile: Pile) -> None:
    """Two papers are linked if either is among the two best of the other, by brute force."""
    ids = sorted(pile)
    weight = {link: 0.0 for link in ((a, b) for a in ids for b in ids if a != b)}
    for link in link_papers(pile, top=100):
        weight[link.source, link.target] = weight[link.target, link.source] = link.weight
    best = {
        tuple(sorted((one, other)))
        for one in ids
        for other in sorted(set(ids) - {one}, key=lambda o: (-weight[one, o], o))[:2]
        if weight[one, other]
    }
    assert {(link.source, link.target) for link in link_papers(pile, top=2)} == best


def test_a_small_sample_changes_no_link(monkeypatch: pytest.MonkeyPatch) -> None:
    pile = ones(
        {f"p{n:02}": "abcdefghijklmno"[n * n % 11 : n * n % 11 + 1 + n % 4] for n in range(40)}
    )
    whole = [link_papers(pile, top=top) for top in (1, 2, 5)]
    monkeypatch.setattr(module, "_SAMPLE", 0)  # of the rarest concept's papers alone
    assert [link_papers(pile, top=top) for top in (1, 2, 5)] == whole


def test_rank_papers_leaves_unknown_labels_out() -> None:
    of = matrix(ones({"a": "xy", "b": "y", "c": "z"}))
    links = module.rank_papers(of, {"y": (1.0, 7), "never seen": (1.0, 8)})
    assert links.others.tolist() == [2, 1]  # row 0 is what was asked for
    assert of.with_first({"y": (1.0, 7)}).mentions[links.entries].tolist() == [7, 7]


def test_pairs_are_explained_alike_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    pile = ones({f"p{n}": "abcdefgh"[n % 5 : n % 5 + 3] for n in range(20)})
    whole = link_papers(pile)
    monkeypatch.setattr(module, "_BLOCK", 3)
    assert link_papers(pile) == whole
