"""A node of a build with its neighbours as a small graph of the usual kind, from store and papers.

What is written for a whole graph (`kg.graph.describe`, `kg.export.page.fragment`) then tells of
one node of a build of any size.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import networkx

from ..export.vocabulary import CLASS_OF_TYPE, KG, PREDICATE_OF_RELATION, term
from ..graph.evidence import best_mentions, sentence_of
from ..graph.schema import BROADER, MENTIONS, RELATED
from ..records import AnnotatedPaper, Concept, ConceptType, SharedConcept
from .papers import PaperFile
from .site import Site

if TYPE_CHECKING:
    import pyoxigraph

# Of papers and of concepts around a node so many; those that propose a concept come first.
MOST = 120

_BROADER = term("skos:broader")
_SUBJECT = term("dct:subject")
_TYPES: dict[str, ConceptType] = {iri[1:-1]: kind for kind, iri in CLASS_OF_TYPE.items()}
_RELATIONS = {iri[1:-1]: kind for kind, iri in PREDICATE_OF_RELATION.items()}


class Neighbourhoods:
    """The neighbourhoods of a build's nodes."""

    def __init__(self, site: Site, store: "pyoxigraph.Store") -> None:
        self._iris = site.iris
        self._store = store
        self._papers = PaperFile(site.build / "papers.jsonl")

    def around(self, key: str) -> "networkx.MultiDiGraph[str]":
        """Return the graph of a node and its neighbours, given by its key.

        Raises
        ------
        KeyError
            If the build holds no such node.
        """
        kind, _, name = key.partition(":")
        if kind == "paper":
            iri = self._iris.paper(name)
            concepts = self._objects(iri, _SUBJECT)
            papers = [iri, *self._objects(iri, term("dct:relation"))[:MOST]]
        else:
            iri = self._iris.concept(name)
            concepts = [iri, *self._near_concepts(iri)[:MOST]]
            papers = self.papers_of(iri)[:MOST]
        if not self._objects(iri, term("rdf:type")):
            raise KeyError(key)
        graph: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
        for concept in concepts:
            self._add_concept(graph, concept)
        for paper in papers:
            self._add_paper(graph, paper)
        self._add_mentions(graph)
        self._add_hierarchy(graph, concepts)
        self._add_relations(graph, concepts)
        self._add_links(graph, papers)
        return graph

    def papers_of(self, concept: str) -> list[str]:
        """Return the IRIs of the papers that speak of a concept, those that propose it first."""
        proposing = self._subjects(KG.proposes, concept)
        return list(dict.fromkeys([*proposing, *self._subjects(_SUBJECT, concept)]))

    # --- nodes -----------------------------------------------------------------------------------

    def _add_concept(self, graph: "networkx.MultiDiGraph[str]", iri: str) -> None:
        record = self._concept(iri)
        graph.add_node(
            f"concept:{record.id}",
            kind="concept",
            label=record.label,
            type=record.type,
            aliases=record.aliases,
            papers=record.papers,
            broader=tuple(f"concept:{broader}" for broader in record.broader),
            record=record,
        )

    def _concept(self, iri: str) -> Concept:
        names = sorted(
            (self._first(alias, term("skosxl:literalForm")), self._first(alias, KG.reason))
            for alias in self._objects(iri, term("skosxl:altLabel"))
        )
        types = (_TYPES.get(name) for name in self._objects(iri, term("rdf:type")))
        concept_id = self._id(iri)
        broader = [
            self._id(other)
            for other in self._objects(iri, _BROADER)
            if self._first(self._iris.subsumption(concept_id, self._id(other)), KG.support)
        ]
        return Concept(
            id=concept_id,
            label=self._label(iri),
            type=next(filter(None, types), "Method"),
            aliases=tuple(alias for alias, _ in names),
            reasons=tuple(reason for _, reason in names),
            papers=len(self._subjects(_SUBJECT, iri)),
            broader=tuple(broader),
            broader_support=tuple(self._support(concept_id, other) for other in broader),
        )

    def _add_paper(self, graph: "networkx.MultiDiGraph[str]", iri: str) -> None:
        annotated = self._papers.read(self._id(iri))
        paper = annotated.paper
        known = {name: getattr(paper, name) for name in ("title", "year", "venue", "url")}
        graph.add_node(
            f"paper:{paper.id}", kind="paper", label=annotated.label, record=annotated, **known
        )

    def _near_concepts(self, iri: str) -> list[str]:
        """Return the concepts that the hierarchy or a relation joins to one."""
        head, tail = term("rdf:subject"), term("rdf:object")
        near = [
            *(*self._objects(iri, _BROADER), *self._subjects(_BROADER, iri)),
            *(self._first(said, tail) for said in self._subjects(head, iri)),
            *(self._first(said, head) for said in self._subjects(tail, iri)),
        ]
        return [other for other in dict.fromkeys(near) if other != iri]

    # --- edges -----------------------------------------------------------------------------------

    def _add_mentions(self, graph: "networkx.MultiDiGraph[str]") -> None:
        keys = {data["label"]: key for key, data in _nodes(graph, "concept")}
        for key, data in _nodes(graph, "paper"):
            annotated: AnnotatedPaper = data["record"]
            counts = Counter(mention.concept for mention in annotated.mentions)
            for label, best in best_mentions(annotated).items():
                if label in keys:
                    said = {"count": counts[label], "score": best.score}
                    proposed = label in annotated.proposes
                    graph.add_edge(key, keys[label], MENTIONS, **said, proposed=proposed)

    def _add_hierarchy(self, graph: "networkx.MultiDiGraph[str]", concepts: Iterable[str]) -> None:
        for iri in concepts:
            key = f"concept:{self._id(iri)}"
            record: Concept = graph.nodes[key]["record"]
            for broader, support in zip(record.broader, record.broader_support, strict=True):
                if f"concept:{broader}" in graph:
                    told = {"support": support, "score": 1.0}
                    graph.add_edge(key, f"concept:{broader}", BROADER, **told)

    def _add_relations(self, graph: "networkx.MultiDiGraph[str]", concepts: Iterable[str]) -> None:
        for iri in concepts:
            for claim in self._subjects(term("rdf:subject"), iri):
                tail = self._id(self._first(claim, term("rdf:object")))
                kind = _RELATIONS.get(self._first(claim, term("rdf:predicate")))
                score = self._first(claim, KG.confidence)  # which a step of the hierarchy has not
                if kind and score and f"concept:{tail}" in graph:
                    support = int(self._first(claim, KG.support))
                    told = {"support": support, "score": float(score), "evidence": ()}
                    graph.add_edge(f"concept:{self._id(iri)}", f"concept:{tail}", kind, **told)

    def _add_links(self, graph: "networkx.MultiDiGraph[str]", papers: Iterable[str]) -> None:
        for iri in papers:
            source = self._id(iri)
            for other in self._objects(iri, term("dct:relation")):
                target = self._id(other)
                weight = self._first(self._iris.similarity(source, target), KG.weight)
                if f"paper:{target}" in graph and weight:
                    ends = f"paper:{source}", f"paper:{target}"
                    shared = tuple(self._shared(graph, source, target))
                    graph.add_edge(*ends, RELATED, weight=float(weight), shared=shared)

    def _shared(
        self, graph: "networkx.MultiDiGraph[str]", source: str, target: str
    ) -> Iterator[SharedConcept]:
        """Yield the concepts that two linked papers share, the weightiest first."""
        link = self._iris.similarity(source, target)
        parts = []
        for concept in self._objects(link, KG.sharedConcept):
            part = self._iris.contribution(source, target, self._id(concept))
            parts.append((float(self._first(part, KG.weight) or 0), concept))
        for weight, iri in sorted(parts, key=lambda part: (-part[0], part[1])):
            label = self._label(iri)
            here, there = (_sentence(graph, end, label) for end in (source, target))
            types = (_TYPES.get(name) for name in self._objects(iri, term("rdf:type")))
            kind: ConceptType = next(filter(None, types), "Method")
            yield SharedConcept(label, kind, weight, here, there)

    # --- the store -------------------------------------------------------------------------------

    def _objects(self, subject: str, predicate: str) -> list[str]:
        from pyoxigraph import NamedNode

        quads = self._store.quads_for_pattern(NamedNode(subject), NamedNode(predicate[1:-1]), None)
        return sorted(getattr(quad.object, "value", "") for quad in quads)

    def _subjects(self, predicate: str, object: str) -> list[str]:
        from pyoxigraph import NamedNode

        quads = self._store.quads_for_pattern(None, NamedNode(predicate[1:-1]), NamedNode(object))
        return sorted(getattr(quad.subject, "value", "") for quad in quads)

    def _first(self, subject: str, predicate: str) -> str:
        return next(iter(self._objects(subject, predicate)), "")

    def _label(self, iri: str) -> str:
        return self._first(iri, term("skos:prefLabel"))

    def _support(self, narrower: str, broader: str) -> int:
        return int(self._first(self._iris.subsumption(narrower, broader), KG.support))

    def _id(self, iri: str) -> str:
        return unquote(iri.rpartition("/")[2])


def _nodes(graph: "networkx.MultiDiGraph[str]", kind: str) -> list[tuple[str, dict[str, Any]]]:
    return [(key, data) for key, data in graph.nodes(data=True) if data["kind"] == kind]


def _sentence(graph: "networkx.MultiDiGraph[str]", paper_id: str, label: str) -> str:
    """Return the sentence in which a paper mentions a concept best, empty if only its name does."""
    annotated: AnnotatedPaper = graph.nodes[f"paper:{paper_id}"]["record"]
    mention = best_mentions(annotated).get(label)
    return sentence_of(annotated, mention) if mention else ""
