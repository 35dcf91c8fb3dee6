"""The spaCy component that carries the models of relations in the pipeline's folder."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.tokens import Doc

from .relation_layout import Floats, WordVectors
from .relation_network import Network, from_steps, to_steps
from .relations import RelationModel
from .tagger import Tagger

NAME = "relations"
WEIGHTS = "weights.npz"
_NETWORKS = ("roles", "related")
_TABLE, _STEP = ".table", ".step"


class RelationWeights(Pipe):
    """Carries the weights of `kg.extract.relations`; it leaves documents as they are.

    Relations hold between concepts, which are named after the pipeline has found their mentions.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.arrays: Mapping[str, Floats] = {}

    def __call__(self, doc: Doc) -> Doc:
        """Return `doc`."""
        return doc

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the weights, those of the networks as `kg.train.relation_fit` rounds them."""
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        arrays: dict[str, Any] = {}
        for name, array in self.arrays.items():
            if name.endswith(_TABLE):
                arrays[name], arrays[name + _STEP] = to_steps(array)
            else:
                arrays[name] = array.astype(np.float16) if name.startswith(_NETWORKS) else array
        np.savez_compressed(folder / WEIGHTS, **arrays)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "RelationWeights":
        """Read what `to_disk` wrote into this component."""
        with np.load(Path(path) / WEIGHTS, allow_pickle=False) as arrays:
            self.arrays = {
                name: from_steps(arrays[name], arrays[name + _STEP])
                if name.endswith(_TABLE)
                else arrays[name].astype(np.float32)
                for name in arrays
                if not name.endswith(_STEP)
            }
        return self


@Language.factory("kg_relations")
def make_relation_weights(nlp: Language, name: str) -> RelationWeights:
    """Make the component from a pipeline's config; its weights are read afterwards."""
    return RelationWeights(name)


def relation_model(nlp: Language) -> RelationModel | None:
    """Return the relation model of a pipeline; None if it was trained without relations."""
    if NAME not in nlp.pipe_names:
        return None
    arrays = nlp.get_pipe(NAME).arrays  # type: ignore[attr-defined]
    networks = {
        network: Network(
            {key.split(".")[1]: array for key, array in arrays.items() if key.startswith(network)}
        )
        for network in _NETWORKS
    }
    return RelationModel(
        **networks,
        calibration=arrays["calibration"],
        least_score=float(arrays["least_score"]),
        least_proposed=float(arrays["least_proposed"]),
        vectors=word_vectors(nlp),
    )


def word_vectors(nlp: Language) -> WordVectors:
    """Return the word vectors of a pipeline's tagger."""
    tagger = nlp.get_pipe("ner")
    assert isinstance(tagger, Tagger)
    return WordVectors(tagger.words, np.asarray(tagger.model.layers[0].get_param("E")))


def add_relation_model(nlp: Language, model: RelationModel) -> None:
    """Put a relation model, but for the word vectors, into a pipeline."""
    pipe = nlp.get_pipe(NAME) if NAME in nlp.pipe_names else nlp.add_pipe("kg_relations", name=NAME)
    networks = {"roles": model.roles, "related": model.related}
    pipe.arrays = {  # type: ignore[attr-defined]
        f"{name}.{key}": array
        for name, network in networks.items()
        for key, array in network.weights.items()
    } | {
        "calibration": model.calibration,
        "least_score": np.float32(model.least_score),
        "least_proposed": np.float32(model.least_proposed),
    }
