"""What has to be known of all papers at once, as counts: those of parts add up to those of all."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Self

from ..extract.abbreviations import is_initials, looks_short
from ..records import AnnotatedPaper
from .names import normal_form, stems

# A statement less likely than this makes no hierarchy.
LIKELY = 0.5


@dataclass(frozen=True, slots=True)
class Uses:
    """What decides on the concepts of all papers: counts that add up over parts of them.

    Attributes
    ----------
    inside, at_head : Counter
        How often a mention's text stands for a concept of its paper with a type, within a
        sentence and at its head.
    meanings : Counter
        In how many papers an acronym's normal form, with a type, has an expansion's.
    spelled : Counter
        In how many of them the initials of the expansion spell the acronym, if it has more than
        two letters: fewer are spelled by much.
    inflected : Counter
        In how many papers two names of the same words in other forms (``robotic manipulation``,
        ``robot manipulation``), given by their normal forms and type, are one concept.
    """

    inside: Counter[tuple[str, ...]] = field(default_factory=Counter)
    at_head: Counter[tuple[str, ...]] = field(default_factory=Counter)
    meanings: Counter[tuple[str, ...]] = field(default_factory=Counter)
    spelled: Counter[tuple[str, ...]] = field(default_factory=Counter)
    inflected: Counter[tuple[str, ...]] = field(default_factory=Counter)

    @classmethod
    def of(cls, papers: Iterable[AnnotatedPaper]) -> Self:
        """Return the uses in some papers that hold nothing to be ignored."""
        uses, is_short = cls(), cache(looks_short)
        form = cache(normal_form)  # a large build has more names than a lasting cache has room for
        for annotated in papers:
            pairs, spelled, inflected = set(), set(), set()
            for mention in annotated.mentions:
                text, concept, kind = mention.text, mention.concept, mention.type
                heads = mention.start == mention.sentence[0] or mention.field == "title"
                (uses.at_head if heads else uses.inside)[text, concept, kind] += 1
                if is_short(text) and not is_short(concept):
                    short, long = form(text), form(concept)
                    pairs.add((short, kind, long))
                    if len(short) > 2 and is_initials(text, concept):
                        spelled.add((short, long))
                elif form(text) != form(concept) and stems(text) == stems(concept):
                    inflected.add((form(text), kind, form(concept)))
            uses.meanings.update(pairs)
            uses.spelled.update(spelled)
            uses.inflected.update(inflected)
        return uses


@dataclass(frozen=True, slots=True)
class Occurrences:
    """What makes concepts of the names in resolved papers: counts that add up over parts of them.

    Attributes
    ----------
    types, aliases : Counter
        How many mentions of a label have a type, and how many another text.
    papers : Counter
        How many papers name a label.
    narrower : Counter
        How many papers state that a label is narrower than another.
    """

    types: Counter[tuple[str, ...]] = field(default_factory=Counter)
    aliases: Counter[tuple[str, ...]] = field(default_factory=Counter)
    papers: Counter[tuple[str, ...]] = field(default_factory=Counter)
    narrower: Counter[tuple[str, ...]] = field(default_factory=Counter)

    @classmethod
    def of(cls, papers: Iterable[AnnotatedPaper]) -> Self:
        """Return the occurrences in some papers."""
        found = cls()
        for annotated in papers:
            labels = set()
            for mention in annotated.mentions:
                labels.add((mention.concept,))
                found.types[mention.concept, mention.type] += 1
                if mention.text != mention.concept:
                    found.aliases[mention.concept, mention.text] += 1
            found.papers.update(labels)
            found.narrower.update(
                {
                    (one.head, one.tail)
                    for one in annotated.relations
                    if one.type == "subclass_of" and one.score >= LIKELY and one.head != one.tail
                }
            )
        return found
