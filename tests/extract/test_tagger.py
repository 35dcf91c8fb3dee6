from pathlib import Path

import numpy as np
import pytest

import kg.extract.tagger
from kg.errors import ModelError
from kg.extract.load import PACKAGED, load

TEXTS = (
    "We train a graph neural network (GNN) on ImageNet and report accuracy.",
    "Contrastive learning helps image classification; GNNs help node classification on Cora.",
    "Nothing.",
)


@pytest.fixture(scope="module")
def nlp():
    return load()


def entities(doc) -> list[tuple[str, str, float]]:
    return [(ent.text, ent.label_, ent._.score) for ent in doc.ents]


def test_mentions_have_types_and_scores(nlp) -> None:
    found = {text: kind for text, kind, _ in entities(nlp(TEXTS[0]))}
    assert found["graph neural network"] == "Method"
    assert found["ImageNet"] == "Dataset"
    assert all(0 < score <= 1 for _, _, score in entities(nlp(TEXTS[0])))


def test_order_and_company_change_nothing(nlp) -> None:
    alone = [entities(load()(text)) for text in TEXTS]
    assert [entities(doc) for doc in nlp.pipe(TEXTS)] == alone
    assert [entities(doc) for doc in nlp.pipe(TEXTS[::-1], batch_size=1)] == alone[::-1]


def test_empty_and_blank_texts(nlp) -> None:
    assert [len(nlp(text).ents) for text in ("", " ", "\n\n")] == [0, 0, 0]


@pytest.mark.parametrize("text", ["-" * 40_000, "(" * 3000 + "x" + ")" * 3000, "A" * 200_000])
def test_runs_of_signs_and_endless_words_are_no_mentions(nlp, text: str) -> None:
    assert nlp(text).ents == ()


def test_a_text_longer_than_a_piece_is_read_to_its_end(nlp, monkeypatch) -> None:
    monkeypatch.setattr(kg.extract.tagger, "PIECE", 40)
    doc = nlp(" ".join([TEXTS[0]] * 20))
    assert max(ent.start for ent in doc.ents) > len(doc) - 20


def test_weights_survive_writing(nlp, tmp_path: Path) -> None:
    nlp.to_disk(tmp_path / "model")
    again = load(tmp_path / "model")
    assert entities(again(TEXTS[0])) == entities(nlp(TEXTS[0]))


def test_a_missing_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no model is there"):
        load(tmp_path)


@pytest.mark.parametrize("name", ["config.cfg", "ner/weights.npz"])
def test_a_damaged_model_is_told(nlp, tmp_path: Path, name: str) -> None:
    nlp.to_disk(tmp_path / "model")
    file = tmp_path / "model" / name
    file.write_bytes(file.read_bytes()[:100])
    with pytest.raises(ModelError, match="damaged"):
        load(tmp_path / "model")


def test_the_packaged_model_is_small() -> None:
    assert sum(f.stat().st_size for f in PACKAGED.rglob("*") if f.is_file()) < 15_000_000


def test_scores_are_rounded_to_three_decimals(nlp) -> None:
    scores = np.array([score for text in TEXTS for _, _, score in entities(nlp(text))])
    assert (scores == scores.round(3)).all()
