"""A page for everything that a build has an IRI for, and the same as RDF."""

from functools import cached_property
from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse, Response

from ..graph.describe import describe
from ..query.worker import write_triples
from . import pages
from .examples import examples
from .names import Names
from .negotiation import HTML, TRIPLES, chosen
from .neighbourhood import Neighbourhoods
from .protocol import Refused
from .site import Site

if TYPE_CHECKING:
    import pyoxigraph
    from starlette.requests import Request

_MEDIA = {"html": HTML, **{name: media for media, name in TRIPLES.items()}}


class Things:
    """The things of a site: papers, concepts, and whatever else has an IRI."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.store = site.open()
        self.neighbourhoods = Neighbourhoods(site, self.store)

    @cached_property
    def names(self) -> Names:
        """The names of papers and concepts, gathered when they are first asked for."""
        return Names(self.site, self.store)

    @cached_property
    def examples(self) -> dict[str, dict[str, str]]:
        """Values for the parameters of the named queries, found when they are first shown."""
        return examples(self.site, self.store)

    def respond(self, request: "Request") -> Response:
        """Return what is known of the thing at the path of a request."""
        path = request.scope.get("raw_path", b"").decode("ascii", "replace")
        iri = self.site.iri_at(path)
        statements = self._statements(iri) if iri else []
        if iri is None or not statements:
            return self._missing(request, path)
        wanted = request.query_params.get("format")
        media = (
            _MEDIA.get(wanted)
            if wanted
            else chosen(request.headers.get("accept"), [HTML, *TRIPLES])
        )
        if media is None:
            raise Refused(406, f"the thing is told as {', '.join((HTML, *TRIPLES))}")
        name = TRIPLES.get(media, "html")
        headers = {"Vary": "Accept", "Content-Location": f"{path}?format={name}"}
        if media == HTML:
            return HTMLResponse(self._page(iri, statements), headers=headers)
        written = write_triples(statements, name, dict(self.site.prefixes))
        return Response(written, media_type=media, headers=headers)

    def _statements(self, iri: str) -> "list[pyoxigraph.Triple]":
        """Return what is said of a thing, sorted."""
        from pyoxigraph import NamedNode

        try:
            node = NamedNode(iri)
        except ValueError:
            return []
        return sorted(
            (quad.triple for quad in self.store.quads_for_pattern(node, None, None)), key=str
        )

    def _page(self, iri: str, statements: "list[pyoxigraph.Triple]") -> str:
        """Return the page of a thing: of its own kind for papers and concepts."""
        key = self.site.key_of(iri)
        if key is None:
            from pyoxigraph import NamedNode

            rows = [
                (
                    one.predicate.value,
                    str(getattr(one.object, "value", one.object)),
                    isinstance(one.object, NamedNode),
                )
                for one in statements
            ]
            return pages.thing_page(self.site, iri, rows)
        graph = self.neighbourhoods.around(key)
        description = describe(graph, key)
        if description["kind"] == "paper":
            return pages.paper_page(self.site, description, graph.nodes[key]["record"])
        papers = graph.nodes[key]["papers"]
        return pages.concept_page(self.site, description, papers=papers)

    def _missing(self, request: "Request", path: str) -> Response:
        """Return that there is no such thing, with the names nearest to it."""
        near = self.names.nearest(path)
        if chosen(request.headers.get("accept"), ["text/plain", HTML]) == HTML:
            return HTMLResponse(pages.missing_page(self.site, path, near), status_code=404)
        labels = ", ".join(one["label"] for one in near)
        told = f"{path}: not in this graph" + (f"; nearest: {labels}" if near else "")
        return Response(f"{told}\n", status_code=404, media_type="text/plain")
