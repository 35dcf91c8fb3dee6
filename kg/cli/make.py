"""The commands that make something of files: graphs, annotations, models."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .app import app
from .options import (
    Columns,
    Confidence,
    EngineOption,
    ExtractFormat,
    Format,
    Inputs,
    Jobs,
    Layers,
    TableOrJson,
    Text,
    TextOption,
    Thesauri,
    listed,
    pairs,
)
from .output import print_json, warn_of_odd

if TYPE_CHECKING:
    from ..build import Settings


@app.command()
def build(
    inputs: Inputs,
    output: Annotated[
        str, typer.Option("-o", "--output", help="The folder to write to.")
    ] = "exports",
    base_iri: Annotated[
        str, typer.Option(help="What every IRI of the graph begins with.")
    ] = "https://kg.example.org/",
    jobs: Jobs = None,
    min_confidence: Confidence = 0.0,
    min_support: Annotated[
        int,
        typer.Option(
            min=1,
            help="Leave out of the graph the relations that fewer papers state; papers.jsonl "
            "keeps them.",
        ),
    ] = 1,
    thesaurus: Thesauri = None,
    formats: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="Further files: nt,csv adds graph.nt and graph.csv."),
    ] = None,
    layers: Layers = None,
    text: Text = TextOption.full,
    columns: Columns = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Extract anew what earlier builds have extracted.")
    ] = False,
    engine: Annotated[
        EngineOption,
        typer.Option(help="spark shares the work on a cluster; it writes Parquet and N-Quads."),
    ] = EngineOption.local,
) -> None:
    """Build the graph of some papers: RDF, an interactive page, GraphML, annotated papers.

    Built again into its folder, only what is new or changed is extracted, also after a build
    that was killed.

    Example: kg build seeds/ -o exports/
    """
    from ..build import Settings
    from ..build import build as build_papers
    from ..display import print_summary, progress_bar
    from ..export.triples import LAYERS
    from ..resolve.thesaurus import read_thesaurus

    settings = Settings(
        base_iri=base_iri,
        min_confidence=min_confidence,
        min_support=min_support,
        thesaurus=read_thesaurus(*thesaurus or ()),
        layers=listed(layers) or LAYERS,
        text=text.value,
    )
    if engine is EngineOption.spark:
        if formats or fresh:
            raise typer.BadParameter("--engine spark goes without --formats and --fresh")
        _build_on_spark(inputs, output, settings, columns, jobs)
        return
    with progress_bar("papers") as progress:
        built = build_papers(
            inputs,
            output,
            settings=settings,
            formats=listed(formats),
            columns=pairs(columns),
            fresh=fresh,
            jobs=jobs,
            progress=progress,
        )
    print_summary(built)
    warn_of_odd(built.reading)
    if built.note:
        print(f"note {built.note}", file=sys.stderr)


def _build_on_spark(
    inputs: list[str], output: str, settings: "Settings", columns: str | None, jobs: int | None
) -> None:
    from ..display import print_summary
    from ..spark.session import spark_session

    spark = spark_session(jobs)
    from ..spark.build import build_on_spark  # after it is known that all that it needs is there

    built = build_on_spark(spark, inputs, output, settings=settings, columns=pairs(columns))
    print_summary(built)
    warn_of_odd(built.reading)


@app.command()
def extract(
    inputs: Inputs,
    jobs: Jobs = None,
    min_confidence: Confidence = 0.0,
    relations: Annotated[
        bool, typer.Option("--relations/--no-relations", help="Look for relations too.")
    ] = True,
    columns: Columns = None,
    format: Annotated[
        ExtractFormat, typer.Option("--format", help="JSON Lines, or a table of mentions.")
    ] = ExtractFormat.jsonl,
) -> None:
    """Print the annotated papers, one JSON object a line.

    Example: kg extract abstracts.txt > papers.jsonl
    """
    from ..display import print_table, progress_bar
    from ..export.papers import papers_jsonl
    from ..extract.extract import extract_reading
    from ..read.reading import read_inputs
    from ..resolve.resolve import resolve

    reading = read_inputs(inputs, columns=pairs(columns))
    with progress_bar("papers") as progress:
        found = extract_reading(
            reading,
            jobs=jobs,
            min_confidence=min_confidence,
            relations=relations,
            progress=progress,
        )
    papers = resolve(found)
    if format is ExtractFormat.jsonl:
        sys.stdout.writelines(papers_jsonl(papers))
    else:
        print_table(
            ("paper", "mention", "type", "concept", "score"),
            [(p.label, m.text, m.type, m.concept, m.score) for p in papers for m in p.mentions],
        )
    warn_of_odd(reading)


@app.command()
def evaluate(
    gold: Annotated[Path, typer.Argument(metavar="GOLD.jsonl", help="Annotated papers.")],
    model: Annotated[Path | None, typer.Option(help="A model instead of the packaged one.")] = None,
    gold_mentions: Annotated[
        bool, typer.Option("--gold-mentions", help="Relations between the gold's mentions.")
    ] = False,
    format: Format = TableOrJson.table,
) -> None:
    """Measure the extraction against annotations: precision, recall, F1, calibration.

    Example: kg evaluate tests/data/seeds-000.jsonl
    """
    from dataclasses import asdict

    from ..display import print_evaluation
    from ..train.judge import evaluate as evaluate_model

    evaluation = evaluate_model(gold, model=model, gold_mentions=gold_mentions)
    if format is TableOrJson.json:
        print_json(asdict(evaluation))
    else:
        print_evaluation(evaluation)


@app.command()
def train(
    gold: Annotated[list[Path], typer.Argument(metavar="GOLD.jsonl...", help="Annotated papers.")],
    dev: Annotated[Path, typer.Option(help="Annotated papers to judge the model by.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The folder of the new model.")],
) -> None:
    """Train a new extraction model on annotations.

    Example: kg train gold.jsonl --dev dev.jsonl -o model/
    """
    from ..display import print_evaluation
    from ..train.train import train as train_model

    print_evaluation(train_model(gold, dev=dev, output=output))


@app.command()
def formats() -> None:
    """List the input formats and how each is told.

    Example: kg formats
    """
    from ..display import print_table
    from ..read.formats import FORMATS

    rows = [(form.name, " ".join(form.suffixes), form.told_by) for form in FORMATS]
    print_table(("format", "suffixes", "told by"), rows)
