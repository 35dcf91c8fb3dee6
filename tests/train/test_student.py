import json
from pathlib import Path

import numpy as np

from kg.extract.decode import TAGS
from kg.extract.load import load
from kg.records import Paper
from kg.train.data import GoldPaper, Tags, read_gold
from kg.train.examples import make_example
from kg.train.student import tag_papers

NLP = load()
ABSTRACT = "We train ResNet on ImageNet."
PAPER = Paper("p", title="Wide ResNets", abstract=ABSTRACT)


def tagged(teacher: dict[str, Tags] | None, path: Path) -> GoldPaper:
    lines = tag_papers([PAPER], NLP, teacher=teacher)
    path.write_text("".join(map(json.dumps, lines)), encoding="utf-8")
    [paper] = read_gold(path)
    return paper


def test_title_and_abstract_are_one_text_with_a_line_end_outside_all_mentions(
    tmp_path: Path,
) -> None:
    paper = tagged(None, tmp_path / "silver.jsonl")
    assert paper.text == f"Wide ResNets\n{ABSTRACT}"
    example = make_example(paper, NLP, np.zeros(1, dtype=np.uint64))
    words = [token.text for token in NLP.make_doc(paper.text)]
    assert example.tags[words.index("\n"), 0] == 255
    assert example.tags[words.index("ImageNet")].argmax() == TAGS.index("S-Dataset")


def test_a_teachers_tags_count_as_much_as_the_pipelines(tmp_path: Path) -> None:
    sure = np.zeros((len(NLP.make_doc(ABSTRACT)), len(TAGS)), dtype=np.uint8)
    sure[:, 0] = 255
    alone, both = (
        tagged(teacher, tmp_path / "silver.jsonl").tags for teacher in (None, {ABSTRACT: sure})
    )
    assert alone is not None
    assert both is not None
    assert (both[:3] == alone[:3]).all()  # the title's
    mean = (alone[3:].astype(float) + sure) / 2
    assert np.abs(both[3:] - mean).max() <= 1
