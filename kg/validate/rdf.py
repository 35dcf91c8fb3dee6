"""``graph.ttl``: its syntax, its IRIs, its references, and whether it says what the papers say."""

import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ..export.iris import KINDS, check_base
from ..export.rdf import write_ntriples
from ..export.syntax import shortener
from .faults import Fault

if TYPE_CHECKING:
    import networkx
    from pyoxigraph import Triple

TURTLE = "graph.ttl"
Shorten = Callable[[str], str]


def read_turtle(path: Path) -> "tuple[set[Triple], Fault | None]":
    """Return the triples of a Turtle file, or else the fault for which it cannot be read."""
    from pyoxigraph import RdfFormat, parse

    try:
        return {quad.triple for quad in parse(path=path, format=RdfFormat.TURTLE)}, None
    except SyntaxError as error:
        return set(), Fault(path.name, str(error.lineno or ""), f"broken Turtle ({error.msg})")


def short_names(base_iri: str) -> Shorten:
    """Return a function that writes the IRI that a term is, or ends with, as Turtle does."""
    shorten = shortener(check_base(base_iri))

    def short(term: str) -> str:
        value, mark, iri = term.rpartition("^^")
        return f"{value}{mark}{shorten(iri)}" if term.endswith(">") else term

    return short


def check_references(triples: "Iterable[Triple]", base_iri: str) -> Iterator[Fault]:
    """Yield what is no IRI of the build, and what points at nothing."""
    from pyoxigraph import BlankNode

    triples = sorted(triples, key=str)
    shorten = short_names(base_iri)
    subjects = {str(triple.subject) for triple in triples}
    for subject in sorted(subjects):
        if fault := _iri(subject, base_iri):
            yield Fault(TURTLE, shorten(subject), fault)
    for triple in triples:
        value = str(triple.object)
        if isinstance(triple.object, BlankNode) or (
            value.startswith(f"<{base_iri}") and value not in subjects
        ):
            what = (
                f"{shorten(str(triple.predicate))} points at {shorten(value)}, which is not there"
            )
            yield Fault(TURTLE, shorten(str(triple.subject)), what)


def _iri(subject: str, base_iri: str) -> str | None:
    if subject.startswith("_:"):
        return "is a blank node; everything has an IRI"
    if not subject.startswith(f"<{base_iri}"):
        return f"does not begin with the base IRI {base_iri}"
    kind, slash, name = subject[len(base_iri) + 1 : -1].partition("/")
    if (kind in KINDS and name and slash) or kind in ("graph", "scheme"):
        return None
    return f"is an IRI of no kind: after the base comes one of {', '.join(KINDS)}"


def check_statements(
    triples: "set[Triple]",
    graph: "networkx.MultiDiGraph[str]",
    *,
    base_iri: str,
    layers: Iterable[str],
) -> Iterator[Fault]:
    """Yield the subjects of which the RDF does not say what the graph of the papers says."""
    wanted = _statements(graph, base_iri, layers)
    shorten = short_names(base_iri)
    here, there = _by_subject(triples), _by_subject(wanted)
    for subject in sorted({str(triple.subject) for triple in triples ^ wanted}):
        if subject not in here:
            what = "is missing, though papers.jsonl has it"
        elif subject not in there:
            what = "is nothing that papers.jsonl has"
        else:
            what = _difference(here[subject], there[subject], shorten)
        yield Fault(TURTLE, shorten(subject), what)


def _statements(
    graph: "networkx.MultiDiGraph[str]", base_iri: str, layers: Iterable[str]
) -> "set[Triple]":
    from pyoxigraph import RdfFormat, parse

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.nt"
        write_ntriples(graph, path, base_iri=base_iri, layers=layers)
        return {quad.triple for quad in parse(path=path, format=RdfFormat.N_TRIPLES)}


def _by_subject(triples: "Iterable[Triple]") -> dict[str, set[tuple[str, str]]]:
    said: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for triple in triples:
        said[str(triple.subject)].add((str(triple.predicate), str(triple.object)))
    return said


def _difference(here: set[tuple[str, str]], there: set[tuple[str, str]], shorten: Shorten) -> str:
    """Return the first thing that is said on one side only."""
    predicate = min(here ^ there)[0]
    sides = []
    for said, other in ((here, there), (there, here)):
        values = sorted(value for name, value in said - other if name == predicate)
        sides.append(_brief(values[0], shorten) if values else "nothing")
    return f"{shorten(predicate)} is {sides[0]}, in papers.jsonl {sides[1]}"


def _brief(value: str, shorten: Shorten) -> str:
    value = shorten(value)
    return value if len(value) <= 80 else f"{value[:77]}…"
