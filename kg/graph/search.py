"""The papers nearest to a text that is not in the graph."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ..records import AnnotatedPaper, RelatedPaper
from ..resolve.names import normal_form
from .evidence import name_parts, paper_evidence
from .links import rank_papers
from .matrix import matrix_of
from .schema import concept_key
from .shared import LinkedPapers

if TYPE_CHECKING:
    import networkx


def related_to_annotated(
    graph: "networkx.MultiDiGraph[str]", annotated: AnnotatedPaper, *, top: int = 10
) -> list[RelatedPaper]:
    """Return the papers linked to an annotated text through shared concepts, best first.

    Parameters
    ----------
    graph
        A graph of `kg.build_graph` or `kg.load_graph`.
    annotated
        The text as `kg.extract` gives it; its concepts are found in the graph by name or alias.
    top
        How many papers at most.
    """
    known = _in_graph(graph, annotated)
    parts = name_parts(graph)
    papers = sorted(
        (data["record"] for _, data in graph.nodes(data=True) if data["kind"] == "paper"),
        key=lambda paper: paper.id,
    )
    matrix = matrix_of(paper_evidence(paper, parts) for paper in papers)
    wanted = paper_evidence(known, parts)
    links = rank_papers(matrix, wanted, top=top)
    types = [graph.nodes[concept_key(label)]["type"] for label in matrix.labels]
    linked = LinkedPapers([known, *papers], types, matrix.with_first(wanted), links)
    return [
        RelatedPaper(
            papers[row - 1].id, papers[row - 1].label, weight, tuple(linked.shared(number))
        )
        for number, (row, weight) in enumerate(
            zip(links.others.tolist(), links.weights.tolist(), strict=True)
        )
    ]


def _in_graph(graph: "networkx.MultiDiGraph[str]", annotated: AnnotatedPaper) -> AnnotatedPaper:
    """Return the text with its mentions named by the graph's labels, the unknown ones left out."""
    labels = _labels(graph)
    named = [
        replace(mention, concept=labels[key])
        for mention in annotated.mentions
        for key in [normal_form(mention.concept)]
        if key in labels
    ]
    return replace(annotated, mentions=tuple(named))


def _labels(graph: "networkx.MultiDiGraph[str]") -> Mapping[str, str]:
    """Return the label for each name of a concept; a label goes before an alias of another."""
    concepts = [data for _, data in graph.nodes(data=True) if data["kind"] == "concept"]
    aliases = {normal_form(alias): data["label"] for data in concepts for alias in data["aliases"]}
    return {**aliases, **{normal_form(data["label"]): data["label"] for data in concepts}}
