"""The options that several commands share, and what they may be."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class TableOrJson(StrEnum):
    """How a result is printed."""

    table = "table"
    json = "json"


class ConceptFormat(StrEnum):
    """How concepts are printed."""

    table = "table"
    json = "json"
    csv = "csv"


class ExtractFormat(StrEnum):
    """How annotated papers are printed."""

    jsonl = "jsonl"
    table = "table"


class QueryFormat(StrEnum):
    """How the answer to a query is printed."""

    table = "table"
    csv = "csv"
    tsv = "tsv"
    json = "json"
    xml = "xml"
    ttl = "ttl"
    nt = "nt"


class TypeOption(StrEnum):
    """The types of concepts."""

    Method = "Method"
    Task = "Task"
    Dataset = "Dataset"
    Metric = "Metric"


Inputs = Annotated[list[str], typer.Argument(help="Files, directories, or - for standard input.")]
BuildDir = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a build.")]
Jobs = Annotated[int | None, typer.Option(min=1, help="How many processes share the work.")]
Confidence = Annotated[
    float, typer.Option(min=0, max=1, help="Leave out the mentions with a lower score.")
]
Format = Annotated[TableOrJson, typer.Option("--format", help="How to print the result.")]
