"""What a record says, as statements: a paper's source, text and mentions, a build's origin."""

from collections.abc import Iterator

from ..records import AnnotatedPaper, Field, Mention, Span
from .iris import Iris, doi_iri
from .literals import address, decimal, offset, string, year
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
_LABEL = term("rdfs:label")


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
    return pairs


def text_node(iris: Iris, annotated: AnnotatedPaper, field: Field, *, whole: bool) -> Description:
    """Return the description of a title or abstract, with the words themselves if `whole`."""
    pairs = [(_A, term("nif:Context")), (KG.field, string(field))]
    if whole:
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


def provenance_nodes(iris: Iris, origin: Provenance) -> Iterator[Description]:
    """Yield the descriptions of the graph, the run that made it, and the program that ran."""
    run = f"<{iris.run(origin.digest)}>"
    agent = f"<{iris.agent(f'kg-{origin.version}')}>"
    kinds = [(_A, term("prov:Entity")), (_A, term("void:Dataset"))]
    yield f"<{iris.graph}>", [*kinds, (term("prov:wasGeneratedBy"), run)]
    yield (
        run,
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
