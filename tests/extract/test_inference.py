import numpy as np
import pytest

from kg.extract import inference
from kg.extract.inference import Predictor
from kg.extract.network import Network, Tokens, build_tagger


def tokens_of(size: int, seed: int = 0) -> Tokens:
    rng = np.random.default_rng(seed)
    return Tokens(
        rows=rng.integers(0, 6, size),
        affixes=rng.integers(0, 99, (size, 3)).astype(np.uint64),
        starts=np.array([0, size]),
        same=rng.integers(0, max(size // 2, 1), size),
    )


def network(dilations: list[int]) -> Network:
    model = build_tagger(5, 6, 8, dilations, 0.3)
    model.initialize()
    rng = np.random.default_rng(1)
    for node in model.walk():
        for name in node.param_names:
            shape = node.get_param(name).shape
            node.set_param(name, rng.normal(0, 0.5, shape).astype(np.float32))
    return model


@pytest.mark.parametrize("size", [1, 2, 3, 40])
@pytest.mark.parametrize("dilations", [[1], [1, 2, 4, 1]])
def test_scores_are_those_of_the_network(size: int, dilations: list[int]) -> None:
    model = network(dilations)
    tokens = tokens_of(size)
    tokens.same[:] = np.unique(tokens.same, return_inverse=True)[1]
    assert Predictor(model)(tokens) == pytest.approx(model.predict(tokens), abs=1e-4)


@pytest.mark.parametrize("most", [41, 60, 1000])
def test_what_was_read_before_changes_no_bit(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inference, "_MOST_WORDS", most)
    model = network([1, 2])
    read_before = Predictor(model)
    for seed in range(8):
        tokens = tokens_of(40, seed)
        assert np.array_equal(read_before(tokens), Predictor(model)(tokens))
