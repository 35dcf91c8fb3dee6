"""A build on the web: the explorer, a SPARQL 1.1 endpoint, and a page for every thing."""

from .server import serve

__all__ = ["serve"]
