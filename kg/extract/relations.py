"""What a text says of its concepts: which the paper proposes, and how they are related."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..records import CONCEPT_TYPES, RELATION_TYPES, Field, Mention, Relation, Span
from ..resolve.names import words
from .blas import one_thread
from .relation_concepts import concept_rows
from .relation_features import pair_rows
from .relation_layout import Floats, Layout, WordVectors, lay_out
from .relation_network import Network, sigmoid
from .relation_pairs import ALLOWED, Pairs, pair_up

METRIC = CONCEPT_TYPES.index("Metric")
SUBCLASS_OF = RELATION_TYPES.index("subclass_of")
EVIDENCE = 6  # columns of `evidence`
PIECE = 64  # mentions looked at together; an abstract has some 15


@dataclass(frozen=True, slots=True)
class RelationModel:
    """All that was learnt of relations.

    Attributes
    ----------
    roles, related : Network
        Say of concepts whether the paper introduces them and whether they are core to it, and of
        pairs of concepts how they are related.
    calibration : array
        The weights of `evidence` in a score.
    least_score, least_proposed : float
        The least score of a relation and the least probability of a proposed concept.
    vectors : WordVectors
        The word vectors that the networks were trained with, those of the tagger.
    """

    roles: Network
    related: Network
    calibration: Floats
    least_score: float
    least_proposed: float
    vectors: WordVectors


@dataclass(frozen=True, slots=True)
class Statements:
    """The relations that a text states and the concepts that its paper proposes."""

    relations: tuple[Relation, ...] = ()
    proposes: tuple[str, ...] = ()


def find_statements(
    text: str,
    mentions: Sequence[Mention],
    sentences: Sequence[Span],
    model: RelationModel,
    *,
    relations: bool = True,
) -> Statements:
    """Find what a text says of its concepts.

    Parameters
    ----------
    text : str
        The text of one field of a paper.
    mentions : sequence of Mention
        Its mentions in order of place, with their concepts named.
    sentences : sequence of Span
        Its sentences, from `kg.extract.sentences.split_sentences`.
    model : RelationModel
        The model of the pipeline, from `kg.extract.relation_model.relation_model`.
    relations : bool
        Whether to look for relations, or only for what the paper proposes.

    Returns
    -------
    Statements
        The relations by place of their evidence, each with the probability that it is stated
        between these concepts, whatever exactly they are called, and the names of the proposed
        concepts by first mention.
    """
    stated: dict[tuple[str, str, str], Relation] = {}
    proposes: dict[str, None] = {}
    for at in range(0, len(mentions), PIECE):
        piece = mentions[at : at + PIECE]
        with one_thread():
            found, names = _read(text, piece, sentences, model, relations=relations)
        for relation in found:
            stated.setdefault((relation.head, relation.type, relation.tail), relation)
        proposes |= dict.fromkeys(names)
    ordered = sorted(stated.values(), key=lambda r: (r.start, r.end, r.head, r.tail, r.type))
    return Statements(tuple(ordered), tuple(proposes))


def _read(
    text: str,
    mentions: Sequence[Mention],
    sentences: Sequence[Span],
    model: RelationModel,
    *,
    relations: bool,
) -> tuple[list[Relation], list[str]]:
    layout = lay_out(text, mentions, sentences, model.vectors)
    roles = concept_roles(layout, model)
    proposed = (roles[:, 0] >= model.least_proposed) & (layout.type != METRIC)
    names = [layout.names[at] for at in np.nonzero(proposed)[0]]
    if not relations or not len(pairs := pair_up(layout)):
        return [], names
    likely = pair_probabilities(layout, pairs, roles, model)
    scores = calibrated(likely, concept_scores(layout, mentions), pairs, model.calibration)
    kept = (scores >= model.least_score) & ALLOWED[pairs.kind]
    places = [(sentences[at], mentions[0].field) for at in layout.sentence]
    return list(_relations(layout, pairs, np.where(kept, scores, 0), places)), names


def concept_roles(layout: Layout, model: RelationModel) -> Floats:
    """Return how likely the paper introduces each concept, and how likely it is core to it."""
    table = len(model.roles.weights["table"])
    return model.roles(concept_rows(layout, table=table))


def pair_probabilities(layout: Layout, pairs: Pairs, roles: Floats, model: RelationModel) -> Floats:
    """Return how likely each relation is for each of `pairs`, given that the concepts are right."""
    table = len(model.related.weights["table"])
    rows = pair_rows(layout, pairs, roles, table=table)
    return np.asarray(model.related(rows) * ALLOWED[pairs.kind], dtype=np.float32)


def concept_scores(layout: Layout, mentions: Sequence[Mention]) -> Floats:
    """Return the best score of the mentions of each concept."""
    best = dict.fromkeys(layout.names, 0.0)
    for mention in mentions:
        best[mention.concept] = max(best[mention.concept], mention.score)
    return np.array(list(best.values()), dtype=np.float32)


def calibrated(likely: Floats, scores: Floats, pairs: Pairs, calibration: Floats) -> Floats:
    """Return how likely each relation is stated between these concepts, their bounds aside."""
    return sigmoid(evidence(likely, scores, pairs) @ calibration)


def evidence(likely: Floats, scores: Floats, pairs: Pairs) -> Floats:
    """Return what the score of each relation of each pair is made of."""
    log = np.log(np.maximum(scores, 1e-3))
    shape = likely.shape
    logit = _logit(likely)
    head, tail = (np.broadcast_to(log[of][:, None], shape) for of in (pairs.head, pairs.tail))
    columns = [logit, np.maximum(logit, 0), head, tail, logit * (head + tail), np.ones(shape)]
    return np.stack(columns, axis=-1, dtype=np.float32)


def _logit(p: Floats) -> Floats:
    clipped = np.clip(p, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(clipped / (1 - clipped)), dtype=np.float32)


def _relations(
    layout: Layout, pairs: Pairs, scores: Floats, places: Sequence[tuple[Span, Field]]
) -> Iterator[Relation]:
    """Yield the relations with a score, with the sentences of their nearest mentions."""
    for row, kind in zip(*np.nonzero(scores), strict=True):
        (first, field), (second, _) = sorted(
            places[at] for at in (pairs.at_head[row], pairs.at_tail[row])
        )
        head, tail = layout.names[pairs.head[row]], layout.names[pairs.tail[row]]
        if kind == SUBCLASS_OF and _is_narrower(tail, head):
            continue
        yield Relation(
            head=head,
            type=RELATION_TYPES[kind],
            tail=tail,
            score=round(float(scores[row, kind]), 3),
            start=first[0],
            end=second[1],
            field=field,
        )


def _is_narrower(name: str, other: str) -> bool:
    """Tell whether a name says itself that it is a kind of the other: deep network, network."""
    parts, ending = words(name), words(other)
    return len(parts) > len(ending) and parts[-len(ending) :] == ending
