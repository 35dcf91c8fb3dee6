"""The parts of the teacher that need no torch."""

import numpy as np
import pytest
import spacy

import kg.extract.tokenizer  # noqa: F401  (registers the tokenizer)
from kg.errors import InputError, MissingExtra
from kg.extract.decode import TAGS
from kg.train import teacher
from kg.train.data import GoldMention, GoldPaper, Tags
from kg.train.examples import make_example, paper_tags

NLP = spacy.blank("en", config={"nlp": {"tokenizer": {"@tokenizers": "kg.Tokenizer.v1"}}})


def tags_of(size: int) -> Tags:
    return np.full((size, len(TAGS)), 15, dtype=np.uint8)


def test_without_torch_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(teacher, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"pip install '\.\[train\]'"):
        teacher.Teacher()


def test_a_machines_tags_are_learnt_in_place_of_mentions() -> None:
    paper = GoldPaper("p", "GAN wins", (GoldMention(0, 3, "Method", "GAN"),), tags=tags_of(2))
    example = make_example(paper, NLP, np.zeros(1, dtype=np.uint64))
    assert (example.tags == tags_of(2)).all()


def test_tags_of_other_tokens_are_refused() -> None:
    paper = GoldPaper("p7", "GAN wins", tags=tags_of(3))
    with pytest.raises(InputError, match="p7"):
        paper_tags(paper, NLP.make_doc(paper.text))


def test_a_mention_that_cuts_a_token_is_left_out() -> None:
    paper = GoldPaper("p", "GANs win", (GoldMention(0, 3, "Method", "GAN"),))
    assert (paper_tags(paper, NLP.make_doc(paper.text))[:, 0] == 255).all()
