import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.export.layout import _Mesh, place_nodes


def distances(positions: np.ndarray) -> np.ndarray:
    between = np.linalg.norm(positions[:, None] - positions[None], axis=2)
    np.fill_diagonal(between, np.inf)
    return between


def test_place_nodes_of_nothing_is_nothing() -> None:
    assert place_nodes(np.zeros((0, 2)), np.zeros(0)).shape == (0, 2)


def test_place_nodes_puts_one_node_in_the_middle() -> None:
    assert place_nodes(np.zeros((0, 2)), np.ones(1)).tolist() == [[0, 0]]


@settings(max_examples=10, deadline=None)
@given(st.integers(2, 40), st.integers(0, 80), st.integers(0, 9))
def test_place_nodes_lets_no_disc_touch_another(count: int, links: int, seed: int) -> None:
    source = np.random.default_rng(seed)
    radii = source.uniform(1, 20, count)
    edges = source.integers(0, count, (links, 2))
    positions = place_nodes(edges, radii)
    gaps = distances(positions) - radii[:, None] - radii[None]
    assert gaps.min() > 0


def test_place_nodes_gives_the_same_places_twice() -> None:
    edges = np.array([[0, 1], [1, 2], [3, 4]])
    once = place_nodes(edges, np.full(6, 5.0))
    assert once.tolist() == place_nodes(edges, np.full(6, 5.0)).tolist()


def test_place_nodes_keeps_clusters_together_and_apart() -> None:
    """Three cliques of ten, joined in a ring by single edges."""
    cliques = [range(first, first + 10) for first in (0, 10, 20)]
    edges = [(u, v) for clique in cliques for u in clique for v in clique if u < v]
    edges += [(0, 10), (11, 20), (21, 1)]
    positions = place_nodes(np.array(edges), np.full(30, 4.0))
    middles = np.array([positions[list(clique)].mean(axis=0) for clique in cliques])
    spread = max(
        np.linalg.norm(positions[list(clique)] - middle, axis=1).max()
        for clique, middle in zip(cliques, middles, strict=True)
    )
    assert distances(middles).min() > 1.5 * spread


def test_mesh_repels_as_the_sum_over_all_pairs_does() -> None:
    source = np.random.default_rng(4)
    positions, masses = source.uniform(-100, 100, (60, 2)), source.uniform(1, 9, 60)
    between = positions[:, None] - positions[None]
    squares = (between**2).sum(axis=2)
    np.fill_diagonal(squares, np.inf)
    exact = (masses[None, :, None] * between / squares[:, :, None]).sum(axis=1)
    meshed = _Mesh.for_nodes(60).repulsion(positions, masses)
    error = np.linalg.norm(meshed - exact, axis=1) / np.linalg.norm(exact, axis=1)
    assert np.median(error) < 0.05
