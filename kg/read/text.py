"""Plain text: blocks between blank lines, each one paper."""

from collections.abc import Iterator
from itertools import chain, takewhile
from typing import TextIO

from .clean import clean_or_none
from .found import Found
from .raw import Raw, found

COLLECTION_TITLE_WORDS = 12
PAPER_TITLE_WORDS = 30
NARROWEST = 40
LONGEST_BLOCK = 1 << 22


def read_text(text: TextIO) -> Iterator[Found]:
    r"""Read the papers of a plain text, the collection's title as their venue.

    A first block of one short line is the title of the collection. In a block of several lines a
    first line that ends before it had to is the paper's title, indented lines continue it, and
    the rest is the abstract.

    Examples
    --------
    >>> import io
    >>> [one] = read_text(io.StringIO("My Papers\n\nA Short Title\nWe propose X, which wins."))
    >>> one.line, one.paper.title, one.paper.abstract, one.paper.venue
    (3, 'A Short Title', 'We propose X, which wins.', 'My Papers')
    """
    blocks = _blocks(text)
    venue = None
    start = [block for block in (next(blocks, None), next(blocks, None)) if block]
    if len(start) == 2 and _is_collection_title(start[0][1]):
        venue = clean_or_none(start.pop(0)[1][0])
    for line, block in chain(start, blocks):
        title, abstract = _split(block)
        yield found(line, Raw(title=title, abstract=abstract, venue=venue))


def _blocks(text: TextIO) -> Iterator[tuple[int, list[str]]]:
    """Yield each block with the number of its first line; an endless one is cut."""
    block: list[str] = []
    first, size = 1, 0
    for number, line in enumerate(text, 1):
        if line.strip().strip("\ufeff"):
            first = first if block else number
            size += len(line)
            if size < LONGEST_BLOCK or not block:
                block.append(line.rstrip("\n"))
        elif block:
            yield first, block
            block, size = [], 0
    if block:
        yield first, block


def _is_collection_title(block: list[str]) -> bool:
    return len(block) == 1 and _is_short(block[0], COLLECTION_TITLE_WORDS, ".?!:")


def _is_short(line: str, most_words: int, ends: str) -> bool:
    # Counting the words of a whole abstract would be for nothing.
    return len(line.split(None, most_words)) <= most_words and not line.rstrip().endswith(
        tuple(ends)
    )


def _is_wrapped(first: str, rest: list[str]) -> bool:
    """Tell whether a line was broken where the next word would not have fitted."""
    width = max(map(len, [first, *rest]))
    return width >= NARROWEST and len(first.rstrip()) + 1 + len(rest[0].split()[0]) > width


def _is_title_case(line: str) -> bool:
    words = [word for word in line.split() if len(word) > 3]
    return len(words) > 1 and sum(word[0].isupper() for word in words) > 0.6 * len(words)


def _split(block: list[str]) -> tuple[str, str]:
    first, rest = block[0], block[1:]
    if not rest:
        short = _is_short(first, COLLECTION_TITLE_WORDS, ".?!:")
        return (first, "") if short else ("", first)
    if not _is_short(first, PAPER_TITLE_WORDS, ".:"):
        return "", "\n".join(block)
    if _is_wrapped(first, rest) and not _is_title_case(first):
        return "", "\n".join(block)
    indented = list(takewhile(lambda line: line.startswith(" "), rest))
    if len(indented) == len(rest):  # then it is the abstract that is indented
        indented = []
    return " ".join([first, *indented]), "\n".join(rest[len(indented) :])
