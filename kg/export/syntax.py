"""The syntaxes that RDF is written in as a stream: how each writes terms, and a whole subject.

A syntax hands out IRIs and literals as they are written in it, so that no term is written twice. A
`Description` is all that is said of one subject. The properties of many subjects are the same
ones in the same order, their `Shape`: it is made a template once, which the values fill.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from .iris import KINDS, Iris
from .literals import decimal, string
from .vocabulary import PREFIXES, term


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """Classes, and properties in the order of their values, as N-Triples writes terms.

    `shape_of` makes but one of a kind: they are told apart by identity, since they are looked up
    twice for every subject.
    """

    classes: tuple[str, ...]
    properties: tuple[str, ...]


# A subject, its shape, and the values of the properties, as the syntax writes them.
Description = tuple[str, Shape, tuple[str, ...]]

_MANY = 1 << 12
_A = term("rdf:type")
_DECIMAL, _INTEGER = term("xsd:decimal"), term("xsd:integer")
_OFFSET, _YEAR, _ADDRESS = (
    term(f"xsd:{name}") for name in ("nonNegativeInteger", "gYear", "anyURI")
)
_AND, _NEXT = " ;\n    ", ",\n        "
_LOCAL_NAME = re.compile(r"(?![.-])(?:[\w.:-]|%[0-9A-F]{2})+(?<!\.)", re.ASCII)
# The same of a name in which each sign of percent begins an encoded byte.
_ENCODED = re.compile(r"(?![.-])[\w.:%-]+(?<!\.)", re.ASCII)


@lru_cache(maxsize=_MANY)
def shape_of(classes: tuple[str, ...], properties: tuple[str, ...]) -> Shape:
    """Return the shape of these classes and properties.

    Examples
    --------
    >>> shape_of((), ("<a:p>",)) is shape_of((), ("<a:p>",))
    True
    """
    return Shape(classes, properties)


def prefixes_of(base: str) -> dict[str, str]:
    """Return the prefixes that a graph whose base IRI `check_base` returned is written with."""
    return dict(sorted({**PREFIXES, **{kind: f"{base}{kind}/" for kind in KINDS}}.items()))


class NTriples(Iris):
    """N-Triples: every term at full length, a triple a line.

    Examples
    --------
    >>> syntax = NTriples()
    >>> syntax.paper("p42"), syntax.string("LoRA"), syntax.integer(3)
    ('<https://kg.example.org/paper/p42>', '"LoRA"', '"3"^^<http://www.w3.org/2001/XMLSchema#integer>')
    """

    __slots__ = ()

    def named(self, kind: str, name: str) -> str:
        return f"<{self.base}{kind}/{name}>"

    def iri(self, iri: str) -> str:
        """Return any IRI."""
        return f"<{iri}>"

    def term(self, written: str) -> str:
        """Return a term of a vocabulary, given as N-Triples writes it."""
        return written

    def string(self, text: str) -> str:
        """Return a text."""
        return string(text)

    def decimal(self, number: float) -> str:
        """Return a number as an xsd:decimal."""
        return f'"{decimal(number)}"^^{_DECIMAL}'

    def integer(self, number: int) -> str:
        """Return a whole number."""
        return f'"{number}"^^{_INTEGER}'

    def offset(self, number: int) -> str:
        """Return a place in a text, which NIF counts as an xsd:nonNegativeInteger."""
        return f'"{number}"^^{_OFFSET}'

    def year(self, number: int) -> str:
        """Return a year as an xsd:gYear, of four digits at least."""
        return f'"{number:04d}"^^{self.term(_YEAR)}'

    def address(self, url: str) -> str:
        """Return a web address as it was read; as a literal it need not be a sound IRI."""
        return f"{string(url)}^^{self.term(_ADDRESS)}"

    def head(self) -> str:
        """Return what a file begins with."""
        return ""

    def tail(self) -> str:
        """Return what a file ends with."""
        return ""

    def blocks(self, described: Iterable[Description]) -> Iterator[str]:
        """Yield the descriptions, each as lines of their own."""
        template = lru_cache(_MANY)(self._lines)
        end = f" {self._end()}\n"
        for subject, shape, values in described:
            lines, first = template(shape)
            parts = lines.copy()  # of each line what stands before the predicate, it, and its value
            parts[3:-1:3] = [f"{end}{subject}"] * (len(parts) // 3 - 1)
            parts[0], parts[-1] = subject, end
            parts[first:-1:3] = values
            yield "".join(parts)

    def _lines(self, shape: Shape) -> tuple[list[str], int]:
        """Return the parts of the lines and of their end, and where the values go."""
        lines = [("", f" {_A} {one}", "") for one in shape.classes]
        lines += [("", f" {one} ", "") for one in shape.properties]
        return [*(part for line in lines for part in line), ""], 3 * len(shape.classes) + 2

    def _end(self) -> str:
        return "."


class NQuads(NTriples):
    """N-Quads: N-Triples in the graph whose IRI is ``{base}graph``."""

    __slots__ = ()

    def _end(self) -> str:
        return f"<{self.graph}> ."


class Turtle(NTriples):
    """Turtle: terms by prefixed name where they have one, an object a line.

    Examples
    --------
    >>> syntax = Turtle()
    >>> syntax.paper("p42"), syntax.string("LoRA"), syntax.integer(3)
    ('paper:p42', '"LoRA"', '3')
    """

    __slots__ = ()

    def named(self, kind: str, name: str) -> str:
        return f"{kind}:{name}" if _ENCODED.fullmatch(name) else f"<{self.base}{kind}/{name}>"

    def iri(self, iri: str) -> str:
        return shortener(self.base)(f"<{iri}>")

    def term(self, written: str) -> str:
        return shortener(self.base)(written)

    def decimal(self, number: float) -> str:
        return decimal(number)

    def integer(self, number: int) -> str:
        return str(number)

    def offset(self, number: int) -> str:
        return f'"{number}"^^xsd:nonNegativeInteger'

    def head(self) -> str:
        return "".join(
            f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in prefixes_of(self.base).items()
        )

    def blocks(self, described: Iterable[Description]) -> Iterator[str]:
        template = lru_cache(_MANY)(self._template)
        for subject, shape, values in described:
            yield f"\n{subject}{template(shape) % values}"

    def _template(self, shape: Shape) -> str:
        said = [f"a {', '.join(map(self.term, shape.classes))}"] if shape.classes else []
        for one, values in groupby(shape.properties):
            said.append(f"{self.term(one)} {_NEXT.join('%s' for _ in values)}")
        return f" {_AND.join(said)} .\n"


class TriG(Turtle):
    """TriG: Turtle in the graph whose IRI is ``{base}graph``."""

    __slots__ = ()

    def head(self) -> str:
        return f"{super().head()}\n{self.iri(self.graph)} {{\n"

    def tail(self) -> str:
        return "}\n"


@lru_cache(maxsize=8)
def shortener(base: str) -> Callable[[str], str]:
    """Return a function that writes an IRI in brackets as Turtle does, by its name if it has one.

    Examples
    --------
    >>> shortener("https://kg.example.org/")("<https://kg.example.org/paper/p42>")
    'paper:p42'
    """
    prefix_of = {iri: prefix for prefix, iri in prefixes_of(base).items()}

    @lru_cache(maxsize=1 << 16)
    def shorten(written: str) -> str:
        # A local name holds neither sign, so the namespace ends at the last of them.
        cut = max(written.rfind("/"), written.rfind("#")) + 1
        prefix, local = prefix_of.get(written[1:cut]), written[cut:-1]
        return f"{prefix}:{local}" if prefix and _LOCAL_NAME.fullmatch(local) else written

    return shorten
