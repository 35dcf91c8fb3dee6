"""Training the models of `kg.extract.relations`: annotated papers in, a `RelationModel` out."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

import numpy as np
from spacy.language import Language

from ..errors import ModelError
from ..extract.annotate import annotate
from ..extract.relation_concepts import concept_rows
from ..extract.relation_features import pair_rows
from ..extract.relation_layout import Floats, Layout, WordVectors, lay_out
from ..extract.relation_model import relation_model, word_vectors
from ..extract.relation_pairs import ALLOWED, Pairs, pair_up
from ..extract.relations import (
    EVIDENCE,
    RelationModel,
    concept_roles,
    concept_scores,
    evidence,
    find_statements,
    pair_probabilities,
)
from ..extract.sentences import sentence_at, split_sentences
from ..records import RELATION_TYPES, AnnotatedPaper, Mention, Paper
from .data import GoldPaper, as_papers, clean_paper
from .relation_fit import Example, FitConfig, compact, fit
from .relation_votes import voted

HOLD_OUT = 10  # every tenth paper fits the scores; the tagger has not learnt from it either
FOLDS = 3
CONCEPTS = FitConfig(table=1 << 13, width=32, epochs=4, forget=0.3)
PAIRS = FitConfig(table=1 << 15, width=64, epochs=6, forget=0.6, dropout=0.4, blur=0.2)
TAUGHT = replace(PAIRS, epochs=2, forget=0.4, dropout=0.3)  # with unlabelled papers
VOTES, GOLD_REPEATS, MOST_UNLABELLED = 3, 3, 15_000
JUDGED, WORTH = 0.02, 0.1  # relations held less likely are not judged, and fit no scores
LEAST_SCORE = 0.4  # of a relation, not fitted: kg/train/README.md says what it costs
PLATEAU = 0.01  # of F1
NEWTON_STEPS, RIDGE = 20, 0.1

Meant = Mapping[str, Set[str]]


class _Judged(NamedTuple):
    """What a model holds likely, what it knows (`evidence`), and whether it is right."""

    likely: Floats
    known: Floats
    right: Floats


@dataclass(frozen=True, slots=True)
class _Laid:
    """A gold paper with its mentions laid out, and the pairs of its concepts."""

    paper: GoldPaper
    mentions: list[Mention]
    layout: Layout
    pairs: Pairs

    @classmethod
    def of(cls, paper: GoldPaper, vectors: WordVectors) -> "_Laid":
        mentions = gold_mentions(paper)
        layout = lay_out(paper.text, mentions, split_sentences(paper.text), vectors)
        return cls(paper, mentions, layout, pair_up(layout))


def train_relations(
    gold: Sequence[GoldPaper], nlp: Language, *, unlabelled: Iterable[Paper] = ()
) -> RelationModel:
    """Train the models of relations.

    Parameters
    ----------
    gold : sequence of GoldPaper
        Papers whose concepts and relations people annotated.
    nlp : Language
        The pipeline whose mentions the relations will join; it has learnt from no paper that
        stands at a multiple of `HOLD_OUT`.
    unlabelled : iterable of Paper
        Further papers, of which the first `MOST_UNLABELLED` are learnt from as some networks
        trained on `gold` read them (`kg.train.relation_votes`).

    Returns
    -------
    RelationModel
        The networks, trained on nine tenths of the papers, their scores fitted on the others.
    """
    vectors = word_vectors(nlp)
    learnt = [
        _Laid.of(clean_paper(paper), vectors)
        for at, paper in enumerate(gold)
        if at % HOLD_OUT and paper.mentions
    ]
    examples = [_concept_example(paper) for paper in learnt]
    roles = _cross_fit(examples)
    pairs = list(_pair_examples(learnt, roles))
    model = RelationModel(
        roles=fit(examples, CONCEPTS),
        related=fit(pairs, PAIRS),
        calibration=np.zeros(0, dtype=np.float32),
        least_score=0.0,
        least_proposed=0.0,
        vectors=vectors,
    )
    if papers := tuple(islice(unlabelled, MOST_UNLABELLED)):
        others = [fit(pairs, replace(PAIRS, seed=seed)) for seed in range(1, VOTES)]
        taught = list(voted(papers, nlp, model, [model.related, *others]))
        model = replace(model, related=fit(pairs * GOLD_REPEATS + taught, TAUGHT))
    return fit_scores(model, gold[::HOLD_OUT], nlp)


def annotate_gold(gold: Iterable[GoldPaper], nlp: Language) -> Iterator[AnnotatedPaper]:
    """Yield gold papers with the mentions that people found and the relations of a pipeline.

    Raises
    ------
    ModelError
        If the pipeline was trained without relations.
    """
    model = relation_model(nlp)
    if model is None:
        raise ModelError("the model knows of no relations; train it on annotated relations")
    for paper in map(clean_paper, gold):
        mentions = gold_mentions(paper)
        said = find_statements(paper.text, mentions, split_sentences(paper.text), model)
        text = Paper(paper.id, abstract=paper.text)
        yield AnnotatedPaper(text, paper.id, tuple(mentions), said.relations, said.proposes)


def gold_mentions(paper: GoldPaper) -> list[Mention]:
    """Return the annotated mentions of a cleaned paper as an extractor would find them."""
    sentences = split_sentences(paper.text)
    return [
        Mention(
            start=m.start,
            end=m.end,
            text=paper.text[m.start : m.end],
            type=m.type,
            concept=m.concept,
            score=1.0,
            field="abstract",
            sentence=sentence_at(sentences, m.start),
        )
        for m in sorted(paper.mentions, key=lambda m: m.start)
    ]


def _concept_example(laid: _Laid) -> Example:
    known = {concept.name: concept for concept in laid.paper.concepts}
    concepts = [known.get(name) for name in laid.layout.names]
    right = np.array([[c.proposed, c.core] if c else [0, 0] for c in concepts], dtype=np.float32)
    rows = concept_rows(laid.layout, table=CONCEPTS.table)
    return Example(rows, right, np.ones(right.shape, dtype=bool))


def _cross_fit(examples: Sequence[Example]) -> list[Floats]:
    """Return what networks that have not seen a paper say of its concepts."""
    said: dict[int, Floats] = {}
    for fold in range(FOLDS):
        network = fit([e for at, e in enumerate(examples) if at % FOLDS != fold], CONCEPTS)
        said |= {at: network(examples[at].rows) for at in range(fold, len(examples), FOLDS)}
    return [said[at] for at in range(len(examples))]


def _pair_examples(laid: Sequence[_Laid], roles: Sequence[Floats]) -> Iterator[Example]:
    for paper, role in zip(laid, roles, strict=True):
        layout, pairs = paper.layout, paper.pairs
        if len(pairs):
            asked = ALLOWED[pairs.kind]
            rows = pair_rows(layout, pairs, role, table=PAIRS.table)
            meant = _meant(paper.paper, paper.mentions)
            yield Example(compact(rows), _stated(paper.paper, layout, pairs, meant) * asked, asked)


def _stated(paper: GoldPaper, layout: Layout, pairs: Pairs, meant: Meant) -> Floats:
    """Return of each pair which relations are annotated between what its concepts mean."""
    right = np.zeros((len(pairs), len(RELATION_TYPES)), dtype=np.float32)
    means = [meant.get(name, frozenset()) for name in layout.names]
    for row, (head, tail) in enumerate(zip(pairs.head, pairs.tail, strict=True)):
        heads, tails = means[head], means[tail]
        for one, kind, other in paper.relations:
            if one in heads and other in tails:
                right[row, RELATION_TYPES.index(kind)] = 1
    return right


def _meant(paper: GoldPaper, mentions: Iterable[Mention]) -> Meant:
    """Return which annotated concepts the mentions of each concept stand for.

    Those whose mentions they overlap: a relation is no less stated where the name of a concept
    begins a word too late.
    """
    meant: defaultdict[str, set[str]] = defaultdict(set)
    for mention in mentions:
        for theirs in paper.mentions:
            if theirs.start < mention.end and mention.start < theirs.end:
                meant[mention.concept].add(theirs.concept)
    return meant


def fit_scores(model: RelationModel, papers: Sequence[GoldPaper], nlp: Language) -> RelationModel:
    """Return the model with its scores fitted on papers that it has not seen, and its thresholds.

    A relation is scored as it turns out between the mentions that the pipeline finds, and between
    those that people found, whose score is one.
    """
    papers = [clean_paper(paper) for paper in papers]
    theirs = _judge(model, zip(papers, map(gold_mentions, papers), strict=True))
    found = (list(annotated.mentions) for annotated in annotate(nlp, as_papers(papers)))
    ours = _judge(model, zip(papers, found, strict=True))
    both = [np.concatenate(parts) for parts in zip(theirs, ours, strict=True)]
    worth = both[0] >= WORTH
    return replace(
        model,
        calibration=logistic(both[1][worth], both[2][worth]),
        least_score=LEAST_SCORE,
        least_proposed=_least_proposed(model, papers),
    )


def _judge(model: RelationModel, papers: Iterable[tuple[GoldPaper, Sequence[Mention]]]) -> _Judged:
    """Say what the model thinks of every possible relation, and which of them are annotated."""
    nothing = np.zeros((0, EVIDENCE), dtype=np.float32)
    parts = [_Judged(nothing[:, 0], nothing, nothing[:, 0])]
    for paper, mentions in papers:
        if not mentions:
            continue
        layout = lay_out(paper.text, mentions, split_sentences(paper.text), model.vectors)
        if not len(pairs := pair_up(layout)):
            continue
        likely = pair_probabilities(layout, pairs, concept_roles(layout, model), model)
        known = evidence(likely, concept_scores(layout, mentions), pairs)
        right = _stated(paper, layout, pairs, _meant(paper, mentions))
        some = likely >= JUDGED
        parts.append(_Judged(likely[some], known[some], right[some]))
    return _Judged(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _least_proposed(model: RelationModel, papers: Sequence[GoldPaper]) -> float:
    examples = [_concept_example(_Laid.of(p, model.vectors)) for p in papers if p.mentions]
    likely = np.concatenate([model.roles(example.rows)[:, 0] for example in examples])
    right = np.concatenate([example.right[:, 0] for example in examples])
    return best_cut(likely, right)


def best_cut(scores: Floats, right: Floats) -> float:
    """Return the threshold with the best F1, where 1 is right and 0 is not; 0 without scores.

    Where many thresholds do almost as well as the best (`PLATEAU`), it is their mean.

    >>> best_cut(np.array([0.9, 0.8, 0.7, 0.6]), np.array([1.0, 0.0, 1.0, 0.0]))
    0.65
    """
    if not len(scores):
        return 0.0
    order = np.argsort(-scores, kind="stable")
    f1 = 2 * np.cumsum(right[order]) / (np.arange(1, len(order) + 1) + right.sum())
    cuts = (scores[order] + np.append(scores[order][1:], 0)) / 2
    return round(float(cuts[f1 >= f1.max() - PLATEAU].mean()), 4)


def logistic(known: Floats, right: Floats) -> Floats:
    """Return the weights of a logistic regression, by Newton's method.

    >>> from kg.extract.relation_network import sigmoid
    >>> weights = logistic(np.ones((400, 1)), np.repeat([1.0, 0.0], [300, 100]))
    >>> round(float(sigmoid(weights)[0]), 2)
    0.75
    """
    known = known.astype(np.float64)
    weights = np.zeros(known.shape[1])
    for _ in range(NEWTON_STEPS):
        p = 0.5 * (1 + np.tanh(0.5 * known @ weights))
        curvature = (known * (p * (1 - p))[:, None]).T @ known + RIDGE * np.eye(len(weights))
        weights = weights + np.linalg.solve(curvature, known.T @ (right - p) - RIDGE * weights)
    return weights.astype(np.float32)
