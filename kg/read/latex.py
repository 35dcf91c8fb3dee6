"""LaTeX marks in running text -> the characters they stand for.

A small table of our own rather than a full decoder: those that exist treat a bare ``%`` as a
comment and lose the rest of the text, and cost more than the extraction does.
"""

import re
import unicodedata

_ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "=": "\u0304",
    ".": "\u0307", "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328",
    "r": "\u030a", "d": "\u0323",
}  # fmt: skip
_SYMBOLS = dict(
    pair.split("=")
    for pair in r"""
    alpha=α beta=β gamma=γ delta=δ epsilon=ε varepsilon=ε zeta=ζ eta=η theta=θ vartheta=ϑ iota=ι
    kappa=κ lambda=λ mu=μ nu=ν xi=ξ pi=π rho=ρ sigma=σ tau=τ upsilon=υ phi=φ varphi=φ chi=χ psi=ψ
    omega=ω Gamma=Γ Delta=Δ Theta=Θ Lambda=Λ Xi=Ξ Pi=Π Sigma=Σ Upsilon=Υ Phi=Φ Psi=Ψ Omega=Ω
    ell=ℓ times=× cdot=· pm=± leq=≤ le=≤ geq=≥ ge=≥ neq=≠ ne=≠ approx=≈ sim=∼ infty=∞ to=→
    rightarrow=→ leftarrow=← in=∈ sum=∑ prod=∏ sqrt=√ partial=∂ nabla=∇ ll=≪ gg=≫ star=⋆ log=log
    exp=exp min=min max=max ldots=… dots=… cdots=… top=⊤ ss=ß ae=æ AE=Æ oe=œ OE=Œ o=ø O=Ø l=ł L=Ł
    aa=å AA=Å i=ı j=ȷ textendash=– textemdash=— textquoteright=’ textasciitilde=~
    """.split()
)
# Braces and the backslash of the text itself, out of the way of those that are LaTeX.
_ASIDE = {"textbraceleft": "\x02", "textbraceright": "\x03", "textbackslash": "\x04"}
_BACK = str.maketrans("\x02\x03\x04", "{}\\")
_SYMBOLS |= {**_ASIDE, "lbrace": "\x02", "rbrace": "\x03", "textasciicircum": "^"}
_OPERATORS = {"log", "exp", "min", "max"}
_UNWRAPPED = (
    "emph|text(?:bf|it|tt|sc|sf|rm|sl|up|md|normal|sub(?:script)?|super(?:script)?)?|"
    "math(?:bf|it|tt|sf|rm|bb|cal|frak|scr|ord|sc)|ensuremath|"
    "underline|mbox|hbox|bm|boldsymbol|operatorname|url|href|smash|mat|widetilde|tilde|hat|bar"
)
_ARGUMENT = re.compile(rf"\\(?:{_UNWRAPPED})\*?\s*\{{([^{{}}]*)\}}")
_SWITCH = re.compile(r"\{\\(?:bf|it|tt|sc|sf|rm|em|sl)(?:series|shape|family)?\s++([^{}]*)\}")
_DROPPED = re.compile(
    r"[~ ]?\\(?:cite[a-z]*|ref|eqref|label|footnote|thanks)\*?"
    r"(?:\[[^\]]{0,200}\]){0,2}\{[^{}]{0,500}\}"
)
_ACCENT = re.compile(
    r"""\\(?:([`'^~"=.])\s*|([uvHckrd])(?=\s|\{)\s*)(?:\{\\?([A-Za-z])\}|\\?([A-Za-z]))"""
)
_SYMBOL = re.compile(r"\\([A-Za-z]+)(?![A-Za-z])(?:\{\}| (?=[A-Za-z]))?")
_ESCAPED = re.compile(r"\\([%&$#_{}])")
_SPACES = re.compile(r"(?<=\S)\\[,;:! ]|\\\\")
# As in Pandoc: no blank inside the dollars, no digit after them, so that prices stay prices.
_MATH = re.compile(r"(?<![\\$])\$\$?(?!\s)([^$]{1,200}?)(?<!\s)\$\$?(?!\d)|\\\((.{1,200}?)\\\)")
_SIMPLE_MATH = re.compile(r"[^\\$]*")
_SCRIPT = re.compile(r"[_^]\{(\w+)\}|[_^](?=\w\b)")
_PROSE = re.compile(r"[a-z]{4}|[.!?] ")
_FORMULA = re.compile(r"(?<!\\)(\$[^$]{1,500}\$)")
_UNKNOWN = re.compile(rf"\\(?!(?:{'|'.join(_SYMBOLS)})\b)[A-Za-z]+\*?\s*\{{([^{{}}\\]*)\}}")
_GROUPING = re.compile(r"(?<!\\)[{}]")
_TYPED = {"---": "—", "--": "–", "``": "“", "''": "”", "~": " "}
_TYPEWRITER = re.compile(r"-{2,3}(?!-)|``|''|(?<!\\)~")
DEEPEST = 10


def latex_to_text(text: str, *, whole: bool = False) -> str:
    r"""Return the text with LaTeX commands, accents and simple formulas as characters.

    What is not in the table stays as it is, so nothing is lost; a ``%`` is a per cent sign.

    Parameters
    ----------
    text
        Running text.
    whole
        All of it is LaTeX: braces only group, dashes and quotes are typed as in LaTeX, and an
        unknown command gives way to its argument.

    Examples
    --------
    >>> latex_to_text(r"\'etudes na\"{\i}ves of \textsc{FairSP} and $\ell_2$ by 5%")
    'études naïves of FairSP and ℓ2 by 5%'
    >>> latex_to_text(r"costs $5 and $O(\frac{n}{2})$")
    'costs $5 and $O(\\frac{n}{2})$'
    >>> latex_to_text(r"{G}raphs -- \acro{BERT}'s", whole=True)
    "Graphs – BERT's"
    """
    if "\\" in text:
        text = _ACCENT.sub(_accented, _DROPPED.sub("", text))
        for pattern in (_ARGUMENT, _SWITCH):
            text = _unwrap(pattern, text)
    text = _MATH.sub(_plain_math, text)
    if whole:
        pieces = _FORMULA.split(text)
        pieces[::2] = map(_plain_tex, pieces[::2])
        text = "".join(pieces)
    text = _SYMBOL.sub(_symbol, text)
    return _SPACES.sub(" ", _ESCAPED.sub(r"\1", text)).translate(_BACK)


def _unwrap(pattern: re.Pattern[str], text: str) -> str:
    """Take out the commands innermost first; each round takes out one level of braces."""
    for _ in range(DEEPEST):
        text, found = pattern.subn(r"\1", text)
        if not found:
            break
    return text


def _plain_tex(text: str) -> str:
    text = _TYPEWRITER.sub(lambda match: _TYPED[match[0]], text)
    return _GROUPING.sub("", _SYMBOL.sub(_symbol, _unwrap(_UNKNOWN, text)))


def _accented(match: re.Match[str]) -> str:
    mark, letter = match[1] or match[2], match[3] or match[4]
    return unicodedata.normalize("NFC", letter + _ACCENTS[mark])


def _symbol(match: re.Match[str]) -> str:
    name = match[1]
    if name in _OPERATORS:  # n\log n reads n log n
        blank = " " if match.string[match.start() - 1 : match.start()].isalnum() else ""
        return f"{blank}{name}{' ' if match[0].endswith(' ') else ''}"
    return _SYMBOLS.get(name, match[0])


def _plain_math(match: re.Match[str]) -> str:
    r"""Unwrap a formula if nothing of TeX is left in it: ``$\beta$`` but not a fraction.

    An equation in dollars is left as well: it is a statement, never part of a name.
    """
    formula = _SYMBOL.sub(_symbol, match[1] or match[2])
    formula = _SPACES.sub(" ", formula)
    if not _SIMPLE_MATH.fullmatch(formula) or _PROSE.search(_SCRIPT.sub("", formula)):
        return match[0]
    if match[1] and "=" in formula:
        return match[0]
    return _SCRIPT.sub(r"\1", formula).replace("{", "").replace("}", "")
