"""Acronyms and their expansions in one text.

The pairs stand in brackets: ``low-rank adaptation (LoRA)`` or ``LoRA (low-rank adaptation)``.
Candidates and the matching of letters follow A. S. Schwartz and M. A. Hearst, "A simple algorithm
for identifying abbreviation definitions in biomedical text", Pacific Symposium on Biocomputing
2003, 451-462. Beyond them, the form ``BERT, short for X`` is read, words whose initials spell the
acronym are preferred, and an acronym must have a capital within it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ..records import Span

_BRACKETS = re.compile(r"[(\[]([^()\[\]]{1,200})[)\]]")
_SPELLED = re.compile(r"([\w][\w+./-]{0,14}),? (?:short for|stands for|standing for|abbreviates) ")
_SHORT = re.compile(
    r"[A-Za-z0-9\u0370-\u03ff][\w\u2010-\u2012+./&-]{0,13}(?: \d{1,2}| [A-Z]{2,4})?"
)
_CITATION = re.compile(
    r"\b(?:19|20)\d\d[a-z]?\b|\bet al\b|^(?:see|e\.g|i\.e|cf|eq|fig|sec|tab)\b", re.I
)
_WORD = re.compile(r"[^\W_]+(?:[-\u2010-\u2012'\u2019/][^\W_]+)*")
_PART = re.compile(r"[^\W_]+")
_DETERMINER = re.compile(
    r"^(?:an?|the|our|its|their|so-called|called|named|and|or) ", re.IGNORECASE
)
_CLAUSE = re.compile(r"[.;:!?,)(]\s|[)(\n]|\b(?:are|is|that|was|we|were|which)\s")
_STOP = frozenset(
    "a an and are as at by for from in is of on or our that the to via we with".split()
)


@dataclass(frozen=True, slots=True)
class Abbreviation:
    """An acronym and its expansion, with the places where the text binds them."""

    short: str
    long: str
    short_span: Span
    long_span: Span


@lru_cache(maxsize=64)  # the tagger and the naming of one text both ask
def find_abbreviations(text: str) -> tuple[Abbreviation, ...]:
    """Return the acronyms that the text expands, in the order of the text.

    Examples
    --------
    >>> [(a.short, a.long) for a in find_abbreviations("We use low-rank adaptation (LoRA).")]
    [('LoRA', 'low-rank adaptation')]
    >>> [(a.short, a.long) for a in find_abbreviations("CNN (a convolutional net) wins.")]
    [('CNN', 'convolutional net')]
    >>> find_abbreviations("as shown by others (Smith et al., 1995), in our hands (and brains)")
    ()
    """
    found = [pair for pair in _candidates(text) if pair is not None]
    known: dict[str, Abbreviation] = {}
    for pair in sorted(found, key=lambda pair: pair.short_span):
        known.setdefault(pair.short, pair)
    return tuple(known.values())


def _candidates(text: str) -> Iterator[Abbreviation | None]:
    for match in _BRACKETS.finditer(text):
        inner, start = match[1], match.start(1)
        first = re.split(r"[;,]| or ", inner)[0].strip()
        if _CITATION.search(inner):
            continue
        if _SHORT.fullmatch(first) and looks_short(first):
            yield _before(text, first, start + inner.index(first), match.start())
        elif len(inner.split()) > 1:
            yield _inside(text, inner, start, match.start())
    for match in _SPELLED.finditer(text):
        if looks_short(match[1]):
            end = _clause_end(text, match.end())
            yield _spelled(text, match[1], match.start(1), match.end(), end)


def _before(text: str, short: str, place: int, bracket: int) -> Abbreviation | None:
    """The form ``expansion (ACRONYM)``: the words before the bracket, nearest first."""
    clause = text[max(0, bracket - 200) : bracket].rstrip()
    base = max(0, bracket - 200)
    cut = max((match.end() for match in _CLAUSE.finditer(clause)), default=0)
    words = [word for word in _WORD.finditer(clause) if word.start() >= cut]
    most = min(len(_letters(short)) + 5, len(_letters(short)) * 2)
    start = _match_start(_core(short), clause, [word.start() for word in words[-most:]])
    if start is None or clause[start:].casefold() == short.casefold():
        return None
    return Abbreviation(
        short, clause[start:], (place, place + len(short)), (base + start, base + len(clause))
    )


def _inside(text: str, inner: str, start: int, bracket: int) -> Abbreviation | None:
    """The form ``ACRONYM (expansion)``."""
    before = text[max(0, bracket - 16) : bracket].rstrip(" ")
    match = re.search(r"[^\s()\[\],;]+$", before)
    if match is None or not _SHORT.fullmatch(match[0]) or not looks_short(match[0]):
        return None
    place = max(0, bracket - 16) + match.start()
    return _spelled(text, match[0], place, start, start + len(inner))


def _spelled(text: str, short: str, place: int, start: int, end: int) -> Abbreviation | None:
    """Bind a short form to the whole of ``text[start:end]``, its determiner left out."""
    start += len(text[start:end]) - len(_DETERMINER.sub("", text[start:end]))
    long = text[start:end]
    if _match_start(_core(short), long, [0]) != 0 or len(long.split()) < 2:
        return None
    if len(_WORD.findall(long)) > min(len(_letters(short)) + 5, len(_letters(short)) * 2):
        return None
    return Abbreviation(short, long, (place, place + len(short)), (start, end))


def _clause_end(text: str, start: int) -> int:
    match = re.compile(r"[.,;:()](?:\s|$)|\n").search(text, start)
    return match.start() if match else len(text)


def is_initials(short: str, long: str) -> bool:
    """Tell whether an acronym is made of the initials of the words of a name, all of them.

    Examples
    --------
    >>> is_initials("MCMC", "Markov chain Monte Carlo"), is_initials("GAN", "generative model")
    (True, False)
    """
    letters = _letters(_core(short)).casefold()
    return len(letters) > 1 and _initials_start(letters, long, [0]) == 0


def spells(long: str, short: str) -> bool:
    """Tell whether an acronym's letters stand in a name in their order, from its first word on.

    Examples
    --------
    >>> spells("Retrieval Augmented Trustworthy Answering", "RATA"), spells("a model", "RATA")
    (True, False)
    """
    return _match_start(_core(short), long, [0]) == 0


def has_letters(long: str, short: str) -> bool:
    """Tell whether an acronym's letters, whatever its digits, stand in a name in their order.

    Its capitals must be capitals there too, or begin a word.

    Examples
    --------
    >>> has_letters("Meta Test-Time Training", "MT3"), has_letters("re-identification", "re-id")
    (True, True)
    >>> has_letters("knowledge distillation", "KDGAN")
    False
    """
    capitals = "".join(char for char in _core(short) if char.isupper())
    telling = "".join(re.findall(r"(?<![^\W_])[^\W_]|[A-Z]", long))
    letters = "".join(char for char in _core(short) if char.isalpha())
    return _in_order(capitals, telling) and _in_order(letters, long)


def _in_order(letters: str, text: str) -> bool:
    rest = iter(text.casefold())
    return all(letter in rest for letter in letters.casefold())


@lru_cache(maxsize=1 << 16)
def looks_short(short: str) -> bool:
    """Tell whether a word can be an acronym: few letters, and capitals among them."""
    letters = [char for char in short if char.isalpha()]
    capitals = sum(char.isupper() for char in letters)
    return (
        2 <= len(_letters(short)) <= 12
        and bool(letters)
        and (
            capitals >= 2
            or (capitals == 1 and len(letters) <= 3)
            or bool(re.search(r"[a-z][A-Z]", short))
        )
    )


def _letters(short: str) -> str:
    return "".join(char for char in short if char.isalnum())


def _core(short: str) -> str:
    """The acronym without the plural s that is none of its letters: ``GNNs``."""
    return short[:-1] if re.fullmatch(r".*[A-Z0-9]s", short) and len(short) > 2 else short


def _match_start(short: str, long: str, starts: list[int]) -> int | None:
    """Return where in `starts` the expansion of the acronym begins.

    Words whose initials spell it are preferred; else the shortest expansion whose letters, read
    from right to left, do. The first letter of the acronym must start a word.
    """
    letters = _letters(short).casefold()
    spellings = dict.fromkeys((letters, letters.replace("2", "t").replace("4", "f")))
    for spelling in spellings:
        if (start := _initials_start(spelling, long, starts)) is not None:
            return start
    return next(
        (
            start
            for spelling in spellings
            if (start := _letters_start(spelling, long, starts)) is not None
        ),
        None,
    )


def _initials_start(letters: str, long: str, starts: list[int]) -> int | None:
    for start in reversed(starts):
        parts = _PART.findall(long[start:].casefold())
        initials = "".join(part[0] for part in parts)
        telling = "".join(part[0] for part in parts if part not in _STOP)
        if letters in (initials, telling) and parts[0] not in _STOP:
            return start
    return None


def _letters_start(letters: str, long: str, starts: list[int]) -> int | None:
    lower = long.casefold()
    place = len(lower)
    for letter in reversed(letters[1:]):
        place = lower.rfind(letter, 0, place)
        if place < 0:
            return None
    fits = [start for start in starts if start < place and _starts_word(letters[0], lower, start)]
    return max(fits, default=None)


def _starts_word(letter: str, lower: str, start: int) -> bool:
    word = _WORD.match(lower, start)
    if word is None or word[0] in _STOP:
        return False
    return word[0].startswith(letter) or (letter == "x" and word[0].startswith(("cross", "ex")))
