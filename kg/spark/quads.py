"""The RDF of a build as lines of N-Quads, described in parts: some papers, some concepts.

Each part is made a small graph of, with all that is said of its papers or concepts, and described
as `kg.export.triples` describes a whole one.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from typing import TYPE_CHECKING

import pyarrow as pa

from ..export.described import Described
from ..export.provenance import Provenance
from ..export.summary import Tally, summary_of
from ..export.syntax import Description, NQuads
from ..graph.build import (
    put_concept,
    put_hierarchy,
    put_mentions,
    put_paper,
    put_relations,
)
from ..graph.compact import PaperGraph
from ..graph.schema import RELATED, concept_key, paper_key
from ..records import AnnotatedPaper, Concept, Paper, Relation, SharedConcept
from .annotate import annotated_rows
from .rows import BATCH, Counts, Row, counted, frame_of, mapped

if TYPE_CHECKING:
    from pyspark import Broadcast
    from pyspark.sql import DataFrame, SparkSession

_LINES = pa.schema([("line", pa.string())])
_Claim = tuple[str, str, str]
Describe = Callable[[Iterator[Row]], Iterator[Description]]


@dataclass(frozen=True, slots=True)
class Rdf:
    """What the RDF of a build is besides its papers and concepts."""

    syntax: NQuads
    layers: frozenset[str]
    min_support: int
    origin: Provenance


def quads(
    spark: "SparkSession",
    papers: "DataFrame",
    concepts: "DataFrame",
    links: "DataFrame",
    rdf: Rdf,
    *,
    graph: PaperGraph,
    shards: int,
) -> "DataFrame":
    """Return the lines of N-Quads that say all of a build, in the graph ``{base}graph``.

    Parameters
    ----------
    spark
        The session.
    papers, concepts, links
        The finished frames (`PAPERS`, `CONCEPTS`, `LINKS`).
    rdf
        What the RDF is besides.
    graph
        The graph of the concepts alone.
    shards
        Into how many parts the papers are cut, and the concepts.
    """
    rare = spark.sparkContext.broadcast(_rare_claims(papers, rdf.min_support))
    parts: list[tuple[DataFrame, Describe]] = [
        (_with_links(papers, links, shards), partial(_of_papers, rdf, rare)),
        (_with_claims(concepts, papers, shards), partial(_of_concepts, rdf)),
    ]
    lines = [mapped(rows, partial(_lines, rdf, describe), _LINES) for rows, describe in parts]
    rest = [Described(graph, rdf.syntax, rdf.layers).scheme()]
    if "concepts" not in rdf.layers:
        rest.clear()
    if "prov" in rdf.layers:
        tally = Tally()
        list(tally.counting(rest))
        for rows, describe in parts:
            tally += _tally(counted(rows, partial(_counts, describe)))
        rest += summary_of(tally, rdf.syntax, rdf.origin)
    few = frame_of(spark, _lines(rdf, iter, iter(rest)), _LINES)  # type: ignore[arg-type]
    return lines[0].union(lines[1]).union(few.coalesce(1))


def _with_links(papers: "DataFrame", links: "DataFrame", shards: int) -> "DataFrame":
    """Return the papers with the links at either end, those that start there with their parts."""
    from pyspark.sql import functions as F

    nothing = F.lit(None)
    forth = links.select("source", F.struct("target", "weight", "shared"))
    back = links.select(
        "target",
        F.struct(
            F.col("source").alias("target"),
            nothing.cast("double").alias("weight"),
            nothing.cast(links.schema["shared"].dataType).alias("shared"),
        ),
    )
    near = forth.toDF("id", "link").union(back.toDF("id", "link"))
    near = near.groupBy("id").agg(F.collect_list("link").alias("links"))
    rows = papers.join(near, "id", "left")
    return rows.repartition(shards, "id").sortWithinPartitions("id")


def _with_claims(concepts: "DataFrame", papers: "DataFrame", shards: int) -> "DataFrame":
    """Return the concepts with what papers say of them as heads of relations."""
    from pyspark.sql import functions as F

    said = papers.select(
        F.col("id").alias("paper"), F.posexplode("relations").alias("place", "relation")
    )
    claims = said.groupBy(F.col("relation.head").alias("label")).agg(
        F.collect_list(F.struct("paper", "place", "relation")).alias("said")
    )
    rows = concepts.join(claims, "label", "left")
    return rows.repartition(shards, "id").sortWithinPartitions("id")


def claims_of(papers: "DataFrame") -> "DataFrame":
    """Return what papers claim of two concepts, each with the number of papers (`support`)."""
    from pyspark.sql import functions as F

    said = papers.select("id", F.explode("relations").alias("said"))
    return said.groupBy("said.head", "said.tail", "said.type").agg(
        F.countDistinct("id").alias("support")
    )


def _rare_claims(papers: "DataFrame", min_support: int) -> frozenset[_Claim]:
    if min_support < 2:
        return frozenset()
    rare = claims_of(papers).where(f"support < {min_support}").select("head", "tail", "type")
    return frozenset((head, tail, kind) for head, tail, kind in rare.collect())


def _of_papers(
    rdf: Rdf, rare: "Broadcast[frozenset[_Claim]]", rows: Iterator[Row]
) -> Iterator[Description]:
    key_of = cache(concept_key)
    while "papers" in rdf.layers and (batch := list(islice(rows, BATCH))):
        graph = PaperGraph()
        papers = [_without_claims(one, rare.value) for one in annotated_rows(batch)]
        labels = {mention.concept for annotated in papers for mention in annotated.mentions}
        keys = {label: key_of(label) for label in sorted(labels)}
        for label, key in keys.items():
            graph.put_node(key, kind="concept", label=label)
        for annotated in papers:
            put_paper(graph, paper_key(annotated.id), annotated)
        for annotated, row in zip(papers, batch, strict=True):
            put_mentions(graph, paper_key(annotated.id), annotated, keys)
            _put_links(graph, annotated.id, row["links"] or ())
        put_relations(graph, papers, keys, 1)
        yield from _told_of_papers(Described(graph, rdf.syntax, rdf.layers))


def _without_claims(annotated: AnnotatedPaper, rare: frozenset[_Claim]) -> AnnotatedPaper:
    if not rare:
        return annotated
    kept = tuple(one for one in annotated.relations if (one.head, one.tail, one.type) not in rare)
    return AnnotatedPaper(
        annotated.paper, annotated.label, annotated.mentions, kept, annotated.proposes
    )


def _put_links(graph: PaperGraph, paper_id: str, links: Iterable[Row]) -> None:
    for link in links:
        ends = paper_key(paper_id), paper_key(link["target"])
        if link["weight"] is None:  # told of at its other end
            ends = ends[::-1]
        if not graph.has_edge(*ends, RELATED) or link["shared"]:
            shared = [
                SharedConcept(part["concept"], part["type"], part["weight"], "", "")
                for part in link["shared"] or ()
            ]
            graph.put_edge(*ends, RELATED, weight=link["weight"], shared=shared)


def _told_of_papers(described: Described) -> Iterator[Description]:
    evidence = described.evidence() if "claims" in described.layers else {}
    for key in described.papers:
        yield from described.paper(key, evidence)
    if "similarity" in described.layers:
        for key in described.papers:
            yield from described.similarities(key)


def _of_concepts(rdf: Rdf, rows: Iterator[Row]) -> Iterator[Description]:
    key_of = cache(concept_key)
    while batch := list(islice(rows, BATCH)):
        graph = PaperGraph()
        concepts = [_concept(row) for row in batch]
        by_id = {one: f"concept:{one}" for concept in concepts for one in _ids(concept)}
        for concept in concepts:
            put_concept(graph, concept, by_id)
        put_hierarchy(graph, concepts, by_id)
        for row in batch:
            papers = _sayings(row["said"] or ())
            said = [relation for annotated in papers for relation in annotated.relations]
            ends = {end for relation in said for end in (relation.head, relation.tail)}
            put_relations(graph, papers, {end: key_of(end) for end in ends}, rdf.min_support)
        described = Described(graph, rdf.syntax, rdf.layers)
        if "concepts" in rdf.layers:
            for key in described.concepts:
                yield from described.concept(key)
        if "claims" in rdf.layers:
            for relation in described.relations():
                yield from described.claim(*relation)


def _concept(row: Row) -> Concept:
    fields = {name: row[name] for name in Concept.__dataclass_fields__}
    for name in ("aliases", "reasons", "broader", "broader_support"):
        fields[name] = tuple(fields[name])
    return Concept(**fields)


def _ids(concept: Concept) -> tuple[str, ...]:
    return concept.id, *concept.broader


def _sayings(said: Iterable[Row]) -> list[AnnotatedPaper]:
    """Return papers, by id, that hold nothing but the relations of one head, by place."""
    of_paper: dict[str, list[Relation]] = {}
    for row in sorted(said, key=lambda row: (row["paper"], row["place"])):
        of_paper.setdefault(row["paper"], []).append(Relation(**row["relation"]))
    return [
        AnnotatedPaper(Paper(paper), paper, relations=tuple(relations))
        for paper, relations in of_paper.items()
    ]


def _lines(rdf: Rdf, describe: Describe, rows: Iterator[Row]) -> Iterator[Row]:
    for block in rdf.syntax.blocks(describe(rows)):
        for line in block[:-1].split("\n"):
            yield {"line": line}


def _counts(describe: Describe, rows: Iterator[Row]) -> dict[str, Counts]:
    tally = Tally()
    for _ in tally.counting(describe(rows)):
        pass
    return {
        "predicates": _with_tuples(tally.predicates),
        "classes": _with_tuples(tally.classes),
        "subjects": Counter({(): tally.subjects}),
    }


def _with_tuples(counts: Counter[str]) -> Counts:
    return Counter({(one,): number for one, number in counts.items()})


def _tally(counts: dict[str, Counts]) -> Tally:
    named = {
        name: Counter({one: n for (one,), n in counts.get(name, Counter()).items()})
        for name in ("predicates", "classes")
    }
    return Tally(counts.get("subjects", Counter()).total(), **named)
