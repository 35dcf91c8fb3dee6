"""The commands that turn a build into another form, and that check one."""

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from .app import app
from .options import BuildDir, ExportFormat, Layers, Text, TextOption, listed


@app.command()
def export(
    format: Annotated[ExportFormat, typer.Option("--format", help="The form to write.")],
    build: BuildDir = Path("exports"),
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="The file to write, compressed if it ends in .gz; of csv also a .zip or a folder.",
        ),
    ] = None,
    layers: Layers = None,
    text: Text = TextOption.full,
) -> None:
    """Write a build in another form, to standard output if no file is given.

    Example: kg export exports/ --format csv -o tables/
    """
    from ..export.formats import export_build

    with TemporaryDirectory() as folder:
        path = output or Path(folder, f"graph.{format}")
        export_build(build, format.value, path, layers=listed(layers) or None, text=text.value)
        if output is None:
            with path.open("rb") as file:
                shutil.copyfileobj(file, sys.stdout.buffer)


@app.command()
def validate(build: BuildDir = Path("exports")) -> None:
    """Check a build: RDF against the shapes, offsets against the text, files against the manifest.

    Each fault is a line of standard output, and the exit code is then 1.

    Example: kg validate exports/
    """
    from ..validate.build import validate_build

    found = validate_build(build)
    for fault in found.faults:
        print(fault)
    if not found.with_shapes:
        print("the shapes were not checked: pip install '.[validate]' for pySHACL", file=sys.stderr)
    if found.faults:
        raise typer.Exit(1)
    print(f"{build}: no fault found")
