"""The packaged extraction pipeline: ``kg.load()``."""

from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import ModelError

if TYPE_CHECKING:
    from spacy.language import Language

PACKAGED = Path(__file__).parent.parent / "model"
LONGEST_TEXT = 1 << 62  # neither the tokenizer nor the tagger needs spaCy's limit


def load(path: Path | None = None) -> "Language":
    """Load an extraction pipeline, without the network.

    Parameters
    ----------
    path : Path, optional
        The folder of a trained pipeline, as `kg train` writes it; the packaged one if left out.

    Returns
    -------
    spacy.Language
        A pipeline whose ``doc.ents`` are the mentions, each with a probability ``ent._.score``
        and the name ``ent._.concept`` that the text gives its concept.

    Raises
    ------
    ModelError
        If the folder is missing or does not hold a whole pipeline.

    Examples
    --------
    >>> nlp = load()
    >>> doc = nlp("We train a graph neural network on ImageNet.")
    >>> [(ent.text, ent.label_) for ent in doc.ents]
    [('graph neural network', 'Method'), ('ImageNet', 'Dataset')]
    """
    import spacy
    from spacy.tokens import Span

    # They register what the config names.
    from . import relation_model, tagger, tokenizer  # noqa: F401
    from .annotate import concept_of

    folder = PACKAGED if path is None else path
    if not (folder / "config.cfg").is_file():
        raise ModelError(f"{folder}: no model is there; give the folder that kg train wrote")
    try:
        nlp = spacy.load(folder)
    except Exception as error:  # damage shows as whatever the damaged part raises
        detail = " ".join(str(error).split())[:200]
        raise ModelError(
            f"{folder}: the model is damaged ({detail}); install or train it anew"
        ) from error
    nlp.max_length = LONGEST_TEXT
    if not Span.has_extension("concept"):
        Span.set_extension("concept", getter=concept_of)
    return nlp
