import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.read.clean import clean_text, move_span, offset_map


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("a trans-\nformer of multi-\n  head attention", "a transformer of multi-head attention"),
        ("an LSTM-\nbased k-\nmeans", "an LSTM-based k-means"),
        ("hand-eye and hand-\neye", "hand-eye and hand-eye"),
        ("a\u00a0 b\t\r\n c", "a b c"),
        ("soft\u00adhyphen and zero\u200bwidth", "softhyphen and zerowidth"),
        ("nul\x00 bell\x07 lone \ud83d end\ufffe", "nul bell lone end"),
        ("e\u0301tude", "\u00e9tude"),
        ("ﬁne-tuning", "fine-tuning"),
        ("R&amp;D, &amp;quot;x&amp;quot; and &unknown; at AT&T", 'R&D, "x" and &unknown; at AT&T'),
        ("H<sub>2</sub>O is <b>wet</b>.<br/>So", "H2O is wet. So"),
        (
            "**BERT** and ~~old~~ __new__ but a ** b and x__y__z",
            "BERT and old new but a ** b and x__y__z",
        ),
        ("# **BERT** for all", "BERT for all"),
        ("if a < b and c > d", "if a < b and c > d"),
        (
            "**~~old~~** and *new* and _x_ but a * b and x_y_z",
            "old and new and x but a * b and x_y_z",
        ),
        ("\\frac{a}{b}_x up to \\frac{c}{d}_y", "\\frac{a}{b}_x up to \\frac{c}{d}_y"),
        ("see [the code](https://x.org/a?b=1)[^1], [1] and `k-NN`", "see the code, [1] and k-NN"),
        ("with {{cite:ab-1}} and {{formula:12}}.", "with and ."),
        ("<p>One.</p><p>Two <a href='x'>link</a></p>", "One. Two link"),
        (
            "<jats:title>Abstract</jats:title><jats:p>A <jats:italic>b</jats:italic> .</jats:p>",
            "A b.",
        ),
        ("<jats:sec><jats:title>Aim.</jats:title><jats:p>To x.</jats:p></jats:sec>", "Aim: To x."),
        ("<ce:section-title>Goals</ce:section-title><ce:para>To x.</ce:para>", "Goals: To x."),
        ("x<jats:tex-math>\\frac{a}{b}</jats:tex-math> <mml:mi>y</mml:mi>", "x y"),
        ("a <title> in prose</title>", "a <title> in prose</title>"),
        ("donâ€™t be naÃ¯ve, Î²-VAE Â± 1", "don’t be naïve, β-VAE ± 1"),
        ("„MENÜ“, CAFÉ», Â and Ã alone", "„MENÜ“, CAFÉ», Â and Ã alone"),
        ("a zwj 👩\u200d💻 stays", "a zwj 👩\u200d💻 stays"),
    ],
)
def test_clean_text_known(raw: str, clean: str) -> None:
    assert clean_text(raw) == clean


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("{G}raph {{N}ets} -- ``so'' it~is---x", "Graph Nets – “so” it is—x"),
        ("\\acro{BERT} and {\\it soft} \\foo", "BERT and soft \\foo"),
        ("\\{a\\} of 5\\% \\textbackslash{}x \\textbraceleft{}", "{a} of 5% \\x {"),
        ("$O(\\frac{n}{2})$ and $x_{1}$", "$O(\\frac{n}{2})$ and x1"),
        ("plain text's end", "plain text's end"),
        ('"{u}ber \\"{u}ber \\"uber {\\"u}ber', '"uber über über über'),
    ],
)
def test_clean_text_of_latex(raw: str, clean: str) -> None:
    assert clean_text(raw, tex=True) == clean


def test_clean_text_keeps_what_is_no_markup() -> None:
    text = '</script><img src=x onerror=alert(1)> "q" \\ <http://x> ; a 苹果 🍎'
    assert clean_text(text) == text


@given(st.text())
def test_clean_text_is_printable_and_normal(raw: str) -> None:
    clean = clean_text(raw)
    assert clean == unicodedata.normalize("NFC", clean).strip()
    assert not any(unicodedata.category(char) in ("Cc", "Cs") for char in clean)
    assert "  " not in clean


@pytest.mark.parametrize(
    ("raw", "span", "surface"),
    [
        ("a  \\emph{fast search} b", (3, 21), "fast search"),
        ("use $k$-means here", (4, 13), "k-means"),
        ("x\n\nGraph\nnets", (3, 13), "Graph nets"),
    ],
)
def test_move_span_finds_the_surface(raw: str, span: tuple[int, int], surface: str) -> None:
    clean = clean_text(raw)
    moved = move_span(offset_map(raw, clean), *span)
    assert moved is not None
    assert clean[slice(*moved)] == surface


def test_move_span_of_what_is_gone_is_none() -> None:
    assert move_span(offset_map("a\\cite{x} b", clean_text("a\\cite{x} b")), 1, 9) is None
