"""Communities: papers that hang together more than with others, named by what they speak of.

Found by the method of Louvain (Blondel, Guillaume, Lambiotte and Lefebvre, *Fast unfolding of
communities in large networks*, Journal of Statistical Mechanics, P10008, 2008) on the links
between papers. Papers are numbered by id before, and the method's random order has a fixed seed,
so that the same graph has the same communities.
"""

import math
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .schema import MENTIONS, RELATED

if TYPE_CHECKING:
    import networkx

SEED = 1
LEAST_PAPERS = 3
IN_A_NAME = 3


@dataclass(frozen=True, slots=True)
class Community:
    """Papers that hang together (node keys), and the concepts that set them apart (labels)."""

    concepts: tuple[str, ...]
    papers: tuple[str, ...]

    @property
    def name(self) -> str:
        """Its concepts in one line."""
        return ", ".join(self.concepts)


def find_communities(
    graph: "networkx.MultiDiGraph[str]", *, papers: Collection[str] | None = None
) -> list[Community]:
    """Return the communities of papers, the largest first; too small ones are left out.

    Parameters
    ----------
    graph
        A graph of `kg.build_graph` or `kg.load_graph`.
    papers
        The node keys of the papers to look at, all if left out.

    Examples
    --------
    >>> from kg.graph.build import assemble
    >>> from kg.records import AnnotatedPaper, Concept, Mention, Paper
    >>> from kg.resolve.concepts import collect_concepts
    >>> def paper(number: int, name: str) -> AnnotatedPaper:
    ...     mention = Mention(0, len(name), name, "Method", name, 0.9, "title", (0, len(name)))
    ...     return AnnotatedPaper(Paper(f"p{number}", title=name), name, (mention,))
    >>> papers = [paper(number, ("LoRA", "GAN")[number % 2]) for number in range(8)]
    >>> graph = assemble(papers, collect_concepts(papers))
    >>> [(community.name, len(community.papers)) for community in find_communities(graph)]
    [('LoRA', 4), ('GAN', 4)]
    """
    if papers is None:
        papers = [key for key, kind in graph.nodes(data="kind") if kind == "paper"]
    groups = _groups(graph, sorted(papers))
    spoken_of = [_concepts(graph, group) for group in groups]
    everywhere = sum(spoken_of, Counter())
    whole = sum(map(len, groups))
    found = [
        Community(_name(graph, _distinctive(here, everywhere, len(group) / whole)), group)
        for group, here in zip(groups, spoken_of, strict=True)
    ]
    return sorted(found, key=lambda one: (-len(one.papers), one.papers))


def _groups(graph: "networkx.MultiDiGraph[str]", papers: list[str]) -> list[tuple[str, ...]]:
    import networkx

    number = {key: index for index, key in enumerate(papers)}
    links: networkx.Graph[int] = networkx.Graph()
    links.add_nodes_from(range(len(papers)))
    links.add_weighted_edges_from(
        (here, number[target], data["weight"])
        for source, here in number.items()
        for target, parallel in graph.adj[source].items()
        for key, data in parallel.items()
        if key == RELATED and target in number
    )
    groups = networkx.community.louvain_communities(links, seed=SEED)
    return [
        tuple(papers[index] for index in sorted(group))
        for group in groups
        if len(group) >= LEAST_PAPERS
    ]


def _concepts(graph: "networkx.MultiDiGraph[str]", papers: tuple[str, ...]) -> Counter[str]:
    return Counter(
        concept
        for paper in papers
        for concept, parallel in graph.adj[paper].items()
        if MENTIONS in parallel
    )


def _distinctive(here: Counter[str], everywhere: Counter[str], share: float) -> list[str]:
    """Rank concepts by what each adds to the divergence of a community from the whole.

    That is papers x log(papers / papers expected) of the relative entropy (Kullback and Leibler,
    *On information and sufficiency*, Annals of Mathematical Statistics 22, 1951).
    """
    gain = {key: count * math.log(count / (everywhere[key] * share)) for key, count in here.items()}
    return sorted(gain, key=lambda key: (-round(gain[key], 9), key))


def _name(graph: "networkx.MultiDiGraph[str]", ranked: list[str]) -> tuple[str, ...]:
    """Return the labels of the first concepts, of which none says what another says."""
    chosen: list[str] = []
    for label in (graph.nodes[key]["label"] for key in ranked):
        words = set(label.lower().split())
        others = [set(other.lower().split()) for other in chosen]
        if not any(words <= other or other <= words for other in others):
            chosen.append(label)
        if len(chosen) == IN_A_NAME:
            break
    return tuple(chosen)
