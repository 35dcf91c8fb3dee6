"""What a graph holds and where it comes from, told in its own RDF: VoID, DCAT and PROV."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from .nodes import described, provenance_nodes
from .provenance import Provenance
from .syntax import Description, NTriples, Shape
from .vocabulary import PREFIXES, term

_A = term("rdf:type")
_TITLE = term("dct:title")
_WHAT = (
    "The methods, tasks, datasets and metrics that research papers speak of: where they are named, "
    "what is said of them, and which papers share them."
)
_MANY = 1 << 12
_MEMBER = term("rdf:_")[:-1]
_PREFIX_OF = {iri: prefix for prefix, iri in PREFIXES.items()}
_IANA = "https://www.iana.org/assignments/media-types/"
# The files of a build that hold the graph, each with what tells how to read it.
_FILES = {
    "graph.graphml": ("dcat:mediaType", f"{_IANA}application/xml"),
    "graph.html": ("dcat:mediaType", f"{_IANA}text/html"),
    "graph.ttl": ("dcat:mediaType", f"{_IANA}text/turtle"),
    "papers.jsonl": ("dct:conformsTo", "https://jsonlines.org/"),
}


@dataclass(slots=True)
class Tally:
    """How many subjects some descriptions have, and how often each predicate and class stands."""

    subjects: int = 0
    predicates: Counter[str] = field(default_factory=Counter)
    classes: Counter[str] = field(default_factory=Counter)

    def counting(self, found: Iterable[Description]) -> Iterator[Description]:
        """Yield the descriptions, counted."""
        shapes: defaultdict[Shape, int] = defaultdict(int)  # few of which most subjects have
        for description in found:
            shapes[description[1]] += 1
            if len(shapes) > _MANY:
                self._count(shapes)
                shapes.clear()
            yield description
        self._count(shapes)

    def _count(self, shapes: Mapping[Shape, int]) -> None:
        for shape, subjects in shapes.items():
            self.subjects += subjects
            for one in shape.classes:
                self.classes[one] += subjects
            for one in (*shape.properties, *(_A for _ in shape.classes)):
                self.predicates[one] += subjects

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.subjects + other.subjects,
            self.predicates + other.predicates,
            self.classes + other.classes,
        )


def summarized(
    found: Iterable[Description], syntax: NTriples, origin: Provenance
) -> Iterator[Description]:
    """Yield the descriptions, and after them that of the graph that they are.

    Its figures count the description itself too, so that a query finds what they say.

    Examples
    --------
    >>> syntax = NTriples()
    >>> found = list(summarized([], syntax, Provenance("1.0")))
    >>> said = sum(len(shape.classes) + len(values) for _, shape, values in found)
    >>> syntax.integer(said) in found[0][2]
    True
    """
    tally = Tally()
    yield from tally.counting(found)
    yield from summary_of(tally, syntax, origin)


def summary_of(tally: Tally, syntax: NTriples, origin: Provenance) -> list[Description]:
    """Return the description of a graph whose other descriptions are counted."""
    known: list[Description] = []
    while True:  # each round counts the one before; a figure is as long as another
        own = Tally()
        list(own.counting(known))
        told = [*_graph(syntax, tally + own, origin), *provenance_nodes(syntax, origin)]
        if told == known:
            return told
        known = told


def _graph(syntax: NTriples, tally: Tally, origin: Provenance) -> Iterator[Description]:
    """Yield the descriptions of the graph, its partitions and its files."""
    classes = {syntax.partition(_short(one)): one for one in sorted(tally.classes)}
    # The members of a list have a predicate each: they are no part that anyone asks for.
    plain = [one for one in sorted(tally.predicates) if not one.startswith(_MEMBER)]
    predicates = {syntax.partition(_short(one)): one for one in plain}
    files = {syntax.distribution(name): name for name in _FILES}
    yield described(
        syntax.iri(syntax.graph),
        [term(name) for name in ("dcat:Dataset", "prov:Entity", "void:Dataset")],
        [
            (_TITLE, '"Concepts of research papers"@en'),
            (term("dct:description"), f"{syntax.string(_WHAT)}@en"),
            *_figures(syntax, tally),
            *((term("void:classPartition"), part) for part in classes),
            *((term("void:propertyPartition"), part) for part in predicates),
            *((term("dcat:distribution"), file) for file in files),
            (term("prov:wasGeneratedBy"), syntax.run(origin.digest)),
        ],
    )
    for part, one in classes.items():
        entities = (term("void:entities"), syntax.integer(tally.classes[one]))
        yield described(part, [], [(term("void:class"), syntax.term(one)), entities])
    for part, one in predicates.items():
        triples = (term("void:triples"), syntax.integer(tally.predicates[one]))
        yield described(part, [], [(term("void:property"), syntax.term(one)), triples])
    for file, name in files.items():
        form, iri = _FILES[name]
        told = [(_TITLE, syntax.string(name)), (term(form), syntax.iri(iri))]
        yield described(file, [term("dcat:Distribution")], told)


def _figures(syntax: NTriples, tally: Tally) -> Iterator[tuple[str, str]]:
    """Yield how large the graph is, and what its IRIs and its terms begin with."""
    yield term("void:triples"), syntax.integer(sum(tally.predicates.values()))
    yield term("void:distinctSubjects"), syntax.integer(tally.subjects)
    yield term("void:classes"), syntax.integer(len(tally.classes))
    yield term("void:properties"), syntax.integer(len(tally.predicates))
    yield term("void:uriSpace"), syntax.string(syntax.base)
    for namespace in sorted({_split(one)[0] for one in (*tally.predicates, *tally.classes)}):
        yield term("void:vocabulary"), syntax.iri(namespace)


def _short(one: str) -> str:
    """Return the name of a term with its prefix."""
    namespace, name = _split(one)
    return f"{_PREFIX_OF[namespace]}.{name}"


def _split(one: str) -> tuple[str, str]:
    """Return the namespace of a term and its name there."""
    cut = max(one.rfind("/"), one.rfind("#")) + 1
    return one[1:cut], one[cut:-1]
