"""All that the graph knows of one paper or concept, and where it was said."""

from typing import TYPE_CHECKING, Any

from .evidence import best_mentions, sentence_of
from .find import find_node
from .related import related_papers
from .schema import BROADER, MENTIONS

if TYPE_CHECKING:
    import networkx

    from ..records import AnnotatedPaper, Concept


def describe(graph: "networkx.MultiDiGraph[str]", name: str) -> dict[str, Any]:
    """Return a paper or concept with its evidence, as plain values that JSON can hold.

    Parameters
    ----------
    graph
        A graph of `kg.build_graph` or `kg.load_graph`.
    name
        A name as `kg.graph.find.find_node` takes it.

    Returns
    -------
    dict
        For a concept: ``kind, id, label, type, aliases`` (each with the reason why it is the same
        concept), ``broader``, ``narrower``, ``papers`` (each with ``paper, label, proposed, text,
        score, sentence``) and ``relations``. For a paper: ``kind, id, label``, the canonical
        fields that it has, ``proposes``, ``concepts`` (each with ``concept, type, text, score,
        sentence``) and ``related``.

    Raises
    ------
    NameNotFound
        If no paper or concept has that name, or several have.
    """
    node = find_node(graph, name)
    record = graph.nodes[node]["record"]
    if graph.nodes[node]["kind"] == "paper":
        return _describe_paper(graph, record)
    return _describe_concept(graph, node, record)


def _describe_paper(
    graph: "networkx.MultiDiGraph[str]", annotated: "AnnotatedPaper"
) -> dict[str, Any]:
    paper = annotated.paper
    told = {
        "title": paper.title,
        "year": paper.year,
        "venue": paper.venue,
        "authors": list(paper.authors),
        "doi": paper.doi,
        "url": paper.url,
        "abstract": paper.abstract,
    }
    known = {name: value for name, value in told.items() if value}
    concepts = [
        {
            "concept": label,
            "type": mention.type,
            "text": mention.text,
            "score": mention.score,
            "sentence": sentence_of(annotated, mention),
        }
        for label, mention in best_mentions(annotated).items()
    ]
    related = [
        {
            "paper": other.paper,
            "label": other.label,
            "score": other.score,
            "shared": [shared.concept for shared in other.shared],
        }
        for other in related_papers(graph, f"paper:{paper.id}")
    ]
    return {
        "kind": "paper",
        "id": paper.id,
        "label": annotated.label,
        **known,
        "proposes": list(annotated.proposes),
        "concepts": concepts,
        "related": related,
    }


def _describe_concept(
    graph: "networkx.MultiDiGraph[str]", node: str, concept: "Concept"
) -> dict[str, Any]:
    papers, relations, broader, narrower = [], [], [], []
    for source, target, key, data in (
        *graph.in_edges(node, keys=True, data=True),
        *graph.out_edges(node, keys=True, data=True),
    ):
        if key == MENTIONS:
            annotated = graph.nodes[source]["record"]
            mention = best_mentions(annotated)[concept.label]
            papers.append(
                {
                    "paper": annotated.id,
                    "label": annotated.label,
                    "proposed": data["proposed"],
                    "text": mention.text,
                    "score": mention.score,
                    "sentence": sentence_of(annotated, mention),
                }
            )
        elif key == BROADER and source == node:
            broader.append(graph.nodes[target]["label"])
        elif key == BROADER:
            narrower.append(graph.nodes[source]["label"])
        else:
            ends = [graph.nodes[end]["label"] for end in (source, target)]
            relations.append({"head": ends[0], "type": key, "tail": ends[1], **_support(data)})
    aliases = zip(concept.aliases, concept.reasons, strict=True)
    return {
        "kind": "concept",
        "id": concept.id,
        "label": concept.label,
        "type": concept.type,
        "aliases": [{"alias": alias, "reason": reason} for alias, reason in aliases],
        "broader": sorted(broader),
        "narrower": sorted(narrower),
        "papers": sorted(papers, key=lambda paper: (not paper["proposed"], paper["paper"])),
        "relations": sorted(
            relations, key=lambda one: (-one["support"], one["head"], one["type"], one["tail"])
        ),
    }


def _support(data: dict[str, Any]) -> dict[str, Any]:
    return {"support": data["support"], "score": data["score"]}
