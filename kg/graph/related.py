"""The papers linked to a paper, and how concepts rank."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..records import Concept, ConceptType, RelatedPaper
from .find import find_node
from .lookup import lookup_of
from .schema import MENTIONS, RELATED

if TYPE_CHECKING:
    import networkx


def related_papers(
    graph: "networkx.MultiDiGraph[str]", paper: str, *, top: int = 10
) -> list[RelatedPaper]:
    """Return the papers linked to this one through shared concepts, best first.

    Parameters
    ----------
    graph
        A graph of `kg.build_graph` or `kg.load_graph`.
    paper
        The paper's id, its label, a part of its title, or what it alone proposes.
    top
        How many at most.

    Returns
    -------
    list of RelatedPaper
        Each with its score (0 to 1), and the shared concepts with a sentence ``here`` (in the
        paper asked for) and ``there``.

    Raises
    ------
    NameNotFound
        If no paper, or more than one, has that name.
    """
    node = find_node(graph, paper, kind="paper")
    related = []
    for source, target, key, data in (
        *graph.out_edges(node, keys=True, data=True),
        *graph.in_edges(node, keys=True, data=True),
    ):
        if key == RELATED:
            other, shared = graph.nodes[target if source == node else source], tuple(data["shared"])
            if source != node:
                shared = tuple(replace(one, here=one.there, there=one.here) for one in shared)
            related.append(RelatedPaper(other["record"].id, other["label"], data["weight"], shared))
    return sorted(related, key=lambda one: (-one.score, one.paper))[:top]


def top_concepts(
    graph: "networkx.MultiDiGraph[str]",
    *,
    type: ConceptType | None = None,
    top: int | None = None,
) -> list[Concept]:
    """Return the concepts by number of papers, most first, of one type or of all.

    Examples
    --------
    >>> from kg.graph.build import assemble
    >>> one, two = Concept("a-1", "A", "Task", papers=1), Concept("b-2", "B", "Task", papers=2)
    >>> [concept.label for concept in top_concepts(assemble([], [one, two]), type="Task")]
    ['B', 'A']
    """
    return lookup_of(graph).concepts(type, top)


def papers_per_year(
    graph: "networkx.MultiDiGraph[str]", concepts: Sequence[Concept]
) -> list[dict[int, int]]:
    """Return for each concept its papers in each year, as far as the papers' years are known."""
    years = [
        Counter(
            graph.nodes[paper]["year"]
            for paper, _, key in graph.in_edges(f"concept:{concept.id}", keys=True)
            if key == MENTIONS and graph.nodes[paper]["year"] is not None
        )
        for concept in concepts
    ]
    return [dict(sorted(counts.items())) for counts in years]
