import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import InputError
from kg.extract.decode import TAGS
from kg.train.data import GoldMention, GoldPaper, clean_paper, pack_tags, read_gold, unpack_tags

LINE = {
    "id": "p",
    "text": "GAN wins",
    "mentions": [{"start": 0, "end": 3, "type": "Method", "concept": "GAN"}],
}


def write(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_line_becomes_a_paper(tmp_path: Path) -> None:
    line = LINE | {
        "concepts": [{"name": "GAN", "core": True}],
        "relations": [{"head": "GAN", "type": "used_for", "tail": "GAN"}],
    }
    (paper,) = read_gold(write(tmp_path / "gold.jsonl", json.dumps(line), ""))
    assert paper.mentions == (GoldMention(0, 3, "Method", "GAN"),)
    assert (paper.concepts[0].core, paper.concepts[0].must) == (True, False)
    assert paper.relations == (("GAN", "used_for", "GAN"),)


def test_line_separators_inside_a_text_end_no_line(tmp_path: Path) -> None:
    line = json.dumps(LINE | {"text": "GAN\u2028wins"}, ensure_ascii=False)
    assert len(read_gold(write(tmp_path / "gold.jsonl", line))) == 1


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "JSONDecodeError"),
        ("[]", "AttributeError"),
        ('{"id": "p", "text": "GAN"}', "mentions"),
        (json.dumps(LINE | {"text": "GA"}), "outside the text"),
        (json.dumps(LINE).replace("Method", "Gadget"), "Gadget"),
        (json.dumps(LINE | {"tags": "no"}), "rror"),
    ],
    ids=["no JSON", "no object", "no mentions", "outside", "unknown type", "bad tags"],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, reason: str) -> None:
    path = write(tmp_path / "gold.jsonl", json.dumps(LINE), line)
    with pytest.raises(InputError, match=rf"gold\.jsonl:2: .*{reason}"):
        read_gold(path)


def test_missing_and_empty_files_are_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_gold(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match="no annotated paper"):
        read_gold(write(tmp_path / "empty.jsonl", ""))


def test_cleaning_moves_mentions() -> None:
    paper = clean_paper(GoldPaper("p", "A  \\emph{GAN}", (GoldMention(9, 12, "Method", "GAN"),)))
    (mention,) = paper.mentions
    assert paper.text[mention.start : mention.end] == "GAN"


@given(st.lists(st.lists(st.integers(0, 255), min_size=17, max_size=17), max_size=5))
def test_tags_survive_packing(rows: list[list[int]]) -> None:
    tags = np.array(rows, dtype=np.float32).reshape(-1, len(TAGS))
    assert (unpack_tags(pack_tags(tags / 255), columns=len(TAGS)) == tags).all()
