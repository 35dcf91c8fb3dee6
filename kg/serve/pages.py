"""The pages of a server, made of templates that escape all that they are given."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from ..export.iris import encode
from ..query.named import named_queries
from ..records import AnnotatedPaper
from .site import Site

if TYPE_CHECKING:
    import jinja2

# So many rows of a list are shown.
SHOWN = 100

Segment = tuple[str, str | None]


def sparql_page(site: Site, query: str | None, *, examples: Mapping[str, Mapping[str, str]]) -> str:
    """Return the page to ask queries on, opened on one if it is given.

    The examples are values for the parameters of the named queries (`kg.serve.examples`).
    """
    named = [
        {
            "name": one.name,
            "help": one.help,
            "sparql": one.sparql,
            "parameters": one.parameters,
            "examples": examples.get(one.name, {}),
        }
        for one in named_queries()
    ]
    opened = "SELECT ?concept (COUNT(?paper) AS ?papers) WHERE {\n" + (
        "  ?paper dct:subject ?c .\n  ?c skos:prefLabel ?concept\n}\n"
        "GROUP BY ?concept ORDER BY DESC(?papers) LIMIT 20"
    )
    told = {"named": named, "prefixes": dict(site.prefixes), "base": site.iris.base}
    return _template("sparql.html").render(
        query=query or opened, runs=query is not None, told={**told, "root": site.root}
    )


def paper_page(site: Site, description: Mapping[str, Any], annotated: AnnotatedPaper) -> str:
    """Return the page of a paper, from what `kg.graph.describe` tells of it."""
    known = {**dict.fromkeys(("title", "year", "venue", "authors", "doi", "url")), **description}
    return _template("paper.html").render(
        paper=known, links=_links(site), abstract=list(segments(annotated))
    )


def concept_page(site: Site, description: Mapping[str, Any], *, papers: int) -> str:
    """Return the page of a concept that so many papers speak of."""
    return _template("concept.html").render(
        concept=description, links=_links(site), papers=papers, shown=SHOWN
    )


def thing_page(site: Site, iri: str, statements: Sequence[tuple[str, str, bool]]) -> str:
    """Return the page of anything else: properties and values, each an IRI or not."""
    rows = [
        (_short(site, predicate), value, site.path_of(value) if is_iri else None)
        for predicate, value, is_iri in statements
    ]
    return _template("thing.html").render(iri=iri, rows=rows)


def missing_page(site: Site, path: str, near: Sequence[Mapping[str, str]]) -> str:
    """Return the page for a path that leads nowhere, with the names nearest to it."""
    return _template("missing.html").render(path=path, near=near, links=_links(site))


def segments(annotated: AnnotatedPaper) -> Iterator[Segment]:
    """Yield the abstract of a paper in parts, each with the concept that it mentions or None.

    Examples
    --------
    >>> from kg.records import Mention, Paper
    >>> mention = Mention(3, 7, "LoRA", "Method", "low-rank adaptation", 0.9, "abstract", (0, 8))
    >>> list(segments(AnnotatedPaper(Paper("p", abstract="We LoRA."), "p", (mention,))))
    [('We ', None), ('LoRA', 'low-rank adaptation'), ('.', None)]
    """
    text, end = annotated.paper.text("abstract"), 0
    for mention in annotated.mentions:
        if mention.field == "abstract" and text:
            yield text[end : mention.start], None
            yield text[mention.start : mention.end], mention.concept
            end = mention.end
    yield text[end:], None


def static(name: str) -> bytes | None:
    """Return a file that pages ask for, None if there is no such file."""
    if name not in ("style.css", "sparql.js"):
        return None
    return (resources.files(__package__) / "templates" / name).read_bytes()


def _links(site: Site) -> Mapping[str, Any]:
    """Return the functions that give templates the paths of papers and concepts."""
    from ..graph.schema import concept_key

    def path_of_key(key: str) -> str | None:
        kind, _, name = key.partition(":")
        return f"{site.root}{kind}/{encode(name)}"

    return {
        "paper": lambda paper_id: path_of_key(f"paper:{paper_id}"),
        "concept": lambda label: path_of_key(concept_key(label)),
        "key": path_of_key,
    }


def _short(site: Site, iri: str) -> str:
    cut = max(iri.rfind("/"), iri.rfind("#")) + 1
    prefix = next((name for name, start in site.prefixes.items() if start == iri[:cut]), None)
    return iri if prefix is None else f"{prefix}:{iri[cut:]}"


@cache
def _environment() -> "jinja2.Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    folder = str(resources.files(__package__) / "templates")
    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _template(name: str) -> "jinja2.Template":
    return _environment().get_template(name)
