import pytest

from kg.read.latex import latex_to_text


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"\'etudes na\"{\i}ves", "études naïves"),
        (r"\L{}\'od\'z", "Łódź"),
        (r"Fran\c{c}ois and \v{C}apek", "François and Čapek"),
        (r"$\alpha$-smooth and $\ell_2$", "α-smooth and ℓ2"),
        (r"\emph{a \textbf{b} c}", "a b c"),
        (r"{\bf bold} and {\em soft}", "bold and soft"),
        (r"nothing after 5% is lost, nor 5\% of \alpha.", "nothing after 5% is lost, nor 5% of α."),
        (r"as in~\cite{x, y} and Table~\ref{t}.", "as in and Table."),
        (r"unknown \foo{bar} stays", r"unknown \foo{bar} stays"),
        (r"from $5 to $10 a month", r"from $5 to $10 a month"),
        (r"$\frac{a}{b}$ stays TeX", r"$\frac{a}{b}$ stays TeX"),
        (r"R\&D \#1", "R&D #1"),
    ],
)
def test_latex_to_text_known(tex: str, text: str) -> None:
    assert latex_to_text(tex) == text
