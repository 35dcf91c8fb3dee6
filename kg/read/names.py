"""Lists of authors and keywords that a source words as one text."""

import re

_MARK = re.compile(r"[;|]")
_AND = re.compile(r" and ", re.IGNORECASE)
_INITIALS = re.compile(r"(?:[A-Z]\.?[- ]?){1,4}")
_NUMBERED = re.compile(r"\s*\(\d{6,}\)$")
_GLUED = re.compile(r"(?<=[a-z])(?=[A-Z][a-z]+ )")
_HOMONYM = re.compile(r"\s\d{4}$")
SEPARATOR = "<SEP>"


def split_keywords(text: str) -> list[str]:
    """Split a list of keywords at its semicolons or bars, else at its commas.

    Examples
    --------
    >>> split_keywords("a; b | c"), split_keywords("graphs, trees"), split_keywords("x, y; z")
    (['a', 'b', 'c'], ['graphs', 'trees'], ['x, y', 'z'])
    """
    text = text.replace(SEPARATOR, ";")
    parts = _MARK.split(text) if ";" in text or "|" in text else text.split(",")
    return [part.strip() for part in parts if part.strip()]


def split_authors(text: str) -> list[str]:
    """Split a list of authors at its semicolons, bars or *and*, else at the commas between them.

    Examples
    --------
    >>> split_authors("Lovelace, Ada (57190000000); Alpha, A.")
    ['Lovelace, Ada', 'Alpha, A.']
    >>> split_authors("Alpha A., Beta B.-C."), split_authors("A. Alpha and B. Beta")
    (['Alpha A.', 'Beta B.-C.'], ['A. Alpha', 'B. Beta'])
    >>> split_authors("Alpha, A., Beta, B. C."), split_authors("van der Berg, Jan Pieter")
    (['Alpha, A.', 'Beta, B. C.'], ['van der Berg, Jan Pieter'])
    """
    text = " ".join(text.replace(SEPARATOR, ";").split())
    if ";" in text or "|" in text:
        parts = _MARK.split(text)
    else:
        parts = [part for some in _AND.split(text) for part in _split_at_commas(some)]
    return [_NUMBERED.sub("", part.strip()) for part in parts if part.strip()]


def _split_at_commas(text: str) -> list[str]:
    """Split names at the commas between them, but not at those within one: ``Alpha, Ann``."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    lasts, firsts = parts[::2], parts[1::2]
    if len(lasts) == len(firsts) and all(map(_INITIALS.fullmatch, firsts)):
        return [", ".join(pair) for pair in zip(lasts, firsts, strict=True)]
    if all(" " in part and not part[0].islower() for part in parts):
        return parts
    return [text]


def split_glued(text: str) -> list[str]:
    """Split authors that were written without anything between them.

    Examples
    --------
    >>> split_glued("Ada LovelaceAlan M. Turing")
    ['Ada Lovelace', 'Alan M. Turing']
    """
    return [part.strip() for part in _GLUED.split(text)]


def without_number(name: str) -> str:
    """Take off the number that tells people of one name apart.

    Examples
    --------
    >>> without_number("Wei Wang 0002")
    'Wei Wang'
    """
    return _HOMONYM.sub("", name)
