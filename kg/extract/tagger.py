"""The spaCy component that finds mentions: it sets ``doc.ents`` and ``ent._.score``."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.tokens import Doc, Span
from spacy.vocab import Vocab

from ..records import CONCEPT_TYPES
from .blas import one_thread
from .decode import Floats, TokenSpan, probabilities, span_probabilities, without_overlap
from .inference import Predictor
from .network import Network, read_tokens
from .settle import AS_IT_IS, TokenText, settle

WEIGHTS = "weights.npz"
POSSIBLE = 0.03
LONGEST_NAME = 300  # characters
PIECE = 2000  # tokens read at once; an abstract has some 200

Words = npt.NDArray[np.uint64]


class Tagger(Pipe):
    """Finds the mentions of a text: ``doc.ents`` with ``ent._.score``.

    Parameters
    ----------
    vocab : Vocab
        The pipeline's vocabulary.
    model : Model
        The network, from `kg.extract.network.build_tagger`.
    words : array
        The sorted hashes of the words that the network has vectors for.
    least : float
        The least probability of a mention.
    name : str
        The component's name.
    """

    def __init__(
        self, vocab: Vocab, model: Network, *, words: Words, least: float, name: str
    ) -> None:
        self.vocab = vocab
        self.model = model
        self.words = words
        self.weights = AS_IT_IS
        self.least = least
        self.name = name
        self._predictor: Predictor | None = None
        if not Span.has_extension("score"):
            Span.set_extension("score", default=None)

    def __call__(self, doc: Doc) -> Doc:
        """Set the mentions of `doc`, each document by itself, so that company changes no score."""
        with one_thread():
            spans = self.find(doc)
        doc.ents = [
            Span(doc, span.start, span.end, label=CONCEPT_TYPES[span.kind]) for span in spans
        ]
        for ent, span in zip(doc.ents, spans, strict=True):
            ent._.score = round(span.probability, 3)
        return doc

    def find(self, doc: Doc) -> list[TokenSpan]:
        """Return the mentions of `doc` in order of place."""
        spans: list[TokenSpan] = []
        for start in range(0, len(doc), PIECE):
            piece = doc[start : start + PIECE].as_doc() if len(doc) > PIECE else doc
            text = TokenText.of(piece)
            settled = settle(text, self.possible(piece, text), self.weights)
            spans += [
                span._replace(start=start + span.start, end=start + span.end)
                for span in without_overlap(settled, least=self.least)
            ]
        return spans

    def possible(self, doc: Doc, text: TokenText) -> list[TokenSpan]:
        """Return every span that the network alone holds possible; they may overlap."""
        found = span_probabilities(self.tag_probabilities(doc), least=POSSIBLE)
        return [span for span in found if _is_name(text.surface(span))]

    def tag_probabilities(self, doc: Doc) -> Floats:
        """Return how likely the network alone holds each tag, one row a token."""
        if self._predictor is None or self._predictor.model is not self.model:
            self._predictor = Predictor(self.model)
        return probabilities(self._predictor(read_tokens(doc, self.words)))

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the weights, in half precision, and the words to a folder."""
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        arrays: dict[str, Any] = {
            f"{number}.{name}": np.asarray(node.get_param(name), dtype=np.float16)
            for number, node in enumerate(self.model.walk())
            for name in node.param_names
        }
        np.savez_compressed(folder / WEIGHTS, words=self.words, settle=self.weights, **arrays)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "Tagger":
        """Read what `to_disk` wrote into this component."""
        with (Path(path) / WEIGHTS).open("rb") as file, np.load(file) as arrays:
            self.words, self.weights = arrays["words"], arrays["settle"]
            for number, node in enumerate(self.model.walk()):
                for name in node.param_names:
                    node.set_param(name, arrays[f"{number}.{name}"].astype(np.float32))
        self._predictor = None
        return self


def _is_name(text: str) -> bool:
    """Tell whether a text could name anything: it has a letter or digit and is no endless run."""
    return len(text) <= LONGEST_NAME and any(char.isalnum() for char in text)


@Language.factory(
    "kg_tagger",
    assigns=["doc.ents", "span._.score"],
    default_config={"least": 0.35},
)
def make_tagger(nlp: Language, name: str, model: Network, least: float) -> Tagger:
    """Make the component from a pipeline's config; its weights are read afterwards."""
    words = np.zeros(1, dtype=np.uint64)
    return Tagger(nlp.vocab, model, words=words, least=least, name=name)
