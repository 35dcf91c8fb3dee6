"""How good an extraction is: its agreement with gold annotations, in percent.

A mention counts as found if its offsets, and for the strict figures its type, are exactly the
gold's. The gold counts characters of the raw text; offsets of a cleaned abstract are moved back
to it first.
"""

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from ..records import CONCEPT_TYPES, RELATION_TYPES, AnnotatedPaper, ConceptType, Mention, Span
from .data import GoldPaper

Key = tuple[int, int, ConceptType]
Statement = tuple[frozenset[Span], str, frozenset[Span]]


@dataclass(frozen=True, slots=True)
class Figures:
    """Precision, recall and F1, in percent."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class ScoreBin:
    """What is scored from `low` to `high`: how many there are, mean score, the share right."""

    low: float
    high: float
    count: int
    mean_score: float
    right: float


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The figures of an extraction against gold annotations, in percent.

    Attributes
    ----------
    papers : int
        How many gold papers there are.
    strict, untyped, partial : Figures
        Mentions with exact offsets and type; with exact offsets; that overlap, of one type.
    by_type : dict
        The strict F1 of each type.
    core, must : float or None
        Share of the gold's core (`must`) concepts with a mention found; None without any.
    grouping : Figures
        Are two mentions of one abstract one concept? Over mentions that both sides have.
    relations, linked : Figures
        Relations between concepts, with their type and without it.
    calibration_error : float
        Expected calibration error of the mentions' scores (Guo et al. 2017), 0 to 1.
    reliability : tuple of ScoreBin
        The mentions in bins of their scores, the lowest first.
    relations_by_type : dict
        The F1 of each type of relation.
    relation_calibration_error, relation_reliability
        The same of the relations' scores.
    """

    papers: int
    strict: Figures
    by_type: dict[str, float]
    untyped: Figures
    partial: Figures
    core: float | None
    must: float | None
    grouping: Figures
    relations: Figures
    linked: Figures
    calibration_error: float
    reliability: tuple[ScoreBin, ...]
    relations_by_type: dict[str, float]
    relation_calibration_error: float
    relation_reliability: tuple[ScoreBin, ...]


@dataclass(slots=True)
class _Tally:
    """Counts of (right among the found, found, found among the gold's, the gold's)."""

    right: int = 0
    found: int = 0
    hit: int = 0
    gold: int = 0

    def add(self, right: int, found: int, hit: int, gold: int) -> None:
        self.right += right
        self.found += found
        self.hit += hit
        self.gold += gold

    def figures(self) -> Figures:
        precision = self.right / self.found if self.found else 0.0
        recall = self.hit / self.gold if self.gold else 0.0
        both = precision + recall
        f1 = 2 * precision * recall / both if both else 0.0
        return Figures(round(100 * precision, 2), round(100 * recall, 2), round(100 * f1, 2))

    def recall(self) -> float | None:
        return round(100 * self.hit / self.gold, 2) if self.gold else None


@dataclass(slots=True)
class _Tallies:
    strict: _Tally = field(default_factory=_Tally)
    untyped: _Tally = field(default_factory=_Tally)
    partial: _Tally = field(default_factory=_Tally)
    core: _Tally = field(default_factory=_Tally)
    must: _Tally = field(default_factory=_Tally)
    grouping: _Tally = field(default_factory=_Tally)
    relations: _Tally = field(default_factory=_Tally)
    linked: _Tally = field(default_factory=_Tally)
    types: dict[str, _Tally] = field(default_factory=dict)
    relation_types: dict[str, _Tally] = field(default_factory=dict)
    scored: list[tuple[float, bool]] = field(default_factory=list)
    relations_scored: list[tuple[float, bool]] = field(default_factory=list)


def score(gold: Sequence[GoldPaper], annotated: Iterable[AnnotatedPaper]) -> Evaluation:
    """Compare annotated papers with the gold papers of the same ids.

    Parameters
    ----------
    gold : sequence of GoldPaper
        The truth; a paper that `annotated` lacks counts as one in which nothing was found.
    annotated : iterable of AnnotatedPaper
        What was extracted. Only what lies in abstracts is compared.

    Returns
    -------
    Evaluation
        All figures.

    Examples
    --------
    >>> from kg.records import Mention, Paper
    >>> from kg.train.data import GoldMention
    >>> truth = GoldPaper("p", "GAN wins", (GoldMention(0, 3, "Method", "GAN"),))
    >>> mention = Mention(0, 3, "GAN", "Method", "GAN", 0.9, "abstract", (0, 8))
    >>> score([truth], [AnnotatedPaper(Paper("p"), "GAN", (mention,))]).strict.f1
    100.0
    """
    found = {paper.id: paper for paper in annotated}
    tallies = _Tallies()
    for paper in gold:
        _compare(paper, found.get(paper.id), tallies)
    bins, error = _calibration(tallies.scored)
    relation_bins, relation_error = _calibration(tallies.relations_scored)
    return Evaluation(
        papers=len(gold),
        strict=tallies.strict.figures(),
        by_type=_by_type(tallies.types),
        untyped=tallies.untyped.figures(),
        partial=tallies.partial.figures(),
        core=tallies.core.recall(),
        must=tallies.must.recall(),
        grouping=tallies.grouping.figures(),
        relations=tallies.relations.figures(),
        linked=tallies.linked.figures(),
        calibration_error=error,
        reliability=bins,
        relations_by_type=_by_type(tallies.relation_types),
        relation_calibration_error=relation_error,
        relation_reliability=relation_bins,
    )


def _by_type(tallies: dict[str, _Tally]) -> dict[str, float]:
    return {kind: tally.figures().f1 for kind, tally in sorted(tallies.items())}


def _compare(paper: GoldPaper, annotated: AnnotatedPaper | None, tallies: _Tallies) -> None:
    truth: dict[Key, str] = {(m.start, m.end, m.type): m.concept for m in paper.mentions}
    placed = _placed(paper.text, annotated) if annotated else []
    found: dict[Key, str] = {(*span, m.type): m.concept for span, m in placed}
    _count_mentions(truth, found, tallies)
    for concept in paper.concepts:
        hit = any(name == concept.name and key in found for key, name in truth.items())
        for wanted, tally in ((concept.core, tallies.core), (concept.must, tallies.must)):
            if wanted:
                tally.add(0, 0, hit, 1)
    for a, b in combinations(sorted(truth.keys() & found.keys()), 2):
        in_truth, in_found = truth[a] == truth[b], found[a] == found[b]
        tallies.grouping.add(in_truth and in_found, in_found, in_truth and in_found, in_truth)
    _count_relations(paper, annotated, placed, tallies)
    tallies.scored += [(m.score, (*span, m.type) in truth) for span, m in placed]


def _placed(raw: str, annotated: AnnotatedPaper) -> list[tuple[Span, Mention]]:
    """Return the abstract's mentions with their offsets moved back to the raw text."""
    mentions = [m for m in annotated.mentions if m.field == "abstract"]
    clean = annotated.paper.abstract or raw
    if clean == raw:
        return [((m.start, m.end), m) for m in mentions]
    matcher = difflib.SequenceMatcher(None, clean, raw, autojunk=False)
    place = {a + k: b + k for a, b, size in matcher.get_matching_blocks() for k in range(size)}
    return [((place.get(m.start, -1), place.get(m.end - 1, -2) + 1), m) for m in mentions]


def _count_mentions(truth: dict[Key, str], found: dict[Key, str], tallies: _Tallies) -> None:
    for kind in CONCEPT_TYPES:
        both = sum(key[2] == kind for key in truth.keys() & found.keys())
        of_found, of_truth = (sum(key[2] == kind for key in keys) for keys in (found, truth))
        if of_found or of_truth:
            tallies.types.setdefault(kind, _Tally()).add(both, of_found, both, of_truth)
        tallies.strict.add(both, of_found, both, of_truth)
    spans, gold_spans = {key[:2] for key in found}, {key[:2] for key in truth}
    both = len(spans & gold_spans)
    tallies.untyped.add(both, len(spans), both, len(gold_spans))
    tallies.partial.add(
        sum(_overlaps_any(key, truth) for key in found),
        len(found),
        sum(_overlaps_any(key, found) for key in truth),
        len(truth),
    )


def _overlaps_any(key: Key, others: Iterable[Key]) -> bool:
    return any(key[2] == o[2] and key[0] < o[1] and o[0] < key[1] for o in others)


def _count_relations(
    paper: GoldPaper,
    annotated: AnnotatedPaper | None,
    placed: Sequence[tuple[Span, Mention]],
    tallies: _Tallies,
) -> None:
    gold = _statements(paper.relations, [((m.start, m.end), m.concept) for m in paper.mentions])
    relations = annotated.relations if annotated else ()
    stated = [(r.head, r.type, r.tail) for r in relations]
    found = _statements(stated, [(span, m.concept) for span, m in placed])
    right = [any(_same_typed(f, g) for g in gold) for f in found]
    hit = [any(_same_typed(g, f) for f in found) for g in gold]
    tallies.relations.add(sum(right), len(found), sum(hit), len(gold))
    for kind in RELATION_TYPES:
        of_found = [ok for ok, statement in zip(right, found, strict=True) if statement[1] == kind]
        of_gold = [ok for ok, statement in zip(hit, gold, strict=True) if statement[1] == kind]
        if of_found or of_gold:
            tally = tallies.relation_types.setdefault(kind, _Tally())
            tally.add(sum(of_found), len(of_found), sum(of_gold), len(of_gold))
    linked = sum(any(_same(f, g) for g in gold) for f in found)
    reached = sum(any(_same(g, f) for f in found) for g in gold)
    tallies.linked.add(linked, len(found), reached, len(gold))
    tallies.relations_scored += [(r.score, ok) for r, ok in zip(relations, right, strict=True)]


def _statements(
    relations: Iterable[tuple[str, str, str]], mentions: Iterable[tuple[Span, str]]
) -> list[Statement]:
    """Return the relations with each concept as the spans of its mentions."""
    spans: dict[str, set[Span]] = {}
    for span, concept in mentions:
        spans.setdefault(concept, set()).add(span)
    return [
        (frozenset(spans.get(head, ())), kind, frozenset(spans.get(tail, ())))
        for head, kind, tail in relations
    ]


def _same(a: Statement, b: Statement) -> bool:
    return bool(a[0] & b[0] and a[2] & b[2])


def _same_typed(a: Statement, b: Statement) -> bool:
    return a[1] == b[1] and _same(a, b)


def _calibration(scored: Sequence[tuple[float, bool]]) -> tuple[tuple[ScoreBin, ...], float]:
    """Return the scores in ten bins and their expected calibration error."""
    held: dict[int, list[tuple[float, bool]]] = {}
    for value, right in scored:
        held.setdefault(min(int(value * 10), 9), []).append((value, right))
    bins, gap = [], 0.0
    for at, pairs in sorted(held.items()):
        total = sum(value for value, _ in pairs)
        rights = sum(right for _, right in pairs)
        size = len(pairs)
        gap += abs(total - rights)
        mean, share = round(total / size, 4), round(rights / size, 4)
        bins.append(ScoreBin(at / 10, (at + 1) / 10, size, mean, share))
    return tuple(bins), round(gap / len(scored), 4) if scored else 0.0
