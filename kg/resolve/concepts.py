"""Annotated papers whose concepts are named -> one `Concept` record a concept."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..extract.abbreviations import looks_short
from ..records import CONCEPT_TYPES, AnnotatedPaper, Concept, ConceptType
from .hierarchy import broader_concepts
from .names import concept_id, normal_form
from .resolve import universal_aliases
from .thesaurus import EMPTY, Thesaurus

SAME_NAME = "same normal form"
ACRONYM = "acronym of"
THESAURUS = "thesaurus"
UNIVERSAL = "alias in all of machine learning"
IN_TEXT = "same thing in one abstract"


@dataclass(slots=True)
class _Tally:
    surfaces: set[str] = field(default_factory=set)
    types: Counter[ConceptType] = field(default_factory=Counter)
    papers: set[str] = field(default_factory=set)

    @property
    def type(self) -> ConceptType:
        return max(CONCEPT_TYPES, key=lambda kind: self.types[kind])


def collect_concepts(
    papers: Sequence[AnnotatedPaper], *, thesaurus: Thesaurus = EMPTY
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
    tallies: defaultdict[str, _Tally] = defaultdict(_Tally)
    for annotated in papers:
        for mention in annotated.mentions:
            tally = tallies[mention.concept]
            tally.surfaces.add(mention.text)
            tally.types[mention.type] += 1
            tally.papers.add(annotated.id)
    types = {label: tally.type for label, tally in tallies.items()}
    stated = {(entry.label, broader) for entry in thesaurus.entries for broader in entry.broader}
    above = broader_concepts(types, papers, stated=stated)
    concepts = (
        _concept(label, tally, above.get(label, {}), thesaurus) for label, tally in tallies.items()
    )
    return tuple(sorted(concepts, key=lambda concept: concept.id))


def _concept(label: str, tally: _Tally, above: Mapping[str, int], thesaurus: Thesaurus) -> Concept:
    broader = sorted((concept_id(name), support) for name, support in above.items())
    aliases = tuple(sorted(tally.surfaces - {label}))
    return Concept(
        id=concept_id(label),
        label=label,
        type=tally.type,
        aliases=aliases,
        reasons=tuple(_reason(alias, label, thesaurus) for alias in aliases),
        papers=len(tally.papers),
        broader=tuple(concept for concept, _ in broader),
        broader_support=tuple(support for _, support in broader),
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
