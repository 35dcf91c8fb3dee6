from dataclasses import replace

import numpy as np
import pytest

from kg.extract.relation_network import Rows, forward, sigmoid
from kg.train.relation_fit import Example, FitConfig, fit, gradients, join, start

EXACT = FitConfig(table=20, width=3, epochs=150, batch=4, forget=0, dropout=0, blur=0)


def example(seed: int) -> Example:
    """Three pairs of three concepts, the first two each other's reverse."""
    rng = np.random.default_rng(seed)
    rows = Rows(
        columns=rng.integers(0, 20, size=(3, 5)),
        numbers=rng.normal(size=(3, 4)).astype(np.float32),
        head=np.array([0, 1, 1]),
        tail=np.array([1, 0, 2]),
        text=np.zeros(3, dtype=np.int64),
        reverse=np.array([1, 0, 3]),
    )
    right = (rng.random((3, 2)) > 0.5).astype(np.float32)
    return Example(rows, right, np.array([[1, 1], [1, 0], [1, 1]], dtype=bool))


def loss(weights: dict[str, np.ndarray], both: Example) -> float:
    p = sigmoid(forward(weights, weights["table"][both.rows.columns].sum(axis=1), both.rows).scores)
    terms = np.log(np.where(both.right > 0, p, 1 - p), dtype=np.float64)
    return float(-(terms * both.asked).sum())


def test_gradients_are_the_slopes_of_the_loss() -> None:
    rng = np.random.default_rng(0)
    both = join([example(1), example(2)], np.float32(0), np.float32(1))
    weights = start(both, EXACT, rng)
    weights = {k: w.astype(np.float64) + 0.3 * rng.normal(size=w.shape) for k, w in weights.items()}
    weights["table"][0] = 0
    found = gradients(weights, both, EXACT, rng)
    for name, gradient in found.items():
        place = np.unravel_index(np.abs(gradient).argmax(), gradient.shape)
        step = np.zeros_like(weights[name])
        step[place] = 1e-3
        slope = (
            loss(weights | {name: weights[name] + step}, both)
            - loss(weights | {name: weights[name] - step}, both)
        ) / 2e-3
        assert gradient[place] * 100 == pytest.approx(slope, rel=0.02, abs=2e-3), name


def test_texts_in_one_batch_do_not_see_each_other() -> None:
    one, other = example(1), example(2)
    weights = start(one, EXACT, np.random.default_rng(0))
    both = join([one, other], np.float32(0), np.float32(1))

    def scores(example: Example) -> np.ndarray:
        hashed = weights["table"][example.rows.columns].sum(axis=1)
        return forward(weights, hashed, example.rows).scores

    apart = np.vstack([scores(one), scores(other)])
    np.testing.assert_allclose(scores(both), apart, rtol=1e-5, atol=1e-6)


def test_fitting_learns_and_repeats_itself() -> None:
    examples = [example(seed) for seed in range(8)]
    config = replace(EXACT, width=16, learning_rate=0.02)
    first, second = (fit(examples, config) for _ in range(2))
    for name, weight in first.weights.items():
        np.testing.assert_array_equal(weight, second.weights[name])
    said = np.vstack([first(e.rows) for e in examples])
    asked = np.vstack([e.asked for e in examples])
    right = np.vstack([e.right for e in examples])
    assert ((said > 0.5) == right)[asked].mean() > 0.95
