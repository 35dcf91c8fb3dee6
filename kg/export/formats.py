"""One graph in any of the forms that `kg` writes."""

import gzip
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import OutputError
from .cypher import write_cypher
from .gexf import write_gexf
from .graphml import write_graphml
from .iris import DEFAULT_BASE, check_base
from .load import MANIFEST, load_graph, read_manifest
from .rdf import write_ntriples, write_turtle
from .serializations import write_rdf
from .staging import staged
from .tables import write_csv, write_tables
from .text import Text, graph_without_text
from .triples import LAYERS, closed

if TYPE_CHECKING:
    import networkx

RDF_FORMATS = ("ttl", "nt", "nq", "trig", "jsonld", "rdfxml")
FORMATS = (*RDF_FORMATS, "graphml", "gexf", "csv", "cypher", "html")

Writer = Callable[["networkx.MultiDiGraph[str]", Path], object]


def export_graph(
    graph: "networkx.MultiDiGraph[str]",
    format: str,
    path: str | os.PathLike[str],
    *,
    base_iri: str = DEFAULT_BASE,
    layers: Iterable[str] = LAYERS,
    text: Text = "full",
) -> None:
    """Write the graph in one of the `FORMATS`: whole, or not at all.

    The path's suffix decides the wrapping: a file that ends in ``.gz`` is compressed. In CSV a
    file ``.csv`` holds all tables, a ``.zip`` each as a file, and a path without suffix is a
    folder of them (`kg.export.tables`).

    Parameters
    ----------
    graph
        The graph (`kg.graph.schema`).
    format
        One of the `FORMATS`.
    path
        The file to write; a device or pipe is written to as it is.
    base_iri, layers
        Of the forms of RDF: what the IRIs begin with, and the layers to write
        (`kg.export.triples.LAYERS`).
    text
        ``none`` leaves out titles, abstracts and sentences (`kg.export.text`).

    Raises
    ------
    OutputError
        If there is no such format or layer, or the file cannot be written.

    Examples
    --------
    >>> import networkx, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     export_graph(networkx.MultiDiGraph(), "nt", f"{folder}/graph.nt.gz")
    ...     len(gzip.open(f"{folder}/graph.nt.gz").readlines())
    2
    """
    path, layers = Path(path), tuple(layers)
    check_format(format, layers)
    check_base(base_iri)
    if text == "none":
        graph = graph_without_text(graph)
    if format == "csv" and (path.is_dir() or not path.suffix):
        with staged(path) as staging:
            write_tables(graph, staging)
        return
    if path.is_dir():
        raise OutputError(f"{path} is a folder: give the name of a file")
    write = writer(format, base_iri=base_iri, layers=layers)
    if path.exists() and not path.is_file():
        with tempfile.TemporaryDirectory() as folder:
            made = _written(graph, write, Path(folder) / path.name)
            with made.open("rb") as source, path.open("wb") as device:
                shutil.copyfileobj(source, device)
        return
    with staged(path.parent) as staging:
        _written(graph, write, staging / path.name)


def export_build(
    build: str | os.PathLike[str],
    format: str,
    path: str | os.PathLike[str],
    *,
    layers: Iterable[str] | None = None,
    text: Text = "full",
) -> None:
    """Write a build's graph in one of the `FORMATS`, under the IRIs that it was built with.

    Parameters
    ----------
    build
        The folder that ``kg build`` wrote.
    format, path, text
        As for `export_graph`.
    layers
        As for `export_graph`; those of the build if left out.

    Raises
    ------
    OutputError
        If the folder holds no build, or as `export_graph` does.
    """
    graph = load_graph(build)
    settings = read_manifest(Path(build) / MANIFEST)["settings"]
    if layers is None:
        layers = settings["layers"] if format in RDF_FORMATS else LAYERS
    export_graph(graph, format, path, base_iri=settings["base_iri"], layers=layers, text=text)


def forms_of(build: Path) -> set[str]:
    """Return the files that hold the graph of a build in some form, as its manifest tells."""
    with suppress(OutputError):
        files = read_manifest(build / MANIFEST).get("files", {})
        return {f"graph.{format}" for format in FORMATS}.intersection(files)
    return set()


def check_format(format: str, layers: Iterable[str] = LAYERS) -> None:
    """Refuse a format or layer that does not exist, and layers of what is no RDF.

    Raises
    ------
    OutputError
        If so.
    """
    if format not in FORMATS:
        raise OutputError(f"no format is called {format!r}: choose among {', '.join(FORMATS)}")
    if closed(layers) != frozenset(LAYERS) and format not in RDF_FORMATS:
        raise OutputError(
            f"{format} has no layers: they are parts of RDF ({', '.join(RDF_FORMATS)})"
        )


def writer(format: str, *, base_iri: str = DEFAULT_BASE, layers: Iterable[str] = LAYERS) -> Writer:
    """Return what writes a graph in one of the `FORMATS` to a path."""
    options: dict[str, Any] = {"base_iri": base_iri, "layers": tuple(layers)}
    if format == "html":
        from .html import write_html  # pyvis takes half a second to import

        return write_html
    writers: dict[str, Writer] = {
        "ttl": partial(write_turtle, **options),
        "nt": partial(write_ntriples, **options),
        "graphml": write_graphml,
        "gexf": write_gexf,
        "csv": write_csv,
        "cypher": write_cypher,
    }
    return writers.get(format) or partial(write_rdf, format=format, **options)


def _written(graph: "networkx.MultiDiGraph[str]", write: Writer, path: Path) -> Path:
    """Write the graph, compressed if the name says so."""
    if path.suffix != ".gz":
        write(graph, path)
        return path
    plain = path.with_suffix("")
    write(graph, plain)
    # Neither a name nor a time in the header: the same graph gives the same bytes.
    with (
        plain.open("rb") as source,
        path.open("wb") as raw,
        gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed,
    ):
        shutil.copyfileobj(source, packed)
    plain.unlink()
    return path
