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


class ExportFormat(StrEnum):
    """The forms of a graph."""

    ttl = "ttl"
    nt = "nt"
    nq = "nq"
    trig = "trig"
    jsonld = "jsonld"
    rdfxml = "rdfxml"
    graphml = "graphml"
    gexf = "gexf"
    csv = "csv"
    cypher = "cypher"
    html = "html"


class TextOption(StrEnum):
    """Whether the papers' texts are written."""

    full = "full"
    none = "none"


class EngineOption(StrEnum):
    """What runs a build."""

    local = "local"
    spark = "spark"


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
Layers = Annotated[
    str | None,
    typer.Option(
        metavar="LIST",
        help="Parts of the RDF: papers,concepts,mentions,text,claims,similarity,prov.",
    ),
]
Columns = Annotated[
    str | None,
    typer.Option(
        metavar="FIELD=HEADER,...", help="Headers of tables: title=Name,abstract=Summary."
    ),
]
Thesauri = Annotated[
    list[Path] | None,
    typer.Option(
        "--thesaurus",
        metavar="FILE",
        help="Names that are the same or not, in CSV, SKOS or a list; given again, a later FILE "
        "overrules.",
    ),
]
Text = Annotated[
    TextOption, typer.Option("--text", help="none leaves out titles, abstracts and sentences.")
]
Format = Annotated[TableOrJson, typer.Option("--format", help="How to print the result.")]


def listed(value: str | None) -> tuple[str, ...]:
    """Return the names in a list with commas.

    Examples
    --------
    >>> listed("nt, csv"), listed(None)
    (('nt', 'csv'), ())
    """
    return tuple(filter(None, map(str.strip, (value or "").split(","))))


def pairs(value: str | None) -> dict[str, str]:
    """Return the pairs of a list such as ``title=Name,abstract=Summary``.

    Examples
    --------
    >>> pairs("title=Name, abstract=Summary")
    {'title': 'Name', 'abstract': 'Summary'}
    """
    found = {}
    for one in listed(value):
        name, equals, text = one.partition("=")
        if not (name and equals and text):
            raise typer.BadParameter(f"{one}: write it as NAME=VALUE")
        found[name.strip()] = text.strip()
    return found
