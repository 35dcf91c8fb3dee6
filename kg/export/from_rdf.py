"""RDF -> the graph again: what `kg.export.rdf` wrote, read back into records."""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from ..errors import InputError
from ..graph.build import assemble
from ..records import AnnotatedPaper, Concept, Field, Mention, Paper, Relation, Span
from .provenance import Provenance
from .vocabulary import CLASS_OF_TYPE, KG, PREDICATE_OF_RELATION, term

if TYPE_CHECKING:
    import networkx
    import rdflib

# The suffixes of RDF that pyoxigraph does not know by itself.
_SUFFIXES = {"jsonld": "jsonld", "rdfxml": "rdf"}
_TYPE_OF_CLASS = {iri[1:-1]: kind for kind, iri in CLASS_OF_TYPE.items()}
_RELATION_OF_PREDICATE = {iri[1:-1]: kind for kind, iri in PREDICATE_OF_RELATION.items()}
_DOI = "https://doi.org/"
_A = term("rdf:type")


def from_rdf(source: "rdflib.Graph | str | os.PathLike[str]") -> "networkx.MultiDiGraph[str]":
    """Return the graph that some RDF of `kg` describes.

    ``from_rdf(to_rdf(graph))`` equals `graph`: its nodes, its edges, and their attributes. Papers
    written without their texts come back without them.

    Parameters
    ----------
    source
        An rdflib graph, or a file in any form that `kg export` writes RDF in.

    Raises
    ------
    InputError
        If the file cannot be read, or the RDF lacks what a graph needs: the layers ``papers``,
        ``concepts`` and ``mentions``.

    Examples
    --------
    >>> from kg.export.rdf import to_rdf
    >>> paper = AnnotatedPaper(Paper("p1", title="Alone"), "Alone")
    >>> from_rdf(to_rdf(assemble([paper], []))).nodes["paper:p1"]["record"] == paper
    True
    """
    where = str(source) if isinstance(source, str | os.PathLike) else "the RDF"
    facts = _Facts(_triples(source))
    try:
        papers, concepts = facts.papers(), facts.concepts()
        graph = assemble(papers, concepts)
        if origin := facts.provenance():
            graph.graph["provenance"] = origin
    except (LookupError, ValueError) as error:
        raise InputError(
            f"{where}: no whole graph of kg ({type(error).__name__}: {error}); write it with the "
            "layers papers, concepts, mentions, text, claims"
        ) from error
    return graph


def _triples(
    source: "rdflib.Graph | str | os.PathLike[str]",
) -> Iterator[tuple[str, str, str]]:
    """Yield the triples as strings, IRIs without brackets, literals without their datatypes."""
    if not isinstance(source, str | os.PathLike):
        for subject, predicate, value in source:
            yield str(subject), str(predicate), str(value)
        return
    from pyoxigraph import RdfFormat, parse

    path = Path(source)
    suffix = path.suffix.lstrip(".").lower()
    format = RdfFormat.from_extension(_SUFFIXES.get(suffix, suffix))
    if format is None:
        raise InputError(f"{path}: the form of RDF cannot be told by this suffix; try .ttl or .nt")
    try:
        for quad in parse(path=path, format=format):
            yield quad.subject.value, quad.predicate.value, quad.object.value
    except (OSError, SyntaxError) as error:
        raise InputError(f"{path}: cannot be read ({error}); check the file") from error


class _Facts:
    """All that is said of each subject, and the records that it amounts to."""

    def __init__(self, triples: Iterable[tuple[str, str, str]]) -> None:
        self.said: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(
            lambda: defaultdict(list)
        )
        self.of_class: defaultdict[str, list[str]] = defaultdict(list)
        for subject, predicate, value in triples:
            self.said[subject][predicate].append(value)
        for subject in sorted(self.said):
            for kind in self.said[subject].get(_bare(_A), ()):
                self.of_class[kind].append(subject)

    def all(self, subject: str, name: str) -> list[str]:
        """Return the values of a property, sorted."""
        return sorted(self.said[subject][_bare(name)] if subject in self.said else ())

    def one(self, subject: str, name: str) -> str:
        """Return the value of a property that must be there."""
        if not (values := self.all(subject, name)):
            raise LookupError(f"{subject} has no {_bare(name)}")
        return values[0]

    def maybe(self, subject: str, name: str) -> str | None:
        return next(iter(self.all(subject, name)), None)

    def span(self, subject: str) -> Span:
        begin, end = (self.one(subject, term(f"nif:{name}Index")) for name in ("begin", "end"))
        return int(begin), int(end)

    def label(self, concept: str) -> str:
        return self.one(concept, term("skos:prefLabel"))

    def field(self, place: str) -> Field:
        name = self.one(self.one(place, term("nif:referenceContext")), KG.field)
        return "title" if name == "title" else "abstract"

    def papers(self) -> list[AnnotatedPaper]:
        return [self._paper(iri) for iri in self.of_class[_bare(term("fabio:ResearchPaper"))]]

    @cached_property
    def mentions(self) -> Mapping[str, list[Mention]]:
        """The mentions of each paper."""
        mentions: defaultdict[str, list[Mention]] = defaultdict(list)
        for iri in self.of_class[_bare(term("nif:Phrase"))]:
            mentions[self._speaker(iri)].append(self._mention(iri))
        return mentions

    @cached_property
    def relations(self) -> Mapping[str, list[Relation]]:
        """The relations that each paper states."""
        relations: defaultdict[str, list[Relation]] = defaultdict(list)
        for iri in self.of_class[_bare(KG.Assertion)]:
            relations[self._speaker(self.one(iri, KG.evidence))].append(self._relation(iri))
        return relations

    @cached_property
    def paper_of(self) -> Mapping[str, str]:
        """The paper of each text."""
        papers = self.of_class[_bare(term("fabio:ResearchPaper"))]
        return {text: paper for paper in papers for text in self.all(paper, KG.text)}

    def _speaker(self, place: str) -> str:
        return self.paper_of[self.one(place, term("nif:referenceContext"))]

    def _paper(self, iri: str) -> AnnotatedPaper:
        mentions = sorted(self.mentions.get(iri, ()), key=_place)
        subjects = set(map(self.label, self.all(iri, term("dct:subject"))))
        if subjects != {mention.concept for mention in mentions}:
            raise LookupError(f"{iri} has subjects without mentions")
        return AnnotatedPaper(
            paper=self._source(iri),
            label=self.one(iri, term("rdfs:label")),
            mentions=tuple(mentions),
            relations=tuple(self.relations.get(iri, ())),
            proposes=tuple(map(self.label, self.all(iri, KG.proposes))),
        )

    def _source(self, iri: str) -> Paper:
        texts = {self.one(text, KG.field): text for text in self.all(iri, KG.text)}
        year = self.maybe(iri, term("dct:issued"))
        doi = self.maybe(iri, term("schema:sameAs"))
        return Paper(
            id=self.one(iri, term("dct:identifier")),
            title=self.maybe(iri, term("dct:title")),
            abstract=self.maybe(texts.get("abstract", ""), term("nif:isString")),
            year=None if year is None else int(year),
            venue=self.maybe(iri, term("prism:publicationName")),
            authors=self._listed(iri, term("bibo:authorList"), term("dc:creator")),
            doi=None if doi is None else unquote(doi.removeprefix(_DOI)),
            url=self.maybe(iri, term("schema:url")),
            keywords=self._listed(iri, KG.keywordList, term("schema:keywords")),
            merged=tuple(self.all(iri, KG.mergedId)),
        )

    def _listed(self, iri: str, in_order: str, plain: str) -> tuple[str, ...]:
        """Return the members of a list in their order, or the only one that stands plain."""
        if (listed := self.maybe(iri, in_order)) is None:
            return tuple(self.all(iri, plain))
        member = _bare(term("rdf:_"))
        places = [name for name in self.said[listed] if name.startswith(member)]
        ordered = sorted(places, key=lambda name: int(name.removeprefix(member)))
        return tuple(self.said[listed][name][0] for name in ordered)

    def _mention(self, iri: str) -> Mention:
        start, end = self.span(iri)
        return Mention(
            start=start,
            end=end,
            text=self.one(iri, term("nif:anchorOf")),
            type=_TYPE_OF_CLASS[self.one(iri, term("itsrdf:taClassRef"))],
            concept=self.label(self.one(iri, term("itsrdf:taIdentRef"))),
            score=float(self.one(iri, term("itsrdf:taConfidence"))),
            field=self.field(iri),
            sentence=self.span(self.one(iri, term("nif:sentence"))),
        )

    def _relation(self, iri: str) -> Relation:
        claim, sentence = self.one(iri, KG.asserts), self.one(iri, KG.evidence)
        start, end = self.span(sentence)
        return Relation(
            head=self.label(self.one(claim, term("rdf:subject"))),
            type=_RELATION_OF_PREDICATE[self.one(claim, term("rdf:predicate"))],
            tail=self.label(self.one(claim, term("rdf:object"))),
            score=float(self.one(iri, KG.confidence)),
            start=start,
            end=end,
            field=self.field(sentence),
        )

    def concepts(self) -> list[Concept]:
        broader: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
        for step in self.of_class[_bare(KG.Subsumption)]:
            above = _concept_id(self.one(step, term("rdf:object")))
            support = int(self.one(step, KG.support))
            broader[self.one(step, term("rdf:subject"))].append((above, support))
        spoken_of = defaultdict(set)
        for paper, mentions in self.mentions.items():
            for mention in mentions:
                spoken_of[mention.concept].add(paper)
        return [
            self._concept(iri, len(spoken_of[self.label(iri)]), sorted(broader[iri]))
            for iri in self.of_class[_bare(term("skos:Concept"))]
        ]

    def _concept(self, iri: str, papers: int, broader: list[tuple[str, int]]) -> Concept:
        names = sorted(
            (self.one(name, term("skosxl:literalForm")), self.one(name, KG.reason))
            for name in self.all(iri, term("skosxl:altLabel"))
        )
        [kind] = [_TYPE_OF_CLASS[one] for one in self.all(iri, _A) if one in _TYPE_OF_CLASS]
        return Concept(
            id=_concept_id(iri),
            label=self.label(iri),
            type=kind,
            aliases=tuple(alias for alias, _ in names),
            reasons=tuple(reason for _, reason in names),
            papers=papers,
            broader=tuple(above for above, _ in broader),
            broader_support=tuple(support for _, support in broader),
        )

    def provenance(self) -> Provenance | None:
        """Return what made the graph, if the RDF tells."""
        for run in self.of_class[_bare(term("prov:Activity"))]:
            agent = self.one(run, term("prov:wasAssociatedWith"))
            settings = [one.partition(" = ")[::2] for one in self.all(run, KG.setting)]
            components = [one.rpartition(" ")[::2] for one in self.all(run, KG.component)]
            version = self.one(agent, term("rdfs:label")).removeprefix("kg ")
            return Provenance(version, tuple(sorted(components)), tuple(sorted(settings)))
        return None


def _bare(iri: str) -> str:
    return iri[1:-1]


def _concept_id(iri: str) -> str:
    return unquote(iri.rpartition("/")[2])


def _place(mention: Mention) -> tuple[bool, int]:
    """Return what sorts by place, the title before the abstract."""
    return mention.field != "title", mention.start
