"""Papers without their texts, for builds that may not hand them on.

What goes: titles, abstracts, and with them every sentence that is shown as evidence. What stays:
what a source tells besides (authors, year, venue, DOI, URL, keywords), the names of concepts and
the mentions' own words, which are what the graph is made of, and all offsets, which mark the
evidence for those who have the texts.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from ..extract.annotate import paper_label
from ..graph.build import assemble
from ..records import AnnotatedPaper
from .papers import annotated_papers

if TYPE_CHECKING:
    import networkx

Text = Literal["full", "none"]


def without_text(annotated: AnnotatedPaper) -> AnnotatedPaper:
    """Return the paper without title and abstract, labelled by what it proposes or by its id.

    Examples
    --------
    >>> from kg.records import Paper
    >>> without_text(AnnotatedPaper(Paper("p1", title="Alone", year=2024), "Alone"))
    ... # doctest: +ELLIPSIS
    AnnotatedPaper(paper=Paper(id='p1', title=None, abstract=None, year=2024, ...), label='p1', ...)
    """
    paper = replace(annotated.paper, title=None, abstract=None)
    return replace(
        annotated,
        paper=paper,
        label=paper_label(paper, annotated.mentions, annotated.proposes),
    )


def graph_without_text(graph: "networkx.MultiDiGraph[str]") -> "networkx.MultiDiGraph[str]":
    """Return the graph of the same papers and concepts without the texts."""
    papers = [without_text(annotated) for annotated in annotated_papers(graph)]
    kinds = graph.nodes(data=True)
    concepts = [data["record"] for _, data in kinds if data["kind"] == "concept"]
    bare = assemble(papers, concepts, min_support=graph.graph.get("min_support", 1))
    bare.graph.update(graph.graph)
    return bare
