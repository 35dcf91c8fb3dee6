"""What is wrong with a build, and where."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: the file, the place in it (a line, or what it speaks of), and what is wrong.

    Examples
    --------
    >>> print(Fault("papers.jsonl", "3", "no annotated paper"))
    papers.jsonl:3: no annotated paper
    """

    file: str
    place: str
    what: str

    def __str__(self) -> str:
        place = f":{self.place}" if self.place else ""
        return " ".join(f"{self.file}{place}: {self.what}".split())


@dataclass(frozen=True, slots=True)
class Validation:
    """What a check of a build found; `with_shapes` tells whether pySHACL was there for the RDF."""

    faults: tuple[Fault, ...]
    with_shapes: bool
