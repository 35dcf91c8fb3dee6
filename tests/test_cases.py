"""Names that graph builders get wrong, each a file of `tests/data/inputs`, built whole."""

from pathlib import Path

import networkx
import pytest

import kg
from kg.records import Paper

INPUTS = Path(__file__).parent / "data" / "inputs"


def surfaces(number: int) -> dict[str, set[str]]:
    """Every surface form that was found in a case's file, by the label of its concept."""
    [path] = INPUTS.glob(f"{number}-*")
    graph: networkx.MultiDiGraph[str] = kg.build_graph(kg.read_papers(path))
    return {
        data["label"]: {data["label"], *data["aliases"]}
        for _, data in graph.nodes(data=True)
        if data["kind"] == "concept"
    }


def test_one_acronym_with_two_meanings_is_two_concepts() -> None:
    found = surfaces(73)
    assert "CRF" in found["conditional random field"] & found["chronic renal failure"]


def test_acronym_before_its_expansion() -> None:
    found = surfaces(74)
    assert "SVM" in found["support vector machine"]
    assert "CNN" in found["convolutional neural network"]
    assert "LSTM" in found["long short-term memory"]
    assert "BERT" in found["Bidirectional Encoder Representations from Transformers"]
    assert not any(label.startswith(("a ", "an ", "the ")) for label in found)


def test_plural_and_hyphenated_acronyms() -> None:
    found = surfaces(76)
    assert {"CNN", "CNNs", "Convolutional neural networks"} <= found["convolutional neural network"]
    assert "LSTM-CRFs" in found["LSTM-CRF"]
    assert not {"CNN", "GNN", "CNNs"} & found.keys()


def test_brackets_that_hold_no_acronym() -> None:
    assert all(len(names) == 1 for names in surfaces(77).values())


def test_hyphens_spaces_and_broken_lines() -> None:
    found = surfaces(79)
    assert sum("tuning" in label for label in found) == 1
    assert sum("supervised" in label.lower() for label in found) <= 1
    assert not any("- " in name for names in found.values() for name in names)


def test_greek_letters_and_formulas() -> None:
    found = surfaces(80)
    assert "beta-VAE" in found["β-VAE"]
    assert sum("nn" in label.lower() or "nearest" in label for label in found) == 1
    assert not any("(" in label or label.isdigit() for label in found)


def test_case_variants_are_merged() -> None:
    found = surfaces(82)
    [transformer] = [names for label, names in found.items() if label.lower() == "transformer"]
    assert {"TRANSFORMER", "Transformers", "transformers"} <= transformer
    assert "REINFORCE" in found and "reinforce" not in found["REINFORCE"]


def test_name_of_one_capital_is_not_the_plain_word() -> None:
    assert not any({"Adam", "adam"} <= names for names in surfaces(82).values())


def test_punctuation_at_the_edges() -> None:
    found = surfaces(83)
    assert {"U-Net", "C#", "Yahoo!", "ROMAN EMPIRE", "graph network"} <= found.keys()
    assert all(len(label) > 1 for label in found)


@pytest.mark.xfail(strict=True, reason="the extractor misses names that are only listed")
@pytest.mark.parametrize("name", ["C++", "3D U-Net", "attention"])
def test_names_in_a_bare_list_are_found_too(name: str) -> None:
    assert name in surfaces(83)


def test_markup_addresses_and_references_are_no_concepts() -> None:
    found = surfaces(61)
    assert {"BERT", "BERT-large"} <= found.keys()
    assert not any(set("*_~[]@/") & set(name) for names in found.values() for name in names)


def test_citations_and_numbers_are_no_concepts() -> None:
    [path] = INPUTS.glob("94-*")
    graph = kg.build_graph(kg.read_papers(path))
    [paper] = [data["record"] for _, data in graph.nodes(data=True) if data["kind"] == "paper"]
    assert not [mention for mention in paper.mentions if mention.field == "abstract"]


def test_a_token_without_end_is_none() -> None:
    assert not any(len(label) > 200 for label in surfaces(91))


@pytest.mark.parametrize("text", ["", " ", "a", "I", ".", "…", "-", "\u200b"])
def test_hardly_a_text_holds_no_concept(text: str) -> None:
    graph = kg.build_graph([Paper("p", abstract=text)])
    assert [data["kind"] for _, data in graph.nodes(data=True)] == ["paper"]
