import math
import random

from hypothesis import given
from hypothesis import strategies as st

from kg.graph.links import ALWAYS_KEPT, IDF_POWER, link_papers


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


@given(PILES, st.randoms(use_true_random=False))
def test_links_do_not_depend_on_order(
    pile: dict[str, dict[str, float]], rng: random.Random
) -> None:
    items = [(paper, dict(rng.sample(list(row.items()), len(row)))) for paper, row in pile.items()]
    rng.shuffle(items)
    assert link_papers(dict(items)) == link_papers(pile)


@given(PILES)
def test_links_are_cosines_explained_by_shared_concepts(pile: dict[str, dict[str, float]]) -> None:
    for link in link_papers(pile):
        assert link.source < link.target
        assert 0 < link.weight <= 1 + 1e-5
        assert {label for label, _ in link.shared} == set(pile[link.source]) & set(
            pile[link.target]
        )
