"""Annotated papers and concepts -> the networkx graph."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import networkx

from ..records import AnnotatedPaper, Concept, Mention, Relation, SharedConcept
from .links import link_papers
from .schema import BROADER, MENTIONS, RELATED, concept_key, paper_key

# What a broader concept counts beside the one that a paper names.
BROADER_FACTOR = 0.5


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
        the order of the arguments.
    """
    papers = sorted(papers, key=lambda annotated: annotated.id)
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


def best_mentions(annotated: AnnotatedPaper) -> dict[str, Mention]:
    """Return the mention that stands for each concept of a paper: the surest, then the first."""
    best: dict[str, Mention] = {}
    for mention in annotated.mentions:
        known = best.get(mention.concept)
        if known is None or mention.score > known.score:
            best[mention.concept] = mention
    return best


def sentence_of(annotated: AnnotatedPaper, mention: Mention) -> str:
    """Return the sentence of the paper that holds the mention."""
    start, end = mention.sentence
    return annotated.paper.text(mention.field)[start:end]


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
    evidence = {paper_id: evidence_of(graph, annotated) for paper_id, annotated in by_id.items()}
    for link in link_papers({paper_id: factors(found) for paper_id, found in evidence.items()}):
        here, there = by_id[link.source], by_id[link.target]
        shared = tuple(
            SharedConcept(
                concept=label,
                type=graph.nodes[concept_key(label)]["type"],
                weight=weight,
                here=evidence[here.id][label][1],
                there=evidence[there.id][label][1],
            )
            for label, weight in link.shared
        )
        graph.add_edge(
            paper_key(here.id), paper_key(there.id), RELATED, weight=link.weight, shared=shared
        )


Evidence = dict[str, tuple[float, str]]


def factors(evidence: Evidence) -> dict[str, float]:
    """Return what each concept counts, without where it is said."""
    return {label: factor for label, (factor, _) in evidence.items()}


def evidence_of(graph: "networkx.MultiDiGraph[str]", annotated: AnnotatedPaper) -> Evidence:
    """Return a paper's concepts and all broader ones, each with its factor and a sentence.

    A broader concept counts `BROADER_FACTOR` for each step, and is said where the narrower is.
    """
    found: Evidence = {}
    step = [
        (label, 1.0, sentence_of(annotated, mention))
        for label, mention in best_mentions(annotated).items()
    ]
    while step:
        for label, factor, sentence in step:
            found.setdefault(label, (factor, sentence))
        step = [
            (graph.nodes[broader]["label"], factor * BROADER_FACTOR, sentence)
            for label, factor, sentence in step
            for broader in graph.nodes[concept_key(label)]["broader"]
            if graph.nodes[broader]["label"] not in found
        ]
    return found


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
