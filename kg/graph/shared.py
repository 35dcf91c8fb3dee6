"""What linked papers share, told when it is asked for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from ..records import AnnotatedPaper, ConceptType, SharedConcept
from .evidence import sentence_of
from .links import Links
from .matrix import Matrix


@dataclass(frozen=True, slots=True, eq=False)
class LinkedPapers:
    """The links between some papers, and what these speak of, a row a paper."""

    papers: Sequence[AnnotatedPaper]
    types: Sequence[ConceptType]
    matrix: Matrix
    links: Links

    def parts(self, number: int) -> Iterator[tuple[int, float, int, int]]:
        """Yield column, weight, and the numbers of the mentions of what a link stands on."""
        links, mentions = self.links, self.matrix.mentions
        part = slice(*links.starts[number : number + 2].tolist())
        return zip(
            links.columns[part].tolist(),
            links.parts[part].tolist(),
            mentions[links.entries[part]].tolist(),
            mentions[links.other_entries[part]].tolist(),
            strict=True,
        )

    def shared(self, number: int) -> Iterator[SharedConcept]:
        """Yield the concepts that a link stands on, the weightiest first."""
        one = self.papers[self.links.ones[number]]
        other = self.papers[self.links.others[number]]
        for column, weight, here, there in self.parts(number):
            yield shared_concept(
                (self.matrix.labels[column], self.types[column], weight), one, here, other, there
            )


def shared_concept(
    concept: tuple[str, ConceptType, float],
    one: AnnotatedPaper,
    here: int,
    other: AnnotatedPaper,
    there: int,
) -> SharedConcept:
    """Return a shared concept, given as label, type and weight, with its sentences.

    These are those of the mentions with the numbers `here` and `there` of the two papers.
    """
    return SharedConcept(
        *concept,
        sentence_of(one, one.mentions[here]),
        sentence_of(other, other.mentions[there]),
    )


class Shared(Sequence[SharedConcept]):
    """The concepts that a link stands on, like a tuple that is made anew when it is read.

    A large build has millions of them, each with a sentence on either side.
    """

    __slots__ = ("_linked", "_number")

    def __init__(self, linked: LinkedPapers, number: int) -> None:
        self._linked = linked
        self._number = number

    def __iter__(self) -> Iterator[SharedConcept]:
        return self._linked.shared(self._number)

    def weights(self) -> Iterator[tuple[str, float]]:
        """Yield label and weight of each concept."""
        links, labels = self._linked.links, self._linked.matrix.labels
        start, end = links.starts[self._number : self._number + 2].tolist()
        columns = map(labels.__getitem__, links.columns[start:end].tolist())
        return zip(columns, links.parts[start:end].tolist(), strict=True)

    def parts(self) -> Iterator[tuple[str, float, int, int]]:
        """Yield label, weight, and the numbers of the two papers' mentions that are shown."""
        labels = self._linked.matrix.labels
        parts = self._linked.parts(self._number)
        return ((labels[column], weight, here, there) for column, weight, here, there in parts)

    def __len__(self) -> int:
        start, end = self._linked.links.starts[self._number : self._number + 2]
        return int(end - start)

    @overload
    def __getitem__(self, place: int) -> SharedConcept: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[SharedConcept, ...]: ...

    def __getitem__(self, place: int | slice) -> SharedConcept | tuple[SharedConcept, ...]:
        return tuple(self)[place]

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Shared | tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))
