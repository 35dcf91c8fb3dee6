"""Concepts of single papers -> concepts of the whole build, each under one label."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from ..extract.abbreviations import is_initials, looks_short
from ..records import AnnotatedPaper, ConceptType, Mention
from .names import normal_form, singular_name
from .order import in_order
from .thesaurus import EMPTY, Thesaurus, read_thesaurus

# An acronym that a paper does not expand gets the meaning that this share of the papers that do
# expand it agree on; one paper is enough only where the initials spell it.
AGREEMENT = 0.9
WITNESSES = 2
# Words that keep their capital wherever they stand, as far as methods are named after people.
_EPONYM = re.compile(
    r"(?:Bayes|Bernoulli|Boltzmann|Bregman|Dirichlet|Euclid|Fisher|Fourier|Frank-Wolfe|Gauss|Gibbs"
    r"|Hamilton|Hess|Hilbert|Jacobi|Kalman|Lagrang|Langevin|Laplac|Lipschitz|Markov|Monte Carlo"
    r"|Nash|Newton|Pareto|Poisson|Riemann|Shapley|Sinkhorn|Thompson|Turing|Wasserstein)"
)
_CAPITAL_INSIDE = re.compile(r"[^\W_][A-Z]")


def resolve(
    papers: Sequence[AnnotatedPaper], *, thesaurus: Thesaurus = EMPTY
) -> list[AnnotatedPaper]:
    """Name every mention's concept by its label in the whole build.

    Names with one normal form are one concept. An acronym is its expansion: the paper's own; where
    the paper gives none, the one on which the other papers agree; where none gives one, that of a
    short list of acronyms that mean one thing in all of machine learning. The thesaurus overrules
    all.

    Parameters
    ----------
    papers
        As `kg.extract` gives them: a mention's ``concept`` is its name in its own paper.
    thesaurus
        What the user knows better.

    Returns
    -------
    list of AnnotatedPaper
        In the order of the papers, ``concept``, ``relations`` and ``proposes`` renamed.

    Examples
    --------
    >>> from kg.records import Paper
    >>> def paper(name, text, concept):
    ...     mention = Mention(0, 3, text, "Method", concept, 0.9, "abstract", (0, 3))
    ...     return AnnotatedPaper(Paper(name, abstract=text), name, (mention,))
    >>> one, two = resolve([paper("a", "VQE", "vector query engine"), paper("b", "VQE", "VQE")])
    >>> two.mentions[0].concept
    'vector query engine'
    """
    papers = [_without_ignored(annotated, thesaurus) for annotated in papers]
    choice = _Choice(thesaurus, _meanings(papers), _folded_capitals(papers))
    keys = [[choice.key(mention) for mention in annotated.mentions] for annotated in papers]
    labels = _labels(papers, keys)
    for entry in (*universal_aliases().entries, *thesaurus.entries):
        labels[normal_form(entry.label)] = entry.label
    return [
        in_order(_rename(annotated, [labels[key] for key in own], thesaurus))
        for annotated, own in zip(papers, keys, strict=True)
    ]


@cache
def universal_aliases() -> Thesaurus:
    """Return the acronyms that mean one thing in all of machine learning (``aliases.csv``)."""
    return read_thesaurus(Path(__file__).with_name("aliases.csv"))


@dataclass(frozen=True, slots=True)
class _Choice:
    """Which concept a mention means, by the normal form of the concept's label."""

    thesaurus: Thesaurus
    meanings: Mapping[tuple[str, ConceptType], str | None]
    folded: Mapping[str, str]

    def key(self, mention: Mention) -> str:
        name = mention.concept
        if self.thesaurus.keeps_apart(mention.text, name):
            name = mention.text
        for wanted in (mention.text, name):
            if entry := self.thesaurus.entry(wanted):
                return normal_form(entry.label)
        key = normal_form(name)
        if (key, mention.type) in self.meanings:
            meaning = self.meanings[key, mention.type]
            if meaning is None or self.thesaurus.keeps_apart(name, meaning):
                return key
            key = meaning
        return self._settled(key)

    def _settled(self, key: str) -> str:
        """Return the key that the full name behind a key has, however it was come by."""
        key = self.folded.get(key, key)
        entry = self.thesaurus.entry(key) or universal_aliases().entry(key)
        key = normal_form(entry.label) if entry else key
        return self.folded.get(key, key)


def _without_ignored(annotated: AnnotatedPaper, thesaurus: Thesaurus) -> AnnotatedPaper:
    if not thesaurus.ignored:
        return annotated
    mentions = tuple(
        mention
        for mention in annotated.mentions
        if not (thesaurus.ignores(mention.text) or thesaurus.ignores(mention.concept))
    )
    kept = {mention.concept for mention in mentions}
    relations = tuple(r for r in annotated.relations if r.head in kept and r.tail in kept)
    proposes = tuple(name for name in annotated.proposes if name in kept)
    return replace(annotated, mentions=mentions, relations=relations, proposes=proposes)


def _meanings(papers: Iterable[AnnotatedPaper]) -> dict[tuple[str, ConceptType], str | None]:
    """Return the meaning of each acronym that papers expand, by its normal form and type.

    It is None where they do not agree on one.
    """
    counts: defaultdict[tuple[str, ConceptType], Counter[str]] = defaultdict(Counter)
    spelled: set[tuple[str, str]] = set()
    for annotated in papers:
        pairs = set()
        for mention in annotated.mentions:
            if looks_short(mention.text) and not looks_short(mention.concept):
                short, long = normal_form(mention.text), normal_form(mention.concept)
                pairs.add((short, mention.type, long))
                if is_initials(mention.text, mention.concept):
                    spelled.add((short, long))
        for short, kind, long in pairs:
            counts[short, kind][long] += 1
    return {
        (short, kind): long if count >= AGREEMENT * meanings.total() else None
        for (short, kind), meanings in counts.items()
        for long, count in meanings.most_common(1)
        # one paper that nothing backs says nothing of the others
        if count >= WITNESSES or (short, long) in spelled or len(meanings) > 1
    }


def _folded_capitals(papers: Iterable[AnnotatedPaper]) -> dict[str, str]:
    """Return the normal forms in capitals that are only another way to write a name.

    ``TRANSFORMER`` is ``Transformer`` where that stands too; ``REINFORCE`` is not ``reinforce``.
    """
    names = {mention.text for annotated in papers for mention in annotated.mentions}
    capitals = {key for key in map(normal_form, names) if key.isupper()}
    return {
        key.upper(): key
        for name in names
        if (key := normal_form(name)).upper() in capitals
        and not key.isupper()
        and name != name.lower()
    }


@dataclass(slots=True)
class _Name:
    """How often a way to write a concept's name stands within a sentence, and at its head."""

    inside: int = 0
    at_head: int = 0


def _labels(papers: Sequence[AnnotatedPaper], keys: Sequence[Sequence[str]]) -> dict[str, str]:
    """Return the best full form of each key: lower case where a text has it, else the commonest."""
    names: defaultdict[str, defaultdict[str, _Name]] = defaultdict(lambda: defaultdict(_Name))
    for annotated, own in zip(papers, keys, strict=True):
        for mention, key in zip(annotated.mentions, own, strict=True):
            for written in {singular_name(mention.text), mention.concept}:
                if normal_form(written) == key or normal_form(written).casefold() == key:
                    name = names[key][written]
                    if mention.start == mention.sentence[0] or mention.field == "title":
                        name.at_head += 1
                    else:
                        name.inside += 1
    labels = {key: _label(written) for key, written in names.items()}
    # A key may be folded into a name that no mention spells as its own.
    for annotated, own in zip(papers, keys, strict=True):
        for mention, key in zip(annotated.mentions, own, strict=True):
            if key not in names:
                labels[key] = min(labels.get(key, mention.concept), mention.concept)
    return labels


def _label(names: Mapping[str, _Name]) -> str:
    counts: Counter[str] = Counter()
    for written, name in names.items():
        counts[written] += name.inside
        # The capital of a first word is the sentence's, if the rest has none.
        plain = written[:1].lower() + written[1:]
        if _EPONYM.match(written):
            plain = written
        counts[plain if plain == plain.lower() and " " in plain else written] += name.at_head
    # ResNet is a name however often somebody writes resnet; Vision Transformer is not.
    if not any(_CAPITAL_INSIDE.search(written) for written in counts):
        counts = Counter({w: n for w, n in counts.items() if w == w.lower()}) or counts
    return min(counts, key=lambda written: (-counts[written], written))


def _rename(
    annotated: AnnotatedPaper, labels: Sequence[str], thesaurus: Thesaurus
) -> AnnotatedPaper:
    mentions = []
    renamed: dict[str, str] = {}
    for mention, label in zip(annotated.mentions, labels, strict=True):
        renamed.setdefault(mention.concept, label)
        entry = thesaurus.entry(label)
        kind = (entry.type if entry else None) or mention.type
        mentions.append(replace(mention, concept=label, type=kind))
    return replace(
        annotated,
        mentions=tuple(mentions),
        relations=tuple(
            replace(relation, head=renamed[relation.head], tail=renamed[relation.tail])
            for relation in annotated.relations
            if renamed[relation.head] != renamed[relation.tail]
        ),
        proposes=tuple(dict.fromkeys(renamed[name] for name in annotated.proposes)),
    )
