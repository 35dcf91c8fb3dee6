"""The commands that ask a build."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from ..errors import InputError
from .app import app
from .options import BuildDir, ConceptFormat, Format, QueryFormat, TableOrJson, TypeOption
from .output import print_csv, print_json, tell_of_store

if TYPE_CHECKING:
    import networkx

    from ..records import ConceptType


@app.command()
def query(
    sparql: Annotated[
        str | None, typer.Argument(metavar="SPARQL|FILE.rq", help="A query, or a file of one.")
    ] = None,
    build: Annotated[Path | None, typer.Argument(metavar="DIR")] = None,
    named: Annotated[
        str | None, typer.Option(help="A query of the package instead; `list` lists them.")
    ] = None,
    bind: Annotated[
        list[str] | None, typer.Option(metavar="VAR=VALUE", help="A value for a variable.")
    ] = None,
    format: Annotated[
        QueryFormat, typer.Option("--format", help="How to print the answer.")
    ] = QueryFormat.table,
    timeout: Annotated[
        float, typer.Option(min=0.1, max=86_400, help="Seconds the query may take.")
    ] = 30.0,
) -> None:
    """Ask a build in SPARQL 1.1: SELECT, ASK, CONSTRUCT or DESCRIBE.

    Example: kg query 'SELECT ?label { ?c a kg:Dataset ; skos:prefLabel ?label }'
    """
    from ..display import print_table
    from ..query.engine import run_query
    from ..query.named import named_queries, run_named

    if named == "list":
        print_table(
            ("name", "answers", "parameters"),
            [(one.name, one.help, ", ".join(one.parameters)) for one in named_queries()],
        )
        return
    values = {}
    for one in bind or ():
        variable, equals, value = one.partition("=")
        if not (variable and equals):
            raise typer.BadParameter(f"--bind {one}: write it as VAR=VALUE")
        name = variable.lstrip("?$")
        if name in values:
            raise typer.BadParameter(f"--bind {one}: {name} has a value already")
        values[name] = value
    if named is not None and build is not None:
        raise typer.BadParameter("give a query or --named, not both")
    if named is not None:
        folder = Path(sparql or "exports")  # the only argument is the folder then
        tell_of_store(folder)
        answer = run_named(folder, named, bind=values, timeout=timeout)
    elif sparql is None:
        raise typer.BadParameter("give a query, a file of one, or --named NAME")
    else:
        text = _query_text(sparql)
        folder = build or Path("exports")
        tell_of_store(folder)
        answer = run_query(folder, text, bind=values, timeout=timeout)
    if format is QueryFormat.table:
        print_table(answer.variables, answer.rows)
    else:
        sys.stdout.write(answer.serialize(format.value))


def _query_text(sparql: str) -> str:
    if not sparql.endswith(".rq"):
        return sparql
    try:
        return Path(sparql).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{sparql}: cannot be read ({error}); check the path") from error


@app.command()
def related(
    paper: Annotated[
        str | None,
        typer.Argument(help="A paper's id, label, a part of its title, or what it alone proposes."),
    ] = None,
    build: Annotated[Path | None, typer.Argument(metavar="DIR")] = None,
    text: Annotated[
        str | None, typer.Option(help="A text that is not in the build, instead of a paper.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="How many papers at most.")] = 10,
    format: Format = TableOrJson.table,
) -> None:
    """Show the papers linked to this one through shared concepts, and why.

    Example: kg related CoBFormer --top 3
    """
    from dataclasses import asdict

    from ..display import print_related
    from ..export.load import load_graph, open_graph
    from ..graph.related import related_papers
    from ..query.text import related_to_text

    if text is not None and paper is not None and build is not None:
        raise typer.BadParameter("give a paper or --text, not both")
    if text is not None:
        folder = build or Path(paper or "exports")  # the only argument is the folder then
        found = related_to_text(load_graph(folder), text, top=top)
    elif paper is None:
        raise typer.BadParameter("give a paper, or --text 'ABSTRACT'")
    else:
        found = related_papers(open_graph(build or Path("exports")), paper, top=top)
    if format is TableOrJson.json:
        print_json([asdict(one) for one in found])
    else:
        print_related(found)


@app.command()
def path(
    source: Annotated[str, typer.Argument(metavar="A", help="A concept or a paper.")],
    target: Annotated[str, typer.Argument(metavar="B", help="Another.")],
    build: BuildDir = Path("exports"),
    format: Format = TableOrJson.table,
) -> None:
    """Show how two papers or concepts hang together, each step with its sentence.

    Example: kg path CoBFormer "vision transformer"
    """
    from dataclasses import asdict

    from ..display import print_path
    from ..export.load import open_graph
    from ..graph.path import find_path

    steps = find_path(open_graph(build), source, target)
    if format is TableOrJson.json:
        print_json([asdict(step) for step in steps])
    else:
        print_path(steps)


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="NAME_OR_ID", help="A concept or a paper.")],
    build: BuildDir = Path("exports"),
    format: Format = TableOrJson.table,
) -> None:
    """Show one concept or paper with all that is known of it and where it was said.

    Example: kg show "vision transformer"
    """
    from ..display import print_description
    from ..export.load import open_graph
    from ..graph.describe import describe

    description = describe(open_graph(build), name)
    if format is TableOrJson.json:
        print_json(description)
    else:
        print_description(description)


@app.command()
def concepts(
    build: BuildDir = Path("exports"),
    type: Annotated[TypeOption | None, typer.Option("--type", help="Only of this type.")] = None,
    top: Annotated[int | None, typer.Option(min=1, help="How many concepts at most.")] = None,
    task: Annotated[
        str | None,
        typer.Option(
            "--for",
            metavar="TASK",
            help="The methods, datasets and metrics of a task: by the papers that state it, then "
            "by those that name both. --top counts for each type.",
        ),
    ] = None,
    trend: Annotated[bool, typer.Option("--trend", help="With the papers of each year.")] = False,
    format: Annotated[
        ConceptFormat, typer.Option("--format", help="How to print the concepts.")
    ] = ConceptFormat.table,
) -> None:
    """List the concepts by number of papers, or what a task is done with.

    Example: kg concepts --type Dataset --top 20
    """
    from ..export.load import open_graph

    graph, kind = open_graph(build), cast("ConceptType | None", type and type.value)
    columns = ["concept", "type", "papers", "aliases", *(["years"] if trend else [])]
    if task is None:
        rows = _ranked(graph, kind, top, trend=trend)
    else:
        from dataclasses import asdict

        from ..graph.task import concepts_for_task

        columns = ["concept", "type", "stated", "papers", "years"]
        rows = [asdict(one) for one in concepts_for_task(graph, task, type=kind, top=top)]
    _print_concepts(columns, rows, format)


def _ranked(
    graph: "networkx.MultiDiGraph[str]",
    type: "ConceptType | None",
    top: int | None,
    *,
    trend: bool,
) -> list[dict[str, Any]]:
    from ..graph.related import papers_per_year, top_concepts

    found = top_concepts(graph, type=type, top=top)
    rows: list[dict[str, Any]] = [
        {"concept": one.label, "type": one.type, "papers": one.papers, "aliases": one.aliases}
        for one in found
    ]
    if trend:
        for row, years in zip(rows, papers_per_year(graph, found), strict=True):
            row["years"] = years
    return rows


def _print_concepts(columns: list[str], rows: list[dict[str, Any]], format: ConceptFormat) -> None:
    from ..display import print_table

    if format is ConceptFormat.json:
        print_json(rows)
        return
    written = [{column: _cell(row[column]) for column in columns} for row in rows]
    if format is ConceptFormat.csv:
        print_csv(columns, written)
    else:
        print_table(columns, [list(row.values()) for row in written])


def _cell(value: object) -> object:
    """Return aliases or the papers of each year as text."""
    if isinstance(value, dict):
        return " ".join(f"{year}:{papers}" for year, papers in value.items())
    return " | ".join(value) if isinstance(value, tuple) else value
