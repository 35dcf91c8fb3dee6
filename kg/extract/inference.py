"""The tagger's network for reading one text: the sums of `kg.extract.network`, and no more.

The layers that a network is trained with carry what training needs (gradients, dropout, batches
of texts); with texts as short as an abstract that is half of the time. Here are the same sums
over one text, on weights laid out for them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from .network import AFFIXES, Floats, Ints, Network, Tokens

_MOST_WORDS = 1 << 15  # remembered, 16 MB of them; what is read at once has fewer


@dataclass(frozen=True, slots=True)
class _Maxout:
    """The larger of two linear maps; their weights side by side, so that one product does both."""

    weights: Floats
    bias: Floats

    @classmethod
    def of(cls, layer: Network) -> "_Maxout":
        first, second = _param(layer, "W").transpose(1, 2, 0)
        return cls(np.hstack([first, second]), _param(layer, "b").T.ravel())

    def __call__(self, X: Floats) -> Floats:
        return self.larger(X @ self.weights)

    def over_whole(self, X: Floats, same: Ints) -> Floats:
        """Map each row beside the mean of its word's rows and the mean of all.

        What rows have in common is multiplied once.
        """
        own, word, text = np.split(self.weights, 3)
        counts = np.bincount(same)
        shares = np.zeros((len(counts), len(X)), X.dtype)
        shares[same, np.arange(len(X))] = 1 / counts[same]
        both = X @ own
        both += (shares @ X @ word + X.mean(axis=0) @ text)[same]
        return self.larger(both)

    def larger(self, both: Floats) -> Floats:
        both += self.bias
        half = both.shape[1] // 2
        return np.asarray(np.maximum(both[:, :half], both[:, half:]))


@dataclass(frozen=True, slots=True)
class _Norm:
    """Each row with mean 0 and variance 1, then scaled and shifted (Ba et al. 2016)."""

    scale: Floats
    shift: Floats

    @classmethod
    def of(cls, layer: Network) -> "_Norm":
        return cls(_param(layer, "G"), _param(layer, "b"))

    def __call__(self, X: Floats) -> Floats:
        X = X - X.mean(axis=1, keepdims=True)
        variance = np.einsum("ij,ij->i", X, X)[:, None] / np.float32(X.shape[1])
        X *= 1 / np.sqrt(variance + np.float32(1e-8))
        X *= self.scale
        X += self.shift
        return X


@dataclass(slots=True)
class _Words:
    """What the first layer makes of words, each worked out when it is first met.

    The layer sees a word and nothing around it, and most words of a text have been in others.
    Every word is worked out by itself, so that what it was met with changes no bit of it.
    """

    table: Floats
    affixes: list[Network]
    mixer: _Maxout
    places: dict[bytes, int] = field(default_factory=dict)
    known: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.known = np.empty((_MOST_WORDS, len(self.mixer.bias) // 2), dtype=np.float32)

    def __call__(self, tokens: Tokens) -> Floats:
        keys = _keys(tokens)
        if len(self.places) + len(keys) > len(self.known):
            self.places.clear()
        if fresh := {key: at for at, key in enumerate(keys) if key not in self.places}:
            self._learn(tokens, fresh)
        return self.known[[self.places[key] for key in keys]]

    def _learn(self, tokens: Tokens, fresh: Mapping[bytes, int]) -> None:
        at = np.fromiter(fresh.values(), dtype=np.int64)
        affixes = [layer.predict(tokens.affixes[at]) for layer in self.affixes]
        for key, row in zip(fresh, np.hstack([self.table[tokens.rows[at]], *affixes]), strict=True):
            self.places[key] = place = len(self.places)
            self.known[place] = self.mixer(row[None])


def _keys(tokens: Tokens) -> list[bytes]:
    """Return of each word all that the first layer sees of it."""
    columns = np.column_stack([tokens.rows.astype(np.uint64), tokens.affixes])
    keys: list[bytes] = columns.view(f"V{columns.shape[1] * columns.itemsize}").ravel().tolist()
    return keys


class Predictor:
    """Scores the tags of one text's tokens as `model.predict` does, in half of the time.

    Parameters
    ----------
    model : Network
        A network from `kg.extract.network.build_tagger` with its weights.
    """

    def __init__(self, model: Network) -> None:
        self.model = model
        self.dilations: tuple[int, ...] = model.attrs["dilations"]
        nodes = [node for layer in model.layers for node in layer.walk()]
        affixes = model.layers[1 : 1 + len(AFFIXES)]
        mixer, *self.blocks = [_Maxout.of(n) for n in nodes if n.name == "maxout"]
        self.words = _Words(_param(model.layers[0], "E"), affixes, mixer)
        *self.norms, self.last = [_Norm.of(n) for n in nodes if n.name == "layernorm"]
        output = next(node for node in nodes if node.name == "linear")
        self.output, self.bias = _param(output, "W").T, _param(output, "b")

    def __call__(self, tokens: Tokens) -> Floats:
        """Return one row of scores a token."""
        hidden = self.words(tokens)
        for number, (block, norm) in enumerate(zip(self.blocks, self.norms, strict=True)):
            if number == len(self.dilations) - 1:
                change = block.over_whole(hidden, tokens.same)
            else:
                dilation = self.dilations[min(number, len(self.dilations) - 1)]
                change = block(_window(hidden, dilation))
            hidden = hidden + norm(change)
        return np.asarray(self.last(hidden) @ self.output + self.bias)


def _param(layer: Network, name: str) -> Floats:
    return np.asarray(layer.get_param(name), dtype=np.float32)


def _window(X: Floats, dilation: int) -> Floats:
    """Set each row between its neighbours `dilation` before and after, zeros beyond the ends."""
    size, width = X.shape
    inner = max(size - dilation, 0)
    seen = np.empty((size, 3 * width), X.dtype)
    seen[: size - inner, :width] = 0
    seen[size - inner :, :width] = X[:inner]
    seen[:, width : 2 * width] = X
    seen[:inner, 2 * width :] = X[size - inner :]
    seen[inner:, 2 * width :] = 0
    return seen
