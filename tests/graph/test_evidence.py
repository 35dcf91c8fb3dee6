import math
from collections.abc import Callable
from dataclasses import replace

from kg.graph.evidence import paper_evidence
from kg.records import AnnotatedPaper

Marked = Callable[..., AnnotatedPaper]


def test_a_mention_in_the_title_counts_twice(marked: Marked) -> None:
    annotated = marked("p", "[[pruning|M]] or [[pruning|M]], and [[LoRA|M]].")
    title = replace(annotated.mentions[0], field="title")
    found = paper_evidence(replace(annotated, mentions=(title, *annotated.mentions[1:])), {})
    assert found == {"pruning": (math.sqrt(3), 0), "LoRA": (1.0, 2)}


def test_a_mention_counts_half_for_what_its_name_holds(marked: Marked) -> None:
    annotated = marked("p", "[[graph pruning|M]] of a [[graph|T]], then [[graph pruning|M]].")
    parts = {"graph pruning": ("graph", "pruning")}
    assert paper_evidence(annotated, parts) == {
        "graph pruning": (math.sqrt(2), 0),
        "graph": (math.sqrt(2), 1),
        "pruning": (1.0, 0),
    }
