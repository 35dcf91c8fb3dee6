"""Fitting the network of `kg.extract.relation_network` to annotated abstracts."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
import numpy.typing as npt

from ..extract.blas import one_thread
from ..extract.relation_layout import Floats, Ints
from ..extract.relation_network import (
    Network,
    Rows,
    Trace,
    Weights,
    concepts,
    forward,
    from_steps,
    members,
    sigmoid,
    to_steps,
    total,
    turned,
)

Bools = npt.NDArray[np.bool_]
SAME = 1e-4  # numbers that differ less are one number
FADE = (0.9, 0.99)  # of Adam's two averages


@dataclass(frozen=True, slots=True)
class Example:
    """The rows of one abstract, the answers, and which outputs are asked of each row."""

    rows: Rows
    right: Floats
    asked: Bools


@dataclass(frozen=True, slots=True)
class FitConfig:
    """How a network is fitted.

    Attributes
    ----------
    table : int
        Rows of the table of hashed features.
    width : int
        Of the hidden layers.
    epochs, batch : int
        Rounds over the abstracts, and abstracts a step.
    learning_rate : float
        Adam's, at its height.
    forget, dropout, blur : float
        Share of the hashed features, of the hidden values and of the numbers left out.
    seed : int
        Of all that is random.
    """

    table: int = 1 << 15
    width: int = 64
    epochs: int = 3
    batch: int = 16
    learning_rate: float = 2e-3
    forget: float = 0.3
    dropout: float = 0.3
    blur: float = 0.1
    seed: int = 0


def compact(rows: Rows) -> Rows:
    """Return the rows in a quarter of the memory, for tables of at most 65,536 rows."""
    return replace(
        rows,
        columns=rows.columns.astype(np.uint16),
        numbers=rows.numbers.astype(np.float16),
    )


def fit(examples: Sequence[Example], config: FitConfig) -> Network:
    """Return a network fitted to `examples` with Adam (Kingma & Ba 2015).

    Its weights are rounded as they are stored, so that a stored network says the same.
    """
    rng = np.random.default_rng(config.seed)
    numbers = np.vstack([example.rows.numbers for example in examples])
    center: Floats = np.asarray(numbers.mean(axis=0, dtype=np.float32))
    spread: Floats = np.asarray(numbers.std(axis=0, dtype=np.float32))
    spread[spread < SAME] = 1
    weights = start(examples[0], config, rng)
    steps = config.epochs * -(-len(examples) // config.batch)
    adam = _Adam(weights)
    with one_thread():
        for step, batch in enumerate(_batches(examples, config, rng)):
            example = join(batch, center, spread)
            adam.step(gradients(weights, example, config, rng), _rate(step / steps, config))
    print(f"fitted in {steps} steps", file=sys.stderr, flush=True)
    scaled = weights["numbers"] / spread[:, None]
    final = weights | {"numbers": scaled, "bias": weights["bias"] - center @ scaled}
    rounded = {name: w.astype(np.float16).astype(np.float32) for name, w in final.items()}
    return Network(rounded | {"table": from_steps(*to_steps(weights["table"]))})


def start(example: Example, config: FitConfig, rng: np.random.Generator) -> dict[str, Floats]:
    width, outputs, inputs = config.width, example.right.shape[1], example.rows.numbers.shape[1]

    def some(rows: int, columns: int, scale: float = 0.1) -> Floats:
        return (rng.normal(size=(rows, columns)) * scale).astype(np.float32)

    return {
        # Zero, so that a feature never seen says nothing; the other weights tell units apart.
        "table": np.zeros((config.table, width + outputs), np.float32),
        "numbers": some(inputs, width, 0.5 / inputs**0.5),
        "bias": np.zeros(width, np.float32),
        "own": some(width, width),
        "by_head": some(2 * width, width),
        "by_tail": some(2 * width, width),
        "by_text": some(width, width),
        "by_reverse": some(width, width),
        "mixed_bias": np.zeros(width, np.float32),
        "hidden": some(width, outputs),
        "mixed": some(width, outputs),
        "prior": np.full(outputs, -2.0, np.float32),
    }


def _batches(
    examples: Sequence[Example], config: FitConfig, rng: np.random.Generator
) -> Iterator[list[Example]]:
    for _ in range(config.epochs):
        order = rng.permutation(len(examples))
        for at in range(0, len(order), config.batch):
            yield [examples[i] for i in order[at : at + config.batch]]


def join(batch: Sequence[Example], center: Floats, spread: Floats) -> Example:
    """Return several abstracts as one, with the numbers on one scale."""
    rows = [example.rows for example in batch]
    sizes = np.array([len(r) for r in rows])
    named = np.cumsum([0] + [concepts(r) for r in rows])
    before = np.cumsum([0, *sizes])
    joined = Rows(
        columns=np.concatenate([r.columns for r in rows]),
        numbers=(np.concatenate([r.numbers for r in rows]) - center) / spread,
        head=np.concatenate([r.head + n for r, n in zip(rows, named, strict=False)]),
        tail=np.concatenate([r.tail + n for r, n in zip(rows, named, strict=False)]),
        text=np.repeat(np.arange(len(rows)), sizes),
        reverse=np.concatenate(
            [
                np.where(r.reverse == len(r), before[-1], r.reverse + start)
                for r, start in zip(rows, before, strict=False)
            ]
        ),
    )
    right, asked = (np.concatenate([getattr(e, k) for e in batch]) for k in ("right", "asked"))
    return Example(joined, right, asked)


def gradients(
    weights: Weights, example: Example, config: FitConfig, rng: np.random.Generator
) -> dict[str, Floats]:
    """Return the gradient of the cross-entropy, features and hidden values dropped at random."""
    rows = example.rows
    seen = _Seen.of(rows.columns, config, rng)
    blurred = rows.numbers * (rng.random(rows.numbers.shape, dtype=np.float32) > config.blur)
    rows = Rows(**{f.name: getattr(rows, f.name) for f in fields(Rows)} | {"numbers": blurred})
    masks: list[Floats] = []

    def drop(values: Floats) -> Floats:
        kept = rng.random(values.shape, dtype=np.float32) > config.dropout
        masks.append(kept.astype(np.float32) / np.float32(1 - config.dropout))
        return values * masks[-1]

    trace = forward(weights, seen.sums(weights["table"]), rows, drop)
    wrong = (sigmoid(trace.scores) - example.right) * example.asked / np.float32(100)
    to_hidden, to_mixed = (np.asarray(kept, dtype=np.float32) for kept in masks)
    d_mixed = np.asarray((wrong @ weights["mixed"].T) * (trace.mixed > 0) * to_mixed, np.float32)
    back, gradients = _back_mixed(weights, trace, rows, d_mixed)
    d_hidden = (back + wrong @ weights["hidden"].T) * (trace.hidden > 0) * to_hidden
    return gradients | {
        "table": seen.spread(np.hstack([d_hidden, wrong])),
        "numbers": rows.numbers.T @ d_hidden,
        "bias": d_hidden.sum(axis=0),
        "hidden": trace.hidden.T @ wrong,
        "mixed": trace.mixed.T @ wrong,
        "prior": wrong.sum(axis=0),
    }


def _back_mixed(
    weights: Weights, trace: Trace, rows: Rows, d_mixed: Floats
) -> tuple[Floats, dict[str, Floats]]:
    """Return the gradient at the first layer, and those of the weights between the two layers."""
    size, texts = len(trace.around), len(trace.whole)
    to_head, to_tail = total(rows.head, d_mixed, size), total(rows.tail, d_mixed, size)
    to_text = total(rows.text, d_mixed, texts)
    d_around = to_head @ weights["by_head"].T + to_tail @ weights["by_tail"].T
    at_head, at_tail = np.split(d_around, 2, axis=1)
    back = d_mixed @ weights["own"].T
    back += (at_head / members(rows.head, size))[rows.head]
    back += (at_tail / members(rows.tail, size))[rows.tail]
    back += (to_text @ weights["by_text"].T / members(rows.text, texts))[rows.text]
    back += turned(d_mixed @ weights["by_reverse"].T, rows.reverse)  # a reverse's is itself
    return back, {
        "own": trace.hidden.T @ d_mixed,
        "by_head": trace.around.T @ to_head,
        "by_tail": trace.around.T @ to_tail,
        "by_text": trace.whole.T @ to_text,
        "by_reverse": turned(trace.hidden, rows.reverse).T @ d_mixed,
        "mixed_bias": d_mixed.sum(axis=0),
    }


@dataclass(frozen=True, slots=True)
class _Seen:
    """The features of some rows, a part of them forgotten: one place a feature that is left."""

    row: Ints
    column: Ints
    rows: int
    table: int
    weight: np.float32

    @classmethod
    def of(cls, columns: Ints, config: FitConfig, rng: np.random.Generator) -> "_Seen":
        """Draw which features of `columns` are seen; column 0 stands for none."""
        kept = (columns > 0) & (rng.random(columns.shape, dtype=np.float32) > config.forget)
        row = np.nonzero(kept)[0]
        return cls(
            row, columns[kept], len(columns), config.table, np.float32(1 / (1 - config.forget))
        )

    def sums(self, table: Floats) -> Floats:
        """Return the sum of the table's rows that each row sees."""
        return _summed(self.row, table[self.column], self.rows) * self.weight

    def spread(self, rows: Floats) -> Floats:
        """Return what of `rows` falls to each row of the table."""
        order = np.argsort(self.column, kind="stable")
        return _summed(self.column[order], rows[self.row[order]], self.table) * self.weight


def _summed(group: Ints, values: Floats, size: int) -> Floats:
    """Return the sum of the values of each group; the groups are in order."""
    sums = np.zeros((size, values.shape[1]), dtype=np.float32)
    if len(group):
        starts = np.flatnonzero(np.diff(group, prepend=group[0] - 1))
        sums[group[starts]] = np.add.reduceat(values, starts, axis=0)
    return sums


def _rate(done: float, config: FitConfig) -> float:
    """Warm up over the first twentieth, then fall to nothing in a straight line."""
    return config.learning_rate * min(done / 0.05, 1.0) * (1.0 - done) + 1e-5


class _Adam:
    def __init__(self, weights: dict[str, Floats]) -> None:
        self.weights = weights
        self.first = {name: np.zeros_like(w) for name, w in weights.items()}
        self.second = {name: np.zeros_like(w) for name, w in weights.items()}
        self.steps = 0

    def step(self, gradients: Weights, rate: float) -> None:
        self.steps += 1
        slow, slower = (1 - fade**self.steps for fade in FADE)
        for name, gradient in gradients.items():
            first, second = self.first[name], self.second[name]
            first += np.float32(1 - FADE[0]) * (gradient - first)
            second += np.float32(1 - FADE[1]) * (gradient * gradient - second)
            change = first / np.float32(slow)
            change /= np.sqrt(second / np.float32(slower)) + np.float32(1e-6)
            self.weights[name] -= np.float32(rate) * change
