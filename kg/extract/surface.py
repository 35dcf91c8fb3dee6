"""Which stretches of text can be names at all, and where they begin and end."""

import re

from ..records import Span

# Signs that dress a name but are none of it, at its head and at its end (¿ is a lost quote).
_HEAD = "\"'“”‘’«»¿([{<*_`~,;:.!?-–—/|=> "
_END = "\"'“”‘’«»¿)]}>*_`~,;:.?-–—/|=< "
_BRACKETS = {")": "(", "]": "[", "}": "{"}
_PAIRS = tuple(_BRACKETS.items())[:2]  # the last are LaTeX, and no name holds them
_NO_NAME = re.compile(
    r"(?i:https?:|www\.)|\S@\S+\.\S"  # addresses
    r"|[a-z][.!?] [A-Z]\w+ [a-z]"  # the seam of two sentences
    r"|^(?:[^\W\d_]?[OoΘΩ𝒪]|\\mathcal\{O\})~?\(.*\)$"  # a bound such as O(n)
    r"|^(?i:fig(?:ure)?|tab(?:le)?|eq(?:uation)?|sec(?:t|tion)?)s?\.? ?\d"  # a reference
    r"|^(?i:arxiv|doi)\b"
    r"|^\d[0-9A-F]{3,}$|\bcid(?::\d|$)"  # a code point, and a glyph (cid:7) of a PDF
    r"|[-–\"”], "  # the seam of two names
    r"|\b(?:we|introduces|presents|proposes|referred) "  # a clause
    r"|\\[A-Za-z]{2}|\*\*|~~|[{}]"  # what is left of LaTeX or Markdown
)
_LETTERS = re.compile(r"[^\W\d_]")
MOST_WORDS = 16
_STOP = frozenset(
    """a an and are as at be by can do for from has have he here how i if in into is it its may more
    most no not of on one only or our out over she so such than that the their them then there
    these they this those to under up us was we were what when where which who why will with you
    your et al etc e.g i.e vs""".split()
)


def trim(text: str, start: int, end: int) -> Span:
    """Return the span without the quotes, marks and open brackets at its ends.

    Names that end in a sign keep it: ``C++``, ``C#``, ``Yahoo!``, ``SE(3)``.

    Examples
    --------
    >>> text = 'the "**attention**", a C++ net in SE(3)'
    >>> [text[slice(*trim(text, *span))] for span in ((4, 20), (23, 26), (34, 39))]
    ['attention', 'C++', 'SE(3)']
    """
    while start < end and _is_dress(text[start], _HEAD) and not text[start:end].startswith(".N"):
        start += 1
    while start < end and _is_dress(text[end - 1], _END):
        opening = _BRACKETS.get(text[end - 1])
        if opening and text.count(opening, start, end) >= text.count(text[end - 1], start, end):
            break
        end -= 1
    return start, end


def _is_dress(char: str, signs: str) -> bool:
    return char in signs or char.isspace()


def is_name(text: str) -> bool:
    """Tell whether a stretch of text can name a concept: no number, address, stop word, formula.

    Examples
    --------
    >>> [is_name(text) for text in ("C++", "it", "IT", "91.3", "O(n^2)", "Fig. 2a", "k")]
    [True, False, True, False, False, False, False]
    """
    letters = len(_LETTERS.findall(text))
    signs = sum(not char.isspace() for char in text)
    words = text.split()
    return (
        letters > 0
        and signs > 1
        and len(words) <= MOST_WORDS
        and not all(_is_stop(word) for word in words)
        and not _NO_NAME.search(text)
        and all(text.count(opening) == text.count(close) for close, opening in _PAIRS)
    )


def _is_stop(word: str) -> bool:
    """Tell whether a word is a stop word; IT and US, in capitals, are names."""
    return word in _STOP or (word.istitle() and word.lower() in _STOP)
