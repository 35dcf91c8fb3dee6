"""IRIs: each a function of a base and of what it names, in one place.

=============  ====================================================
paper          ``{base}paper/{id}``
text           ``{base}text/{paper}.{field}``
sentence       ``{base}sentence/{paper}.{field}.{start}-{end}``
mention        ``{base}mention/{paper}.{field}.{start}-{end}``
authors        ``{base}authors/{paper}``, the same for ``keywords``
concept        ``{base}concept/{slug}-{hash}``
alias          ``{base}alias/{concept}:{alias}``
subsumption    ``{base}subsumption/{concept}:{broader concept}``
claim          ``{base}claim/{hash of head, relation and tail}``
assertion      ``{base}assertion/{paper}.{field}.{start}-{end}:{hash of the claim}``
similarity     ``{base}similarity/{paper}:{paper}``
contribution   ``{base}contribution/{paper}:{paper}:{concept}``
partition      ``{base}partition/{prefix}.{name of a class or property}``
distribution   ``{base}distribution/{name of a file}``
=============  ====================================================

What is not a letter, digit, ``-``, ``.``, ``_`` or ``~`` of ASCII is percent-encoded, never
dropped: ``C``, ``C++``, ``C#`` and 苹果 have IRIs of their own. ``:`` therefore only parts.
"""

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal
from urllib.parse import quote

from ..errors import OutputError
from ..records import Field, RelationType, Span

DEFAULT_BASE = "https://kg.example.org/"
KINDS = (
    "paper", "authors", "keywords", "text", "sentence", "mention", "concept", "alias",
    "subsumption", "claim", "assertion", "similarity", "contribution", "run", "agent",
    "partition", "distribution",
)  # fmt: skip
# The ids of two concepts, and what is said of them between.
Claim = tuple[str, RelationType, str]

_SCHEME = re.compile(r"https?://[^/?#]|urn:[a-z0-9][a-z0-9-]+:", re.IGNORECASE)
_SAFE = re.compile(r"[\w.~-]+", re.ASCII)
# Characters that a DOI may hold and an IRI too.
_SAFE_IN_DOI = "/:;()+,!$&'*=@"


@lru_cache(maxsize=1 << 16)
def encode(text: str) -> str:
    """Return the text as one segment of an IRI, different for every text.

    Examples
    --------
    >>> encode("c++-1f0c"), encode("10.1/x y"), encode("苹果"), encode("..")
    ('c%2B%2B-1f0c', '10.1%2Fx%20y', '%E8%8B%B9%E6%9E%9C', '%2E%2E')
    """
    if not text.strip("."):  # a segment of dots alone would be resolved away
        return text.replace(".", "%2E")
    return text if _SAFE.fullmatch(text) else quote(text, safe="", errors="replace")


def check_base(base_iri: str) -> str:
    """Return the base IRI, closed by a ``/`` (a ``:`` for a urn) unless it ends in a separator.

    Raises
    ------
    OutputError
        If it is not an absolute http, https or urn IRI.

    Examples
    --------
    >>> check_base("https://example.org/kg"), check_base("urn:example:kg")
    ('https://example.org/kg/', 'urn:example:kg:')
    """
    from pyoxigraph import NamedNode

    try:
        NamedNode(base_iri)
    except ValueError as error:
        raise _refused(base_iri, str(error)) from None
    if not _SCHEME.match(base_iri):
        raise _refused(base_iri, "it must begin with http://, https:// or urn:name:")
    if base_iri.endswith(("/", "#", ":", "=", "?")):
        return base_iri
    return base_iri + (":" if base_iri[:4].lower() == "urn:" else "/")


def _refused(base_iri: str, reason: str) -> OutputError:
    return OutputError(
        f"the base IRI {base_iri!r} cannot be used ({' '.join(reason.split())}): "
        f"give an absolute one such as {DEFAULT_BASE}"
    )


@dataclass(frozen=True, slots=True)
class Iris:
    """The IRIs of one build; `base` is one that `check_base` returned.

    Examples
    --------
    >>> Iris(DEFAULT_BASE).mention("p42", "abstract", (11, 21))
    'https://kg.example.org/mention/p42.abstract.11-21'
    """

    base: str = DEFAULT_BASE

    @property
    def graph(self) -> str:
        """The IRI of the whole graph."""
        return f"{self.base}graph"

    @property
    def scheme(self) -> str:
        """The IRI of the scheme that all concepts are in."""
        return f"{self.base}scheme"

    def named(self, kind: str, name: str) -> str:
        """Return the IRI of a thing of one of the `KINDS`; a syntax writes it in its own way."""
        return f"{self.base}{kind}/{name}"

    def paper(self, paper_id: str) -> str:
        """Return the IRI of a paper."""
        return self.named("paper", encode(paper_id))

    def listing(self, name: Literal["authors", "keywords"], paper_id: str) -> str:
        """Return the IRI of a paper's list of authors or keywords."""
        return self.named(name, encode(paper_id))

    def text(self, paper_id: str, field: Field) -> str:
        """Return the IRI of a paper's title or abstract as a text."""
        return self.named("text", f"{encode(paper_id)}.{field}")

    def sentence(self, paper_id: str, field: Field, span: Span) -> str:
        """Return the IRI of a sentence."""
        return self.named("sentence", f"{encode(paper_id)}.{field}.{span[0]}-{span[1]}")

    def mention(self, paper_id: str, field: Field, span: Span) -> str:
        """Return the IRI of a mention."""
        return self.named("mention", f"{encode(paper_id)}.{field}.{span[0]}-{span[1]}")

    def concept(self, concept_id: str) -> str:
        """Return the IRI of a concept."""
        return self.named("concept", encode(concept_id))

    def alias(self, concept_id: str, alias: str) -> str:
        """Return the IRI of another name of a concept."""
        return self.named("alias", f"{encode(concept_id)}:{encode(alias)}")

    def subsumption(self, narrower: str, broader: str) -> str:
        """Return the IRI of the step from a concept to a broader one, given by their ids."""
        return self.named("subsumption", f"{encode(narrower)}:{encode(broader)}")

    def claim(self, head: str, relation: RelationType, tail: str) -> str:
        """Return the IRI of what papers say of two concepts, given by their ids."""
        return self.named("claim", _digest((head, relation, tail)))

    def assertion(self, paper_id: str, field: Field, span: Span, claim: Claim) -> str:
        """Return the IRI of what a paper says at one place for a claim."""
        place = f"{encode(paper_id)}.{field}.{span[0]}-{span[1]}"
        return self.named("assertion", f"{place}:{_digest(claim)}")

    def similarity(self, source: str, target: str) -> str:
        """Return the IRI of the link between two papers."""
        return self.named("similarity", f"{encode(source)}:{encode(target)}")

    def contribution(self, source: str, target: str, concept_id: str) -> str:
        """Return the IRI of a shared concept's part in the link between two papers."""
        return self.named("contribution", f"{encode(source)}:{encode(target)}:{encode(concept_id)}")

    def run(self, digest: str) -> str:
        """Return the IRI of the activity that made a build."""
        return self.named("run", digest)

    def agent(self, name: str) -> str:
        """Return the IRI of a program."""
        return self.named("agent", encode(name))

    def partition(self, name: str) -> str:
        """Return the IRI of the part of the graph that has one class or property."""
        return self.named("partition", encode(name))

    def distribution(self, name: str) -> str:
        """Return the IRI of a file that holds the graph."""
        return self.named("distribution", encode(name))


@lru_cache(maxsize=1 << 10)
def _digest(claim: Claim) -> str:
    return hashlib.sha256("\n".join(claim).encode(errors="replace")).hexdigest()[:16]


def doi_iri(doi: str) -> str:
    """Return the IRI that resolves a DOI.

    Examples
    --------
    >>> doi_iri("10.1002/(sici)1097<1:a>2")
    'https://doi.org/10.1002/(sici)1097%3C1:a%3E2'
    """
    return f"https://doi.org/{quote(doi, safe=_SAFE_IN_DOI, errors='replace')}"
