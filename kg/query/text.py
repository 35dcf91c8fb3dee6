"""Ask a graph with a text that is not in it."""

from typing import TYPE_CHECKING

from ..errors import InputError
from ..extract.extract import extract
from ..graph.search import related_to_annotated
from ..read.clean import clean_or_none
from ..records import Paper, RelatedPaper

if TYPE_CHECKING:
    import networkx


def related_to_text(
    graph: "networkx.MultiDiGraph[str]", text: str, *, top: int = 10
) -> list[RelatedPaper]:
    """Return the papers of a graph that are nearest to a text, by the concepts found in it.

    Parameters
    ----------
    graph
        A graph of `kg.build_graph` or `kg.load_graph`.
    text
        A question, a few sentences, or an abstract.
    top
        How many papers at most.

    Raises
    ------
    InputError
        If the text is empty.
    """
    abstract = clean_or_none(text)
    if abstract is None:
        raise InputError("the text is empty: give a few words on what you look for")
    [annotated] = extract([Paper("text", abstract=abstract)], jobs=1)
    return related_to_annotated(graph, annotated, top=top)
