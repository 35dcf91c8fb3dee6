from collections.abc import Callable

import networkx

from kg.graph.build import assemble
from kg.graph.communities import find_communities
from kg.records import AnnotatedPaper
from kg.resolve.concepts import collect_concepts

Marked = Callable[..., AnnotatedPaper]


def graph_of(marked: Marked, texts: dict[str, str]) -> "networkx.MultiDiGraph[str]":
    papers = [marked(paper_id, text) for paper_id, text in texts.items()]
    return assemble(papers, collect_concepts(papers))


def two_topics(marked: Marked) -> "networkx.MultiDiGraph[str]":
    """Four papers on diffusion, three on parsing; accuracy is everywhere, beam search in one."""
    texts = {
        f"d{number}": "A [[diffusion model|M]] for [[image generation|T]]; [[accuracy|E]]."
        for number in range(4)
    }
    texts |= {f"p{number}": "A [[parser|M]] of [[treebank|D]]; [[accuracy|E]]." for number in "123"}
    texts["p1"] += " [[beam search|M]]."
    return graph_of(marked, texts)


def test_communities_are_the_topics_the_largest_first(marked: Marked) -> None:
    diffusion, parsing = find_communities(two_topics(marked))
    assert diffusion.papers == ("paper:d0", "paper:d1", "paper:d2", "paper:d3")
    assert parsing.papers == ("paper:p1", "paper:p2", "paper:p3")


def test_names_are_what_sets_a_community_apart_not_what_all_share(marked: Marked) -> None:
    diffusion, parsing = find_communities(two_topics(marked))
    assert set(diffusion.concepts[:2]) == {"diffusion model", "image generation"}
    assert set(parsing.concepts[:2]) == {"parser", "treebank"}
    assert parsing.name == ", ".join(parsing.concepts)
    assert "accuracy" not in (*diffusion.concepts[:2], *parsing.concepts[:2])


def test_a_name_says_nothing_twice(marked: Marked) -> None:
    text = "A [[graph network|M]] and a [[deep graph network|M]]; [[node classification|T]]."
    graph = graph_of(marked, {f"g{number}": text for number in range(3)})
    [community] = find_communities(graph)
    assert len(community.concepts) == 2 and "node classification" in community.concepts


def test_papers_without_links_are_in_no_community(marked: Marked) -> None:
    graph = graph_of(marked, {"a": "[[LoRA|M]]", "b": "[[GAN|M]]", "c": "[[PCA|M]]", "d": "None."})
    assert find_communities(graph) == []
    assert find_communities(networkx.MultiDiGraph()) == []


def test_only_the_papers_asked_for_are_looked_at(marked: Marked) -> None:
    graph = two_topics(marked)
    wanted = ("paper:d1", "paper:d2", "paper:d3")
    [community] = find_communities(graph, papers=wanted)
    assert community.papers == wanted


def test_communities_do_not_depend_on_the_order_of_papers(marked: Marked) -> None:
    graph = two_topics(marked)
    keys = [key for key, kind in graph.nodes(data="kind") if kind == "paper"]
    assert find_communities(graph, papers=keys[::-1]) == find_communities(graph)
