import json
from pathlib import Path

import numpy as np

from kg.extract.load import load
from kg.train.fit import TrainingConfig
from kg.train.train import train

NAMES = ("alphanet", "betanet", "gammanet", "deltanet")
CONFIG = TrainingConfig(width=16, dilations=(1,), dropout=0.0, word_dropout=0.0, epochs=40, batch=4)


def gold_file(path: Path) -> Path:
    lines = []
    for number, name in enumerate(NAMES * 3):
        text = f"We present {name} for parsing."
        mentions = [
            {"start": 11, "end": 11 + len(name), "type": "Method", "concept": name},
            {"start": 16 + len(name), "end": 23 + len(name), "type": "Task", "concept": "parsing"},
        ]
        lines.append(json.dumps({"id": str(number), "text": text, "mentions": mentions}))
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def vectors_file(path: Path) -> Path:
    words = ["we", "present", "for", "parsing", "."]
    np.savez(path, words=np.array(words), vectors=np.eye(5, 8, dtype=np.float32))
    return path


def test_training_learns_its_papers_and_repeats_itself(tmp_path: Path) -> None:
    gold, vectors = gold_file(tmp_path / "gold.jsonl"), vectors_file(tmp_path / "vectors.npz")
    figures = [
        train([gold], dev=gold, output=tmp_path / name, vectors=vectors, config=CONFIG)
        for name in ("one", "two")
    ]
    assert figures[0] == figures[1]
    assert figures[0].strict.f1 > 90
    one, two = ((tmp_path / n / "ner" / "weights.npz").read_bytes() for n in ("one", "two"))
    assert one == two
    doc = load(tmp_path / "one")("We present zetanet for parsing.")
    assert ("parsing", "Task") in [(ent.text, ent.label_) for ent in doc.ents]
