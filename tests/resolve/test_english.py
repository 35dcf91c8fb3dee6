import pytest

from kg.resolve.english import american, singular


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("networks", "network"),
        ("GPUs", "GPU"),
        ("RoIs", "RoI"),
        ("matrices", "matrix"),
        ("policies", "policy"),
        ("loss", "loss"),
        ("means", "means"),
        ("metrics", "metric"),
        ("robotics", "robotics"),
        ("SGNS", "SGNS"),
    ],
)
def test_singular_known(word: str, expected: str) -> None:
    assert singular(word) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [("optimisation", "optimization"), ("modelling", "modeling"), ("centre", "center")],
)
def test_american_known(word: str, expected: str) -> None:
    assert american(word) == expected
