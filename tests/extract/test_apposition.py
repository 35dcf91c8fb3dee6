from collections.abc import Callable
from dataclasses import replace

import pytest

from kg.extract.apposition import appositions, is_called_data
from kg.records import AnnotatedPaper

Marked = Callable[..., AnnotatedPaper]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[Pairwise Policy Proximity|M]] ([[P3|M]]) wins.", ("P3", "Pairwise Policy Proximity")),
        ('[[TriNet|M]] ("[[tritone network|M]]") wins.', ("TriNet", "tritone network")),
        ("[[sequence to sequence|M]] ([[seq2seq|M]]).", ("seq2seq", "sequence to sequence")),
        ("[[ALBA|M]], an [[Agile Library Builder|M]].", ("ALBA", "Agile Library Builder")),
        ("[[ALBA|M]]: [[Agile Library Builder|M]].", ("ALBA", "Agile Library Builder")),
        ("[[Pairwise Policy Proximity|M]] method ([[P3|M]]).", ("P3", "Pairwise Policy Proximity")),
        ("[[Hard vs. Soft Assignment|M]] ([[HASA|M]]).", ("HASA", "Hard vs. Soft Assignment")),
        ("[[tritone step network|M]], or [[TSN|M]].", ("TSN", "tritone step network")),
        ("[[tritone step network|M]] called [[TriNet|M]].", ("TriNet", "tritone step network")),
        ("[[tritone step network|M]] (a.k.a. [[TSN|M]]).", ("TSN", "tritone step network")),
        # What names a thing and its sort, a part of it, or another thing:
        ("[[language models|M]] ([[TritoneLM|M]]) win.", None),
        ("[[language models|M]] ([[word models|M]]) win.", None),
        ("[[Tritone|M]] ([[Tritone-7|M]]) wins.", None),
        ("[[language models|M]] ([[models|M]]) win.", None),
        ("[[hyper-rectangles|M]] ([[boxes|M]]) are few.", None),
        ("[[sequence to sequence|M]] ([[seq2seq|D]]).", None),
        ("[[sequence to sequence|M]] ([[seq2seq|M]] and more).", None),
        ("[[ALBA|M]], an [[agile library builder|M]].", None),
        ("[[ALBA|M]], the [[Best of All|M]].", None),
        ("[[hyper-rectangles|M]], the [[Boxes|M]].", None),
        ("[[Agile Library Builder|M]], a [[ALBA|M]].", None),
        ("[[TSN|M]], or [[tritone step network|M]].", None),
        ("[[GPT-3.5|M]] or [[GPT-4|M]].", None),
        ("[[GPT-3.5 turbo|M]] or [[GPT-4|M]].", None),
        ("[[Transformers|M]] or [[T5|M]].", None),
        ("[[tritone step network|M]] called [[Augment|M]].", None),
        ("[[tritone step network|M]] and so on ([[TSN|M]]).", None),
    ],
)
def test_names_side_by_side(marked: Marked, text: str, expected: tuple[str, str] | None) -> None:
    annotated = marked("p", text)
    found = list(appositions(annotated.paper, annotated.mentions))
    assert found == ([expected] if expected else [])


def test_title_and_abstract_are_not_side_by_side(marked: Marked) -> None:
    annotated = marked("p", "[[sequence to sequence|M]] ([[seq2seq|M]]).")
    one, other = annotated.mentions
    assert list(appositions(annotated.paper, (one, other)))
    assert not list(appositions(annotated.paper, (replace(one, field="title"), other)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[BIRD-5|M]], a richly annotated dataset of songs.", True),
        ("[[BIRD-5|M]] (birds of five lands), the first long-term benchmark.", True),
        ("A corpus called [[BIRD-5|M]].", True),
        ("Using [[BIRD-5|M]], our dataset grows.", False),
        ("With [[BIRD-5|M]], the song dataset grows.", False),
        ("[[BIRD-5|M]], a dataset-free method.", False),
        ("[[BIRD-5|M]], which is the largest testbed.", True),
        ("[[BIRD-5|M]], a dataset distillation framework.", False),
        ("[[BIRD-5|M]], a model using a large corpus.", False),
        ("[[BIRD-5|M]], a model for the dataset.", False),
        ("[[BIRD-5|M]] wins on a dataset.", False),
        ("On the dataset [[BIRD-5|M]] wins.", False),
        ("[[songs|M]], a dataset.", False),
    ],
)
def test_what_is_called_data(marked: Marked, text: str, expected: bool) -> None:
    annotated = marked("p", text)
    assert is_called_data(annotated.paper, annotated.mentions[0]) is expected
