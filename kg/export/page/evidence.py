"""What the papers of the page say: texts, and where they mention and state what.

The page reads it only when it is asked for. It numbers nodes by their place in the list of nodes,
and its offsets count UTF-16 units, as JavaScript does.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ...graph.schema import RELATED
from ...records import AnnotatedPaper, Field

if TYPE_CHECKING:
    import networkx

Json = dict[str, Any]
Edge = tuple[str, str, str, Json]


def evidence(
    graph: "networkx.MultiDiGraph[str]", number: Mapping[str, int], edges: Iterable[Edge]
) -> Json:
    """Return what each paper says, and the links from it with the concepts that are shared.

    Parameters
    ----------
    graph
        A graph as `kg.graph.schema` describes it.
    number
        The number that the page gives each node that it shows.
    edges
        The edges among these nodes. A link among them becomes
        ``[number of the other paper, [[number of the concept, weight], ...]]``.
    """
    data = {key: graph.nodes[key] for key in number}
    concepts = [key for key in number if data[key]["kind"] == "concept"]
    concept = {data[key]["label"]: number[key] for key in concepts}
    papers = [key for key in number if data[key]["kind"] == "paper"]
    links: dict[int, list[Any]] = {number[key]: [] for key in papers}
    for source, target, kind, link in edges:
        if kind == RELATED:
            shared = [part for part in link["shared"] if part.concept in concept]
            weights = [[concept[part.concept], round(part.weight, 3)] for part in shared]
            links[number[source]].append([number[target], weights])
    told = {number[key]: _told(data[key]["record"], concept) for key in papers}
    return {"papers": told, "links": links}


def _told(annotated: AnnotatedPaper, concept: Mapping[str, int]) -> Json:
    """Return a paper's texts, mentions and relations; `model.js` names the parts of both."""
    paper = annotated.paper
    told: Json = {
        "title": paper.title,
        "abstract": paper.abstract,
        "url": paper.url,
        "doi": paper.doi,
        "authors": list(paper.authors),
        "proposes": [concept[label] for label in annotated.proposes if label in concept],
        "mentions": list(_mentions(annotated, concept)),
        "relations": list(_relations(annotated, concept)),
    }
    return {name: value for name, value in told.items() if value}


def _mentions(annotated: AnnotatedPaper, concept: Mapping[str, int]) -> Iterable[list[Any]]:
    units = _units(annotated)
    for mention in annotated.mentions:
        if mention.concept in concept:
            place = map(units[mention.field], (mention.start, mention.end, *mention.sentence))
            said = mention.field == "title", concept[mention.concept], mention.score
            yield [*place, *said]


def _relations(annotated: AnnotatedPaper, concept: Mapping[str, int]) -> Iterable[list[Any]]:
    units = _units(annotated)
    for relation in annotated.relations:
        if relation.head in concept and relation.tail in concept:
            place = map(units[relation.field], (relation.start, relation.end))
            triple = concept[relation.head], relation.type, concept[relation.tail]
            yield [*place, relation.field == "title", *triple, relation.score]


def _units(annotated: AnnotatedPaper) -> dict[Field, Callable[[int], int]]:
    fields: tuple[Field, ...] = ("title", "abstract")
    return {name: utf16_offset(annotated.paper.text(name)) for name in fields}


def utf16_offset(text: str) -> Callable[[int], int]:
    """Return what turns an offset in code points into one in UTF-16 units of the same text.

    Examples
    --------
    >>> offset = utf16_offset("🎉 LoRA")
    >>> offset(0), offset(1), offset(6)
    (0, 2, 7)
    """
    if text.isascii() or max(text) <= "\uffff":
        return lambda offset: offset
    units = [0]
    for character in text:
        units.append(units[-1] + (2 if character > "\uffff" else 1))
    return units.__getitem__
