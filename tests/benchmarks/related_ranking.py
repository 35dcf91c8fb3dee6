"""How well do links rank papers, beside TF-IDF, where authors' keywords tell what is related?

    python tests/benchmarks/related_ranking.py PAPERS.jsonl [--queries 500]

PAPERS.jsonl is in canonical form; papers without keywords are left out, and the keywords are not
shown to the extractor. Two papers are relevant to each other by the cosine of their keyword sets.
Printed is the mean nDCG@10 of `kg related` and of scikit-learn's TF-IDF cosine on the same titles
and abstracts, over the same query papers, and their ratio. Needs scikit-learn.
"""

import argparse
import math
import random
from collections import defaultdict
from dataclasses import replace

import numpy as np

import kg
from kg.records import Paper
from kg.resolve.names import normal_form

TOP = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("papers")
    parser.add_argument("--queries", type=int, default=500)
    arguments = parser.parse_args()

    papers = [paper for paper in kg.read_papers(arguments.papers) if paper.keywords]
    keywords = {paper.id: frozenset(map(normal_form, paper.keywords)) for paper in papers}
    sharing = related_by_keywords(keywords)
    linked = [paper_id for paper_id in sorted(keywords) if sharing[paper_id]]
    queries = random.Random(0).sample(linked, arguments.queries)

    ours = mean_ndcg(rank_by_links(papers, queries), sharing)
    theirs = mean_ndcg(rank_by_tfidf(papers, queries), sharing)
    print(f"{len(papers)} papers, {len(queries)} queries, mean nDCG@{TOP}")
    print(f"kg related {ours:.4f}   TF-IDF {theirs:.4f}   ratio {ours / theirs:.3f}")


def related_by_keywords(keywords: dict[str, frozenset[str]]) -> dict[str, dict[str, float]]:
    """The relevance of every paper to every other that shares a keyword with it."""
    holders = defaultdict(list)
    for paper_id, words in keywords.items():
        for word in words:
            holders[word].append(paper_id)
    sharing: dict[str, dict[str, float]] = {}
    for paper_id, words in keywords.items():
        others = {other for word in words for other in holders[word]} - {paper_id}
        sharing[paper_id] = {
            other: len(words & keywords[other]) / math.sqrt(len(words) * len(keywords[other]))
            for other in others
        }
    return sharing


def rank_by_links(papers: list[Paper], queries: list[str]) -> dict[str, list[str]]:
    graph = kg.build_graph(replace(paper, keywords=()) for paper in papers)
    return {
        query: [one.paper for one in kg.related_papers(graph, f"paper:{query}", top=TOP)]
        for query in queries
    }


def rank_by_tfidf(papers: list[Paper], queries: list[str]) -> dict[str, list[str]]:
    from sklearn.feature_extraction.text import TfidfVectorizer

    ids = [paper.id for paper in papers]
    texts = [f"{paper.title or ''} {paper.abstract or ''}" for paper in papers]
    matrix = TfidfVectorizer(stop_words="english", sublinear_tf=True).fit_transform(texts)
    ranked = {}
    for query in queries:
        row = ids.index(query)
        scores = (matrix @ matrix[row].T).toarray().ravel()
        scores[row] = -1
        ranked[query] = [ids[other] for other in np.argsort(-scores, kind="stable")[:TOP]]
    return ranked


def mean_ndcg(ranked: dict[str, list[str]], sharing: dict[str, dict[str, float]]) -> float:
    discounts = [1 / math.log2(rank + 2) for rank in range(TOP)]
    scores = []
    for query, others in ranked.items():
        gains = [sharing[query].get(other, 0.0) for other in others]
        ideal = sorted(sharing[query].values(), reverse=True)
        best = sum(gain * discount for gain, discount in zip(ideal, discounts, strict=False))
        scores.append(sum(g * d for g, d in zip(gains, discounts, strict=False)) / best)
    return sum(scores) / len(scores)


if __name__ == "__main__":
    main()
