"""Where the nodes of a graph stand on the page: a force layout that is the same every time.

ForceAtlas2 (Jacomy, Venturini, Heymann and Bastian, *ForceAtlas2, a continuous graph layout
algorithm for handy network visualization designed for the Gephi software*, PLoS ONE 9(6), 2014)
with the repulsion of the particle-mesh method (Hockney and Eastwood, *Computer Simulation Using
Particles*, 1988): the masses are spread on a grid and the field of all of them is one
convolution, so that a step costs O(n + g log g) for n nodes and g cells.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

STEPS = 220
# Gravity grows with the distance: against a repulsion that falls with it, that spreads what is not
# linked evenly over a disc, whatever its size, and leaves it to the links to gather islands.
GRAVITY = 0.05
JITTER_TOLERANCE = 1.0
# Positions are rounded after each step, so that a last bit that differs between two machines'
# Fourier transforms is forgotten instead of growing.
DECIMALS = 4
GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))
OVERLAP_STEPS = 60


def place_nodes(
    edges: Integers, radii: Floats, *, weights: Floats | None = None, gap: float = 14.0
) -> Floats:
    """Return a position for every node, linked nodes near each other and none on another.

    Parameters
    ----------
    edges
        The pairs of node numbers that are linked, an array of shape (m, 2).
    radii
        The radius of each node's disc, an array of length n.
    weights
        How strongly each edge pulls, an array of length m; all as strongly if left out.
    gap
        The free space between two discs.

    Returns
    -------
    numpy.ndarray
        An array of shape (n, 2), centred on the origin, rounded to a tenth.

    Examples
    --------
    >>> positions = place_nodes(np.array([[0, 1]]), np.full(3, 5.0))
    >>> distance = np.linalg.norm(positions[0] - positions[1])
    >>> bool(distance < np.linalg.norm(positions[0] - positions[2])), bool(distance >= 23)
    (True, True)
    """
    edges = np.asarray(edges, dtype=np.int64).reshape(-1, 2)
    weights = np.ones(len(edges)) if weights is None else weights
    positions = _spiral(edges, len(radii))
    if len(radii) > 1:
        positions = _settle(positions, edges, weights)
        positions = _part(_scale(positions, radii, gap), radii + gap / 2)
    return np.round(positions - positions.mean(axis=0), 1) + 0.0 if len(radii) else positions


def _spiral(edges: Integers, count: int) -> Floats:
    """Start on a sunflower spiral, in breadth-first order, so that neighbours start together."""
    place = np.empty(count)
    place[_breadth_first(edges, count)] = np.arange(count)
    radius, angle = np.sqrt(place + 0.5), place * GOLDEN_ANGLE
    return 10 * np.column_stack((radius * np.cos(angle), radius * np.sin(angle)))


def _breadth_first(edges: Integers, count: int) -> Integers:
    both = np.concatenate((edges, edges[:, ::-1]))
    both = both[np.lexsort((both[:, 1], both[:, 0]))]
    starts = np.searchsorted(both[:, 0], np.arange(count + 1))
    hubs = np.lexsort((np.arange(count), -np.diff(starts)))
    seen = np.zeros(count, dtype=bool)
    order: list[int] = []
    for hub in hubs.tolist():
        queue = [] if seen[hub] else [hub]
        seen[hub] = True
        for node in queue:
            for other in both[starts[node] : starts[node + 1], 1].tolist():
                if not seen[other]:
                    seen[other] = True
                    queue.append(other)
        order += queue
    return np.array(order, dtype=np.int64)


@dataclass(slots=True)
class _Mesh:
    """A square grid and the transform of the force that a unit mass exerts across it."""

    side: int
    across: NDArray[np.complex128]
    along: NDArray[np.complex128]

    @classmethod
    def for_nodes(cls, count: int) -> "_Mesh":
        # Fine enough for small graphs to be exact, coarse enough for large ones to be quick.
        root = np.sqrt(count)
        wanted = np.clip(max(min(8 * root, 128), root), 32, 256)
        side = int(2 ** np.ceil(np.log2(wanted)))
        axis = np.fft.fftfreq(2 * side, 1 / (2 * side))
        square = axis[None, :] ** 2 + axis[:, None] ** 2
        square[0, 0] = np.inf
        across = np.fft.rfft2(axis[None, :] / square)
        return cls(side, across, np.fft.rfft2(axis[:, None] / square))

    def repulsion(self, positions: Floats, masses: Floats) -> Floats:
        """Return the sum over all others of mass / distance, away from them."""
        low = positions.min(axis=0)
        cell = max(float((positions.max(axis=0) - low).max()), 1e-9) / (self.side - 1.001)
        scaled = (positions - low) / cell
        corner = scaled.astype(np.int64)
        right, up = (scaled - corner).T
        shares = ((1 - right) * (1 - up), right * (1 - up), (1 - right) * up, right * up)
        width = 2 * self.side
        first = corner[:, 1] * width + corner[:, 0]
        cells = (first, first + 1, first + width, first + width + 1)
        grid = np.bincount(
            np.concatenate(cells),
            np.concatenate([masses * share for share in shares]),
            minlength=width * width,
        ).reshape(width, width)
        masses_there = np.fft.rfft2(grid)
        forces = np.empty_like(positions)
        for axis, kernel in enumerate((self.across, self.along)):
            field = np.fft.irfft2(masses_there * kernel).ravel() / cell
            forces[:, axis] = sum(field[c] * share for c, share in zip(cells, shares, strict=True))
        return forces


def _settle(positions: Floats, edges: Integers, weights: Floats) -> Floats:
    """Let the forces act until they have come to rest, each node as fast as it swings little."""
    count = len(positions)
    masses = (1 + np.bincount(edges.ravel(), minlength=count)).astype(np.float64)
    mesh = _Mesh.for_nodes(count)
    before, speed = np.zeros_like(positions), 1.0
    for step in range(STEPS):
        forces = masses[:, None] * mesh.repulsion(positions, masses)
        forces += _pull(positions, edges, weights)
        # From step to step, too: untangle first, then pack.
        forces -= GRAVITY * (step + 1) / STEPS * masses[:, None] * positions
        swing = np.linalg.norm(forces - before, axis=1)
        traction = np.linalg.norm(forces + before, axis=1) / 2
        target = JITTER_TOLERANCE * float((masses * traction).sum())
        speed = min(target / max(float((masses * swing).sum()), 1e-9), 1.5 * speed)
        pace = speed / (1 + np.sqrt(speed * swing))
        positions = np.round(positions + forces * pace[:, None], DECIMALS)
        before = forces
    return positions


def _pull(positions: Floats, edges: Integers, weights: Floats) -> Floats:
    """Return the attraction along the edges, proportional to their length."""
    count = len(positions)
    towards = weights[:, None] * (positions[edges[:, 1]] - positions[edges[:, 0]])
    ends = edges.T.ravel()
    return np.column_stack(
        [
            np.bincount(ends, np.concatenate((axis, -axis)), minlength=count)
            for axis in (towards[:, 0], towards[:, 1])
        ]
    )


def _scale(positions: Floats, radii: Floats, gap: float) -> Floats:
    """Give the drawing three times the room that its discs fill."""
    centred = positions - positions.mean(axis=0)
    area = 2 * np.pi * float((centred**2).sum()) / len(radii)
    room = 3 * float(((2 * radii + gap) ** 2).sum())
    scaled: Floats = np.round(centred * np.sqrt(room / max(area, 1e-9)), DECIMALS)
    return scaled


def _part(positions: Floats, radii: Floats) -> Floats:
    """Push apart the discs that overlap until none does; with very many, patience ends sooner."""
    count = len(positions)
    for _ in range(min(OVERLAP_STEPS, 10 + 150_000 // count)):
        one, other = _near(positions, 2 * float(radii.max()))
        between = positions[one] - positions[other]
        distance = np.linalg.norm(between, axis=1)
        close = distance < radii[one] + radii[other] - 1e-3
        if not close.any():
            break
        one, other, between, distance = one[close], other[close], between[close], distance[close]
        # Two nodes on one spot part in a direction of their own.
        angle = one * GOLDEN_ANGLE
        between[distance == 0] = np.column_stack((np.cos(angle), np.sin(angle)))[distance == 0]
        missing = radii[one] + radii[other] - distance
        shift = between * (0.5 * missing / np.where(distance, distance, 1))[:, None]
        ends = np.concatenate((one, other))
        moves = [np.bincount(ends, np.concatenate((s, -s)), minlength=count) for s in shift.T]
        positions = np.round(positions + np.column_stack(moves), DECIMALS)
    return positions


def _near(positions: Floats, reach: float) -> tuple[Integers, Integers]:
    """Return the pairs of points that may lie within reach: those in one or two adjoining cells.

    Cells are squares of that size, numbered row by row; each pair is returned once.
    """
    cells = np.floor((positions - positions.min(axis=0)) / max(reach, 1e-9)).astype(np.int64) + 1
    width = int(cells[:, 0].max()) + 2
    numbers = cells[:, 1] * width + cells[:, 0]
    order = np.argsort(numbers, kind="stable")
    ranked = numbers[order]
    ones, others = [], []
    for step in (0, 1, width - 1, width, width + 1):
        first = np.searchsorted(ranked, ranked + step, side="left")
        if step == 0:  # the later ones of the same cell
            first = np.arange(len(ranked)) + 1
        counts = np.searchsorted(ranked, ranked + step, side="right") - first
        ones.append(np.repeat(order, counts))
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        others.append(order[np.repeat(first, counts) + within])
    one, other = np.concatenate(ones), np.concatenate(others)
    near = np.linalg.norm(positions[one] - positions[other], axis=1) <= reach
    one, other = np.minimum(one, other)[near], np.maximum(one, other)[near]
    sorted_pairs = np.lexsort((other, one))
    return one[sorted_pairs], other[sorted_pairs]
