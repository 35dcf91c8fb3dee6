"""Communities of papers that hang together, each named by its most telling concepts."""

import math
from collections import Counter

import networkx

from .schema import MENTIONS, RELATED

SEED = 0
NAME_CONCEPTS = 3


def name_communities(graph: "networkx.MultiDiGraph[str]") -> dict[str, str]:
    """Return the name of each linked paper's community, by node key.

    Communities are those of the Louvain method on the weighted links (V. D. Blondel et al.,
    "Fast unfolding of communities in large networks", J. Stat. Mech. 2008, P10008). A name is
    the concepts most telling of a community: common in it and rare outside.

    Parameters
    ----------
    graph
        A graph with its `RELATED` edges; papers without one are in no community.
    """
    links: networkx.Graph[str] = networkx.Graph()
    links.add_weighted_edges_from(
        sorted(
            (source, target, data["weight"])
            for source, target, key, data in graph.edges(keys=True, data=True)
            if key == RELATED
        )
    )
    found = networkx.community.louvain_communities(links, weight="weight", seed=SEED)
    return {paper: name for papers in found for name in [_name(graph, papers)] for paper in papers}


def _name(graph: "networkx.MultiDiGraph[str]", papers: set[str]) -> str:
    inside = Counter(
        concept
        for paper in papers
        for _, concept, key in graph.out_edges(paper, keys=True)
        if key == MENTIONS
    )

    def telling(concept: str) -> float:
        """How much more often than elsewhere, weighed by how often (a signed G statistic)."""
        share = inside[concept] / graph.nodes[concept]["papers"]
        return inside[concept] * (1 + math.log(share))

    best = sorted(inside, key=lambda concept: (-telling(concept), concept))[:NAME_CONCEPTS]
    return ", ".join(graph.nodes[concept]["label"] for concept in best)
