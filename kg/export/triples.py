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
prov         the program, the versions and the settings, and what the graph holds
===========  ======================================================================
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import OutputError
from ..graph.schema import BROADER, MENTIONS, RELATED, concept_key
from ..records import (
    RELATION_TYPES,
    AnnotatedPaper,
    Concept,
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
    alias_node,
    assertion_node,
    folded,
    lists_of,
    mention_node,
    sentence_node,
    similarity_nodes,
    source_of,
    subsumption_node,
    text_node,
)
from .provenance import Provenance
from .summary import summarized
from .vocabulary import CLASS_OF_TYPE, KG, PREDICATE_OF_RELATION, term

if TYPE_CHECKING:
    import networkx

LAYERS = ("papers", "concepts", "mentions", "text", "claims", "similarity", "prov")

# What a layer points at comes with it, so that the RDF never points at nothing.
_NEEDED = {
    "mentions": ("papers", "concepts"),
    "text": ("papers",),
    "claims": ("papers", "concepts"),
    "similarity": ("papers", "concepts"),
}
_FIELDS: tuple[Field, ...] = ("title", "abstract")
_OF_TEXTS = ("mentions", "text", "claims")

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
    iris, layers = Iris(check_base(base_iri)), closed(layers)
    described = Described(graph, iris, layers).everything()
    origin: Provenance | None = graph.graph.get("provenance")
    return summarized(described, iris, origin) if origin and "prov" in layers else described


def closed(layers: Iterable[str]) -> frozenset[str]:
    """Return the layers with those that they point at; an unknown one is an `OutputError`."""
    wanted = frozenset(layers)
    if unknown := sorted(wanted.difference(LAYERS)):
        raise OutputError(f"no layer is called {unknown[0]!r}: choose among {', '.join(LAYERS)}")
    return wanted.union(*(_NEEDED.get(layer, ()) for layer in wanted))


class Described:
    """The descriptions of the nodes and edges of one graph."""

    def __init__(
        self, graph: "networkx.MultiDiGraph[str]", iris: Iris, layers: frozenset[str]
    ) -> None:
        self.graph, self.iris, self.layers = graph, iris, layers
        kinds = sorted(graph.nodes(data="kind"))
        self.papers = [key for key, kind in kinds if kind == "paper"]
        self.concepts = [key for key, kind in kinds if kind == "concept"]
        self.keys = {graph.nodes[key]["label"]: key for key in self.concepts}

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

    def key_of(self, label: str) -> str:
        return self.keys.get(label) or concept_key(label)

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
        fields = [] if self.layers.isdisjoint(_OF_TEXTS) else _fields(annotated)
        lists = list(lists_of(self.iris, annotated.paper))
        yield (
            self.paper_iri(key),
            [
                *source_of(annotated),
                *((predicate, found) for predicate, (found, _) in lists),
                *((KG.text, f"<{self.iris.text(annotated.id, field)}>") for field in fields),
                *(self.subjects(key) if "concepts" in self.layers else ()),
                *(self.linked(key) if "similarity" in self.layers else ()),
            ],
        )
        yield from (description for _, description in lists)
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

    def concept(self, key: str) -> Iterator[Description]:
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
        record: Concept = data["record"]
        known = zip(record.aliases, record.reasons, strict=True)
        names = sorted((alias, reason) for alias, reason in known if alias != record.label)
        aliases = [alias_node(self.iris, record.id, alias, reason) for alias, reason in names]
        yield (
            self.concept_iri(key),
            [
                (_A, term("skos:Concept")),
                (_A, CLASS_OF_TYPE[data["type"]]),
                (term("skos:prefLabel"), string(data["label"])),
                *((term("skos:altLabel"), string(alias)) for alias, _ in names),
                *folded((data["label"], *(alias for alias, _ in names))),
                *((term("skosxl:altLabel"), alias) for alias, _ in aliases),
                (term("skos:inScheme"), f"<{self.iris.scheme}>"),
                *sorted(stated),
            ],
        )
        yield from aliases
        for other, kinds in edges:
            if BROADER in kinds:
                support = kinds[BROADER]["support"]
                yield subsumption_node(self.iris, record.id, _id(other), support)

    def claim(
        self, head: str, tail: str, kind: RelationType, data: Mapping[str, Any]
    ) -> Iterator[Description]:
        evidence: Sequence[tuple[str, Relation]] = data["evidence"]
        sentences = {
            f"<{self.iris.sentence(paper_id, said.field, (said.start, said.end))}>"
            for paper_id, said in evidence
        }
        sources = {f"<{self.iris.paper(paper_id)}>" for paper_id, _ in evidence}
        claim = self.iris.claim(_id(head), kind, _id(tail))
        yield (
            f"<{claim}>",
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
        for paper_id, said in evidence:
            yield assertion_node(self.iris, paper_id, said, claim)

    def similarities(self, source: str) -> Iterator[Description]:
        for target, edges in sorted(self.graph.adj[source].items()):
            if RELATED in edges:
                shared: Sequence[SharedConcept] = edges[RELATED]["shared"]
                weights = {_id(self.key_of(part.concept)): part.weight for part in shared}
                ends = _id(source), _id(target)
                yield from similarity_nodes(self.iris, ends, edges[RELATED]["weight"], weights)


def _fields(annotated: AnnotatedPaper) -> list[Field]:
    """Return the fields of a paper that have a text, or had one when it was read."""
    marked = {found.field for found in annotated.mentions}
    marked.update(found.field for found in annotated.relations)
    return [field for field in _FIELDS if field in marked or annotated.paper.text(field)]


def _id(key: str) -> str:
    """Return the id that a node key holds."""
    return key.partition(":")[2]
