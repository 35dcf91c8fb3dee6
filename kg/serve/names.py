"""Find papers and concepts by what is typed of their names."""

import difflib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from ..export.vocabulary import CLASS_OF_TYPE, term
from .site import Site

if TYPE_CHECKING:
    import pyoxigraph

MOST = 12
_NEAREST = 5


@dataclass(frozen=True, slots=True)
class Name:
    """One name of a node: how it is written, folded for comparison, and whose it is."""

    folded: str
    iri: str
    papers: int


class Names:
    """All names of a build's papers and concepts."""

    def __init__(self, site: Site, store: "pyoxigraph.Store") -> None:
        self._site = site
        self._store = store

    def search(self, text: str, *, most: int = MOST) -> list[dict[str, str]]:
        """Return the nodes whose names hold the text, best first, as the page of the graph asks.

        A name that is the text goes before one that begins with it, then one of which a word
        does, then any that holds it; among equals what most papers speak of comes first.
        """
        wanted = text.casefold().strip()
        if not wanted:
            return []
        best: dict[str, tuple[int, int, str]] = {}
        for name in self._names:
            place = name.folded.find(wanted)
            if place >= 0:
                rank = _rank(name.folded, wanted, place), -name.papers, name.folded
                best[name.iri] = min(rank, best.get(name.iri, rank))
        found = sorted(best, key=lambda iri: (best[iri], iri))[:most]
        return [self._told(iri) for iri in found]

    def nearest(self, path: str) -> list[dict[str, str]]:
        """Return the nodes whose names look most like the end of a path."""
        text = unquote(path.rpartition("/")[2]).casefold()
        spoken = text.rpartition("-")[0].replace("-", " ") or text
        if found := self.search(spoken, most=_NEAREST):
            return found
        alike = {name.folded: name.iri for name in self._names if name.folded[:1] == spoken[:1]}
        near = difflib.get_close_matches(spoken, sorted(alike), _NEAREST, 0.6)
        return [self._told(alike[name]) for name in near]

    def _told(self, iri: str) -> dict[str, str]:
        group = self._groups[iri]
        kind = "paper" if group == "paper" else "concept"
        key = f"{kind}:{unquote(iri.rpartition('/')[2])}"
        return {"key": key, "label": self._labels[iri], "group": group}

    @cached_property
    def _names(self) -> list[Name]:
        papers = {
            quad.subject.value: int(quad.object.value) for quad in self._quads("kg:paperCount")
        }
        names = {
            (str(quad.object.value).casefold(), quad.subject.value)
            for predicate in ("skos:prefLabel", "skos:altLabel", "rdfs:label", "dct:title")
            for quad in self._quads(predicate)
            if quad.subject.value in self._groups
        }
        return [Name(folded, iri, papers.get(iri, 0)) for folded, iri in sorted(names)]

    @cached_property
    def _labels(self) -> dict[str, str]:
        return {
            quad.subject.value: quad.object.value
            for predicate in ("rdfs:label", "skos:prefLabel")
            for quad in self._quads(predicate)
        }

    @cached_property
    def _groups(self) -> dict[str, str]:
        """Papers and types, by IRI."""
        groups: dict[str, str] = {_plain(iri): kind for kind, iri in CLASS_OF_TYPE.items()}
        groups[_plain(term("fabio:ResearchPaper"))] = "paper"
        return {
            quad.subject.value: groups[quad.object.value]
            for quad in self._quads("rdf:type")
            if quad.object.value in groups
        }

    def _quads(self, predicate: str) -> Any:
        from pyoxigraph import NamedNode

        return self._store.quads_for_pattern(None, NamedNode(_plain(term(predicate))), None)


def _rank(name: str, wanted: str, place: int) -> int:
    if place == 0:
        return int(name != wanted)
    starts_word = any(not name[at - 1].isalnum() for at in _places(name, wanted))
    return 2 if starts_word else 3


def _places(name: str, wanted: str) -> list[int]:
    return [at for at in range(1, len(name)) if name.startswith(wanted, at)]


def _plain(written: str) -> str:
    return written[1:-1]
