"""What is said of each node and edge of a graph, in the terms of a syntax, layer by layer."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from heapq import nsmallest
from typing import TYPE_CHECKING, Any

from ..graph.schema import BROADER, MENTIONS, RELATED
from ..graph.shared import Shared
from ..records import (
    CONCEPT_TYPES,
    RELATION_TYPES,
    AnnotatedPaper,
    Concept,
    Field,
    Relation,
    RelationType,
    SharedConcept,
    Span,
)
from ..resolve.names import concept_id
from .nodes import (
    Pairs,
    alias_node,
    assertion_node,
    described,
    folded,
    lists_of,
    place_nodes,
    similarity_nodes,
    source_of,
    subsumption_node,
    text_node,
)
from .syntax import Description, NTriples
from .vocabulary import CLASS_OF_TYPE, KG, PREDICATE_OF_RELATION, term

if TYPE_CHECKING:
    import networkx

COMMON = 100  # concepts of each type
_FIELDS: tuple[Field, ...] = ("title", "abstract")
_MANY = 1 << 16
_OF_TEXTS = ("mentions", "text", "claims")

_PAPER = term("fabio:ResearchPaper"), term("schema:ScholarlyArticle")
_BROADER = term("skos:broader")
_RELATION = term("dct:relation")
_SUBJECT = term("dct:subject")
_TITLE = term("dct:title")


class Described:
    """The descriptions of the nodes and edges of one graph."""

    def __init__(
        self, graph: "networkx.MultiDiGraph[str]", syntax: NTriples, layers: frozenset[str]
    ) -> None:
        self.graph, self.syntax, self.layers = graph, syntax, layers
        self.edges = dict(graph.adjacency())
        self.paper_iri = lru_cache(_MANY)(lambda key: syntax.paper(_id(key)))
        self.concept_iri = lru_cache(_MANY)(lambda key: syntax.concept(_id(key)))
        kinds = sorted(graph.nodes(data="kind"))
        self.papers = [key for key, kind in kinds if kind == "paper"]
        self.concepts = [key for key, kind in kinds if kind == "concept"]
        self.ids = {graph.nodes[key]["label"]: _id(key) for key in self.concepts}
        self.concept_of = lru_cache(_MANY)(lambda label: syntax.concept(self.id_of(label)))

    def everything(self) -> Iterator[Description]:
        if "papers" in self.layers:
            evidence = self.evidence() if "claims" in self.layers else {}
            for key in self.papers:
                yield from self.paper(key, evidence)
        if "concepts" in self.layers:
            yield self.scheme()
            for key in self.concepts:
                yield from self.concept(key)
        if "claims" in self.layers:
            for head, tail, kind, data in self.relations():
                yield from self.claim(head, tail, kind, data)
        if "similarity" in self.layers:
            for key in self.papers:
                yield from self.similarities(key)

    def id_of(self, label: str) -> str:
        return self.ids.get(label) or concept_id(label)

    @cached_property
    def links(self) -> defaultdict[str, list[str]]:
        """The papers linked to each; a link has no direction, so either end names the other."""
        links: defaultdict[str, list[str]] = defaultdict(list)
        for source, targets in self.edges.items():
            for target, kinds in targets.items():
                if RELATED in kinds:
                    links[source].append(target)
                    links[target].append(source)
        return links

    def relations(self) -> Iterator[tuple[str, str, RelationType, dict[str, Any]]]:
        """Yield head, tail, type and attributes of each relation between concepts."""
        for head in self.concepts:
            for tail, edges in sorted(self.edges[head].items()):
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

    def paper(self, key: str, evidence: Mapping[tuple[str, Field], set[Span]]) -> list[Description]:
        annotated: AnnotatedPaper = self.graph.nodes[key]["record"]
        fields = [] if self.layers.isdisjoint(_OF_TEXTS) else _fields(annotated)
        lists = list(lists_of(self.syntax, annotated.paper))
        about = described(
            self.paper_iri(key),
            _PAPER,
            [
                *source_of(self.syntax, annotated),
                *((predicate, found) for predicate, (found, *_) in lists),
                *((KG.text, self.syntax.text(annotated.id, field)) for field in fields),
                *(self.subjects(key) if "concepts" in self.layers else ()),
                *((_RELATION, self.paper_iri(other)) for other in self.linked(key)),
            ],
        )
        told = [about, *(description for _, description in lists)]
        for field in fields:
            told += self.text(annotated, field, evidence.get((annotated.id, field), set()))
        return told

    def subjects(self, key: str) -> Iterator[tuple[str, str]]:
        """Yield what the paper proposes and what it speaks of."""
        edges = sorted(self.edges[key].items())
        spoken_of = [(other, kinds[MENTIONS]) for other, kinds in edges if MENTIONS in kinds]
        for other, data in spoken_of:
            if data["proposed"]:
                yield KG.proposes, self.concept_iri(other)
        for other, _ in spoken_of:
            yield _SUBJECT, self.concept_iri(other)

    def linked(self, key: str) -> list[str]:
        return sorted(set(self.links[key])) if "similarity" in self.layers else []

    def text(
        self, annotated: AnnotatedPaper, field: Field, evidence: set[Span]
    ) -> list[Description]:
        """Return a title or abstract with its sentences and mentions."""
        text = text_node(self.syntax, annotated, field, whole="text" in self.layers)
        mentions = [mention for mention in annotated.mentions if mention.field == field]
        if "mentions" not in self.layers:
            mentions = []
        place = annotated.id, field
        return [text, *place_nodes(self.syntax, place, mentions, evidence, self.concept_of)]

    def scheme(self) -> Description:
        pairs = [(_TITLE, '"Concepts of this corpus"@en')]
        pairs += [(KG.commonConcept, self.concept_iri(key)) for key in sorted(self.common())]
        return described(self.syntax.iri(self.syntax.scheme), [term("skos:ConceptScheme")], pairs)

    def common(self) -> Iterator[str]:
        """Yield the concepts of each type that most papers speak of."""
        nodes = self.graph.nodes
        for kind in CONCEPT_TYPES:
            ranked = (
                (-nodes[key]["papers"], nodes[key]["label"], key)
                for key in self.concepts
                if nodes[key]["type"] == kind and nodes[key]["papers"]
            )
            yield from (key for _, _, key in nsmallest(COMMON, ranked))

    def concept(self, key: str) -> list[Description]:
        data, syntax = self.graph.nodes[key], self.syntax
        edges = sorted(self.edges[key].items())
        record: Concept = data["record"]
        known = zip(record.aliases, record.reasons, strict=True)
        names = sorted((alias, reason) for alias, reason in known if alias != record.label)
        aliases = [alias_node(syntax, record.id, alias, reason) for alias, reason in names]
        about = described(
            self.concept_iri(key),
            (term("skos:Concept"), CLASS_OF_TYPE[data["type"]]),
            [
                (term("skos:prefLabel"), syntax.string(data["label"])),
                *((term("skos:altLabel"), syntax.string(alias)) for alias, _ in names),
                *folded(syntax, (data["label"], *(alias for alias, _ in names))),
                *((term("skosxl:altLabel"), alias) for alias, *_ in aliases),
                (term("skos:inScheme"), syntax.iri(syntax.scheme)),
                (KG.paperCount, syntax.integer(data["papers"])),
                *self.stated(data["broader"], edges),
            ],
        )
        steps = [
            subsumption_node(syntax, record.id, _id(other), kinds[BROADER]["support"])
            for other, kinds in edges
            if BROADER in kinds
        ]
        return [about, *aliases, *steps]

    def stated(self, above: Iterable[str], edges: Iterable[tuple[str, Mapping[str, Any]]]) -> Pairs:
        """Return what is said of a concept and others: those `above` it, and those of its edges."""
        stated = {(_BROADER, other) for other in above}
        for other, kinds in edges:
            if BROADER in kinds:
                stated.add((_BROADER, other))
            if "claims" in self.layers:
                # Which concepts are kinds of others is for the hierarchy to say.
                said = (kind for kind in RELATION_TYPES if kind in kinds and kind != "subclass_of")
                stated.update((PREDICATE_OF_RELATION[kind], other) for kind in said)
        return [(predicate, self.concept_iri(other)) for predicate, other in sorted(stated)]

    def claim(
        self, head: str, tail: str, kind: RelationType, data: Mapping[str, Any]
    ) -> list[Description]:
        evidence: Sequence[tuple[str, Relation]] = data["evidence"]
        syntax, claim = self.syntax, (_id(head), kind, _id(tail))
        places = {(paper_id, said.field, (said.start, said.end)) for paper_id, said in evidence}
        papers = sorted({paper_id for paper_id, _ in evidence})
        about = described(
            syntax.claim(*claim),
            (KG.Claim, term("rdf:Statement")),
            [
                (term("rdf:subject"), self.concept_iri(head)),
                (term("rdf:predicate"), syntax.term(PREDICATE_OF_RELATION[kind])),
                (term("rdf:object"), self.concept_iri(tail)),
                (KG.support, syntax.integer(data["support"])),
                (KG.confidence, syntax.decimal(data["score"])),
                *((KG.evidence, syntax.sentence(*place)) for place in sorted(places)),
                *((term("prov:wasDerivedFrom"), syntax.paper(one)) for one in papers),
            ],
        )
        said = [assertion_node(syntax, paper_id, said, claim) for paper_id, said in evidence]
        return [about, *said]

    def similarities(self, source: str) -> list[Description]:
        told: list[Description] = []
        for target, edges in sorted(self.edges[source].items()):
            if RELATED in edges:
                link = edges[RELATED].copy()  # which may be made anew each time
                found = _weights(link["shared"])
                parts = sorted((self.id_of(name), part) for name, part in found)
                ends = _id(source), _id(target)
                told += similarity_nodes(self.syntax, ends, link["weight"], parts)
        return told


def _fields(annotated: AnnotatedPaper) -> list[Field]:
    """Return the fields of a paper that have a text, or had one when it was read."""
    marked = {found.field for found in annotated.mentions}
    marked.update(found.field for found in annotated.relations)
    return [field for field in _FIELDS if field in marked or annotated.paper.text(field)]


def _weights(shared: Sequence[SharedConcept]) -> Iterable[tuple[str, float]]:
    """Return the labels of shared concepts with their weights, without looking for sentences."""
    if isinstance(shared, Shared):
        return shared.weights()
    return ((part.concept, part.weight) for part in shared)


def _id(key: str) -> str:
    """Return the id that a node key holds."""
    return key.partition(":")[2]
