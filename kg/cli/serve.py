"""The command that serves a build."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from .app import app
from .options import BuildDir
from .output import tell_of_store


@app.command()
def serve(
    build: BuildDir = Path("exports"),
    host: Annotated[str, typer.Option(help="Where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="0 takes a free one.")] = 8000,
    cors: Annotated[
        str | None, typer.Option(metavar="ORIGIN", help="A site whose pages may ask; * for any.")
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=0.1, max=86_400, help="Seconds a query may take.")
    ] = 30.0,
) -> None:
    """Serve the graph's page and a SPARQL endpoint, for this machine alone.

    Example: kg serve --port 8080
    """
    from ..serve.server import is_loopback
    from ..serve.server import serve as run

    tell_of_store(build)
    if not is_loopback(host):
        print(f"note: {host} lets other machines read this build", file=sys.stderr)
    told = "{0} shows the graph, {0}sparql answers SPARQL; stop with Ctrl+C"
    run(
        build,
        host=host,
        port=port,
        cors=cors,
        timeout=timeout,
        ready=lambda address: print(told.format(address), flush=True),
    )
