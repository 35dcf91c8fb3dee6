"""The graph in one place: how nodes are keyed and what nodes and edges carry.

============================  =================================================================
node or edge                  attributes
============================  =================================================================
paper                         ``kind="paper"``, ``label``, ``title``, ``year``, ``venue``,
                              ``url``, ``record`` (the `AnnotatedPaper`)
concept                       ``kind="concept"``, ``label``, ``type``, ``aliases``, ``papers``,
                              ``broader`` (node keys), ``record`` (the `Concept`)
paper → concept, `MENTIONS`   ``count``, ``score`` (the highest), ``proposed``
paper → paper, `RELATED`      ``weight``, ``shared`` (`SharedConcept` records, ``here`` being the
                              source); from the smaller id to the larger
concept → concept, a          ``support`` (distinct papers), ``score`` (mean), ``evidence``
relation type                 (pairs of paper id and `Relation`, sorted)
concept → concept, `BROADER`  ``support``, ``score``
============================  =================================================================
"""

from ..resolve.names import concept_id

MENTIONS = "mentions"
RELATED = "related"
BROADER = "broader"


def paper_key(paper_id: str) -> str:
    """Return the node key of the paper with this id.

    Examples
    --------
    >>> paper_key("p1")
    'paper:p1'
    """
    return f"paper:{paper_id}"


def concept_key(label: str) -> str:
    """Return the node key of the concept with this label.

    Examples
    --------
    >>> concept_key("image classification")[:29]
    'concept:image-classification-'
    """
    return f"concept:{concept_id(label)}"
