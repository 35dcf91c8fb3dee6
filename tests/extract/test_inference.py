import numpy as np
import pytest

from kg.extract.inference import Predictor
from kg.extract.network import Tokens, build_tagger


def tokens_of(size: int, seed: int = 0) -> Tokens:
    rng = np.random.default_rng(seed)
    return Tokens(
        rows=rng.integers(0, 6, size),
        affixes=rng.integers(0, 99, (size, 3)).astype(np.uint64),
        starts=np.array([0, size]),
        same=rng.integers(0, max(size // 2, 1), size),
    )


@pytest.mark.parametrize("size", [1, 2, 3, 40])
@pytest.mark.parametrize("dilations", [[1], [1, 2, 4, 1]])
def test_scores_are_those_of_the_network(size: int, dilations: list[int]) -> None:
    model = build_tagger(5, 6, 8, dilations, 0.3)
    model.initialize()
    rng = np.random.default_rng(1)
    for node in model.walk():
        for name in node.param_names:
            shape = node.get_param(name).shape
            node.set_param(name, rng.normal(0, 0.5, shape).astype(np.float32))
    tokens = tokens_of(size)
    tokens.same[:] = np.unique(tokens.same, return_inverse=True)[1]
    assert Predictor(model)(tokens) == pytest.approx(model.predict(tokens), abs=1e-4)
