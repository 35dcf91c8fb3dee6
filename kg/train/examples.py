"""Annotated papers as the numbers that a tagger learns from."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from spacy.language import Language
from spacy.tokens import Doc

from ..errors import InputError
from ..extract.decode import tag_targets
from ..extract.network import Tokens, read_tokens
from ..records import CONCEPT_TYPES
from .data import GoldPaper, Tags, clean_paper


@dataclass(frozen=True, slots=True)
class Example:
    """A paper's tokens and, in steps of 1/255, how likely each tag is for each of them."""

    tokens: Tokens
    tags: Tags


def make_example(paper: GoldPaper, nlp: Language, words: npt.NDArray[np.uint64]) -> Example:
    """Return the example of one paper, its text cleaned; `words` as in `read_tokens`."""
    paper = clean_paper(paper)
    doc = nlp.make_doc(paper.text)
    return Example(read_tokens(doc, words), paper_tags(paper, doc))


def paper_tags(paper: GoldPaper, doc: Doc) -> Tags:
    """Return the tags of a cleaned paper's tokens: its machine's, or else all or nothing."""
    if paper.tags is not None:
        if len(paper.tags) != len(doc):
            raise InputError(
                f"paper {paper.id}: tags of {len(paper.tags)} tokens for a text of {len(doc)}; "
                "annotate it anew with this version's teacher"
            )
        return paper.tags
    return (tag_targets(token_spans(paper, doc), len(doc)) * 255).astype(np.uint8)


def token_spans(paper: GoldPaper, doc: Doc) -> Iterator[tuple[int, int, int]]:
    """Yield the mentions whose bounds are bounds of tokens as (start, end, type number)."""
    for mention in paper.mentions:
        span = doc.char_span(mention.start, mention.end)
        if span is not None:
            yield span.start, span.end, CONCEPT_TYPES.index(mention.type)
