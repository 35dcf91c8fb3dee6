"""The records that flow through `kg`: frozen, plain, importing nothing of the package.

A stage is a function from records to records::

    Paper -> AnnotatedPaper (mentions, relations) -> AnnotatedPaper (concepts named) -> Concept

Offsets count Unicode code points of the cleaned text, end exclusive.
"""

from dataclasses import dataclass
from typing import Literal, get_args

ConceptType = Literal["Method", "Task", "Dataset", "Metric"]
RelationType = Literal[
    "used_for",
    "evaluated_on",
    "trained_on",
    "benchmark_for",
    "part_of",
    "subclass_of",
    "compared_with",
    "measured_by",
]
Field = Literal["abstract", "title"]
Span = tuple[int, int]

CONCEPT_TYPES: tuple[ConceptType, ...] = get_args(ConceptType)
RELATION_TYPES: tuple[RelationType, ...] = get_args(RelationType)


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper as it was read: cleaned text and whatever else its source tells.

    `merged` holds the ids of other records that turned out to be this paper.
    """

    id: str
    title: str | None = None
    abstract: str | None = None
    year: int | None = None
    venue: str | None = None
    authors: tuple[str, ...] = ()
    doi: str | None = None
    url: str | None = None
    keywords: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()

    def text(self, field: Field) -> str:
        """Return the text that offsets in `field` count, empty if the paper has none."""
        return (self.abstract if field == "abstract" else self.title) or ""


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of a paper's text that names a concept.

    `concept` is the name that the paper's own text gives it (its expanded form) when it leaves
    the extractor, and the label of the concept in the whole build once it is resolved.
    `sentence` is the span of the sentence that holds it, `score` the probability that both the
    boundaries and the type are right.
    """

    start: int
    end: int
    text: str
    type: ConceptType
    concept: str
    score: float
    field: Field
    sentence: Span


@dataclass(frozen=True, slots=True)
class Relation:
    """A statement of a paper about two of its concepts; `start` and `end` mark the evidence."""

    head: str
    type: RelationType
    tail: str
    score: float
    start: int
    end: int
    field: Field


@dataclass(frozen=True, slots=True)
class AnnotatedPaper:
    """A paper with all that was found in it, sorted by place, mentions without overlap."""

    paper: Paper
    label: str
    mentions: tuple[Mention, ...] = ()
    relations: tuple[Relation, ...] = ()
    proposes: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The paper's id."""
        return self.paper.id


@dataclass(frozen=True, slots=True)
class Concept:
    """One concept of a build with all its surface forms.

    `id` is ``<slug>-<hash>``, a function of the concept's normal form alone. `aliases` holds
    every surface form but the label, sorted; `reasons` says for each alias, in the same order,
    why it is the same concept. `papers` counts distinct papers. `broader` holds concept ids, and
    `broader_support`, in the same order, how many papers support the step.
    """

    id: str
    label: str
    type: ConceptType
    aliases: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    papers: int = 0
    broader: tuple[str, ...] = ()
    broader_support: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SharedConcept:
    """A concept that two linked papers share, with its weight and a sentence on either side."""

    concept: str
    type: ConceptType
    weight: float
    here: str
    there: str


@dataclass(frozen=True, slots=True)
class RelatedPaper:
    """A paper linked to another through shared concepts, the weightiest concept first."""

    paper: str
    label: str
    score: float
    shared: tuple[SharedConcept, ...]


@dataclass(frozen=True, slots=True)
class PathStep:
    """One step of a path through the graph: how two nodes hang together, and where it is said.

    `how` is an edge's key (``mentions``, ``broader``, or a relation type), `sentence` its
    evidence, empty where there is none but the names themselves; `paper` the paper that says it.
    """

    source: str
    how: str
    target: str
    paper: str | None
    sentence: str
