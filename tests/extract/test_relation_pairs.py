from collections.abc import Callable

import numpy as np

from kg.extract.relation_layout import WordVectors, lay_out
from kg.extract.relation_pairs import ALLOWED, KIND, pair_up
from kg.extract.sentences import split_sentences
from kg.records import CONCEPT_TYPES, RELATION_TYPES, AnnotatedPaper

Marked = Callable[..., AnnotatedPaper]


def test_each_allowed_pair_has_its_nearest_mentions(marked: Marked) -> None:
    paper = marked(
        "p", "[[A|M]] for [[B|T]] at last. We compare [[A|M]] with [[C|M]] by [[D|E]] in [[B|T]]."
    )
    text = paper.paper.text("abstract")
    vectors = WordVectors(np.ones(1, np.uint64), np.eye(2, dtype=np.float32))
    layout = lay_out(text, paper.mentions, split_sentences(text), vectors)
    pairs = pair_up(layout)
    names = [
        (layout.names[h], layout.names[t]) for h, t in zip(pairs.head, pairs.tail, strict=True)
    ]
    assert names == [tuple(pair) for pair in ("AB", "AC", "AD", "BD", "CA", "CB", "CD")]
    assert dict(zip(names, pairs.gap.tolist(), strict=True)) == {
        ("A", "B"): 1, ("A", "C"): 1, ("A", "D"): 3, ("B", "D"): 1,
        ("C", "A"): 1, ("C", "B"): 3, ("C", "D"): 1,
    }  # fmt: skip
    assert pairs.apart.tolist() == [0] * 7
    assert pairs.together.tolist() == [2, 1, 1, 1, 1, 1, 1]


def test_relations_join_the_types_of_the_guidelines() -> None:
    joined = {
        (head, RELATION_TYPES[kind], tail)
        for h, head in enumerate(CONCEPT_TYPES)
        for t, tail in enumerate(CONCEPT_TYPES)
        if KIND[h, t] >= 0
        for kind in ALLOWED[KIND[h, t]].nonzero()[0]
    }
    assert joined == {
        ("Method", "used_for", "Task"), ("Method", "used_for", "Method"),
        ("Method", "evaluated_on", "Dataset"), ("Method", "trained_on", "Dataset"),
        ("Dataset", "benchmark_for", "Task"), ("Method", "part_of", "Method"),
        ("Method", "subclass_of", "Method"), ("Task", "subclass_of", "Task"),
        ("Method", "compared_with", "Method"), ("Method", "measured_by", "Metric"),
        ("Task", "measured_by", "Metric"),
    }  # fmt: skip
