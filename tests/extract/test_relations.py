from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import spacy

from kg.extract.relation_concepts import concept_rows
from kg.extract.relation_features import pair_rows
from kg.extract.relation_layout import WordVectors, lay_out
from kg.extract.relation_model import RelationWeights
from kg.extract.relation_network import Network
from kg.extract.relation_pairs import pair_up
from kg.extract.relations import PIECE, RelationModel, Statements, find_statements
from kg.extract.sentences import split_sentences
from kg.records import AnnotatedPaper
from kg.train.relation_fit import Example, FitConfig, start

Marked = Callable[..., AnnotatedPaper]
TEXT = (
    "We propose [[FooNet|M]], a [[GNN|M|graph neural network]]. It is for [[parsing|T]]. "
    "[[FooNet|M]] beats [[BarNet|M]] on [[Cora|D]] by [[accuracy|E]]."
)
CONFIG = FitConfig(table=512, width=8)


@pytest.fixture(scope="module")
def model(marked: Marked) -> RelationModel:
    """A model with random weights, sure of nothing and silent about nothing."""
    table = np.zeros((2, 4), dtype=np.float32)
    vectors = WordVectors(np.array([1], dtype=np.uint64), table)
    paper = marked("p", TEXT)
    text = paper.paper.text("abstract")
    layout = lay_out(text, paper.mentions, split_sentences(text), vectors)
    concepts = concept_rows(layout, table=CONFIG.table)
    roles = np.full((len(layout.names), 2), 0.5, dtype=np.float32)
    pairs = pair_rows(layout, pair_up(layout), roles, table=CONFIG.table)
    nothing = np.zeros((len(pairs), 8), dtype=np.float32)
    return RelationModel(
        roles=network(Example(concepts, roles, roles > 0)),
        related=network(Example(pairs, nothing, nothing > 0)),
        calibration=np.array([1, 0, 1, 1, 0, 0], dtype=np.float32),
        least_score=0.0,
        least_proposed=0.0,
        vectors=vectors,
    )


def network(example: Example) -> Network:
    return Network(start(example, CONFIG, np.random.default_rng(0)))


def said(paper: AnnotatedPaper, model: RelationModel) -> Statements:
    text = paper.paper.text("abstract")
    return find_statements(text, paper.mentions, split_sentences(text), model)


def test_relations_join_concepts_of_the_text_and_show_their_evidence(
    marked: Marked, model: RelationModel
) -> None:
    paper = marked("p", TEXT)
    text, types = paper.paper.text("abstract"), {m.concept: m.type for m in paper.mentions}
    relations = said(paper, model).relations
    assert relations == tuple(sorted(relations, key=lambda r: (r.start, r.end)))
    for relation in relations:
        evidence = text[relation.start : relation.end]
        for end in (relation.head, relation.tail):
            assert any(m.text in evidence for m in paper.mentions if m.concept == end)
        assert evidence.endswith(".")
        assert relation.head != relation.tail and 0 < relation.score < 1
    found = {(types[r.head], r.type, types[r.tail]) for r in relations}
    assert ("Method", "evaluated_on", "Dataset") in found
    assert ("Dataset", "used_for", "Task") not in found
    first = next(r for r in relations if {r.head, r.tail} == {"FooNet", "graph neural network"})
    assert text[first.start : first.end] == "We propose FooNet, a GNN."


def test_thresholds_hold(marked: Marked, model: RelationModel) -> None:
    nothing = said(marked("p", TEXT), replace(model, least_score=1.0, least_proposed=1.0))
    assert nothing == Statements((), ())
    everything = said(marked("p", TEXT), model)
    assert everything.proposes == ("FooNet", "graph neural network", "parsing", "BarNet", "Cora")


def test_scores_fall_with_those_of_the_mentions(marked: Marked, model: RelationModel) -> None:
    paper = marked("p", TEXT)
    doubtful = tuple(replace(m, score=0.4) for m in paper.mentions)
    sure, unsure = (said(p, model).relations for p in (paper, replace(paper, mentions=doubtful)))
    assert [r.type for r in sure] == [r.type for r in unsure]
    assert all(a.score > b.score for a, b in zip(sure, unsure, strict=True))


def test_texts_without_mentions_or_pairs_say_nothing(marked: Marked, model: RelationModel) -> None:
    assert said(marked("p", "Nothing is here."), model) == Statements()
    assert said(marked("p", "[[accuracy|E]] is all."), model) == Statements()


def test_long_texts_are_read_in_pieces(marked: Marked, model: RelationModel) -> None:
    text = " ".join(f"[[Net{n}|M]] on [[Cora|D]] does well." for n in range(2 * PIECE))
    relations = said(marked("p", text), model).relations
    joined = {r.head for r in relations if r.tail == "Cora"}
    assert joined == {f"Net{n}" for n in range(2 * PIECE)}
    assert len(relations) == len({(r.head, r.type, r.tail) for r in relations})
    assert len(relations) < 20 * PIECE**2


def test_weights_are_stored_in_the_pipeline(tmp_path: Path, model: RelationModel) -> None:
    pipe = RelationWeights("relations")
    pipe.arrays = {"roles.table": model.roles.weights["table"], "least_score": np.float32(0.3)}
    pipe.to_disk(tmp_path / "relations")
    again = RelationWeights("relations").from_disk(tmp_path / "relations")
    assert again.arrays["least_score"] == np.float32(0.3)
    np.testing.assert_allclose(
        again.arrays["roles.table"], model.roles.weights["table"], rtol=1e-3, atol=1e-4
    )
    doc = spacy.blank("en")("A text.")
    assert pipe(doc) is doc
