"""What a record says, as statements: of papers, texts, mentions, concepts, links and origins."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal

from ..records import AnnotatedPaper, Field, Mention, Paper, Relation, Span
from .iris import Claim, doi_iri
from .provenance import Provenance
from .syntax import Description, NTriples, Shape, shape_of
from .vocabulary import CLASS_OF_TYPE, KG, term

# Properties with their values, those of one property next to each other.
Pairs = list[tuple[str, str]]

_HIDDEN = term("skos:hiddenLabel")
_LABEL = term("rdfs:label")
_PLACE = term("nif:referenceContext"), term("nif:beginIndex"), term("nif:endIndex")
_STATEMENT = term("rdf:subject"), term("rdf:predicate"), term("rdf:object")
# The lists of a paper, each with the property that points at it.
_LISTS: dict[Literal["authors", "keywords"], str] = {
    "authors": term("bibo:authorList"),
    "keywords": KG.keywordList,
}

_SENTENCE = shape_of((term("nif:Sentence"),), _PLACE)
_MENTION = shape_of(
    (term("nif:Phrase"),),
    (
        *_PLACE,
        term("nif:anchorOf"),
        term("nif:sentence"),
        term("itsrdf:taIdentRef"),
        term("itsrdf:taClassRef"),
        term("itsrdf:taConfidence"),
    ),
)
_ALIAS = shape_of((term("skosxl:Label"),), (term("skosxl:literalForm"), KG.reason))
_SUBSUMPTION = shape_of((KG.Subsumption, term("rdf:Statement")), (*_STATEMENT, KG.support))
_ASSERTION = shape_of((KG.Assertion,), (KG.asserts, KG.confidence, KG.evidence))
_CONTRIBUTION = shape_of((KG.Contribution,), (KG.contributesTo, KG.sharedConcept, KG.weight))


def described(
    subject: str, classes: Iterable[str], pairs: Iterable[tuple[str, str]]
) -> Description:
    """Return the description of a subject by its classes and by properties with their values.

    Examples
    --------
    >>> described("<a>", [], [("<b>", "<c>"), ("<d>", "<e>")])
    ('<a>', Shape(classes=(), properties=('<b>', '<d>')), ('<c>', '<e>'))
    """
    properties, values = zip(*pairs, strict=True)
    return subject, shape_of(tuple(classes), properties), values


def source_of(syntax: NTriples, annotated: AnnotatedPaper) -> Pairs:
    """Return what the source of a paper tells of it."""
    paper, string = annotated.paper, syntax.string
    pairs = [(_LABEL, string(annotated.label)), (term("dct:identifier"), string(paper.id))]
    if paper.title:
        pairs.append((term("dct:title"), string(paper.title)))
    pairs += [(term("dc:creator"), string(author)) for author in sorted(set(paper.authors))]
    if paper.year is not None:
        pairs.append((term("dct:issued"), syntax.year(paper.year)))
    if paper.venue:
        pairs.append((term("prism:publicationName"), string(paper.venue)))
    pairs += [(term("schema:keywords"), string(word)) for word in sorted(set(paper.keywords))]
    if paper.doi:
        pairs.append((term("schema:sameAs"), syntax.iri(doi_iri(paper.doi))))
    if paper.url:
        pairs.append((term("schema:url"), syntax.address(paper.url)))
    pairs += [(KG.mergedId, string(other)) for other in sorted(set(paper.merged))]
    return pairs + folded(syntax, (annotated.label, paper.id, *filter(None, [paper.title])))


def folded(syntax: NTriples, names: Iterable[str]) -> Pairs:
    """Return the names in lower case, as far as they are others, for looking up in any case.

    A query that folds what it looks for finds it in an index; one that folds what is there goes
    through all of it.

    Examples
    --------
    >>> folded(NTriples(), ["ViT", "vision transformer"])
    [('<http://www.w3.org/2004/02/skos/core#hiddenLabel>', '"vit"')]
    """
    known = set(names)
    others = {name.lower() for name in known} - known
    return [(_HIDDEN, syntax.string(name)) for name in sorted(others)]


def lists_of(syntax: NTriples, paper: Paper) -> Iterator[tuple[str, Description]]:
    """Yield the lists of a paper that have an order, each after the property that points at it."""
    for name, predicate in _LISTS.items():
        values: tuple[str, ...] = getattr(paper, name)
        if len(values) > 1:
            items = [(term(f"rdf:_{n}"), syntax.string(value)) for n, value in enumerate(values, 1)]
            yield predicate, described(syntax.listing(name, paper.id), [term("rdf:Seq")], items)


def text_node(
    syntax: NTriples, annotated: AnnotatedPaper, field: Field, *, whole: bool
) -> Description:
    """Return the description of a title or abstract, with the words themselves if `whole`."""
    pairs: Pairs = [(KG.field, syntax.string(field))]
    if whole and annotated.paper.text(field):
        pairs.append((term("nif:isString"), syntax.string(annotated.paper.text(field))))
    return described(syntax.text(annotated.id, field), [term("nif:Context")], pairs)


def place_nodes(
    syntax: NTriples,
    text: tuple[str, Field],
    mentions: Iterable[Mention],
    evidence: set[Span],
    concept_of: Callable[[str], str],
) -> list[Description]:
    """Return the descriptions of a text's sentences and mentions, in the order of their places.

    Parameters
    ----------
    syntax
        What writes the terms.
    text
        A paper's id, and which text of it this is.
    mentions
        The mentions in it; the type of one may not be the type of its concept.
    evidence
        The spans of the sentences to describe besides those that hold mentions.
    concept_of
        What gives the written IRI of a concept with a label.
    """
    context, offset = syntax.text(*text), syntax.offset
    spans = sorted(evidence.union(mention.sentence for mention in mentions))
    sentences = {span: syntax.sentence(*text, span) for span in spans}
    told: list[Description] = [
        (sentence, _SENTENCE, (context, offset(start), offset(end)))
        for (start, end), sentence in sentences.items()
    ]
    for mention in mentions:
        start, end = mention.start, mention.end
        values = (
            context,
            offset(start),
            offset(end),
            syntax.string(mention.text),
            sentences[mention.sentence],
            concept_of(mention.concept),
            syntax.term(CLASS_OF_TYPE[mention.type]),
            syntax.decimal(mention.score),
        )
        told.append((syntax.mention(*text, (start, end)), _MENTION, values))
    return told


def alias_node(syntax: NTriples, concept_id: str, alias: str, reason: str) -> Description:
    """Return the description of another name of a concept, with the reason why it is one."""
    values = syntax.string(alias), syntax.string(reason)
    return syntax.alias(concept_id, alias), _ALIAS, values


def subsumption_node(syntax: NTriples, narrower: str, broader: str, support: int) -> Description:
    """Return the description of the step from a concept to a broader one, given by their ids."""
    return (
        syntax.subsumption(narrower, broader),
        _SUBSUMPTION,
        (
            syntax.concept(narrower),
            syntax.term(term("skos:broader")),
            syntax.concept(broader),
            syntax.integer(support),
        ),
    )


def assertion_node(syntax: NTriples, paper_id: str, said: Relation, claim: Claim) -> Description:
    """Return the description of what a paper says at one place for a claim."""
    span = said.start, said.end
    return (
        syntax.assertion(paper_id, said.field, span, claim),
        _ASSERTION,
        (
            syntax.claim(*claim),
            syntax.decimal(said.score),
            syntax.sentence(paper_id, said.field, span),
        ),
    )


def similarity_nodes(
    syntax: NTriples, ends: tuple[str, str], weight: float, parts: Sequence[tuple[str, float]]
) -> list[Description]:
    """Return the descriptions of a link between two papers and of each shared concept's part in it.

    The papers are given by their ids, the parts by the ids of the concepts and their weights.
    """
    link = syntax.similarity(*ends)
    concepts = [syntax.concept(concept) for concept, _ in parts]
    values = (*map(syntax.paper, ends), syntax.decimal(weight), *concepts)
    told: list[Description] = [(link, _similarity(len(parts)), values)]
    for (concept, part), written in zip(parts, concepts, strict=True):
        of_part = link, written, syntax.decimal(part)
        told.append((syntax.contribution(*ends, concept), _CONTRIBUTION, of_part))
    return told


@lru_cache(maxsize=1 << 8)
def _similarity(parts: int) -> Shape:
    common = KG.member, KG.member, KG.weight
    return shape_of((KG.Similarity,), (*common, *[KG.sharedConcept] * parts))


def provenance_nodes(syntax: NTriples, origin: Provenance) -> Iterator[Description]:
    """Yield the descriptions of the run that made a graph, and of the program that ran."""
    agent, string = syntax.agent(f"kg-{origin.version}"), syntax.string
    yield described(
        syntax.run(origin.digest),
        [term("prov:Activity")],
        [
            (term("prov:wasAssociatedWith"), agent),
            *((KG.component, string(f"{name} {version}")) for name, version in origin.components),
            *((KG.setting, string(f"{name} = {value}")) for name, value in origin.settings),
        ],
    )
    name = (_LABEL, string(f"kg {origin.version}"))
    yield described(agent, [term("prov:SoftwareAgent")], [name])
