"""Papers -> annotated papers: the spaCy pipeline's mentions, named and typed as one text means."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..records import AnnotatedPaper, ConceptType, Mention, Paper
from .apposition import is_called_data
from .naming import name_concepts, whole_text
from .relations import RelationModel, Statements, find_statements
from .sentences import sentence_at, split_sentences
from .surface import is_name, trim

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Span

LABEL_WORDS = 10
CONCEPTS = "kg_concepts"
# A name rather than a description: a word with a capital or a digit within it, by itself or with
# one or two more.
_NAMES = tuple(map(re.compile, (r"\S*[^\W_][A-Z\d]\S*", r"(?=.*[^\W_][A-Z\d])\S+(?: \S+){1,2}")))


def annotate(
    nlp: "Language",
    papers: Iterable[Paper],
    *,
    relations: bool = True,
) -> Iterator[AnnotatedPaper]:
    """Find what each paper's title and abstract mention, and what the abstract says of it.

    Within one paper a concept has one name, the expansion where the text gives an acronym and its
    expansion, and one type, the one its mentions are surest of, unless the text says that it is a
    dataset.

    Parameters
    ----------
    nlp
        The pipeline of `kg.load`.
    papers
        Any number of papers; they are read one at a time.
    relations
        Whether to look for relations between concepts.

    Yields
    ------
    AnnotatedPaper
        In the order of the papers.
    """
    from .relation_model import relation_model

    model = relation_model(nlp)
    for paper in papers:
        named = name_concepts(paper, list(_mentions(nlp, paper)))
        mentions = tuple(_one_type(paper, named))
        said = _said(paper, mentions, model, relations=relations)
        yield AnnotatedPaper(
            paper=paper,
            label=paper_label(paper, mentions, said.proposes),
            mentions=mentions,
            relations=said.relations,
            proposes=said.proposes,
        )


def paper_label(paper: Paper, mentions: Sequence[Mention], proposes: Sequence[str]) -> str:
    """Return what a paper is called: its title, else what it proposes, else its first words.

    Examples
    --------
    >>> paper_label(Paper("p", abstract="Graphs are hard."), (), ())
    'Graphs are hard.'
    """
    if paper.title:
        return paper.title
    surfaces = [mention.text for mention in mentions if mention.concept in proposes]
    for name in _NAMES:
        if named := next(filter(name.fullmatch, surfaces), None):
            return named
    words = (paper.abstract or paper.id).split()
    return " ".join(words[:LABEL_WORDS]) + (" …" if len(words) > LABEL_WORDS else "")


def concept_of(ent: "Span") -> str:
    """Return what its document calls the concept of an entity: ``ent._.concept``."""
    doc = ent.doc
    if CONCEPTS not in doc.user_data:
        paper = Paper("", abstract=doc.text)
        named = name_concepts(paper, list(_found(doc, paper)))
        doc.user_data[CONCEPTS] = {mention.text: mention.concept for mention in named}
    return str(doc.user_data[CONCEPTS].get(ent.text, ent.text))


def _mentions(nlp: "Language", paper: Paper) -> Iterator[Mention]:
    """Find the mentions of a paper; title and abstract are read as one, each explains the other."""
    text = whole_text(paper)
    if text:
        yield from _found(nlp(text), paper)


def _found(doc: "Doc", paper: Paper) -> Iterator[Mention]:
    """Yield the mentions of a document that holds the paper's `whole_text`."""
    text = whole_text(paper)
    title_end = len(paper.title or "")
    abstract_start = title_end + 1 if title_end else 0
    sentences = split_sentences(paper.text("abstract"))
    for ent in doc.ents:
        start, end = trim(text, ent.start_char, ent.end_char)
        if start < title_end < end or not is_name(surface := text[start:end]):
            continue
        in_title = start < title_end
        shift = 0 if in_title else abstract_start
        yield Mention(
            start=start - shift,
            end=end - shift,
            text=surface,
            type=ent.label_,  # type: ignore[arg-type]  # the tagger knows these four only
            concept=surface,
            score=round(float(ent._.score), 3),
            field="title" if in_title else "abstract",
            sentence=(0, title_end) if in_title else sentence_at(sentences, start - shift),
        )


def _one_type(paper: Paper, mentions: Sequence[Mention]) -> list[Mention]:
    """Give the mentions of a concept one type: what the text calls data are data."""
    sums: defaultdict[str, Counter[ConceptType]] = defaultdict(Counter)
    for mention in mentions:
        sums[mention.concept][mention.type] += mention.score  # type: ignore[assignment]
    types: dict[str, ConceptType] = {
        concept: max(sorted(counts), key=lambda kind: counts[kind])
        for concept, counts in sums.items()
    }
    types |= {one.concept: "Dataset" for one in mentions if is_called_data(paper, one)}
    return [
        mention
        if mention.type == types[mention.concept]
        else replace(mention, type=types[mention.concept])
        for mention in mentions
    ]


def _said(
    paper: Paper, mentions: Sequence[Mention], model: RelationModel | None, *, relations: bool
) -> Statements:
    """Return what the abstract says of its concepts; titles say too little."""
    if model is None:
        return Statements()
    text = paper.text("abstract")
    abstract = [mention for mention in mentions if mention.field == "abstract"]
    return find_statements(text, abstract, split_sentences(text), model, relations=relations)
