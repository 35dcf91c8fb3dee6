"""Hashed features (Weinberger et al. 2009, "Feature Hashing for Large Scale Multitask Learning").

A feature is a column: of each row it holds a value, such as the hash of a word, joined with the
kind of the row, so that one word means one thing between a method and a task and another between
two methods. Values are hashed into the rows of one weight table; 0 stands for no feature.
"""

import numpy as np
import numpy.typing as npt

from .relation_layout import Hashes, Ints

Bools = npt.NDArray[np.bool_]


_VALUE = np.uint64(0x9E3779B97F4A7C15)  # odd constants that spread bits, as in splitmix64
_KIND = np.uint64(0x165667B19E3779F9)
_SLOT = np.uint64(0xC2B2AE3D27D4EB4F)
_FINAL = np.uint64(0xBF58476D1CE4E5B9)
_PAIR = np.uint64(1_000_003)
_NONE = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


class Columns:
    """Collects the features of some rows.

    >>> columns = Columns()
    >>> columns.add(np.array([3, 3, 4]), np.array([0, 0, 0]))
    >>> columns.add(np.array([3, 3, 4]), np.array([0, 1, 0]), where=np.array([True, True, False]))
    >>> first, second = columns.hashed(100).T
    >>> bool(first[0] == first[1] != second[0] != second[1]), int(second[2])
    (True, 0)
    """

    def __init__(self) -> None:
        self._values: list[Hashes] = []
        self._kinds: list[Ints] = []
        self._slots: list[int] = []

    def add(
        self, value: npt.NDArray[np.generic], kind: Ints, *, where: Bools | None = None
    ) -> None:
        """Add the feature `value` (one column, or several of one meaning) to rows of a `kind`."""
        columns = _columns(value).astype(np.uint64)
        self._values.append(columns if where is None else np.where(_columns(where), columns, _NONE))
        self._kinds += [kind] * columns.shape[1]
        self._slots += [len(self._values)] * columns.shape[1]

    def hashed(self, rows: int) -> Ints:
        """Return for each row and feature the row of a weight table of `rows` rows."""
        values = np.hstack(self._values)
        mixed = values * _VALUE + np.stack(self._kinds, axis=1).astype(np.uint64) * _KIND
        mixed += np.array(self._slots, dtype=np.uint64) * _SLOT
        mixed = (mixed ^ mixed >> np.uint64(29)) * _FINAL
        mixed ^= mixed >> np.uint64(32)
        return np.where(values == _NONE, 0, 1 + mixed % np.uint64(rows - 1)).astype(np.int64)


def both(a: Hashes, b: Hashes) -> Hashes:
    """Return one value for two in this order."""
    return a * _PAIR + b


def bins(values: npt.NDArray[np.generic], edges: list[float]) -> Ints:
    """Return the number of the bin that each value falls in."""
    return np.searchsorted(edges, values, side="right")


def _columns(values: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
    return values[:, None] if values.ndim == 1 else values
