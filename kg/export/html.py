"""The graph -> one interactive page that needs no other file and asks no host for anything.

pyvis holds nodes, edges and options and renders them through our own template, which escapes
everything, with vis-network as the installed pyvis carries it. `kg.export.page` holds the rest.
"""

import base64
import hashlib
import json
import os
import re
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import OutputError
from .page.model import PageData, by_links, page_data

if TYPE_CHECKING:
    import networkx

MAX_BYTES = 60_000_000
# A page of more nodes opens on this many, the most linked, and says so.
SHOWN_AT_FIRST = 5_000
VIS_NETWORK = "templates/lib/vis-9.1.2/vis-network.min.js"
SCRIPTS = (
    "dom.js",
    "model.js",
    "state.js",
    "paint.js",
    "labels.js",
    "save.js",
    "search.js",
    "panel.js",
    "stage.js",
    "main.js",
)
# vis-network keeps the camera and the gestures; nodes stand where the layout put them.
VIS_OPTIONS = {
    "physics": {"enabled": False},
    "layout": {"improvedLayout": False},
    "nodes": {"shape": "custom"},
    "interaction": {
        "dragNodes": False,
        "selectable": False,
        "hideNodesOnDrag": True,
        "zoomSpeed": 0.7,
    },
}
JSON_FORM: dict[str, Any] = {"ensure_ascii": False, "separators": (",", ":"), "allow_nan": False}


def write_html(
    graph: "networkx.MultiDiGraph[str]",
    path: str | os.PathLike[str],
    *,
    max_bytes: int = MAX_BYTES,
) -> None:
    """Write the graph as one interactive page that works offline.

    The same graph gives the same bytes. A graph too large for `max_bytes` loses its least linked
    nodes, and the page says how many.

    Parameters
    ----------
    graph
        A graph as `kg.graph.schema` describes it.
    path
        The file to write; its folder is made if it is missing.
    max_bytes
        The most that the page may weigh.

    Raises
    ------
    OutputError
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from kg.graph.build import assemble
    >>> from kg.records import AnnotatedPaper, Paper
    >>> graph = assemble([AnnotatedPaper(Paper("p1", abstract="GNNs win."), "GNNs win")], [])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = Path(folder, "graph.html")
    ...     write_html(graph, page)
    ...     page.read_text(encoding="utf-8")[:15]
    '<!doctype html>'
    """
    page = _fitting_page(graph, max_bytes)
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(page)
    except OSError as error:
        raise OutputError(
            f"cannot write {path}: {error.strerror}; choose a file in a folder you may write to"
        ) from error


def _fitting_page(graph: "networkx.MultiDiGraph[str]", max_bytes: int) -> bytes:
    """Return the page of as many nodes, the most linked first, as `max_bytes` have room for."""
    keys = by_links(graph)
    room = max_bytes - len(_render(PageData("")))
    for index, key in enumerate(keys):
        room -= _weight(graph, key)
        if room < 0:
            del keys[index:]
    while True:
        page = _render(page_data(graph, keys))
        if len(page) <= max_bytes or not keys:
            return page
        del keys[int(len(keys) * 0.9) :]


def _weight(graph: "networkx.MultiDiGraph[str]", key: str) -> int:
    """Return about how many bytes a node adds to the page with its texts and half its edges."""
    data = graph.nodes[key]
    weight = 250 + 80 * int(graph.degree(key))
    if data["kind"] == "paper":
        annotated = data["record"]
        texts = (annotated.paper.title or "", annotated.paper.abstract or "", annotated.label)
        weight += sum(len(text.encode("utf-8", "replace")) for text in texts)
        weight += 40 * (len(annotated.mentions) + len(annotated.relations))
    return weight


def _render(data: PageData) -> bytes:
    """Return the page: pyvis as the model, rendered through our own template."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup
    from pyvis.network import Network

    folder = str(resources.files("kg.export.page"))
    network = Network(cdn_resources="in_line", directed=True, heading=data.heading)
    # `add_edge` takes quadratic time and merges parallel edges.
    network.nodes, network.edges = data.nodes, data.edges
    network.set_options(json.dumps(VIS_OPTIONS))
    network.set_template_dir(folder, "template.html")
    # The environment that pyvis makes escapes nothing.
    environment = Environment(
        loader=FileSystemLoader(folder), autoescape=True, undefined=StrictUndefined
    )
    environment.policies["json.dumps_kwargs"] = JSON_FORM
    sources = {"vis": _vis_network(), "script": _script(), "style": _asset("style.css")}
    environment.globals |= {name: Markup(source) for name, source in sources.items()}
    environment.globals["policy"] = _policy(**sources)
    environment.globals["evidence"] = data.evidence
    environment.globals["about"] = {"left_out": data.left_out, "shown_at_first": SHOWN_AT_FIRST}
    network.templateEnv = environment
    page: str = network.generate_html()
    return page.encode("utf-8", "replace")


def _policy(*, vis: str, script: str, style: str) -> str:
    """Return the content security policy that lets nothing run but these sources."""
    return (
        f"default-src 'none'; script-src {_digest(vis)} {_digest(script)}; "
        f"style-src {_digest(style)}; img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def _digest(source: str) -> str:
    digest = hashlib.sha256(source.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


@cache
def _vis_network() -> str:
    """Return vis-network with the line ends that a browser hashes and without its absent map."""
    source = (resources.files("pyvis") / VIS_NETWORK).read_text(encoding="utf-8")
    return re.sub(r"\r\n?", "\n", re.sub(r"//# sourceMappingURL=\S*", "", source))


def _script() -> str:
    return '"use strict";\n' + "\n".join(map(_asset, SCRIPTS))


@cache
def _asset(name: str) -> str:
    return (resources.files("kg.export.page") / name).read_text(encoding="utf-8")
