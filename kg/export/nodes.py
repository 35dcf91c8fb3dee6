"""What a record says, as statements: of papers, texts, mentions, concepts, links and origins."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from ..records import AnnotatedPaper, Field, Mention, Paper, Relation, Span
from .iris import Iris, doi_iri
from .literals import address, decimal, integer, offset, string, year
from .provenance import Provenance
from .vocabulary import CLASS_OF_TYPE, KG, term

# A subject with its predicates and objects, those of one predicate next to each other; all are
# terms in N-Triples syntax.
Pairs = list[tuple[str, str]]
Description = tuple[str, Pairs]

_A = term("rdf:type")
_BEGIN = term("nif:beginIndex")
_CONTEXT = term("nif:referenceContext")
_END = term("nif:endIndex")
_HIDDEN = term("skos:hiddenLabel")
_LABEL = term("rdfs:label")
# The lists of a paper, each with the property that points at it.
_LISTS: dict[Literal["authors", "keywords"], str] = {
    "authors": term("bibo:authorList"),
    "keywords": KG.keywordList,
}


def source_of(annotated: AnnotatedPaper) -> Pairs:
    """Return what the source of a paper tells of it."""
    paper = annotated.paper
    pairs = [
        (_A, term("fabio:ResearchPaper")),
        (_A, term("schema:ScholarlyArticle")),
        (_LABEL, string(annotated.label)),
        (term("dct:identifier"), string(paper.id)),
    ]
    if paper.title:
        pairs.append((term("dct:title"), string(paper.title)))
    pairs += [(term("dc:creator"), string(author)) for author in sorted(set(paper.authors))]
    if paper.year is not None:
        pairs.append((term("dct:issued"), year(paper.year)))
    if paper.venue:
        pairs.append((term("prism:publicationName"), string(paper.venue)))
    pairs += [(term("schema:keywords"), string(word)) for word in sorted(set(paper.keywords))]
    if paper.doi:
        pairs.append((term("schema:sameAs"), f"<{doi_iri(paper.doi)}>"))
    if paper.url:
        pairs.append((term("schema:url"), address(paper.url)))
    pairs += [(KG.mergedId, string(other)) for other in sorted(set(paper.merged))]
    return pairs + folded((annotated.label, paper.id, *filter(None, [paper.title])))


def folded(names: Iterable[str]) -> Pairs:
    """Return the names in lower case, as far as they are others, for looking up in any case.

    A query that folds what it looks for finds it in an index; one that folds what is there goes
    through all of it.

    Examples
    --------
    >>> folded(["ViT", "vision transformer"])
    [('<http://www.w3.org/2004/02/skos/core#hiddenLabel>', '"vit"')]
    """
    known = set(names)
    return [(_HIDDEN, string(name)) for name in sorted({one.lower() for one in known} - known)]


def lists_of(iris: Iris, paper: Paper) -> Iterator[tuple[str, Description]]:
    """Yield the lists of a paper that have an order, each after the property that points at it."""
    for name, predicate in _LISTS.items():
        values: tuple[str, ...] = getattr(paper, name)
        if len(values) > 1:
            items = [(term(f"rdf:_{n}"), string(value)) for n, value in enumerate(values, 1)]
            yield predicate, (f"<{iris.listing(name, paper.id)}>", [(_A, term("rdf:Seq")), *items])


def text_node(iris: Iris, annotated: AnnotatedPaper, field: Field, *, whole: bool) -> Description:
    """Return the description of a title or abstract, with the words themselves if `whole`."""
    pairs = [(_A, term("nif:Context")), (KG.field, string(field))]
    if whole and annotated.paper.text(field):
        pairs.append((term("nif:isString"), string(annotated.paper.text(field))))
    return f"<{iris.text(annotated.id, field)}>", pairs


def sentence_node(iris: Iris, paper_id: str, field: Field, span: Span) -> Description:
    """Return the description of a sentence."""
    context = f"<{iris.text(paper_id, field)}>"
    pairs = [(_A, term("nif:Sentence")), *_place(context, span)]
    return f"<{iris.sentence(paper_id, field, span)}>", pairs


def mention_node(iris: Iris, paper_id: str, mention: Mention, concept: str) -> Description:
    """Return the description of a mention; its type may not be the type of the concept."""
    span = mention.start, mention.end
    context = f"<{iris.text(paper_id, mention.field)}>"
    sentence = f"<{iris.sentence(paper_id, mention.field, mention.sentence)}>"
    return (
        f"<{iris.mention(paper_id, mention.field, span)}>",
        [
            (_A, term("nif:Phrase")),
            *_place(context, span),
            (term("nif:anchorOf"), string(mention.text)),
            (term("nif:sentence"), sentence),
            (term("itsrdf:taIdentRef"), concept),
            (term("itsrdf:taClassRef"), CLASS_OF_TYPE[mention.type]),
            (term("itsrdf:taConfidence"), decimal(mention.score)),
        ],
    )


def alias_node(iris: Iris, concept_id: str, alias: str, reason: str) -> Description:
    """Return the description of another name of a concept, with the reason why it is one."""
    return (
        f"<{iris.alias(concept_id, alias)}>",
        [
            (_A, term("skosxl:Label")),
            (term("skosxl:literalForm"), string(alias)),
            (KG.reason, string(reason)),
        ],
    )


def subsumption_node(iris: Iris, narrower: str, broader: str, support: int) -> Description:
    """Return the description of the step from a concept to a broader one, given by their ids."""
    return (
        f"<{iris.subsumption(narrower, broader)}>",
        [
            (_A, KG.Subsumption),
            (_A, term("rdf:Statement")),
            (term("rdf:subject"), f"<{iris.concept(narrower)}>"),
            (term("rdf:predicate"), term("skos:broader")),
            (term("rdf:object"), f"<{iris.concept(broader)}>"),
            (KG.support, integer(support)),
        ],
    )


def assertion_node(iris: Iris, paper_id: str, said: Relation, claim: str) -> Description:
    """Return the description of what a paper says at one place for a claim, given by its IRI."""
    span = said.start, said.end
    return (
        f"<{iris.assertion(paper_id, said.field, span, claim)}>",
        [
            (_A, KG.Assertion),
            (KG.asserts, f"<{claim}>"),
            (KG.confidence, decimal(said.score)),
            (KG.evidence, f"<{iris.sentence(paper_id, said.field, span)}>"),
        ],
    )


def similarity_nodes(
    iris: Iris, ends: tuple[str, str], weight: float, weights: Mapping[str, float]
) -> Iterator[Description]:
    """Yield the descriptions of a link between two papers and of each shared concept's part in it.

    Papers and concepts are given by their ids.
    """
    link = f"<{iris.similarity(*ends)}>"
    yield (
        link,
        [
            (_A, KG.Similarity),
            *((KG.member, f"<{iris.paper(end)}>") for end in ends),
            (KG.weight, decimal(weight)),
            *((KG.sharedConcept, f"<{iris.concept(concept)}>") for concept in sorted(weights)),
        ],
    )
    for concept, part in sorted(weights.items()):
        yield (
            f"<{iris.contribution(*ends, concept)}>",
            [
                (_A, KG.Contribution),
                (KG.contributesTo, link),
                (KG.sharedConcept, f"<{iris.concept(concept)}>"),
                (KG.weight, decimal(part)),
            ],
        )


def provenance_nodes(iris: Iris, origin: Provenance) -> Iterator[Description]:
    """Yield the descriptions of the run that made a graph, and of the program that ran."""
    agent = f"<{iris.agent(f'kg-{origin.version}')}>"
    yield (
        f"<{iris.run(origin.digest)}>",
        [
            (_A, term("prov:Activity")),
            (term("prov:wasAssociatedWith"), agent),
            *((KG.component, string(f"{name} {version}")) for name, version in origin.components),
            *((KG.setting, string(f"{name} = {value}")) for name, value in origin.settings),
        ],
    )
    name = (_LABEL, string(f"kg {origin.version}"))
    yield agent, [(_A, term("prov:SoftwareAgent")), name]


def _place(context: str, span: Span) -> Pairs:
    """Return where in a text something stands."""
    start, end = span
    return [(_CONTEXT, context), (_BEGIN, offset(start)), (_END, offset(end))]
