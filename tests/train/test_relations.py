import numpy as np
import pytest
from spacy.language import Language

from kg.errors import ModelError
from kg.extract.relation_model import add_relation_model, relation_model
from kg.train import relations
from kg.train.data import GoldConcept, GoldMention, GoldPaper
from kg.train.fit import TrainingConfig
from kg.train.relation_fit import FitConfig
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


def test_a_pipeline_without_relations_says_so() -> None:
    bare = make_pipeline(WORDS, 4, TrainingConfig(width=8, dilations=(1,)))
    assert relation_model(bare) is None
    with pytest.raises(ModelError, match="train it on annotated relations"):
        next(annotate_gold([paper(0)], bare))
