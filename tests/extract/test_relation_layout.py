from collections.abc import Callable

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kg.extract.relation_layout import MARGIN, WordVectors, lay_out
from kg.extract.sentences import split_sentences
from kg.records import AnnotatedPaper, Mention

Marked = Callable[..., AnnotatedPaper]

VECTORS = WordVectors(np.array([5, 7], dtype=np.uint64), np.array([[9], [1], [2]], np.float32))


def test_mentions_are_ordered_by_concept(marked: Marked) -> None:
    paper = marked("p", "[[GNN|M|net]] on [[Cora|D]]. A [[graph net|M|net]] and [[MRR@5|E]].")
    text = paper.paper.text("abstract")
    layout = lay_out(text, paper.mentions, split_sentences(text), VECTORS)
    assert layout.names == ("net", "Cora", "MRR@5")
    assert (layout.start - MARGIN).tolist() == [0, 5, 2, 8]
    assert (layout.end - MARGIN).tolist() == [1, 7, 3, 11]
    assert layout.sentence.tolist() == [0, 1, 0, 1]
    assert layout.first.tolist() == [0, 2, 3]
    assert layout.longest.tolist() == [1, 2, 3]
    assert layout.shape.tolist() == [2, 1, 2]
    assert (layout.opens - MARGIN).tolist() == [0, 4]


@given(st.text(min_size=1, max_size=60), st.data())
def test_any_text_and_span_can_be_laid_out(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    mention = Mention(start, end, text[start:end], "Task", "x", 0.5, "abstract", (0, len(text)))
    layout = lay_out(text, [mention], [(0, len(text))], VECTORS)
    assert MARGIN <= layout.start[0] < layout.end[0] <= len(layout.words) - MARGIN + 1


def test_vectors_of_unknown_words_are_the_first_row() -> None:
    sums = VECTORS.sums(np.array([0, 5, 7, 6], dtype=np.uint64))
    spans = np.array([1, 1, 3]), np.array([2, 3, 3])
    assert sums.mean(*spans)[:, 0].tolist() == [1.0, 1.5, 0.0]
