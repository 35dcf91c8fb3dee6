"""What a reader yields: a paper or the reason why a record is none, with its place."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..records import AnnotatedPaper, Paper


@dataclass(frozen=True, slots=True)
class Found:
    """A record of a file: a `paper` (id empty if its source gives none) or else the `reason` why
    it was skipped.

    `line` is the line it starts on, or its number where a file has no lines of its own. `keys`
    are further identifiers (``("arxiv", "2401.00001")``) that tell equal papers; `remark` says
    what is odd about a paper that was read all the same, `annotations` holds those that it
    came with.
    """

    line: int
    paper: Paper | None = None
    reason: str | None = None
    keys: tuple[tuple[str, str], ...] = ()
    remark: str | None = None
    annotations: Mapping[str, Any] | None = None


class Place(NamedTuple):
    """Where a record stands: a file, and the line or number in it."""

    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file, or a record of it (then with its line), that gave no paper, and why."""

    file: str
    line: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Remark:
    """What is odd about a file, or about a record of it, that was read all the same."""

    file: str
    line: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was read: its path relative to the argument, its format and content's hash."""

    file: str
    format: str
    sha256: str
    records: int


@dataclass(frozen=True, slots=True)
class Reading:
    """All papers of all inputs, sorted by id, and an account of every record.

    Each record of `sources` became a paper, was merged with another, or is among `skipped` (with
    its line). `origins` holds for each paper's id the places of the records that it was read from,
    `annotated` the papers that came with their annotations.
    """

    papers: tuple[Paper, ...]
    sources: tuple[Source, ...]
    skipped: tuple[Skipped, ...]
    merged: int
    remarks: tuple[Remark, ...] = ()
    origins: Mapping[str, tuple[Place, ...]] = field(default_factory=dict)
    annotated: Mapping[str, AnnotatedPaper] = field(default_factory=dict)

    @property
    def title_only(self) -> int:
        """How many papers have no abstract."""
        return sum(paper.abstract is None for paper in self.papers)
