import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.extract.surface import is_name, trim


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ('"ROMAN EMPIRE"', "ROMAN EMPIRE"),
        ("(attention)", "attention"),
        ("-attention-", "attention"),
        ("“attention”,", "attention"),
        ("¿attention¿", "attention"),
        ("**BERT**", "BERT"),
        ("node2vec*", "node2vec"),
        ("C++", "C++"),
        ("C#", "C#"),
        (".NET", ".NET"),
        ("Yahoo!", "Yahoo!"),
        ("3D U-Net.", "3D U-Net"),
        ("O(1)-attention", "O(1)-attention"),
        ("SE(3))", "SE(3)"),
        ("\r\nLBP\t\u00a0", "LBP"),
        ("…", "…"),
    ],
)
def test_trim_known(raw: str, name: str) -> None:
    start, end = trim(raw, 0, len(raw))
    assert raw[start:end] == name


@given(st.text())
def test_trim_stays_inside(text: str) -> None:
    start, end = trim(text, 0, len(text))
    assert 0 <= start <= end <= len(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "…", "12", "91.3", "1,000,000", "k", "%", "the", "These", "it", "O(n^2)",
        "O(\\sqrt{n})",
        "https://x.org/y", "mail@example.org", "Fig. 2", "Table 3", "Eq. 4", "arXiv:1901.00001",
        "models. We show that", "et al",
        "cid", "cid:12", "multi(cid:173", "self-)adaptive", "bi-modal (RGB-D", "a [b",
        "attention-, attention", "\\framework", "70B} model", "**A**ttack",
        "a mixture we call MIX", "this paper introduces a network",
    ],
)  # fmt: skip
def test_is_name_refuses(text: str) -> None:
    assert not is_name(text)


@pytest.mark.parametrize(
    "text",
    [
        "C++",
        "F1",
        "SE(3)",
        "IT",
        "US",
        "β-VAE",
        "图神经网络",
        "3D U-Net",
        "e-prop",
        "t-SNE",
        "WE-Filter",
    ],
)
def test_is_name_accepts(text: str) -> None:
    assert is_name(text)
