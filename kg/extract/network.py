"""The tagger's network: a dilated convolution over words that also sees its whole abstract.

A token is its word vector and hashed affixes and shape. Residual blocks of a window of three
tokens each, the window's reach growing (dilation 1, 2, 4, ...), mix it with its neighbours
(Yu & Koltun 2016; Strubell et al. 2017, "Fast and Accurate Entity Recognition with Iterated
Dilated Convolutions"). One block mixes in what the same word looks like elsewhere in the
abstract and the abstract's mean, since one abstract labels one name one way.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from spacy.attrs import LOWER, PREFIX, SHAPE, SUFFIX  # type: ignore[import-not-found]
from spacy.tokens import Doc
from spacy.util import registry
from thinc.api import Dropout, Embed, HashEmbed, LayerNorm, Linear, Maxout, Model, chain, use_ops

from kg.extract.decode import TAGS

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Backprop = Callable[[Floats], Floats]
Network = Model[Any, Any]

AFFIXES = (PREFIX, SUFFIX, SHAPE)
READ = (LOWER, *AFFIXES)  # all that is asked of a word
_AFFIX_ROWS = (4000, 8000, 2000)
_AFFIX_WIDTHS = (32, 48, 32)


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of some abstracts one after the other, as the numbers the network reads.

    `rows` are rows of the word table (0: a word that is not in it), `affixes` one hash a column
    of `AFFIXES`, `starts` the first token of each abstract and the end of the last, `same` a
    number that tokens share if they are one word of one abstract.
    """

    rows: Ints
    affixes: npt.NDArray[np.uint64]
    starts: Ints
    same: Ints

    def __len__(self) -> int:
        return len(self.rows)


def read_tokens(doc: Doc, words: npt.NDArray[np.uint64]) -> Tokens:
    """Return the numbers of one `doc`; `words` are the sorted hashes of the word table."""
    lower = doc.to_array(LOWER)
    place = np.searchsorted(words, lower)
    known = words[np.minimum(place, len(words) - 1)] == lower
    _, same = np.unique(lower, return_inverse=True)
    return Tokens(
        rows=np.where(known, place + 1, 0),
        affixes=np.asarray(doc.to_array(list(AFFIXES)), dtype=np.uint64),
        starts=np.array([0, len(doc)]),
        same=same.astype(np.int64),
    )


def join_tokens(batch: Sequence[Tokens]) -> Tokens:
    """Return several abstracts as one."""
    groups = np.cumsum([0] + [int(tokens.same.max(initial=-1)) + 1 for tokens in batch])
    return Tokens(
        rows=np.concatenate([tokens.rows for tokens in batch]),
        affixes=np.concatenate([tokens.affixes for tokens in batch]),
        starts=np.cumsum([0] + [len(tokens) for tokens in batch]),
        same=np.concatenate([t.same + g for t, g in zip(batch, groups, strict=False)]),
    )


@registry.architectures("kg.Tagger.v1")  # type: ignore[untyped-decorator]
def build_tagger(
    words: int, word_width: int, width: int, dilations: list[int], dropout: float
) -> Network:
    """Return the network: `Tokens` in, one score a tag and token out.

    Parameters
    ----------
    words : int
        Rows of the word table, the row of unknown words not counted.
    word_width, width : int
        Width of a word vector and of the hidden layers.
    dilations : list of int
        One convolution each; the block over the whole abstract stands before the last.
    dropout : float
        Share of the hidden values left out in training.
    """
    with use_ops("numpy", use_blis=False):  # numpy's own BLAS is the faster by far
        affixes: list[Any] = [
            HashEmbed(w, r, column=c, seed=7 + c)
            for c, (w, r) in enumerate(zip(_AFFIX_WIDTHS, _AFFIX_ROWS, strict=True))
        ]
        vector: Network = Maxout(width, word_width + sum(_AFFIX_WIDTHS), nP=2)
        mixer: Network = chain(Dropout(dropout), vector)
        blocks = [_block(width, dropout) for _ in range(len(dilations) + 1)]
        norm: Network = LayerNorm(width)
        output: Network = chain(norm, Dropout(dropout), Linear(len(TAGS), width))
        return Model(
            "kg_tagger",
            _forward,
            init=_init,
            layers=[Embed(word_width, words + 1), *affixes, mixer, *blocks, output],
            attrs={"dilations": tuple(dilations)},
        )


def _block(width: int, dropout: float) -> Network:
    mix: Network = Maxout(width, 3 * width, nP=2, normalize=True)
    return chain(mix, Dropout(dropout))


def _init(model: Network, X: Any = None, Y: Any = None) -> None:
    for layer in model.layers:
        layer.initialize()


def _forward(
    model: Network, tokens: Tokens, is_train: bool
) -> tuple[Floats, Callable[[Floats], Tokens]]:
    count = len(_AFFIX_WIDTHS)
    word, *rest = model.layers
    affixes, mixer, blocks, output = rest[:count], rest[count], rest[count + 1 : -1], rest[-1]
    parts = [layer(tokens.affixes, is_train) for layer in affixes]
    vector, back_word = word(tokens.rows, is_train)
    hidden, back_mixer = mixer(np.hstack([vector] + [part for part, _ in parts]), is_train)
    steps: list[tuple[Backprop, Backprop]] = []
    views = [_window(tokens, dilation) for dilation in model.attrs["dilations"]]
    views.insert(len(views) - 1, _whole(tokens))
    for block, (look, back_look) in zip(blocks, views, strict=True):
        change, back_block = block(look(hidden), is_train)
        hidden = hidden + change
        steps.append((back_block, back_look))
    scores, back_output = output(hidden, is_train)

    def backprop(d_scores: Floats) -> Tokens:
        d_hidden = back_output(d_scores)
        for back_block, back_look in reversed(steps):
            d_hidden = d_hidden + back_look(back_block(d_hidden))
        widths = np.cumsum([vector.shape[1], *_AFFIX_WIDTHS])[:-1]
        d_word, *d_parts = np.split(back_mixer(d_hidden), widths, axis=1)
        back_word(np.ascontiguousarray(d_word))
        for (_, back), d_part in zip(parts, d_parts, strict=True):
            back(np.ascontiguousarray(d_part))
        return tokens

    return scores, backprop


View = tuple[Callable[[Floats], Floats], Backprop]


def _window(tokens: Tokens, dilation: int) -> View:
    """Set each token between its neighbours `dilation` to the left and right."""
    size = len(tokens)
    place = np.arange(size)
    of = np.searchsorted(tokens.starts, place, side="right")
    left, right = place - dilation, place + dilation
    left[left < tokens.starts[of - 1]] = size  # the row of zeros
    right[right >= tokens.starts[of]] = size

    def look(X: Floats) -> Floats:
        padded = np.vstack([X, np.zeros((1, X.shape[1]), X.dtype)])
        return np.hstack([padded[left], X, padded[right]])

    def back(d: Floats) -> Floats:
        before, here, after = np.split(d, 3, axis=1)
        zero = np.zeros((1, here.shape[1]), d.dtype)
        # Looking left and being looked at from the right are one thing.
        return here + np.vstack([before, zero])[right] + np.vstack([after, zero])[left]

    return look, back


def _whole(tokens: Tokens) -> View:
    """Set each token beside the mean of its word in the abstract and the abstract's mean."""
    sizes = np.bincount(tokens.same).astype(np.float32)[:, None]
    order = np.argsort(tokens.same, kind="stable")
    firsts = np.searchsorted(tokens.same[order], np.arange(len(sizes)))
    lengths = np.diff(tokens.starts)
    shares = np.maximum(lengths, 1).astype(np.float32)[:, None]
    full = lengths > 0

    def mean_word(X: Floats) -> Floats:
        means = np.add.reduceat(X[order], firsts) / sizes
        return np.asarray(means[tokens.same], dtype=np.float32)

    def mean_text(X: Floats) -> Floats:
        sums = np.zeros((len(lengths), X.shape[1]), X.dtype)
        sums[full] = np.add.reduceat(X, tokens.starts[:-1][full])
        return np.repeat(sums / shares, lengths, axis=0)

    def look(X: Floats) -> Floats:
        return np.hstack([X, mean_word(X), mean_text(X)])

    def back(d: Floats) -> Floats:  # both means are symmetric: their transpose is themselves
        here, word, text = np.split(d, 3, axis=1)
        return here + mean_word(word) + mean_text(text)

    return look, back
