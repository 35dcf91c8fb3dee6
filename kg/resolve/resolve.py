"""Concepts of single papers -> concepts of the whole build, each under one label."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import cast

from ..collector import no_collection
from ..records import AnnotatedPaper, ConceptType, Relation
from .counts import Uses
from .names import last_singular, normal_form, one_line, singular_of
from .order import in_order
from .thesaurus import EMPTY, Thesaurus, universal_aliases
from .variants import folded_capitals, inflections, meanings, written_out

# A way to write a name is more than a slip if it has a greater share of the mentions; a name that
# many write in lower case within sentences is a common noun.
FEW = 0.1
# Words that keep their capital wherever they stand, as far as methods are named after people.
_EPONYM = re.compile(
    r"(?:Bayes|Bernoulli|Boltzmann|Bregman|Dirichlet|Euclid|Fisher|Fourier|Frank-Wolfe|Gauss|Gibbs"
    r"|Hamilton|Hess|Hilbert|Jacobi|Kalman|Lagrang|Langevin|Laplac|Lipschitz|Markov|Monte Carlo"
    r"|Nash|Newton|Pareto|Poisson|Riemann|Shapley|Sinkhorn|Thompson|Turing|Wasserstein)"
)
_CAPITAL_INSIDE = re.compile(r"[^\W_][A-Z]")

_Form = Callable[[str], str]
_Use = tuple[str, str, ConceptType]  # a mention's text, its concept in its own paper, its type
# Label and type of the concept that a use means in the whole build, where they are others.
Decisions = Mapping[_Use, tuple[str, ConceptType]]


@no_collection()
def resolve(
    papers: Sequence[AnnotatedPaper], *, thesaurus: Thesaurus = EMPTY
) -> list[AnnotatedPaper]:
    """Name every mention's concept by its label in the whole build.

    Names with one normal form are one concept, and so are names of the same words in other forms
    (``robotic manipulation``, ``robot manipulation``) that several papers use as one. An acronym
    is its expansion: the paper's own; where the paper gives none, the one on which the other
    papers agree; where none gives one, that of a short list of acronyms that mean one thing in all
    of machine learning. So is one within a name, if the name in full is found too (``multi-hop
    QA``). The thesaurus overrules all.

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
    >>> from kg.records import Mention, Paper
    >>> def paper(name, text, concept):
    ...     mention = Mention(0, 3, text, "Method", concept, 0.9, "abstract", (0, 3))
    ...     return AnnotatedPaper(Paper(name, abstract=text), name, (mention,))
    >>> one, two = resolve([paper("a", "VQE", "vector query engine"), paper("b", "VQE", "VQE")])
    >>> two.mentions[0].concept
    'vector query engine'
    """
    papers = [without_ignored(annotated, thesaurus) for annotated in papers]
    decisions = decide(Uses.of(papers), thesaurus=thesaurus)
    return [rename(annotated, decisions) for annotated in papers]


def decide(uses: Uses, *, thesaurus: Thesaurus = EMPTY) -> Decisions:
    """Return what becomes of each name, from the uses of names in all papers."""
    form = cache(normal_form)
    all_uses = cast(list[_Use], list(dict.fromkeys((*uses.inside, *uses.at_head))))
    known = meanings(uses)
    variants = (written_out(uses, known, thesaurus, form), inflections(uses, form))
    folded = folded_capitals({text for text, _, _ in all_uses}, form)
    choice = _Choice(thesaurus, known, variants, folded, form)
    keys = {use: choice.key(*use) for use in all_uses}
    labels = _labels(uses, keys, form)
    for entry in (*universal_aliases().entries, *thesaurus.entries):
        labels[normal_form(entry.label)] = entry.label
    named = {use: _named(labels[key], use, thesaurus) for use, key in keys.items()}
    return {use: to for use, to in named.items() if to != use[1:]}


@dataclass(frozen=True, slots=True)
class _Choice:
    """Which concept a mention means, by the normal form of the concept's label."""

    thesaurus: Thesaurus
    meanings: Mapping[tuple[str, str], str | None]
    variants: Sequence[Mapping[tuple[str, str], str]]
    folded: Mapping[str, str]
    form: _Form

    def key(self, text: str, name: str, kind: ConceptType) -> str:
        if self.thesaurus.keeps_apart(text, name):
            name = text
        for wanted in (text, name):
            if entry := self.thesaurus.entry(wanted):
                return normal_form(entry.label)
        key = self.form(name)
        if (key, kind) in self.meanings:
            meaning = self.meanings[key, kind]
            if meaning is None or self.thesaurus.keeps_apart(name, meaning):
                return key
            key = meaning
        key = self._unless_apart(name, key, key)
        for variants in self.variants:
            key = self._unless_apart(name, key, variants.get((key, kind), key))
        return key

    def _unless_apart(self, name: str, key: str, other: str) -> str:
        """Return what another key settles on, or the key if the name is to be kept apart of it."""
        settled = self._settled(other)
        return key if self.thesaurus.keeps_apart(name, settled) else settled

    def _settled(self, key: str) -> str:
        """Return the key that the full name behind a key has, however it was come by."""
        key = self.folded.get(key, key)
        entry = self.thesaurus.entry(key) or universal_aliases().entry(key)
        key = normal_form(entry.label) if entry else key
        return self.folded.get(key, key)


def without_ignored(annotated: AnnotatedPaper, thesaurus: Thesaurus) -> AnnotatedPaper:
    """Return the paper without what the thesaurus ignores."""
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


@dataclass(slots=True)
class _Name:
    """How often a name stands within a sentence, and at its head."""

    inside: int = 0
    at_head: int = 0


def _labels(uses: Uses, keys: Mapping[_Use, str], form: _Form) -> dict[str, str]:
    """Return the best full form of each key: lower case where a text has it, else the commonest."""
    names: defaultdict[str, dict[str, _Name]] = defaultdict(dict)
    for use, key in keys.items():
        text, concept, kind = use
        own = concept if concept == text else singular_of(one_line(text), kind)
        for written in {own, concept}:
            if form(written) == key or form(written).casefold() == key:
                name = names[key].setdefault(written, _Name())
                name.at_head += uses.at_head[use]
                name.inside += uses.inside[use]
    labels = {key: _label(written) for key, written in names.items()}
    # A key may be folded into a name that no mention spells as its own.
    for (_, concept, _), key in keys.items():
        if key not in names:
            labels[key] = min(labels.get(key, concept), concept)
    return labels


def _label(names: Mapping[str, _Name]) -> str:
    counts: Counter[str] = Counter()
    said: Counter[str] = Counter()
    for written, name in names.items():
        said[written.casefold()] += name.inside + name.at_head
    for written, name in names.items():
        one = last_singular(written)  # which is no word if hardly anybody writes it: of Hermes
        if said[one.casefold()] > FEW * said.total():
            written = one
        counts[written] += name.inside
        # The capital of a first word is the sentence's, if the rest has none.
        plain = written[:1].lower() + written[1:]
        if _EPONYM.match(written):
            plain = written
        counts[plain if plain == plain.lower() and " " in plain else written] += name.at_head
    # ResNet is a name however often somebody writes resnet; Vision Transformer is not, and
    # Gaussian process is half one, though a few write gaussian.
    few = FEW * counts.total()
    if sum(n for written, n in counts.items() if _CAPITAL_INSIDE.search(written)) <= few:
        lower = Counter({w: n for w, n in counts.items() if _is_lower(w)})
        if lower.total() > few:
            counts = lower
    return min(counts, key=lambda written: (-counts[written], written))


def _is_lower(written: str) -> bool:
    rest = written[1:] if _EPONYM.match(written) else written
    return rest == rest.lower()


def _named(label: str, use: _Use, thesaurus: Thesaurus) -> tuple[str, ConceptType]:
    entry = thesaurus.entry(label)
    return label, (entry.type if entry else None) or use[2]


def rename(annotated: AnnotatedPaper, decisions: Decisions) -> AnnotatedPaper:
    """Return the paper, without what is ignored, as the decisions name its concepts."""
    mentions = []
    renamed: dict[str, str] = {}
    for mention in annotated.mentions:
        known = mention.concept, mention.type
        label, kind = decisions.get((mention.text, *known), known)
        renamed.setdefault(mention.concept, label)
        if (label, kind) != known:  # of the others one record is enough
            mention = replace(mention, concept=label, type=kind)
        mentions.append(mention)
    said = replace(
        annotated,
        mentions=tuple(mentions),
        relations=tuple(
            _between(relation, renamed[relation.head], renamed[relation.tail])
            for relation in annotated.relations
            if renamed[relation.head] != renamed[relation.tail]
        ),
        proposes=tuple(dict.fromkeys(renamed[name] for name in annotated.proposes)),
    )
    return in_order(said)


def _between(relation: Relation, head: str, tail: str) -> Relation:
    same = (head, tail) == (relation.head, relation.tail)
    return relation if same else replace(relation, head=head, tail=tail)
