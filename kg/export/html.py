"""The graph -> one interactive page that needs no other file and asks no host for anything.

pyvis holds nodes, edges and options and renders them through our own template, which escapes
everything, with vis-network as the installed pyvis carries it. `kg.export.page` holds the rest.
"""

import base64
import hashlib
import html
import json
import os
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import OutputError
from ..graph.schema import MENTIONS, RELATED
from .page.model import PageData, by_links, page_data

if TYPE_CHECKING:
    import networkx

MAX_BYTES = 60_000_000
# Of that, the share that goes to the names of what is left out.
NAMES_SHARE = 0.1
# A page that weighs more is not shown within a notebook, which would hold it twice.
MOST_IN_A_CELL = 20_000_000
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
    "server.js",
    "search.js",
    "panel.js",
    "relations.js",
    "path.js",
    "stage.js",
    "main.js",
)
# vis-network keeps the camera and the gestures; the page's own script paints.
VIS_OPTIONS = {
    "physics": {"enabled": False},
    "layout": {"improvedLayout": False},
    "interaction": {
        "selectable": False,
        "zoomSpeed": 0.7,
    },
}
# What a served page says instead: that there is a server, and that it may be asked.
SERVED = (
    (b'"served":false', b'"served":true'),
    (b"; base-uri", b"; connect-src &#39;self&#39;; base-uri"),
)
JSON_FORM: dict[str, Any] = {"ensure_ascii": False, "separators": (",", ":"), "allow_nan": False}


@dataclass(frozen=True, slots=True)
class WrittenPage:
    """A page that was written; a notebook shows it where it is the value of a cell."""

    path: Path

    def _repr_html_(self) -> str:
        """Return the page in a frame of its own, which can touch nothing of the notebook."""
        megabytes = self.path.stat().st_size / 1e6
        name = html.escape(str(self.path))
        if megabytes > MOST_IN_A_CELL / 1e6:
            return f"<p>{name} ({megabytes:.0f} MB): open it in a browser.</p>"
        page = html.escape(self.path.read_text(encoding="utf-8"))
        return (
            f'<iframe title="{name}" srcdoc="{page}" width="100%" height="640" '
            'style="border: 1px solid #8884; border-radius: 8px" '
            'sandbox="allow-scripts allow-downloads allow-popups"></iframe>'
        )


def write_html(
    graph: "networkx.MultiDiGraph[str]",
    path: str | os.PathLike[str] = "graph.html",
    *,
    max_bytes: int = MAX_BYTES,
) -> WrittenPage:
    """Write the graph as one interactive page that works offline.

    The same graph gives the same bytes. A graph too large for `max_bytes` loses its least linked
    nodes; the page says how many, and knows the names of as many as there is room for.

    Parameters
    ----------
    graph
        A graph as `kg.graph.schema` describes it.
    path
        The file to write; its folder is made if it is missing.
    max_bytes
        The most that the page may weigh.

    Returns
    -------
    WrittenPage
        The file, which a notebook shows as the page.

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
    ...     written = write_html(graph, Path(folder, "graph.html"))
    ...     written.path.read_text(encoding="utf-8")[:15]
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
    return WrittenPage(path)


def served(page: bytes) -> bytes:
    """Return a written page as a server sends it: it may ask that server for what it leaves out.

    Raises
    ------
    ValueError
        If this is no page of `write_html`.

    Examples
    --------
    >>> served(b"<p>")
    Traceback (most recent call last):
    ...
    ValueError: not a page of kg
    """
    for alone, with_server in SERVED:
        if alone not in page:
            raise ValueError("not a page of kg")
        page = page.replace(alone, with_server, 1)  # both stand before the data
    return page


def _fitting_page(graph: "networkx.MultiDiGraph[str]", max_bytes: int) -> bytes:
    """Return the page of as many nodes, the most linked first, as `max_bytes` have room for."""
    ranked = by_links(graph)
    room = max_bytes - len(_render(PageData("")))
    kept = _fitting(graph, ranked, room)
    if kept < len(ranked):
        kept = _fitting(graph, ranked, int((1 - NAMES_SHARE) * room))
    while True:
        data = page_data(graph, ranked[:kept])
        data.names = _names(graph, ranked[kept:], int(NAMES_SHARE * room))
        page = _render(data)
        if len(page) <= max_bytes or not kept:
            return page
        kept = int(kept * 0.9)


def _fitting(graph: "networkx.MultiDiGraph[str]", keys: list[str], room: int) -> int:
    """Return how many of these nodes, from the first, have room on the page, by estimate."""
    kept: set[str] = set()
    for key in keys:
        kept.add(key)
        room -= _weight(graph, key, kept)
        if room < 0:
            return len(kept) - 1
    return len(keys)


def _weight(graph: "networkx.MultiDiGraph[str]", key: str, kept: set[str]) -> int:
    """Return about how many bytes a node adds, with its texts and its edges to what is kept."""
    data = graph.nodes[key]
    weight = 200 + _length(data["label"])
    if data["kind"] == "paper":
        paper = data["record"].paper
        weight += sum(map(_length, (paper.title, paper.title, paper.abstract, *paper.authors)))
    else:
        weight += sum(map(_length, data["aliases"]))
    for around in (graph.adj[key], graph.pred[key]):
        for other, parallel in around.items():
            if other in kept:
                weight += sum(60 + _evidence_weight(kind, edge) for kind, edge in parallel.items())
    return weight


def _length(text: str | None) -> int:
    return len((text or "").encode("utf-8", "replace")) + 4


def _evidence_weight(kind: str, edge: dict[str, Any]) -> int:
    """Return about how many bytes the evidence for an edge adds."""
    if kind == MENTIONS:
        return 40 * int(edge["count"])
    return 20 * len(edge["shared"]) if kind == RELATED else 50 * int(edge["support"])


def _names(
    graph: "networkx.MultiDiGraph[str]", keys: list[str], room: int
) -> list[tuple[str, str]]:
    """Return the label and the group of the first of these nodes, as many as have room."""
    names = []
    for key in keys:
        data = graph.nodes[key]
        names.append((data["label"], data.get("type", "paper")))
        room -= len(json.dumps(names[-1], **JSON_FORM).encode("utf-8", "replace")) + 1
        if room < 0:
            return names[:-1]
    return names


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
    environment.globals |= {"evidence": data.evidence, "names": data.names}
    environment.globals["about"] = {
        "left_out": data.left_out,
        "shown_at_first": SHOWN_AT_FIRST,
        "communities": data.communities,
        "served": False,
    }
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
