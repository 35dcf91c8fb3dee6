"""Small graphs for the tests of the page, made by the same code as a build's."""

import json
import random
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import networkx

from kg.graph.build import assemble
from kg.records import AnnotatedPaper, ConceptType, Field, Mention, Paper, Relation
from kg.resolve.concepts import collect_concepts

SEEDS = Path(__file__).parents[1] / "data" / "seeds-000.jsonl"
Names = Mapping[str, tuple[str, ConceptType]]


def graph_of(papers: Iterable[AnnotatedPaper]) -> "networkx.MultiDiGraph[str]":
    papers = list(papers)
    return assemble(papers, collect_concepts(papers))


def annotate(
    paper: Paper,
    names: Names,
    *,
    label: str | None = None,
    relations: Iterable[tuple[str, str, str]] = (),
    proposes: tuple[str, ...] = (),
) -> AnnotatedPaper:
    """Mark every place of the paper's text where one of the names stands, the longest first."""
    fields: tuple[Field, ...] = ("title", "abstract")
    mentions = [mention for field in fields for mention in _mentions(paper, field, names)]
    stated = []
    for head, kind, tail in relations:
        first = next(m for m in mentions if m.concept == head and m.field == "abstract")
        stated.append(Relation(head, kind, tail, 0.8, *first.sentence, "abstract"))
    return AnnotatedPaper(
        paper, label or paper.title or paper.id, tuple(mentions), tuple(stated), proposes
    )


def _mentions(paper: Paper, field: Field, names: Names) -> Iterable[Mention]:
    text = paper.text(field)
    pattern = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    for found in re.finditer(pattern, text) if names else ():
        concept, kind = names[found[0]]
        start = text.rfind(". ", 0, found.start())
        end = text.find(". ", found.end())
        sentence = (start + 2 if start >= 0 else 0, end + 1 if end >= 0 else len(text))
        yield Mention(*found.span(), found[0], kind, concept, 0.9, field, sentence)


LORA: Names = {
    "Low-Rank Adaptation": ("LoRA", "Method"),
    "LoRA": ("LoRA", "Method"),
    "QuickLoRA": ("QuickLoRA", "Method"),
    "accuracy": ("accuracy", "Metric"),
    "GLUE": ("GLUE", "Dataset"),
    "Diffusion models": ("diffusion model", "Method"),
    "diffusion models": ("diffusion model", "Method"),
    "image generation": ("image generation", "Task"),
    "苹果": ("苹果", "Dataset"),
}


def toy_graph() -> "networkx.MultiDiGraph[str]":
    """Five papers: LoRA joins three, diffusion models two; the last stands alone."""
    papers = [
        Paper(
            "p1",
            title="Faster adapters",
            abstract="Fine-tuning is costly. We propose QuickLoRA, a kind of LoRA. "
            "QuickLoRA reaches a higher accuracy on GLUE.",
            year=2023,
            venue="ICML",
            authors=("Ada Example",),
            url="https://example.org/p1?a=1&b=2",
        ),
        Paper(
            "p2",
            title="Adapters at scale",
            abstract="Low-Rank Adaptation (LoRA) adapts large models. We report accuracy on GLUE.",
            year=2024,
            venue="ACL",
            url="javascript:alert(1)",
        ),
        Paper(
            "p3",
            abstract="🎉🎉 Diffusion models draw. With LoRA, diffusion models win at "
            "image generation 🖼️ on 苹果. The accuracy of LoRA is high.",
            year=2025,
            venue="ICML",
        ),
        Paper("p4", title="On diffusion models for image generation", year=2022, venue="ACL"),
        Paper("p5", abstract="Nothing to see here."),
    ]
    relations = {
        "p1": [("QuickLoRA", "subclass_of", "LoRA"), ("QuickLoRA", "evaluated_on", "GLUE")]
    }
    return graph_of(
        annotate(
            paper,
            LORA,
            label="QuickLoRA" if paper.id == "p1" else None,
            relations=relations.get(paper.id, ()),
            proposes=("QuickLoRA",) if paper.id == "p1" else (),
        )
        for paper in papers
    )


def seeds_graph() -> "networkx.MultiDiGraph[str]":
    """The papers of `seeds/` as people annotated them."""
    papers = []
    for line in SEEDS.read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        names = {m["text"]: (m["concept"], m["type"]) for m in told["mentions"]}
        proposed = sorted(c["name"] for c in told["concepts"] if c["proposed"])
        label = proposed[0] if proposed else told["text"][:60]
        paper = Paper(told["id"], abstract=told["text"], venue="ICML 2024 Papers")
        papers.append(annotate(paper, names, label=label))
    return graph_of(papers)


HOSTILE = (
    "<img src=x onerror='pwned=1'>",
    "</script><script>pwned=1</script>",
    "how to use href <img src=x onerror=pwned=1>",
    "javascript:pwned=1",
    '" onmouseover="pwned=1',
    "{{ 7*7 }}{% raw %}{# no #}",
    "]]><!-- <svg/onload=pwned=1>",
    "line\u2028and\u2029paragraph",
    "שלום עולם ‮txt.exe",
    "苹果 👩‍👩‍👧 C++ C#",
)


def hostile_graph() -> "networkx.MultiDiGraph[str]":
    """Hostile strings wherever a graph has text; one venue makes one the heading of the page."""
    kinds: tuple[ConceptType, ...] = ("Method", "Task", "Dataset", "Metric")
    papers = []
    for number, text in enumerate(HOSTILE):
        names = {text: (text, kinds[number % 4]), "shared": ("<b>shared</b>", "Method")}
        paper = Paper(
            f"h{number}",
            title=text,
            abstract=f"We study {text} here. It is shared, and {text} again.",
            venue=HOSTILE[1],
            year=2020,
            authors=(text,),
            url=text,
        )
        papers.append(annotate(paper, names, label=text, proposes=(text,)))
    return graph_of(papers)


def synthetic_graph(papers: int, *, concepts_each: int = 5) -> "networkx.MultiDiGraph[str]":
    """Papers of many topics, each with concepts of its topic and a few that all may use."""
    source = random.Random(1)
    topics = max(3, papers // 25)
    made = []
    for number in range(papers):
        topic = number % topics
        chosen: set[tuple[str, ConceptType]] = set()
        while len(chosen) < concepts_each:
            common = source.random() < 0.1
            rank = int(source.paretovariate(0.8)) % 60
            name = f"common notion {rank}" if common else f"topic {topic} idea {rank}"
            chosen.add((name, "Method" if rank % 3 else "Task"))
        text = " ".join(
            f"We evaluate our approach on several tasks with {name} and improve on it."
            for name, _ in sorted(chosen)
        )
        paper = Paper(
            f"s{number:05}", title=f"Study {number}", abstract=text, year=2015 + topic % 9
        )
        made.append(annotate(paper, {name: (name, kind) for name, kind in chosen}))
    return graph_of(made)
