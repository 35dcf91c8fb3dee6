import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.resolve.names import concept_id, normal_form, singular_name

SAME = [
    ("graph neural network", "Graph Neural Networks", "graph-neural-network"),
    ("GRAPH NEURAL NETWORKS", "graph neural network"),
    ("semi-supervised learning", "semisupervised learning", "Semi supervised Learnings"),
    ("semi-supervised learning", "Semi–Supervised Learning"),
    ("fine-tuning", "fine‐tuning", "fine‑tuning", "fine tuning", "fine­tuning", "finetuning"),
    ("β-VAE", r"$\beta$-VAE", "beta-VAE", "β-VAEs", "Beta VAE"),
    ("k-NN", "kNN", "K-NN"),
    ("F1", "F₁", "F_1", "F1s"),
    ("optimisation", "optimization", "Optimizations"),
    ("behaviour modelling", "behavior modeling"),
    ("GNN", "GNNs"),
    ("GPU", "GPUs"),
    ("RoI", "RoIs"),
    ("neural GPU", "Neural GPUs"),
    ("attention", "“attention”", "(attention)", "-attention-", "attention,", "**attention**"),
    ("LLaMA-2", "LLaMA 2", "Llama2"),
    ("Dobrushin's condition", "Dobrushin’s conditions"),
    ("μ-law", "µ-law"),
    ("word2vec", "word-2-vec", "Word2Vec"),
    ("matrix", "matrices"),
    ("policy", "policies"),
]  # fmt: skip
DIFFERENT = [
    ("CIFAR-10", "CIFAR-100"),
    ("GPT-3", "GPT-4", "GPT-3.5", "GPT-35", "GPT"),
    ("C", "C++", "C#"),
    ("MNIST", "EMNIST"),
    ("REINFORCE", "reinforce"),
    ("IT", "it"),
    ("Adam", "adam"),
    ("Mamba", "mamba"),
    ("US", "us"),
    ("A* search", "a search"),
    ("U-Net", "3D U-Net"),
    ("苹果", "香蕉"),
    ("LSTM", "LSTM-CRF"),
    ("loss", "lo"),
]


@pytest.mark.parametrize("names", SAME, ids=lambda names: names[0])
def test_spellings_of_one_name_are_one(names: tuple[str, ...]) -> None:
    assert len(set(map(normal_form, names))) == 1
    assert len({concept_id(name).rsplit("-", 1)[1] for name in names}) == 1


@pytest.mark.parametrize("names", DIFFERENT, ids=lambda names: names[0])
def test_names_that_differ_stay_apart(names: tuple[str, ...]) -> None:
    for one, other in itertools.combinations(names, 2):
        assert normal_form(one) != normal_form(other)
        assert concept_id(one) != concept_id(other)


@pytest.mark.parametrize(
    ("name", "singular"),
    [
        ("Graph Neural Networks", "Graph Neural Network"),
        ("GNNs", "GNN"),
        ("loss", "loss"),
        ("analysis", "analysis"),
        ("Gaussian processes", "Gaussian process"),
        ("statistics", "statistics"),
        ("bias", "bias"),
        ("ResNet-50", "ResNet-50"),
        ("AdS", "AdS"),
        ("means", "means"),
    ],
)
def test_singular_name_known(name: str, singular: str) -> None:
    assert singular_name(name) == singular


@given(st.text())
def test_normal_form_is_stable(name: str) -> None:
    key = normal_form(name)
    assert normal_form(f" {name} ") == key
    assert " " not in key


@given(st.text(min_size=1))
def test_concept_id_is_never_empty_or_blank(name: str) -> None:
    slug, _, digest = concept_id(name).rpartition("-")
    assert slug and len(digest) == 8
