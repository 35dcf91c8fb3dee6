"""The edges of which a large build has millions, each with no more than it takes to tell them."""

from typing import Any

from .compact import OneEdge
from .schema import MENTIONS, RELATED
from .shared import LinkedPapers, Shared


class MentionsEdge(OneEdge):
    """That a paper mentions a concept.

    Examples
    --------
    >>> MentionsEdge(2, 0.9, True)
    {'mentions': {'count': 2, 'score': 0.9, 'proposed': True}}
    """

    __slots__ = ("_count", "_proposed", "_score")
    key = MENTIONS

    def __init__(self, count: int, score: float, proposed: bool) -> None:
        super().__init__()
        self._count, self._score, self._proposed = count, score, proposed

    def told(self) -> dict[str, Any]:
        """Return the attributes of the edge, in a new dictionary."""
        return {"count": self._count, "score": self._score, "proposed": self._proposed}


class LinkEdge(OneEdge):
    """That two papers share concepts: one of the links between many papers, by its number."""

    __slots__ = ("_linked", "_number")
    key = RELATED

    def __init__(self, linked: LinkedPapers, number: int) -> None:
        super().__init__()
        self._linked, self._number = linked, number

    def told(self) -> dict[str, Any]:
        """Return the attributes of the edge, in a new dictionary."""
        weight = self._linked.links.weights.item(self._number)
        return {"weight": weight, "shared": Shared(self._linked, self._number)}
