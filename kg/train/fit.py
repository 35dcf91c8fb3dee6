"""Fitting the tagger's network to examples."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt
from thinc.api import Adam, fix_random_seed

from ..extract.blas import one_thread
from ..extract.decode import probabilities
from ..extract.network import Floats, Network, build_tagger, join_tokens
from .examples import Example

Bools = npt.NDArray[np.bool_]

LOSS_SCALE = 1 / 30  # keeps the gradient's length near one, where clipping rarely bites


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """How the tagger is trained; the defaults are for papers that people annotated.

    Attributes
    ----------
    width, dilations, dropout
        The network, as `kg.extract.network.build_tagger` takes them.
    word_dropout : float
        Share of the words hidden in training, so that affixes and neighbours are heeded.
    epochs, batch : int
        Rounds over the papers, and papers a step.
    learning_rate : float
        Adam's, at its height.
    gold_repeats : int
        How often a round shows a paper that people annotated.
    tune_words : bool
        Whether the word vectors are trained on or stay as they are.
    seed : int
        Of all that is random.
    """

    width: int = 128
    dilations: tuple[int, ...] = (1, 2, 4, 1)
    dropout: float = 0.3
    word_dropout: float = 0.1
    epochs: int = 8
    batch: int = 16
    learning_rate: float = 2e-3
    gold_repeats: int = 1
    tune_words: bool = False
    seed: int = 0


WITH_TEACHER = TrainingConfig(epochs=3, gold_repeats=4, dropout=0.15)
"""For few papers that people annotated and many that a machine did (see the README)."""


def fit_network(examples: Sequence[Example], vectors: Floats, config: TrainingConfig) -> Network:
    """Return a network trained on `examples`, its weights averaged over the steps.

    `vectors` are the rows of the word table, in the order of the hashes that the examples'
    tokens were read with. Progress goes to standard error.
    """
    fix_random_seed(config.seed)
    rng = np.random.default_rng(config.seed)
    model = build_tagger(
        len(vectors), vectors.shape[1], config.width, list(config.dilations), config.dropout
    )
    model.initialize()
    model.layers[0].set_param("E", np.vstack([np.zeros_like(vectors[:1]), vectors]))
    trained = model.layers if config.tune_words else model.layers[1:]
    steps = config.epochs * -(-len(examples) // config.batch)
    optimizer = Adam(
        config.learning_rate, L2=0.01, L2_is_weight_decay=True, grad_clip=1.0, use_averages=True
    )
    with one_thread():
        for step, batch in enumerate(_batches(examples, config, rng)):
            optimizer.learn_rate = config.learning_rate * _schedule(step / steps)
            hidden = rng.random(sum(len(example.tokens) for example in batch))
            loss = _learn(model, batch, hidden < config.word_dropout)
            for layer in trained:
                layer.finish_update(optimizer)
            if step % 200 == 0:
                print(f"step {step} of {steps}: loss {loss:.4f}", file=sys.stderr, flush=True)
    with model.use_params(optimizer.averages):
        return cast(Network, model.copy())


def _batches(
    examples: Sequence[Example], config: TrainingConfig, rng: np.random.Generator
) -> Iterator[list[Example]]:
    for _ in range(config.epochs):
        order = rng.permutation(len(examples))
        for at in range(0, len(order), config.batch):
            yield [examples[i] for i in order[at : at + config.batch]]


def _schedule(done: float) -> float:
    """Warm up over the first twentieth, then fall to nothing in a straight line."""
    return min(done / 0.05, 1.0) * (1.0 - done) + 1e-3


def _learn(model: Network, batch: Sequence[Example], hidden: Bools) -> float:
    """Add the batch's gradient to the model's and return its cross-entropy a token."""
    tokens = join_tokens([example.tokens for example in batch])
    tokens.rows[hidden] = 0
    wanted = np.concatenate([example.tags for example in batch]).astype(np.float32)
    wanted /= wanted.sum(axis=1, keepdims=True)
    scores, backprop = model.begin_update(tokens)
    given = probabilities(scores)
    backprop((given - wanted) * np.float32(LOSS_SCALE / len(batch)))
    return float(-(wanted * np.log(given + 1e-9)).sum() / len(tokens))
