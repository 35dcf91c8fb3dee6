"""What a graph holds and where it comes from, told in its own RDF: VoID, DCAT and PROV."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from operator import itemgetter

from .iris import Iris
from .literals import integer, string
from .nodes import Description, provenance_nodes
from .provenance import Provenance
from .vocabulary import PREFIXES, term

_A = term("rdf:type")
_TITLE = term("dct:title")
_WHAT = (
    "The methods, tasks, datasets and metrics that research papers speak of: where they are named, "
    "what is said of them, and which papers share them."
)
_PREDICATE = itemgetter(0)
_MANY = 50_000
_MEMBER = term("rdf:_")[:-1]
_PREFIX_OF = {iri: prefix for prefix, iri in PREFIXES.items()}
_IANA = "https://www.iana.org/assignments/media-types/"
# The files of a build that hold the graph, each with what tells how to read it.
_FILES = {
    "graph.graphml": (term("dcat:mediaType"), f"<{_IANA}application/xml>"),
    "graph.html": (term("dcat:mediaType"), f"<{_IANA}text/html>"),
    "graph.ttl": (term("dcat:mediaType"), f"<{_IANA}text/turtle>"),
    "papers.jsonl": (term("dct:conformsTo"), "<https://jsonlines.org/>"),
}


@dataclass(slots=True)
class Tally:
    """How many subjects some descriptions have, and how often each predicate and class stands."""

    subjects: int = 0
    predicates: Counter[str] = field(default_factory=Counter)
    classes: Counter[str] = field(default_factory=Counter)

    def counting(self, described: Iterable[Description]) -> Iterator[Description]:
        """Yield the descriptions, counted."""
        waiting: list[str] = []  # many at once are counted in half the time
        for description in described:
            self.subjects += 1
            waiting.extend(map(_PREDICATE, description[1]))
            for predicate, value in description[1]:
                if predicate != _A:  # the types are said first
                    break
                self.classes[value] += 1
            if len(waiting) > _MANY:
                self.predicates.update(waiting)
                waiting.clear()
            yield description
        self.predicates.update(waiting)

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.subjects + other.subjects,
            self.predicates + other.predicates,
            self.classes + other.classes,
        )


def summarized(
    described: Iterable[Description], iris: Iris, origin: Provenance
) -> Iterator[Description]:
    """Yield the descriptions, and after them that of the graph that they are.

    Its figures count the description itself too, so that a query finds what they say.

    Examples
    --------
    >>> found = list(summarized([], Iris(), Provenance("1.0")))
    >>> [pair for pair in found[0][1] if pair[0] == term("void:triples")] == [
    ...     (term("void:triples"), integer(sum(len(pairs) for _, pairs in found)))
    ... ]
    True
    """
    tally = Tally()
    yield from tally.counting(described)
    yield from summary_of(tally, iris, origin)


def summary_of(tally: Tally, iris: Iris, origin: Provenance) -> list[Description]:
    """Return the description of a graph whose other descriptions are counted."""
    known: list[Description] = []
    while True:  # each round counts the one before; a figure is as long as another
        own = Tally()
        list(own.counting(known))
        told = [*_graph(iris, tally + own, origin), *provenance_nodes(iris, origin)]
        if told == known:
            return told
        known = told


def _graph(iris: Iris, tally: Tally, origin: Provenance) -> Iterator[Description]:
    """Yield the descriptions of the graph, its partitions and its files."""
    classes = {f"<{iris.partition(_short(one))}>": one for one in sorted(tally.classes)}
    # The members of a list have a predicate each: they are no part that anyone asks for.
    plain = [one for one in sorted(tally.predicates) if not one.startswith(_MEMBER)]
    predicates = {f"<{iris.partition(_short(one))}>": one for one in plain}
    files = {f"<{iris.distribution(name)}>": name for name in _FILES}
    yield (
        f"<{iris.graph}>",
        [
            *((_A, term(name)) for name in ("dcat:Dataset", "prov:Entity", "void:Dataset")),
            (_TITLE, '"Concepts of research papers"@en'),
            (term("dct:description"), f"{string(_WHAT)}@en"),
            *_figures(iris, tally),
            *((term("void:classPartition"), part) for part in classes),
            *((term("void:propertyPartition"), part) for part in predicates),
            *((term("dcat:distribution"), file) for file in files),
            (term("prov:wasGeneratedBy"), f"<{iris.run(origin.digest)}>"),
        ],
    )
    for part, one in classes.items():
        entities = (term("void:entities"), integer(tally.classes[one]))
        yield part, [(term("void:class"), one), entities]
    for part, one in predicates.items():
        triples = (term("void:triples"), integer(tally.predicates[one]))
        yield part, [(term("void:property"), one), triples]
    for file, name in files.items():
        yield file, [(_A, term("dcat:Distribution")), (_TITLE, string(name)), _FILES[name]]


def _figures(iris: Iris, tally: Tally) -> Iterator[tuple[str, str]]:
    """Yield how large the graph is, and what its IRIs and its terms begin with."""
    yield term("void:triples"), integer(sum(tally.predicates.values()))
    yield term("void:distinctSubjects"), integer(tally.subjects)
    yield term("void:classes"), integer(len(tally.classes))
    yield term("void:properties"), integer(len(tally.predicates))
    yield term("void:uriSpace"), string(iris.base)
    for namespace in sorted({_split(one)[0] for one in (*tally.predicates, *tally.classes)}):
        yield term("void:vocabulary"), f"<{namespace}>"


def _short(one: str) -> str:
    """Return the name of a term with its prefix."""
    namespace, name = _split(one)
    return f"{_PREFIX_OF[namespace]}.{name}"


def _split(one: str) -> tuple[str, str]:
    """Return the namespace of a term and its name there."""
    cut = max(one.rfind("/"), one.rfind("#")) + 1
    return one[1:cut], one[cut:-1]
