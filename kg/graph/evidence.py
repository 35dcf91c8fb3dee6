"""What links a paper: the concepts that it names, those that their names hold, and where."""

import math
from collections.abc import Iterable, Iterator, Mapping

import networkx

from ..records import AnnotatedPaper, Mention
from ..resolve.names import words

Evidence = dict[str, tuple[float, str]]
Parts = Mapping[str, tuple[str, ...]]


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


def name_parts(graph: "networkx.MultiDiGraph[str]") -> dict[str, tuple[str, ...]]:
    """Return for each concept the others that it speaks of too, by label.

    These are the concepts whose names stand within its own (``graph neural network`` in ``graph
    neural network pre-training``), and all that are broader.
    """
    concepts = {
        data["label"]: key for key, data in graph.nodes(data=True) if data["kind"] == "concept"
    }
    by_words = {words(label): label for label in concepts}
    return {
        label: tuple(sorted({*_within(label, by_words), *_above(graph, key)} - {label}))
        for label, key in concepts.items()
    }


def paper_evidence(annotated: AnnotatedPaper, parts: Parts) -> Evidence:
    """Return the concepts that a paper speaks of, each with its factor and a sentence.

    The factor is the square root of the number of mentions; a mention of a concept is one of its
    parts too.
    """
    counts: dict[str, int] = {}
    best: dict[str, Mention] = {}
    for mention in annotated.mentions:
        for label in (mention.concept, *parts.get(mention.concept, ())):
            counts[label] = counts.get(label, 0) + 1
            if label not in best or _rank(mention, label) > _rank(best[label], label):
                best[label] = mention
    return {
        label: (math.sqrt(count), sentence_of(annotated, best[label]))
        for label, count in counts.items()
    }


def factors(evidence: Evidence) -> dict[str, float]:
    """Return what each concept counts, without where it is said."""
    return {label: factor for label, (factor, _) in evidence.items()}


def _rank(mention: Mention, label: str) -> tuple[bool, float]:
    """Rank a mention as evidence: one of the concept itself goes before one of a longer name."""
    return mention.concept == label, mention.score


def _within(label: str, by_words: Mapping[tuple[str, ...], str]) -> Iterator[str]:
    name = words(label)
    for start in range(len(name)):
        for end in range(start + 1, len(name) + 1):
            if name[start:end] in by_words:
                yield by_words[name[start:end]]


def _above(graph: "networkx.MultiDiGraph[str]", key: str) -> Iterable[str]:
    reached: dict[str, None] = {}
    todo = list(graph.nodes[key]["broader"])
    while todo:
        broader = todo.pop()
        if broader not in reached:
            reached[broader] = None
            todo += graph.nodes[broader]["broader"]
    return (graph.nodes[broader]["label"] for broader in reached)
