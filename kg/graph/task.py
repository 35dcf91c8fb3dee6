"""What a task is done with: its methods, datasets and metrics, and how many papers have each."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..records import ConceptType
from .find import find_node
from .schema import BROADER, MENTIONS, paper_key

if TYPE_CHECKING:
    import networkx

TYPES: tuple[ConceptType, ...] = ("Method", "Dataset", "Metric")


@dataclass(frozen=True, slots=True)
class TaskConcept:
    """A method, dataset or metric of a task.

    `stated` counts the papers that say it is for the task, `papers` all that name both, and
    `years` these by year, as far as their years are known.
    """

    concept: str
    type: ConceptType
    stated: int
    papers: int
    years: dict[int, int]


def concepts_for_task(
    graph: "networkx.MultiDiGraph[str]",
    task: str,
    *,
    type: ConceptType | None = None,
    top: int | None = None,
) -> list[TaskConcept]:
    """Return the methods, datasets and metrics of a task and of the tasks below it.

    A paper says that a method is for the task if it states `used_for`; that a dataset is, if it
    states `benchmark_for`, or that a method which it uses for the task is evaluated or trained on
    it; that a metric is, if it states that the task, or such a method, is measured by it.

    Parameters
    ----------
    graph
        A graph of `kg.build_graph` or `kg.load_graph`.
    task
        The task's label, an alias or its id.
    type
        Only concepts of this type.
    top
        How many of each type at most.

    Returns
    -------
    list of TaskConcept
        Type by type; first those that most papers state, then those that most papers name.

    Raises
    ------
    NameNotFound
        If no concept, or more than one, has that name; the message lists the nearest.

    Examples
    --------
    >>> from kg.graph.build import assemble
    >>> from kg.records import AnnotatedPaper, Mention, Paper
    >>> one = Mention(0, 3, "SVM", "Method", "SVM", 0.9, "title", (0, 19))
    >>> two = Mention(8, 19, "recognition", "Task", "recognition", 0.9, "title", (0, 19))
    >>> paper = AnnotatedPaper(Paper("p", "SVM for recognition", year=1999), "p", (one, two))
    >>> from kg.resolve.concepts import collect_concepts
    >>> concepts_for_task(assemble([paper], collect_concepts([paper])), "Recognition")
    [TaskConcept(concept='SVM', type='Method', stated=0, papers=1, years={1999: 1})]
    """
    tasks = set(_with_narrower(graph, find_node(graph, task, kind="concept")))
    named: defaultdict[str, set[str]] = defaultdict(set)
    for paper in _papers_on(graph, tasks):
        for _, concept, key in graph.out_edges(paper, keys=True):
            if key == MENTIONS and concept not in tasks:
                named[concept].add(paper)
    stated = _stated(graph, tasks)
    found = [
        TaskConcept(
            data["label"], data["type"], len(stated[concept]), len(papers), _years(graph, papers)
        )
        for concept, papers in named.items()
        for data in [graph.nodes[concept]]
        if type in (None, data["type"])
    ]
    found.sort(key=lambda one: (-one.stated, -one.papers, one.concept))
    return [one for kind in TYPES for one in [one for one in found if one.type == kind][:top]]


def _with_narrower(graph: "networkx.MultiDiGraph[str]", concept: str) -> Iterator[str]:
    """Yield a concept and all below it."""
    known, waiting = {concept}, [concept]
    while waiting:
        yield (broader := waiting.pop())
        for narrower, _, key in graph.in_edges(broader, keys=True):
            if key == BROADER and narrower not in known:
                known.add(narrower)
                waiting.append(narrower)


def _papers_on(graph: "networkx.MultiDiGraph[str]", tasks: Collection[str]) -> set[str]:
    edges = graph.in_edges(tasks, keys=True)
    return {source for source, _, key in edges if key == MENTIONS}


def _stated(
    graph: "networkx.MultiDiGraph[str]", tasks: Collection[str]
) -> defaultdict[str, set[str]]:
    """Return for each concept the papers that say it is for one of the tasks."""
    stated: defaultdict[str, set[str]] = defaultdict(set)
    uses: defaultdict[str, set[str]] = defaultdict(set)
    for concept, _, key, data in graph.in_edges(tasks, keys=True, data=True):
        if key == "used_for":
            uses[concept].update(_sayers(data))
        elif key == "benchmark_for":
            stated[concept].update(_sayers(data))
    for _, metric, key, data in graph.out_edges(tasks, keys=True, data=True):
        if key == "measured_by":
            stated[metric].update(_sayers(data))
    for method, papers in uses.items():
        stated[method] |= papers
        for _, concept, key, data in graph.out_edges(method, keys=True, data=True):
            if key in ("evaluated_on", "trained_on", "measured_by"):
                stated[concept] |= papers.intersection(_sayers(data))
    return stated


def _sayers(data: dict[str, Any]) -> Iterator[str]:
    """Yield the papers that make a claim."""
    return (paper_key(paper_id) for paper_id, _ in data["evidence"])


def _years(graph: "networkx.MultiDiGraph[str]", papers: Collection[str]) -> dict[int, int]:
    years = (graph.nodes[paper]["year"] for paper in papers)
    return dict(sorted(Counter(year for year in years if year is not None).items()))
