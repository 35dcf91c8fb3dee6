"""The networkx graph -> the statements of its RDF, as strings in N-Triples syntax.

A `Description` is all that is said of one subject; the writers of `kg.export.rdf` join them. A
layer is a part of the RDF that can be left out:

===========  ======================================================================
papers       the papers and what their sources tell of them
concepts     the concepts, and which paper speaks of which
mentions     where a paper names a concept, and in which sentence
text         the papers' titles and abstracts themselves
claims       what papers say of two concepts, with the evidence
similarity   links between papers, with the concepts they share
provenance   the program, the versions and the settings
===========  ======================================================================
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..errors import OutputError
from ..graph.schema import BROADER, MENTIONS, RELATED, concept_key
from ..records import (
    RELATION_TYPES,
    AnnotatedPaper,
    Field,
    Relation,
    RelationType,
    SharedConcept,
    Span,
)
from .iris import DEFAULT_BASE, Iris, check_base
from .literals import decimal, integer, string
from .nodes import (
    Description,
    mention_node,
    provenance_nodes,
    sentence_node,
    source_of,
    text_node,
)
from .provenance import Provenance
from .vocabulary import CLASS_OF_TYPE, KG, PREDICATE_OF_RELATION, term

if TYPE_CHECKING:
    import networkx

LAYERS = ("papers", "concepts", "mentions", "text", "claims", "similarity", "provenance")

# What a layer points at comes with it, so that the RDF never points at nothing.
_NEEDED = {
    "mentions": ("papers", "concepts"),
    "text": ("papers",),
    "claims": ("papers", "concepts"),
    "similarity": ("papers", "concepts"),
}
_FIELDS: tuple[Field, ...] = ("title", "abstract")

_A = term("rdf:type")
_BROADER = term("skos:broader")
_RELATION = term("dct:relation")
_SUBJECT = term("dct:subject")
_TITLE = term("dct:title")


def descriptions(
    graph: "networkx.MultiDiGraph[str]",
    *,
    base_iri: str = DEFAULT_BASE,
    layers: Iterable[str] = LAYERS,
) -> Iterator[Description]:
    """Return all that the RDF says, subject by subject, in an order that content alone decides.

    Parameters
    ----------
    graph
        The graph (`kg.graph.schema`), with a `Provenance` as ``graph.graph["provenance"]`` if
        its origin is to be stated.
    base_iri
        What the IRIs of papers, concepts and all else begin with.
    layers
        The layers to write; those that they point at are added.

    Raises
    ------
    OutputError
        If the base IRI cannot be used, or a layer does not exist.
    """
    return _Described(graph, Iris(check_base(base_iri)), _closed(layers)).everything()


def _closed(layers: Iterable[str]) -> frozenset[str]:
    """Return the layers with those that they point at."""
    wanted = frozenset(layers)
    if unknown := sorted(wanted.difference(LAYERS)):
        raise OutputError(f"no layer is called {unknown[0]!r}: choose among {', '.join(LAYERS)}")
    return wanted.union(*(_NEEDED.get(layer, ()) for layer in wanted))


class _Described:
    """The descriptions of the nodes and edges of one graph."""

    def __init__(
        self, graph: "networkx.MultiDiGraph[str]", iris: Iris, layers: frozenset[str]
    ) -> None:
        self.graph = graph
        self.iris = iris
        self.layers = layers
        kinds = sorted(graph.nodes(data="kind"))
        self.papers = [key for key, kind in kinds if kind == "paper"]
        self.concepts = [key for key, kind in kinds if kind == "concept"]
        self.key_of = lru_cache(maxsize=1 << 16)(concept_key)

    def everything(self) -> Iterator[Description]:
        origin: Provenance | None = self.graph.graph.get("provenance")
        if origin and "provenance" in self.layers:
            yield from provenance_nodes(self.iris, origin)
        if "papers" in self.layers:
            evidence = self.evidence() if "claims" in self.layers else {}
            for key in self.papers:
                yield from self.paper(key, evidence)
        if "concepts" in self.layers:
            yield self.scheme()
            yield from map(self.concept, self.concepts)
        if "claims" in self.layers:
            for head, tail, kind, data in self.relations():
                yield self.claim(head, tail, kind, data)
        if "similarity" in self.layers:
            for key in self.papers:
                yield from self.similarities(key)

    def paper_iri(self, key: str) -> str:
        return f"<{self.iris.paper(_id(key))}>"

    def concept_iri(self, key: str) -> str:
        return f"<{self.iris.concept(_id(key))}>"

    def relations(self) -> Iterator[tuple[str, str, RelationType, dict[str, Any]]]:
        """Yield head, tail, type and attributes of each relation between concepts."""
        for head in self.concepts:
            for tail, edges in sorted(self.graph.adj[head].items()):
                for kind in RELATION_TYPES:
                    if kind in edges:
                        yield head, tail, kind, edges[kind]

    def evidence(self) -> dict[tuple[str, Field], set[Span]]:
        """Return the spans that claims point at; a paper may hold relations that are no claims."""
        spans: defaultdict[tuple[str, Field], set[Span]] = defaultdict(set)
        for _, _, _, data in self.relations():
            for paper_id, relation in data["evidence"]:
                spans[paper_id, relation.field].add((relation.start, relation.end))
        return spans

    def paper(
        self, key: str, evidence: Mapping[tuple[str, Field], set[Span]]
    ) -> Iterator[Description]:
        annotated: AnnotatedPaper = self.graph.nodes[key]["record"]
        fields = [field for field in _FIELDS if annotated.paper.text(field)]
        if self.layers.isdisjoint(("mentions", "text", "claims")):
            fields = []
        yield (
            self.paper_iri(key),
            [
                *source_of(annotated),
                *((KG.text, f"<{self.iris.text(annotated.id, field)}>") for field in fields),
                *(self.subjects(key) if "concepts" in self.layers else ()),
                *(self.linked(key) if "similarity" in self.layers else ()),
            ],
        )
        for field in fields:
            yield from self.text(annotated, field, evidence.get((annotated.id, field), set()))

    def subjects(self, key: str) -> Iterator[tuple[str, str]]:
        """Yield what the paper proposes and what it speaks of."""
        edges = sorted(self.graph.adj[key].items())
        spoken_of = [(other, kinds[MENTIONS]) for other, kinds in edges if MENTIONS in kinds]
        for other, data in spoken_of:
            if data["proposed"]:
                yield KG.proposes, self.concept_iri(other)
        for other, _ in spoken_of:
            yield _SUBJECT, self.concept_iri(other)

    def linked(self, key: str) -> Iterator[tuple[str, str]]:
        """Yield the linked papers; a link has no direction, so either end names the other."""
        ends = (self.graph.adj[key], self.graph.pred[key])
        others = {other for end in ends for other, edges in end.items() if RELATED in edges}
        for other in sorted(others):
            yield _RELATION, self.paper_iri(other)

    def text(
        self, annotated: AnnotatedPaper, field: Field, evidence: set[Span]
    ) -> Iterator[Description]:
        """Yield a title or abstract with its sentences and mentions."""
        yield text_node(self.iris, annotated, field, whole="text" in self.layers)
        mentions = [mention for mention in annotated.mentions if mention.field == field]
        if "mentions" not in self.layers:
            mentions = []
        for span in sorted(evidence.union(mention.sentence for mention in mentions)):
            yield sentence_node(self.iris, annotated.id, field, span)
        for mention in mentions:
            concept = self.concept_iri(self.key_of(mention.concept))
            yield mention_node(self.iris, annotated.id, mention, concept)

    def scheme(self) -> Description:
        name = (_TITLE, '"Concepts of this corpus"@en')
        return f"<{self.iris.scheme}>", [(_A, term("skos:ConceptScheme")), name]

    def concept(self, key: str) -> Description:
        data = self.graph.nodes[key]
        edges = sorted(self.graph.adj[key].items())
        broader = {*data["broader"], *(other for other, kinds in edges if BROADER in kinds)}
        stated = {(_BROADER, self.concept_iri(other)) for other in broader}
        if "claims" in self.layers:
            stated.update(
                (PREDICATE_OF_RELATION[kind], self.concept_iri(other))
                for other, kinds in edges
                for kind in RELATION_TYPES
                if kind in kinds
            )
        aliases = sorted(set(data["aliases"]) - {data["label"]})
        return (
            self.concept_iri(key),
            [
                (_A, term("skos:Concept")),
                (_A, CLASS_OF_TYPE[data["type"]]),
                (term("skos:prefLabel"), string(data["label"])),
                *((term("skos:altLabel"), string(alias)) for alias in aliases),
                (term("skos:inScheme"), f"<{self.iris.scheme}>"),
                *sorted(stated),
            ],
        )

    def claim(
        self, head: str, tail: str, kind: RelationType, data: Mapping[str, Any]
    ) -> Description:
        evidence: Sequence[tuple[str, Relation]] = data["evidence"]
        sentences = {
            f"<{self.iris.sentence(paper_id, said.field, (said.start, said.end))}>"
            for paper_id, said in evidence
        }
        sources = {f"<{self.iris.paper(paper_id)}>" for paper_id, _ in evidence}
        return (
            f"<{self.iris.claim(_id(head), kind, _id(tail))}>",
            [
                (_A, KG.Claim),
                (_A, term("rdf:Statement")),
                (term("rdf:subject"), self.concept_iri(head)),
                (term("rdf:predicate"), PREDICATE_OF_RELATION[kind]),
                (term("rdf:object"), self.concept_iri(tail)),
                (KG.support, integer(data["support"])),
                (KG.confidence, decimal(data["score"])),
                *((KG.evidence, sentence) for sentence in sorted(sentences)),
                *((term("prov:wasDerivedFrom"), source) for source in sorted(sources)),
            ],
        )

    def similarities(self, source: str) -> Iterator[Description]:
        for target, edges in sorted(self.graph.adj[source].items()):
            if RELATED in edges:
                yield from self.similarity(source, target, edges[RELATED])

    def similarity(
        self, source: str, target: str, data: Mapping[str, Any]
    ) -> Iterator[Description]:
        shared: Sequence[SharedConcept] = data["shared"]
        weights = {self.key_of(part.concept): part.weight for part in shared}
        link = f"<{self.iris.similarity(_id(source), _id(target))}>"
        yield (
            link,
            [
                (_A, KG.Similarity),
                (KG.member, self.paper_iri(source)),
                (KG.member, self.paper_iri(target)),
                (KG.weight, decimal(data["weight"])),
                *((KG.sharedConcept, self.concept_iri(concept)) for concept in sorted(weights)),
            ],
        )
        for concept, weight in sorted(weights.items()):
            part = self.iris.contribution(_id(source), _id(target), _id(concept))
            yield (
                f"<{part}>",
                [
                    (_A, KG.Contribution),
                    (KG.contributesTo, link),
                    (KG.sharedConcept, self.concept_iri(concept)),
                    (KG.weight, decimal(weight)),
                ],
            )


def _id(key: str) -> str:
    """Return the id that a node key holds."""
    return key.partition(":")[2]
