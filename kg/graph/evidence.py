"""What links a paper: the concepts that it names, those that their names hold, and where."""

import math
from collections.abc import Iterable, Iterator, Mapping

import networkx

from ..records import AnnotatedPaper, Mention
from ..resolve.names import words

# What a mention counts for a concept: in the title, and in the name of another one. Both are
# measured (tests/benchmarks/related_ranking.py).
IN_TITLE = 2
IN_NAME = 0.5

Evidence = dict[str, tuple[float, int]]
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
    """Return for each concept that has any the others that it speaks of too, by label.

    These are the concepts whose names stand within its own (``graph neural network`` in ``graph
    neural network pre-training``), and all that are broader.
    """
    concepts = {
        data["label"]: key for key, data in graph.nodes(data=True) if data["kind"] == "concept"
    }
    names = {label: words(label) for label in concepts}
    by_words = {name: label for label, name in names.items()}
    parts = {}
    for label, key in concepts.items():
        found = {*_within(names[label], by_words), *_above(graph, key)} - {label}
        if found:
            parts[label] = tuple(sorted(found))
    return parts


def paper_evidence(annotated: AnnotatedPaper, parts: Parts) -> Evidence:
    """Return the concepts that a paper speaks of, each with its factor and a mention's number.

    The factor is the square root of the number of mentions, one in the title being two; a mention
    of a concept is half a one of each of its parts. The mention is the one that shows best that
    the paper speaks of the concept.
    """
    own: dict[str, tuple[int, float, int]] = {}
    for number, mention in enumerate(annotated.mentions):
        count, score, best = own.get(mention.concept, (0, -1.0, 0))
        if mention.score > score:  # of equal ones the first
            score, best = mention.score, number
        own[mention.concept] = count + (IN_TITLE if mention.field == "title" else 1), score, best
    counts: dict[str, float] = {label: count for label, (count, _, _) in own.items()}
    # A mention of the concept itself goes before one of a longer name, then the surest, first.
    ranks = {label: (True, score, -number) for label, (_, score, number) in own.items()}
    for label, (count, score, number) in own.items():
        rank = False, score, -number
        for part in parts.get(label, ()):
            counts[part] = counts.get(part, 0) + IN_NAME * count
            if part not in ranks or rank > ranks[part]:
                ranks[part] = rank
    return {label: (math.sqrt(count), -ranks[label][2]) for label, count in counts.items()}


def _within(name: tuple[str, ...], by_words: Mapping[tuple[str, ...], str]) -> Iterator[str]:
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
