"""A text, its mentions and its concepts as arrays: what the models of relations look at."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ..records import CONCEPT_TYPES, Mention, Span

Ints = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float32]

MARGIN = 8  # tokens of nothing before the first and after the last word
_TOKEN = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")
_STEM = 6  # letters; endings tell little here
_ODD_SHAPE = re.compile(r"[a-z].*[A-Z]|[A-Z]{2}|\d")


@dataclass(frozen=True, slots=True)
class WordVectors:
    """Vectors of words: `table` has one row a word, after a first row for all others.

    `words` are the hashes of the words, sorted, as the tagger keeps them.
    """

    words: Hashes
    table: Floats

    def sums(self, words: Hashes) -> "Sums":
        """Return the sums of the vectors of a text's words, up to each of them."""
        place = np.minimum(np.searchsorted(self.words, words), len(self.words) - 1)
        rows = np.where(self.words[place] == words, place + 1, 0)
        return Sums(np.cumsum(self.table[rows], axis=0))


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums of the word vectors of a text from its first token on."""

    upto: Floats

    def mean(self, start: Ints, end: Ints) -> Floats:
        """Return the mean vector of the tokens of each stretch; zero for an empty one."""
        sums = self.upto[np.maximum(end, start) - 1] - self.upto[start - 1]
        return np.asarray(sums / np.maximum(end - start, 1)[:, None], dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the words, mentions and concepts of one text stand.

    `words` and `stems` are hashes of the tokens, with `MARGIN` zeros on both sides; `opens` is the
    first token of each sentence. Of each mention, ordered by concept and place: `start` and `end`
    among the tokens, `sentence`, `concept`. Of each concept, in the order of first mention: its
    name, its `type` (a number), its first mention, how many it has, and the longest of them;
    `shape` is 2 for a name such as `BiLSTM`, 1 for another capitalized one, 0 for a common noun.
    `sums` are sums of word vectors.
    """

    words: Hashes
    stems: Hashes
    opens: Ints
    start: Ints
    end: Ints
    sentence: Ints
    concept: Ints
    names: tuple[str, ...]
    type: Ints
    first: Ints
    count: Ints
    longest: Ints
    shape: Ints
    sums: Sums

    @property
    def sentences(self) -> int:
        """How many sentences the text has."""
        return len(self.opens)


def lay_out(
    text: str, mentions: Sequence[Mention], sentences: Sequence[Span], vectors: WordVectors
) -> Layout:
    """Return the layout of the sentences from the first of `mentions` to the last.

    Examples
    --------
    >>> gan = Mention(5, 8, "GAN", "Method", "GAN", 0.9, "abstract", (0, 17))
    >>> vectors = WordVectors(np.ones(1, dtype=np.uint64), np.eye(2, dtype=np.float32))
    >>> layout = lay_out("This GAN is good.", [gan], [(0, 17)], vectors)
    >>> (layout.start - MARGIN).tolist(), (layout.end - MARGIN).tolist(), layout.names
    ([1], [2], ('GAN',))
    """
    begin, stop = mentions[0].sentence[0], mentions[-1].sentence[1]
    tokens = list(_TOKEN.finditer(text, begin, max(stop, mentions[-1].end)))
    words, stems = _hashes([token.group() for token in tokens])
    number = {name: n for n, name in enumerate(dict.fromkeys(m.concept for m in mentions))}
    ordered = sorted(mentions, key=lambda m: (number[m.concept], m.start))
    concept = np.array([number[m.concept] for m in ordered])
    first = np.searchsorted(concept, np.arange(len(number)))
    starts, places = [m.start for m in ordered], [t.start() for t in tokens]
    start = MARGIN + np.searchsorted([t.end() for t in tokens], starts, side="right")
    end = MARGIN + np.searchsorted(places, [m.end for m in ordered])
    return Layout(
        words=words,
        stems=stems,
        opens=MARGIN + np.searchsorted(places, [s[0] for s in sentences]),
        start=start,
        end=np.maximum(end, start + 1),
        sentence=np.searchsorted([s[0] for s in sentences], starts, side="right") - 1,
        concept=concept,
        names=tuple(number),
        type=np.array([CONCEPT_TYPES.index(ordered[at].type) for at in first]),
        first=first,
        count=np.diff(np.append(first, len(ordered))),
        longest=_longest(end - start, concept, first),
        shape=np.array([_shape(ordered[at].text) for at in first]),
        sums=vectors.sums(words),
    )


def _longest(length: Ints, concept: Ints, first: Ints) -> Ints:
    """Return the first of the longest mentions of each concept."""
    order = np.lexsort((np.arange(len(length)), -length, concept))
    return np.asarray(order[first])


def _shape(surface: str) -> int:
    return 2 if _ODD_SHAPE.search(surface) else int(surface[:1].isupper())


def _hashes(tokens: Sequence[str]) -> tuple[Hashes, Hashes]:
    margin = [(0, 0)] * MARGIN
    pairs = [*margin, *map(_hash, tokens), *margin]
    both = np.array(pairs, dtype=np.uint64)
    return both[:, 0], both[:, 1]


@lru_cache(maxsize=1 << 16)
def _hash(token: str) -> tuple[int, int]:
    """Return the hashes of a token and of its stem; all numbers are one word."""
    from spacy.strings import hash_string  # type: ignore[attr-defined]

    word = "0" if token.isdigit() else token.lower()
    return hash_string(word), hash_string(word[:_STEM])
