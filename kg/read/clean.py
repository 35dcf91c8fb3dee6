"""Text is cleaned once, here at the border; every later offset counts the cleaned text."""

import difflib
import re
import unicodedata

from .latex import latex_to_text
from .markup import markdown_to_text, tags_to_text, unescape

# Control characters but the white ones, lone surrogates, and what XML 1.0 forbids.
_FORBIDDEN = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")
_BROKEN_WORD = re.compile(r"\b([^\W\d_]+)-\r?\n\s*([a-z]+)")
_PREFIXES = frozenset(
    """all co coarse cross data deep domain double end fine first full graph hard high hyper image
    in inter intra large long low machine many meta model multi neural no node non off on one open
    over point post pre pseudo real self semi short single small soft state sub super task text
    three time token top two under user video well word zero few""".split()
)
_SUFFIXES = frozenset(
    """agnostic art aware based centric class driven end fold free grained guided independent
    invariant label level like modal of oriented order range rank resolution shot source specific
    step structured supervised task term the time to token trained up wise world""".split()
)
_LIGATURE = re.compile("[\ufb00-\ufb06]")
# UTF-8 that was once read as Windows-1252: Ã© for é, Î² for β, â€™ for ’. Only what nobody writes.
_TRAIL = "\u0080-\u00bf€‚ƒ„†‡ˆ‰Š‹ŒŽ˜™š›œžŸ"
_MISREAD = re.compile(f"[ÂÃÎÏ][{_TRAIL}]|[âï][{_TRAIL}][{_TRAIL}…‘’“”•–—]")
# Nothing in such a text can be markup, so that blanks are all there is to clean.
_TYPED = re.compile(r"--|''|}")
_PLAIN = re.compile(r"[ \n\r\ta-zA-Z0-9!\"%'()+,\-./:;=?@>^|\]}]*")


def clean_text(text: str, *, tex: bool = False) -> str:
    r"""Return the text as `kg` keeps it: NFC, one line, blanks folded, markup turned to text.

    Control characters, lone surrogates and invisible characters go; HTML entities are decoded
    (at most twice), tags that only dress text are dropped, LaTeX and Markdown emphasis are
    unwrapped, LaTeX accents and symbols become characters. What looks like markup but is not
    known to be is left as it stands.

    Parameters
    ----------
    text
        The text as its source words it.
    tex
        The text is LaTeX throughout, as in BibTeX: braces only group, ``--`` is a dash.

    Examples
    --------
    >>> clean_text("A  \\emph{fast} k-NN\n search, R&amp;D <i>and</i> **more**\x00")
    'A fast k-NN search, R&D and more'
    >>> clean_text("5% of $\\beta$-VAE </script>")
    '5% of β-VAE </script>'
    """
    if "-\n" in text or "-\r\n" in text:
        text = _BROKEN_WORD.sub(_rejoined, text)
    if _PLAIN.fullmatch(text) and not (tex and _TYPED.search(text)):
        return " ".join(text.split())
    if not text.isascii():
        text = _MISREAD.sub(_read_again, text)
    text = printable(text)
    if "&" in text:
        text = unescape(text)
    if "<" in text:
        text = tags_to_text(text)
    if tex or "\\" in text or "$" in text:
        text = latex_to_text(text, whole=tex)
    text = markdown_to_text(text)
    if not text.isascii():
        text = _LIGATURE.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
        text = _INVISIBLE.sub("", text)
    return fold(text)


def _rejoined(match: re.Match[str]) -> str:
    """Return a word broken at a line's end as one, its hyphen kept if it is part of the word.

    It is where the text has the word with the hyphen elsewhere, or its first part is a prefix or
    its second a suffix that hyphens join.
    """
    first, second = match[1], match[2]
    whole = f"{first}-{second}"
    if (
        len(first) == 1
        or first.lower() in _PREFIXES
        or second in _SUFFIXES
        or whole in match.string
    ):
        return whole
    return first + second


def _read_again(match: re.Match[str]) -> str:
    try:
        # Windows-1252 has no characters for five bytes, which come through as controls.
        data = b"".join(
            char.encode("latin-1" if char < "\u00a0" else "cp1252") for char in match[0]
        )
        return data.decode("utf-8")
    except UnicodeError:
        return match[0]


def printable(text: str) -> str:
    r"""Return the text without the characters that no output can hold, all else untouched.

    Examples
    --------
    >>> printable("a\x00b \ud83d")
    'ab '
    """
    return text if text.isprintable() else _FORBIDDEN.sub("", text)


def fold(text: str) -> str:
    """Return a text that holds no markup as `kg` keeps it; once cleaned, it stays as it is.

    Examples
    --------
    >>> fold(" a  b &amp; $c$ ")
    'a b &amp; $c$'
    """
    return unicodedata.normalize("NFC", " ".join(printable(text).split()))


def clean_or_none(value: object) -> str | None:
    """Return the cleaned text of a field, or None where it holds none."""
    return (clean_text(value) or None) if isinstance(value, str) else None


def offset_map(raw: str, clean: str) -> dict[int, int]:
    """Map the characters of a raw text that survive cleaning to their places in the clean one.

    Examples
    --------
    >>> offset_map("a  b", "a b")[3]
    2
    """
    if raw == clean:
        return {place: place for place in range(len(raw))}
    matcher = difflib.SequenceMatcher(None, raw, clean, autojunk=False)
    return {
        there + step: here + step
        for there, here, length in matcher.get_matching_blocks()
        for step in range(length)
    }


def move_span(places: dict[int, int], start: int, end: int) -> tuple[int, int] | None:
    """Move a span of the raw text to the clean one, or return None if nothing of it is left.

    Examples
    --------
    >>> move_span(offset_map("$k$-means wins", "k-means wins"), 0, 9)
    (0, 7)
    """
    kept = [places[place] for place in range(start, end) if place in places]
    return (kept[0], kept[-1] + 1) if kept else None
