"""What many tests need: annotated papers written as marked text."""

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import networkx
import pytest
from hypothesis import settings
from playwright.sync_api import Browser, sync_playwright

from kg.build import Settings, build
from kg.extract.annotate import paper_label
from kg.extract.sentences import sentence_at, split_sentences
from kg.graph.build import assemble
from kg.records import AnnotatedPaper, Mention, Paper, Relation
from kg.resolve.concepts import collect_concepts

# A run that decides about a change draws the same examples each time; others look further.
settings.register_profile("steady", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("steady")

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

MARK = re.compile(r"\[\[([^|\]]+)\|(\w)(?:\|([^|\]]+))?\]\]")
TYPES = {"M": "Method", "T": "Task", "D": "Dataset", "E": "Metric"}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    executable = shutil.which("chromium")
    if executable is None:
        pytest.fail("the tests of the page need a browser: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def marked() -> Callable[..., AnnotatedPaper]:
    """Make an annotated paper of a text with marks ``[[surface|type's letter|concept]]``.

    The types are M(ethod), T(ask), D(ataset) and E (metric); the concept is the surface where it
    is left out. Further arguments are fields of the paper, and ``proposes``.
    """

    def make(
        paper_id: str, text: str, *, proposes: tuple[str, ...] = (), **fields: object
    ) -> AnnotatedPaper:
        plain, found, end = "", [], 0
        for match in MARK.finditer(text):
            plain += text[end : match.start()]
            found.append((len(plain), match[1], TYPES[match[2]], match[3] or match[1]))
            plain += match[1]
            end = match.end()
        plain += text[end:]
        sentences = split_sentences(plain)
        mentions = tuple(
            Mention(
                start,
                start + len(surface),
                surface,
                kind,  # type: ignore[arg-type]
                concept,
                0.9,
                "abstract",
                sentence_at(sentences, start),
            )
            for start, surface, kind, concept in found
        )
        paper = Paper(paper_id, abstract=plain, **fields)  # type: ignore[arg-type]
        return AnnotatedPaper(paper, paper.title or paper_id, mentions, (), proposes)

    return make


@pytest.fixture(scope="session")
def small_graph(marked: Callable[..., AnnotatedPaper]) -> "networkx.MultiDiGraph[str]":
    """Three papers with all that a graph can hold; two of them share two concepts."""
    first = marked(
        "a",
        "We propose [[FooNet|M]], a [[GNN|M|graph neural network]]. "
        "On [[Cora|D]] it does [[node classification|T]] at 90 % [[accuracy|E]].",
        proposes=("FooNet",),
        title="Foo for All",
        year=2024,
        venue="A Conference",
        authors=("Ada B.", "Ce D."),
        doi="10.5555/a<b>",
        url="https://example.org/a b",
        keywords=("networks", "graphs"),
        merged=("a-0",),
    )
    relations = (
        Relation("FooNet", "subclass_of", "graph neural network", 0.8, 0, 27, "abstract"),
        Relation("FooNet", "evaluated_on", "Cora", 0.7, 28, 80, "abstract"),
        Relation("FooNet", "used_for", "node classification", 0.7, 28, 80, "abstract"),
        Relation("graph neural network", "subclass_of", "FooNet", 0.3, 0, 27, "abstract"),
    )
    papers = [
        replace(first, relations=relations),
        marked("b", "A [[graph neural network|M]] on [[Cora|D]].", title="Bar for All"),
        marked("10.1/c d", 'We read [["C++"|M|C++]] and [[苹果|M]] </script> \\ " \u2028 end.'),
    ]
    return assemble(papers, collect_concepts(papers))


NAMES = {
    "FooNet": "Method",
    "graph neural network": "Method",
    "network": "Method",
    "GNN": "Method",
    "Cora": "Dataset",
    "node classification": "Task",
}
INPUT = [
    {
        "id": "a",
        "title": "A network for all",
        "abstract": "We propose FooNet, a graph neural network. FooNet does node classification. "
        "It is best on Cora.",
        "year": 2024,
        "authors": ["Ce D.", "Ada B."],
    },
    {"id": "b", "abstract": "Another graph neural network (GNN) on Cora. GNN wins.", "year": 2025},
    {"id": "c", "abstract": 'A <b> "network" \\ of 苹果 ends here.', "keywords": ["z", "y"]},
]


@pytest.fixture(scope="session")
def make_build(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Build three papers with a list of names for a model; other arguments are settings."""

    def make(
        *, formats: tuple[str, ...] = (), output: Path | None = None, **options: object
    ) -> Path:
        folder = tmp_path_factory.mktemp("build")
        output = output or folder / "out"
        lines = "".join(json.dumps(record) + "\n" for record in INPUT)
        (folder / "in.jsonl").write_text(lines, encoding="utf-8")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                "kg.extract.extract.extract", lambda papers, **_: list(map(by_names, papers))
            )
            settings = Settings(**options)  # type: ignore[arg-type]
            build([folder / "in.jsonl"], output, settings=settings, formats=formats)
        return output

    return make


def by_names(paper: Paper) -> AnnotatedPaper:
    """Mark every name; ``We propose X`` is believed, and what stands with a dataset is tested."""
    mentions = tuple(
        Mention(*match.span(), match[0], NAMES[match[0]], match[0], 0.9, field, sentence)  # type: ignore[arg-type]
        for field in ("title", "abstract")
        for sentence in split_sentences(paper.text(field))  # type: ignore[arg-type]
        for match in re.compile("|".join(NAMES)).finditer(paper.text(field), *sentence)  # type: ignore[arg-type]
    )
    proposes = ("FooNet",) if "We propose FooNet" in paper.text("abstract") else ()
    relations = tuple(
        Relation("FooNet", "evaluated_on", "Cora", 0.8, *mention.sentence, "abstract")
        for mention in mentions
        if proposes and mention.concept == "Cora"
    )
    return AnnotatedPaper(
        paper, paper_label(paper, mentions, proposes), mentions, relations, proposes
    )
