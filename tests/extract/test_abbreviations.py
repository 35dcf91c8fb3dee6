import time

import pytest

from kg.extract.abbreviations import find_abbreviations


def pairs(text: str) -> list[tuple[str, str]]:
    return [(one.short, one.long) for one in find_abbreviations(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("We train a conditional random field (CRF).", [("CRF", "conditional random field")]),
        ("Low-Rank Adaptation (LoRA) is cheap.", [("LoRA", "Low-Rank Adaptation")]),
        ("SVM (support vector machine) and CNN (a convolutional neural network) are old.",
         [("SVM", "support vector machine"), ("CNN", "convolutional neural network")]),
        ("BERT, short for Bidirectional Encoder Representations from Transformers, is used.",
         [("BERT", "Bidirectional Encoder Representations from Transformers")]),
        ("Convolutional neural networks (CNNs) win.", [("CNNs", "Convolutional neural networks")]),
        ("automatic short answer grading (ASAG)", [("ASAG", "automatic short answer grading")]),
        ("Explainable AI (XAI) helps.", [("XAI", "Explainable AI")]),
        ("We do learning to defer (L2D).", [("L2D", "learning to defer")]),
        ("the language models (LMs; Alpha et al.)", []),
        ("graph neural networks (GNN, for short)", [("GNN", "graph neural networks")]),
    ],
)  # fmt: skip
def test_find_abbreviations_known(text: str, found: list[tuple[str, str]]) -> None:
    assert pairs(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "at the highest altitudes (Smith et al., 1995)",
        "prior work (see Table 2; e.g., BERT)",
        "in our hands (and brains)",
        "the first taikonaut (astronaut), eq. (14), (iv), (p<0.05), and item (3-i)",
        "n.s. (not significant)",
        "",
    ],
)
def test_find_abbreviations_finds_none(text: str) -> None:
    assert pairs(text) == []


def test_spans_give_back_both_forms() -> None:
    text = "First a note. We use a masked autoencoder (MAE), and an LM (a language model) too."
    for one in find_abbreviations(text):
        assert text[slice(*one.short_span)] == one.short
        assert text[slice(*one.long_span)] == one.long


def test_an_expansion_is_no_clause_and_may_begin_with_cross() -> None:
    assert pairs("The AST of a layer is tasked to normalize (AST-Norm) it.") == []
    assert pairs("On cross-site scripting (XSS).") == [("XSS", "cross-site scripting")]


def test_first_expansion_of_an_acronym_counts() -> None:
    text = "masked autoencoder (MAE) beats mean absolute error (MAE)"
    assert pairs(text) == [("MAE", "masked autoencoder")]


@pytest.mark.parametrize(
    "text", ["(" * 3000 + ")" * 3000, "a" * 200_000, "-" * 40_000 + " (AB)", "(A b) " * 20_000]
)
def test_find_abbreviations_takes_linear_time(text: str) -> None:
    started = time.process_time()
    find_abbreviations(text)
    assert time.process_time() - started < 5
