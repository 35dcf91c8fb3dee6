"""Annotated papers and concepts -> the networkx graph."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import networkx

from ..records import AnnotatedPaper, Concept, Relation, SharedConcept
from ..resolve.order import in_order
from .evidence import best_mentions, factors, name_parts, paper_evidence
from .links import link_papers
from .schema import BROADER, MENTIONS, RELATED, concept_key, paper_key


def assemble(
    papers: Sequence[AnnotatedPaper], concepts: Sequence[Concept]
) -> "networkx.MultiDiGraph[str]":
    """Return the graph of papers and concepts that `kg.graph.schema` describes.

    Parameters
    ----------
    papers
        Annotated papers whose concepts are named by label.
    concepts
        The concepts that they name (`kg.resolve.concepts.collect_concepts`).

    Returns
    -------
    networkx.MultiDiGraph
        Papers and concepts added in the order of their ids, then edges sorted likewise, whatever
        the order of the arguments. The papers are those given, `in_order`.
    """
    papers = sorted(map(in_order, papers), key=lambda annotated: annotated.id)
    graph: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
    for annotated in papers:
        _add_paper(graph, annotated)
    concepts = sorted(concepts, key=lambda concept: concept.id)
    for concept in concepts:
        _add_concept(graph, concept)
    for annotated in papers:
        _add_mentions(graph, annotated)
    _add_hierarchy(graph, concepts)
    _add_links(graph, papers)
    _add_relations(graph, papers)
    return graph


def _add_paper(graph: "networkx.MultiDiGraph[str]", annotated: AnnotatedPaper) -> None:
    paper = annotated.paper
    graph.add_node(
        paper_key(paper.id),
        kind="paper",
        label=annotated.label,
        title=paper.title,
        year=paper.year,
        venue=paper.venue,
        url=paper.url,
        record=annotated,
    )


def _add_concept(graph: "networkx.MultiDiGraph[str]", concept: Concept) -> None:
    graph.add_node(
        f"concept:{concept.id}",
        kind="concept",
        label=concept.label,
        type=concept.type,
        aliases=concept.aliases,
        papers=concept.papers,
        broader=tuple(f"concept:{broader}" for broader in concept.broader),
        record=concept,
    )


def _add_mentions(graph: "networkx.MultiDiGraph[str]", annotated: AnnotatedPaper) -> None:
    counts: defaultdict[str, int] = defaultdict(int)
    for mention in annotated.mentions:
        counts[mention.concept] += 1
    for label, mention in sorted(best_mentions(annotated).items()):
        graph.add_edge(
            paper_key(annotated.id),
            concept_key(label),
            key=MENTIONS,
            count=counts[label],
            score=mention.score,
            proposed=label in annotated.proposes,
        )


def _add_hierarchy(graph: "networkx.MultiDiGraph[str]", concepts: Iterable[Concept]) -> None:
    for concept in concepts:
        for broader, support in zip(concept.broader, concept.broader_support, strict=True):
            ends = f"concept:{concept.id}", f"concept:{broader}"
            graph.add_edge(*ends, key=BROADER, support=support, score=1.0)


def _add_links(graph: "networkx.MultiDiGraph[str]", papers: Iterable[AnnotatedPaper]) -> None:
    by_id = {annotated.id: annotated for annotated in papers}
    parts = name_parts(graph)
    evidence = {paper_id: paper_evidence(paper, parts) for paper_id, paper in by_id.items()}
    for link in link_papers({paper_id: factors(found) for paper_id, found in evidence.items()}):
        here, there = evidence[link.source], evidence[link.target]
        shared = tuple(
            SharedConcept(
                concept=label,
                type=graph.nodes[concept_key(label)]["type"],
                weight=weight,
                here=here[label][1],
                there=there[label][1],
            )
            for label, weight in link.shared
        )
        ends = paper_key(link.source), paper_key(link.target)
        graph.add_edge(*ends, key=RELATED, weight=link.weight, shared=shared)


def _add_relations(graph: "networkx.MultiDiGraph[str]", papers: Iterable[AnnotatedPaper]) -> None:
    claims: defaultdict[tuple[str, str, str], list[tuple[str, Relation]]] = defaultdict(list)
    for annotated in papers:
        for relation in annotated.relations:
            claims[relation.head, relation.tail, relation.type].append((annotated.id, relation))
    for (head, tail, kind), evidence in sorted(claims.items(), key=lambda item: item[0]):
        graph.add_edge(
            concept_key(head),
            concept_key(tail),
            key=kind,
            support=len({paper_id for paper_id, _ in evidence}),
            score=round(sum(relation.score for _, relation in evidence) / len(evidence), 3),
            evidence=tuple(evidence),
        )
