"""Annotated papers and concepts -> the networkx graph."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ..collector import no_collection
from ..records import AnnotatedPaper, Concept, ConceptType, Relation
from ..resolve.order import in_order
from .compact import PaperGraph
from .edges import LinkEdge, MentionsEdge
from .evidence import best_mentions, name_parts, paper_evidence
from .links import link_papers
from .matrix import Matrix, matrix_of
from .schema import BROADER, paper_key
from .shared import LinkedPapers

if TYPE_CHECKING:
    import networkx


@no_collection()
def assemble(
    papers: Sequence[AnnotatedPaper], concepts: Sequence[Concept], *, min_support: int = 1
) -> "networkx.MultiDiGraph[str]":
    """Return the graph of papers and concepts that `kg.graph.schema` describes.

    Parameters
    ----------
    papers
        Annotated papers whose concepts are named by label.
    concepts
        The concepts that they name (`kg.resolve.concepts.collect_concepts`).
    min_support
        Leave out the relations that fewer papers state.

    Returns
    -------
    networkx.MultiDiGraph
        Papers and concepts added in the order of their ids, then edges sorted likewise, whatever
        the order of the arguments. The papers are those given, `in_order`.
    """
    papers = sorted(map(in_order, papers), key=lambda annotated: annotated.id)
    concepts = sorted(concepts, key=lambda concept: concept.id)
    graph = PaperGraph()
    # Each key is one object, since millions of edges hold them.
    sources = [paper_key(annotated.id) for annotated in papers]
    by_id = {concept.id: f"concept:{concept.id}" for concept in concepts}
    keys = {concept.label: by_id[concept.id] for concept in concepts}
    for source, annotated in zip(sources, papers, strict=True):
        put_paper(graph, source, annotated)
    for concept in concepts:
        put_concept(graph, concept, by_id)
    for source, annotated in zip(sources, papers, strict=True):
        put_mentions(graph, source, annotated, keys)
    put_hierarchy(graph, concepts, by_id)
    linked = _linked(graph, papers, {concept.label: concept.type for concept in concepts})
    _put_links(graph, sources, linked)
    put_relations(graph, papers, keys, min_support)
    if min_support > 1:
        graph.graph["min_support"] = min_support
    return graph


def put_paper(graph: PaperGraph, key: str, annotated: AnnotatedPaper) -> None:
    """Put a paper's node into the graph."""
    paper = annotated.paper
    graph.put_node(
        key,
        kind="paper",
        label=annotated.label,
        title=paper.title,
        year=paper.year,
        venue=paper.venue,
        url=paper.url,
        record=annotated,
    )


def put_concept(graph: PaperGraph, concept: Concept, by_id: Mapping[str, str]) -> None:
    """Put a concept's node into the graph; `by_id` gives the keys of concepts."""
    graph.put_node(
        by_id[concept.id],
        kind="concept",
        label=concept.label,
        type=concept.type,
        aliases=concept.aliases,
        papers=concept.papers,
        broader=tuple(by_id[broader] for broader in concept.broader),
        record=concept,
    )


def put_mentions(
    graph: PaperGraph, source: str, annotated: AnnotatedPaper, keys: Mapping[str, str]
) -> None:
    """Put the edges from a paper to its concepts, whose keys are given by label."""
    counts = Counter(mention.concept for mention in annotated.mentions)
    for label, mention in sorted(best_mentions(annotated).items()):
        edge = MentionsEdge(counts[label], mention.score, label in annotated.proposes)
        graph.put_only(source, keys[label], edge)


def put_hierarchy(graph: PaperGraph, concepts: Iterable[Concept], by_id: Mapping[str, str]) -> None:
    """Put the edges from concepts to broader ones, whose keys are given by id."""
    for concept in concepts:
        for broader, support in zip(concept.broader, concept.broader_support, strict=True):
            graph.put_edge(by_id[concept.id], by_id[broader], BROADER, support=support, score=1.0)


@no_collection()
def _linked(
    graph: PaperGraph, papers: Sequence[AnnotatedPaper], types: Mapping[str, ConceptType]
) -> LinkedPapers:
    matrix = _matrix(graph, papers)
    return LinkedPapers(
        papers, [types[label] for label in matrix.labels], matrix, link_papers(matrix)
    )


@no_collection()
def _matrix(graph: PaperGraph, papers: Sequence[AnnotatedPaper]) -> Matrix:
    parts = name_parts(graph)
    return matrix_of(paper_evidence(annotated, parts) for annotated in papers)


def _put_links(graph: PaperGraph, keys: Sequence[str], linked: LinkedPapers) -> None:
    pairs = zip(linked.links.ones.tolist(), linked.links.others.tolist(), strict=True)
    for number, (one, other) in enumerate(pairs):
        graph.put_only(keys[one], keys[other], LinkEdge(linked, number))


def put_relations(
    graph: PaperGraph,
    papers: Iterable[AnnotatedPaper],
    keys: Mapping[str, str],
    min_support: int,
) -> None:
    """Put what at least `min_support` papers say of two concepts, whose keys are given by label."""
    claims: defaultdict[tuple[str, str, str], list[tuple[str, Relation]]] = defaultdict(list)
    for annotated in papers:
        for relation in annotated.relations:
            claims[relation.head, relation.tail, relation.type].append((annotated.id, relation))
    for (head, tail, kind), evidence in sorted(claims.items(), key=lambda item: item[0]):
        support = len({paper_id for paper_id, _ in evidence})
        if support < min_support:
            continue
        graph.put_edge(
            keys[head],
            keys[tail],
            kind,
            support=support,
            score=round(sum(relation.score for _, relation in evidence) / len(evidence), 3),
            evidence=tuple(evidence),
        )
