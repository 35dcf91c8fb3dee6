"""Word vectors for the tagger to start from, trained on unlabelled abstracts.

Skip-gram with negative sampling (Mikolov et al. 2013) by gensim, which
``pip install '.[train]'`` brings, over the tokens of `kg`'s own tokenizer.
"""

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from spacy.language import Language

from ..errors import MissingExtra

WIDTH = 128
SETTINGS = {"sg": 1, "hs": 0, "negative": 8, "window": 4, "sample": 1e-4, "min_count": 4}
LONGEST_WORD = 60


def train_vectors(
    texts: Iterable[str], nlp: Language, output: Path, *, epochs: int = 4, seed: int = 1
) -> int:
    """Train word vectors and write them, the commonest word first, to an ``.npz`` file.

    Parameters
    ----------
    texts : iterable of str
        Cleaned titles and abstracts.
    nlp : Language
        A pipeline with the tagger's tokenizer.
    output : Path
        Where ``words`` and ``vectors`` are written.
    epochs, seed : int
        Rounds over the texts; the seed of all that is random.

    Returns
    -------
    int
        How many words have a vector.

    Raises
    ------
    MissingExtra
        If gensim is not installed.
    """
    if find_spec("gensim") is None:
        raise MissingExtra("word vectors need gensim: run pip install '.[train]'")
    from gensim.models import Word2Vec

    sentences = [[t.lower_[:LONGEST_WORD] for t in nlp.make_doc(text)] for text in texts]
    # One worker: with more, gensim's result depends on which of them comes first.
    model = Word2Vec(sentences, vector_size=WIDTH, epochs=epochs, seed=seed, workers=1, **SETTINGS)
    np.savez(
        output,
        words=np.array(model.wv.index_to_key),
        vectors=model.wv.vectors.astype(np.float32),
    )
    return len(model.wv)
