"""Annotated papers whose concepts are named -> one `Concept` record a concept."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ..collector import no_collection
from ..extract.abbreviations import looks_short
from ..records import CONCEPT_TYPES, AnnotatedPaper, Concept, ConceptType
from .counts import Occurrences
from .hierarchy import broader_concepts
from .names import concept_id, normal_form
from .thesaurus import EMPTY, Thesaurus, universal_aliases

SAME_NAME = "same normal form"
ACRONYM = "acronym of"
THESAURUS = "thesaurus"
UNIVERSAL = "alias in all of machine learning"
IN_TEXT = "same thing in one abstract"


@dataclass(slots=True)
class _Tally:
    aliases: list[str] = field(default_factory=list)
    types: list[int] = field(default_factory=lambda: [0] * len(CONCEPT_TYPES))
    papers: int = 0

    @property
    def type(self) -> ConceptType:
        return CONCEPT_TYPES[self.types.index(max(self.types))]


@no_collection()
def collect_concepts(
    papers: Iterable[AnnotatedPaper], *, thesaurus: Thesaurus = EMPTY
) -> tuple[Concept, ...]:
    """Return the concepts that the papers' mentions name, sorted by id.

    A concept's type is the one that most of its mentions carry, its aliases are all surface forms
    but its label, and its broader concepts those of `kg.resolve.hierarchy`.

    Parameters
    ----------
    papers
        Papers whose mentions' ``concept`` is the label of the concept in the whole build.
    thesaurus
        The one that they were resolved with.

    Examples
    --------
    >>> from kg.records import Mention, Paper
    >>> mention = Mention(0, 4, "GNNs", "Method", "graph neural network", 0.9, "abstract", (0, 9))
    >>> paper = AnnotatedPaper(Paper("p1", abstract="GNNs win."), "p1", (mention,))
    >>> [concept] = collect_concepts([paper])
    >>> concept.label, concept.aliases, concept.reasons, concept.papers
    ('graph neural network', ('GNNs',), ('acronym of',), 1)
    """
    return concepts_of(Occurrences.of(papers), thesaurus=thesaurus)


def concepts_of(found: Occurrences, *, thesaurus: Thesaurus = EMPTY) -> tuple[Concept, ...]:
    """Return the concepts that all papers name, from what occurs in them, sorted by id."""
    tallies = {label: _Tally(papers=papers) for (label,), papers in found.papers.items()}
    number: dict[str, int] = {kind: place for place, kind in enumerate(CONCEPT_TYPES)}
    for (label, kind), mentions in found.types.items():
        tallies[label].types[number[kind]] = mentions
    for label, alias in found.aliases:
        tallies[label].aliases.append(alias)
    types = {label: tally.type for label, tally in tallies.items()}
    stated = {(entry.label, broader) for entry in thesaurus.entries for broader in entry.broader}
    above = broader_concepts(types, found, stated=stated)
    ids = {label: concept_id(label) for label in tallies}
    concepts = []
    for label, tally in tallies.items():
        broader = {ids[name]: papers for name, papers in above.get(label, {}).items()}
        concepts.append(_concept(label, ids[label], tally, broader, thesaurus))
    return tuple(sorted(concepts, key=lambda concept: concept.id))


def _concept(
    label: str, id: str, tally: _Tally, broader: Mapping[str, int], thesaurus: Thesaurus
) -> Concept:
    aliases = tuple(sorted(tally.aliases))
    return Concept(
        id=id,
        label=label,
        type=tally.type,
        aliases=aliases,
        reasons=tuple(_reason(alias, label, thesaurus) for alias in aliases),
        papers=tally.papers,
        broader=tuple(sorted(broader)),
        broader_support=tuple(broader[name] for name in sorted(broader)),
    )


def _reason(alias: str, label: str, thesaurus: Thesaurus) -> str:
    entry = thesaurus.entry(alias)
    if entry and entry.label == label:
        return THESAURUS
    if normal_form(alias).casefold() == normal_form(label).casefold():
        return SAME_NAME
    known = universal_aliases().entry(alias)
    if known and normal_form(known.label) == normal_form(label) and " " in alias:
        return UNIVERSAL
    return ACRONYM if any(map(looks_short, alias.split())) else IN_TEXT
