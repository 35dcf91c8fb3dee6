import time

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

import kg.extract.tokenizer  # noqa: F401  (registers the tokenizer)

NLP = spacy.blank("en", config={"nlp": {"tokenizer": {"@tokenizers": "kg.Tokenizer.v1"}}})


def words(text: str) -> list[str]:
    return [token.text for token in NLP.make_doc(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CNN-based", ["CNN", "-", "based"]),
        ("GPT-4 and CIFAR-100", ["GPT-4", "and", "CIFAR-100"]),
        ("C++, C#", ["C++", ",", "C#"]),
        ("graph\u2010based \u2011 x", ["graph", "\u2010", "based", "\u2011", "x"]),
        ("[code](a.io/KG)", ["[", "code", "]", "(", "a", ".", "io", "/", "KG", ")"]),
        ("recall/F1", ["recall", "/", "F1"]),
        ("Adam's", ["Adam", "'s"]),
        ("3D U-Net at 95.3%.", ["3D", "U", "-", "Net", "at", "95.3", "%", "."]),
        ("an \\emph{oracle}", ["an", "\\", "emph", "{", "oracle", "}"]),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@given(st.text(alphabet=" \n\t\u00a0ab1.-('é", max_size=40))
def test_text_is_kept(text: str) -> None:
    assert NLP.make_doc(text).text == text


@pytest.mark.parametrize(
    "text",
    ["a" * 200_000, "(" * 3000 + "x" + ")" * 3000, "([" * 3000, "-" * 40_000, "a-1." * 40_000],
    ids=["long word", "nested", "mixed brackets", "hyphens", "hyphened word"],
)
def test_long_runs_take_linear_time(text: str) -> None:
    start = time.process_time()
    assert NLP.make_doc(text).text == text
    assert time.process_time() - start < 1


def test_affixes_are_longer_than_spacys() -> None:
    token = NLP.make_doc("denoising")[0]
    assert (token.prefix_, token.suffix_) == ("den", "sing")
