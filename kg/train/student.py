"""What a trained pipeline says of unlabelled papers: tags that a narrower network learns from.

A network that learns from the mean of its teacher's and its forerunner's soft tags does better
than either (Furlanello et al. 2018, "Born-Again Neural Networks").
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

import numpy as np
from spacy.language import Language

from ..extract.blas import one_thread
from ..extract.decode import TAGS, Floats
from ..extract.naming import whole_text
from ..extract.tagger import Tagger
from ..records import Paper
from .data import Tags, pack_tags


def tag_papers(
    papers: Iterable[Paper], nlp: Language, *, teacher: Mapping[str, Tags] | None = None
) -> Iterator[dict[str, Any]]:
    """Yield papers as lines of `kg.train.data`: title and abstract as one text, softly tagged.

    Parameters
    ----------
    papers : iterable of Paper
        Unlabelled papers.
    nlp : Language
        A trained pipeline; it reads the title and the abstract apart.
    teacher : mapping, optional
        By abstract, the tags that a teacher gave it, in steps of 1/255; where there are any, the
        mean of both is taken.
    """
    teacher = teacher or {}
    for paper in papers:
        parts = [_tags(nlp, text) for text in (paper.title, paper.abstract) if text]
        if (taught := teacher.get(paper.abstract or "")) is not None:
            parts[-1] = _mean(parts[-1], taught)
        if len(parts) == 2:
            line_end = np.zeros((1, len(TAGS)), dtype=np.float32)
            line_end[0, TAGS.index("O")] = 1
            parts.insert(1, line_end)
        tags = pack_tags(np.vstack(parts))
        yield {"id": paper.id, "text": whole_text(paper), "mentions": [], "tags": tags}


def _mean(tags: Floats, taught: Tags) -> Floats:
    return np.asarray((tags + taught / np.float32(255)) / 2, dtype=np.float32)


def _tags(nlp: Language, text: str) -> Floats:
    tagger = cast(Tagger, nlp.get_pipe("ner"))
    with one_thread():
        return tagger.tag_probabilities(nlp.make_doc(text))
