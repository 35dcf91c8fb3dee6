"""What is asked of all nodes of a graph at once, so that it need not be read as a whole."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from ..records import Concept, ConceptType

if TYPE_CHECKING:
    import networkx

Kind = Literal["paper", "concept"]


class Lookup(Protocol):
    """The names and numbers of a graph's nodes, found without looking at each."""

    @property
    def papers(self) -> int:
        """How many papers there are."""

    def named(self, name: str) -> Iterable[str]:
        """Return the keys of all nodes that may have this name, and perhaps of others."""

    def titled(self, part: str) -> Iterable[str]:
        """Return the keys of the papers whose title, or label if they have none, holds a part.

        Both are compared in lower case, in which the part is given.
        """

    def names(self, initial: str) -> Iterable[tuple[str, str, Kind]]:
        """Return the names that begin with a letter: in lower case, as they are written, of what.

        The letter is in lower case too.
        """

    def concepts(self, type: ConceptType | None, top: int | None) -> list[Concept]:
        """Return the concepts, of one type or of all, by number of papers and then by label."""


@dataclass(frozen=True, slots=True)
class Scan:
    """The lookup of a graph in memory, which does look at each node."""

    graph: "networkx.MultiDiGraph[str]"

    @property
    def papers(self) -> int:
        return sum(kind == "paper" for _, kind in self.graph.nodes(data="kind"))

    def named(self, name: str) -> Iterable[str]:
        keys: Iterable[str] = self.graph
        return keys

    def titled(self, part: str) -> Iterable[str]:
        return (
            key
            for key, data in self.graph.nodes(data=True)
            if data["kind"] == "paper" and part in folded_title(data)
        )

    def names(self, initial: str) -> Iterable[tuple[str, str, Kind]]:
        for _, data in self.graph.nodes(data=True):
            for name in names_of(data):
                if name.casefold().startswith(initial):
                    yield name.casefold(), name, data["kind"]

    def concepts(self, type: ConceptType | None, top: int | None) -> list[Concept]:
        found = [
            data["record"]
            for _, data in self.graph.nodes(data=True)
            if data["kind"] == "concept" and type in (None, data["type"])
        ]
        return sorted(found, key=lambda concept: (-concept.papers, concept.label))[:top]


def lookup_of(graph: "networkx.MultiDiGraph[str]") -> Lookup:
    """Return the lookup that a graph brings with it, as ``graph.graph["lookup"]``, or a `Scan`."""
    lookup: Lookup = graph.graph.get("lookup") or Scan(graph)
    return lookup


def folded_title(data: dict[str, Any]) -> str:
    """Return what a part of a paper's title is looked for in."""
    title: str = data["title"] or data["label"]
    return title.casefold()


def names_of(data: dict[str, Any]) -> Iterator[str]:
    """Yield the names of a node: its id, its label, its aliases or the ids merged into it."""
    yield data["record"].id
    yield data["label"]
    yield from aliases_of(data)


def aliases_of(data: dict[str, Any]) -> Iterable[str]:
    """Return the further names of a node."""
    other: tuple[str, ...] = (
        data["record"].paper.merged if data["kind"] == "paper" else data["aliases"]
    )
    return other
