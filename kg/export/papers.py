"""Annotated papers as JSON Lines, and back."""

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from sys import intern
from typing import TYPE_CHECKING, Any

from ..collector import no_collection
from ..errors import InputError
from ..read.annotated import mentions_of, relations_of
from ..records import AnnotatedPaper, Mention, Paper, Relation
from .ordered import nodes_in_order

if TYPE_CHECKING:
    import networkx


def paper_json(annotated: AnnotatedPaper) -> dict[str, Any]:
    """Return the paper as a JSON object: the canonical fields, then all that was found.

    Examples
    --------
    >>> paper_json(AnnotatedPaper(Paper("p1", abstract="X wins."), "X"))["label"]
    'X'
    """
    paper = _fields(annotated.paper)
    if not paper["merged"]:
        del paper["merged"]
    return {
        **paper,
        "label": annotated.label,
        "mentions": list(map(_fields, annotated.mentions)),
        "relations": list(map(_fields, annotated.relations)),
        "proposes": list(annotated.proposes),
    }


def _fields(record: Paper | Mention | Relation) -> dict[str, Any]:
    """Return the fields of a record of plain values; `dataclasses.asdict` would copy each."""
    return {name: getattr(record, name) for name in record.__dataclass_fields__}


def annotated_papers(graph: "networkx.MultiDiGraph[str]") -> Iterator[AnnotatedPaper]:
    """Yield the annotated papers of a graph by id."""
    for _, data in nodes_in_order(graph):
        if data["kind"] == "paper":
            yield data["record"]


def papers_jsonl(papers: Iterable[AnnotatedPaper]) -> Iterator[str]:
    """Yield one line of JSON a paper, each with its line end."""
    encode = json.JSONEncoder(ensure_ascii=False).encode
    for annotated in papers:
        yield encode(paper_json(annotated)) + "\n"


def annotated_paper(record: dict[str, Any]) -> AnnotatedPaper:
    """Return the annotated paper that a JSON object of `paper_json` holds.

    Examples
    --------
    >>> annotated = AnnotatedPaper(Paper("p1", abstract="X wins."), "X")
    >>> annotated_paper(paper_json(annotated)) == annotated
    True
    """
    paper: dict[str, Any] = {name: record.get(name) for name in Paper.__dataclass_fields__}
    for name in ("authors", "keywords", "merged"):
        paper[name] = tuple(paper[name] or ())
    return AnnotatedPaper(
        paper=Paper(**paper),
        label=record["label"],
        mentions=mentions_of(record["mentions"]),
        relations=relations_of(record["relations"]),
        proposes=tuple(map(intern, record["proposes"])),
    )


@no_collection()
def read_annotated(path: str | os.PathLike[str]) -> list[AnnotatedPaper]:
    """Return the annotated papers of a file that `kg build` or `kg extract` wrote.

    Raises
    ------
    InputError
        If the file cannot be read or a line is no annotated paper, with its number.
    """
    path = Path(path)
    papers = []
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    papers.append(annotated_paper(json.loads(line)))
                except (ValueError, KeyError, TypeError, AttributeError) as error:
                    raise InputError(
                        f"{path}:{number}: not an annotated paper ({error}); run `kg build` again"
                    ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error}); run `kg build` again") from error
    return papers
