"""Results as tables for a person at a terminal."""

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from .build import Build
    from .extract.extract import Progress
    from .records import PathStep, RelatedPaper
    from .spark.build import SparkBuild
    from .train.evaluate import Evaluation, ScoreBin

SILENT_SECONDS = 2.0
WIDTH_OF_A_PIPE = 140


def console() -> Console:
    """Return the console of standard output; a pipe gets wide lines and no colour."""
    width = None if sys.stdout.isatty() else WIDTH_OF_A_PIPE
    return Console(width=width, highlight=False, emoji=False, markup=False)


def print_table(columns: Sequence[str], rows: Sequence[Sequence[object]], title: str = "") -> None:
    """Print rows under column names; no cell is ever markup."""
    table = Table(title=title or None, title_justify="left", box=None, pad_edge=False)
    for column in columns:
        table.add_column(Text(column), overflow="fold")
    for row in rows:
        table.add_row(*(Text("" if cell is None else str(cell)) for cell in row))
    console().print(table)


@contextmanager
def progress_bar(what: str) -> Iterator["Progress | None"]:
    """Give a function to call with what is done and the whole, which draws a bar with a rate.

    The bar appears on standard error after two seconds, and only on a terminal.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed or 0:.0f}/s")

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(what)
    started = time.monotonic()

    def show(done: int, whole: int) -> None:
        if not bar.live.is_started and time.monotonic() - started > SILENT_SECONDS:
            bar.start()
        bar.update(task, completed=done, total=whole)

    try:
        yield show
    finally:
        bar.stop()


def print_summary(build: "Build | SparkBuild") -> None:
    """Print what a build read and found."""
    from .graph.related import top_concepts

    counts = build.counts
    kinds = ", ".join(f"{number} {kind}" for kind, number in counts.concepts.items())
    top = ", ".join(f"{c.label} ({c.papers})" for c in top_concepts(build.graph, top=5))
    lines = (
        f"{counts.papers} papers read ({counts.merged} merged, {counts.title_only} title-only, "
        f"{counts.skipped} skipped)",
        f"{sum(counts.concepts.values())} concepts ({kinds}) in {counts.mentions} mentions",
        f"{counts.links} links between papers, {counts.relations} relations between concepts",
        f"most used: {top}",
        f"{build.output}/ written in {build.seconds:.1f} s",
    )
    for line in lines:
        console().print(line)


def print_related(related: Sequence["RelatedPaper"]) -> None:
    """Print linked papers with the concepts and sentences that link them."""
    out = console()
    for number, paper in enumerate(related, 1):
        out.print(f"{number}. {paper.label}  [{paper.paper}]  {paper.score:.3f}", style="bold")
        for shared in paper.shared:
            out.print(f"   {shared.concept} ({shared.type}, {shared.weight:.3f})")
            out.print(f"     here:  {shared.here}")
            out.print(f"     there: {shared.there}")
    if not related:
        out.print("no paper shares a concept with this one")


def print_description(description: Mapping[str, Any]) -> None:
    """Print all that is known of one paper or concept."""
    out = console()
    kind = description.get("type", description["kind"])
    out.print(f"{description['label']}  ({kind}, {description['id']})", style="bold")
    for name, value in description.items():
        if name in ("kind", "id", "label", "type") or not value:
            continue
        if not isinstance(value, list):
            out.print(f"{name}: {value}")
        elif isinstance(value[0], str):
            out.print(f"{name}: {', '.join(value)}")
        else:
            out.print()
            columns = list(value[0])
            print_table(
                columns, [[_cell(row[column]) for column in columns] for row in value], name
            )


def print_path(steps: Sequence["PathStep"]) -> None:
    """Print the steps of a path, each with the sentence that says it."""
    out = console()
    for number, step in enumerate(steps, 1):
        out.print(f"{number}. {step.source}  {step.how}  {step.target}", style="bold")
        said = f"{step.sentence}  [{step.paper}]" if step.sentence else "(by the names alone)"
        out.print(f"     {said}")
    if not steps:
        out.print("both names mean the same")


def print_evaluation(evaluation: "Evaluation") -> None:
    """Print the figures of an evaluation, and how far its scores can be believed."""
    out = console()
    names = ("strict", "untyped", "partial", "grouping", "relations", "linked")
    figures = [(name, getattr(evaluation, name)) for name in names]
    rows = [(name, one.precision, one.recall, one.f1) for name, one in figures]
    print_table(("", "P", "R", "F1"), rows, f"{evaluation.papers} papers")
    for what, by_type in (
        ("strict F1", evaluation.by_type),
        ("F1 of relations", evaluation.relations_by_type),
    ):
        types = ", ".join(f"{kind} {f1}" for kind, f1 in by_type.items())
        out.print(f"{what} by type: {types}")
    out.print(f"core concepts found: {evaluation.core}, must: {evaluation.must}")
    _print_reliability("mentions", evaluation.reliability, evaluation.calibration_error)
    _print_reliability(
        "relations", evaluation.relation_reliability, evaluation.relation_calibration_error
    )


def _print_reliability(what: str, bins: Sequence["ScoreBin"], error: float) -> None:
    rows = [
        (f"{one.low:.1f}-{one.high:.1f}", one.count, f"{one.mean_score:.2f}", f"{one.right:.2f}")
        for one in bins
    ]
    title = f"{what}: expected calibration error {error:.3f}"
    print_table(("score", what, "mean score", "share right"), rows, title)


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else ""
    return ", ".join(map(str, value)) if isinstance(value, list) else value
