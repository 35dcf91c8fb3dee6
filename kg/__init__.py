"""A knowledge-graph builder for research papers.

The names below are all that users need; each is imported when it is first used, so that
``import kg`` and the short commands stay quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .build import build_graph
    from .errors import KgError
    from .export.from_rdf import from_rdf
    from .export.html import write_html
    from .export.load import load_graph
    from .export.rdf import to_rdf
    from .extract.load import load
    from .graph.related import related_papers
    from .read.reading import read_papers

__version__ = "0.1.0"

_HOMES = {
    "KgError": ".errors",
    "build_graph": ".build",
    "from_rdf": ".export.from_rdf",
    "load": ".extract.load",
    "load_graph": ".export.load",
    "read_papers": ".read.reading",
    "related_papers": ".graph.related",
    "to_rdf": ".export.rdf",
    "write_html": ".export.html",
}

__all__ = [
    "KgError",
    "build_graph",
    "from_rdf",
    "load",
    "load_graph",
    "read_papers",
    "related_papers",
    "to_rdf",
    "write_html",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'kg' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name], __name__), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
