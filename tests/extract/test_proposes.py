from collections.abc import Callable

import pytest

from kg.extract.proposes import find_proposed
from kg.records import AnnotatedPaper

Marked = Callable[..., AnnotatedPaper]


@pytest.mark.parametrize(
    ("text", "proposed"),
    [
        ("In this paper, we propose [[LoRA|M]], which helps [[GPT-2|M]].", ["LoRA"]),
        ("We introduce a novel method called [[FooNet|M]].", ["FooNet"]),
        ("This paper presents [[BarBench|D]], a new [[benchmark of bars|D]].",
         ["BarBench", "benchmark of bars"]),
        ("We propose to train [[GPT-2|M]] by [[sampling|M]].", []),
        ("We use [[Adam|M]]. Extensive experiments on [[COCO|D]] follow.", []),
        ("Our [[FooNet|M]] beats [[BarNet|M]].", ["FooNet"]),
        ("Our experiments on [[COCO|D]] are good.", []),
        ("We propose [[accuracy|E]].", []),
    ],
)  # fmt: skip
def test_find_proposed_known(marked: Marked, text: str, proposed: list[str]) -> None:
    annotated = marked("p", text)
    assert find_proposed(annotated.paper.text("abstract"), annotated.mentions) == proposed
