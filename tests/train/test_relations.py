from collections.abc import Iterator

import numpy as np
import pytest
from spacy.language import Language

from kg.errors import ModelError
from kg.extract.load import load
from kg.extract.relation_features import pair_rows
from kg.extract.relation_layout import lay_out
from kg.extract.relation_model import add_relation_model, relation_model
from kg.extract.relation_network import Network
from kg.extract.relation_pairs import ALLOWED, pair_up
from kg.extract.relations import RelationModel, concept_roles, pair_probabilities
from kg.extract.sentences import split_sentences
from kg.records import RELATION_TYPES, Paper
from kg.train import relations
from kg.train.data import GoldConcept, GoldMention, GoldPaper
from kg.train.fit import TrainingConfig
from kg.train.relation_fit import Example, FitConfig, compact
from kg.train.relation_votes import voted
from kg.train.relations import annotate_gold, gold_mentions, train_relations
from kg.train.train import make_pipeline

WORDS = np.array([1, 2], dtype=np.uint64)


@pytest.fixture(scope="module")
def nlp() -> Language:
    """A pipeline that has learnt nothing yet."""
    made = make_pipeline(WORDS, 4, TrainingConfig(width=8, dilations=(1,)))
    made.get_pipe("ner").model.initialize()  # type: ignore[attr-defined]
    return made


def paper(number: int) -> GoldPaper:
    """A paper that proposes one method for a task and compares it with another."""
    ours, theirs, task = f"Alpha{number}", f"Beta{number}", f"parsing{number}"
    text = f"We propose {ours} for {task}. {ours} outperforms {theirs} there."
    mentions = [
        GoldMention(at, at + len(name), kind, name)  # type: ignore[arg-type]
        for name, kind in ((ours, "Method"), (theirs, "Method"), (task, "Task"))
        for at in range(len(text))
        if text.startswith(name, at)
    ]
    return GoldPaper(
        str(number),
        text,
        tuple(mentions),
        (GoldConcept(ours, core=True, proposed=True), GoldConcept(theirs), GoldConcept(task)),
        ((ours, "used_for", task), (ours, "compared_with", theirs)),
    )


def test_training_learns_what_papers_say(nlp: Language, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CONCEPTS", "PAIRS"):
        small = FitConfig(table=2048, width=16, epochs=10, batch=8, learning_rate=0.01)
        monkeypatch.setattr(relations, name, small)
    gold = [paper(number) for number in range(150)]
    add_relation_model(nlp, train_relations(gold, nlp))
    (read,) = annotate_gold([paper(1000)], nlp)
    stated = {(r.head, r.type, r.tail) for r in read.relations if r.score > 0.5}
    assert stated == set(paper(1000).relations)
    assert read.proposes == ("Alpha1000",)
    assert read.mentions == tuple(gold_mentions(paper(1000)))


def test_unlabelled_papers_are_read_by_the_vote_of_networks(
    nlp: Language, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = FitConfig(table=2048, width=16, epochs=2, batch=8)
    for name in ("CONCEPTS", "PAIRS", "TAUGHT"):
        monkeypatch.setattr(relations, name, small)
    voters: list[int] = []

    def vote(
        papers: tuple[Paper, ...], nlp: Language, model: RelationModel, networks: list[Network]
    ) -> Iterator[Example]:
        voters.append(len(networks))
        for one in papers:
            mentions = gold_mentions(paper(int(one.id)))
            text = one.text("abstract")
            layout = lay_out(text, mentions, split_sentences(text), model.vectors)
            pairs = pair_up(layout)
            rows = pair_rows(layout, pairs, concept_roles(layout, model), table=2048)
            # The vote says what the gold never does.
            right = np.zeros((len(pairs), len(RELATION_TYPES)), dtype=np.float32)
            right[:, RELATION_TYPES.index("part_of")] = 1
            yield Example(compact(rows), right, ALLOWED[pairs.kind])

    monkeypatch.setattr(relations, "voted", vote)
    gold = [paper(number) for number in range(30)]
    papers = [Paper(str(number), abstract=paper(number).text) for number in range(400)]
    taught = train_relations(gold, nlp, unlabelled=papers)
    alone = train_relations(gold, nlp)
    layout = lay_out(gold[1].text, gold_mentions(gold[1]), [(0, 99)], taught.vectors)
    pairs = pair_up(layout)
    part_of = RELATION_TYPES.index("part_of")
    after, before = (
        pair_probabilities(layout, pairs, concept_roles(layout, model), model)[:, part_of].max()
        for model in (taught, alone)
    )
    assert voters == [3]
    assert after > 0.5 > before


def test_votes_are_of_the_mentions_that_are_found() -> None:
    packaged = load()
    model = relation_model(packaged)
    assert model is not None
    papers = [Paper("p", abstract="We train a graph neural network on ImageNet."), Paper("q")]
    [example] = voted(papers, packaged, model, [model.related, model.related])
    [once] = voted(papers, packaged, model, [model.related])
    assert len(example.rows) == 1  # the dataset is no head of any relation here
    assert np.allclose(example.right, once.right)
    assert example.right.max() > 0.1


def test_a_pipeline_without_relations_says_so() -> None:
    bare = make_pipeline(WORDS, 4, TrainingConfig(width=8, dilations=(1,)))
    assert relation_model(bare) is None
    with pytest.raises(ModelError, match="train it on annotated relations"):
        next(annotate_gold([paper(0)], bare))
