"""Inputs -> papers, with an account of every file and record."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ..errors import InputError
from ..records import AnnotatedPaper, Paper
from .annotated import left_out, with_annotations
from .files import File, find_files
from .formats import TABLE, Format, format_of
from .found import Found, Place, Reading, Remark, Skipped, Source
from .identity import Record, identify, place_id, telling_stems
from .streams import Damaged, OpenFile, Refused
from .table import HEADERS, read_table


def read_papers(*inputs: str | os.PathLike[str]) -> tuple[Paper, ...]:
    """Return the papers that the inputs hold, sorted by id.

    Parameters
    ----------
    *inputs
        Files, directories, or ``-`` for standard input.

    Raises
    ------
    InputError
        If an input does not exist or no paper is found at all.
    """
    return read_inputs(inputs).papers


def read_inputs(
    inputs: Sequence[str | os.PathLike[str]], *, columns: Mapping[str, str] | None = None
) -> Reading:
    """Return the papers of the inputs, and which files and records gave none, and why.

    A file or record that cannot be read never stops the others.

    Parameters
    ----------
    inputs
        Files, directories, or ``-`` for standard input.
    columns
        The headers of tables that kg does not know by itself, by the field that they hold:
        ``{"title": "Name", "abstract": "Summary"}``.

    Raises
    ------
    InputError
        If an input does not exist, no paper is found at all, or a column is for no known field.
    MissingExtra
        If a format needs a package that is not installed.
    """
    if unknown := sorted((columns or {}).keys() - HEADERS.keys()):
        fields = ", ".join(HEADERS)
        raise InputError(f"columns: no field is called {unknown[0]}; the fields are {fields}")
    files, skipped = find_files(inputs)
    stems = telling_stems([file.place for file in files])
    account = Account(skipped=skipped)
    for file in files:
        read_file(file, account, stems[file.place], columns)
    papers, origins = identify(account.records)
    if not papers:
        raise InputError(nothing_found(inputs, account.skipped))
    annotated = _annotated(papers, origins, account)
    return Reading(
        papers,
        tuple(account.sources),
        tuple(account.skipped),
        len(account.records) - len(papers),
        tuple(account.remarks),
        origins,
        annotated,
    )


@dataclass(slots=True)
class Account:
    """What was read so far."""

    records: list[Record] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    annotations: dict[Place, Mapping[str, Any]] = field(default_factory=dict)


def read_file(
    file: File, account: Account, stem: str, columns: Mapping[str, str] | None = None
) -> None:
    """Read a file and enter all of it into the account; if it is refused, nothing but that."""
    try:
        with file.open() as stored:
            opened = OpenFile(stored, file.packed)
            form = format_of(opened.head, file.suffix, columns=columns)
            found, problem = _found(opened, form, columns)
            sha256 = opened.hexdigest()
    except (Refused, Damaged) as error:
        account.skipped.append(Skipped(file.name, None, str(error)))
        return
    except OSError as error:
        account.skipped.append(
            Skipped(file.name, None, f"cannot be read: {error.strerror or error}")
        )
        return
    account.sources.append(Source(file.name, form.name, sha256, len(found)))
    if problem or not found:
        account.skipped.append(Skipped(file.name, None, problem or "empty: no record in it"))
    if opened.odd_bytes:
        odd = f"{opened.odd_bytes} bytes are no UTF-8 and were read as Windows-1252"
        account.remarks.append(Remark(file.name, None, odd))
    _enter(file.name, stem, found, account)


def _found(
    opened: OpenFile, form: Format, columns: Mapping[str, str] | None
) -> tuple[list[Found], str | None]:
    """Return the records of a file, and what is wrong with it if it breaks off after them."""
    read = partial(read_table, columns=columns) if form is TABLE else form.read
    found: list[Found] = []
    try:
        for one in read(opened.text):
            found.append(one)  # one by one: what stands before a fault is kept
    except Damaged as error:
        return found, f"{error}; what stands before is kept"
    return found, None


def _enter(name: str, stem: str, found: Sequence[Found], account: Account) -> None:
    ordinal = 0
    for one in found:
        if one.paper is None:
            account.skipped.append(Skipped(name, one.line, one.reason or ""))
            continue
        ordinal += 1
        place = Place(name, one.line)
        annotated = one.annotations is not None
        account.records.append(
            Record(one.paper, stem, place_id(stem, ordinal), place, one.keys, annotated)
        )
        if one.annotations is not None:
            account.annotations[place] = one.annotations
        if one.remark:
            account.remarks.append(Remark(name, one.line, one.remark))


def _annotated(
    papers: Sequence[Paper], origins: Mapping[str, Sequence[Place]], account: Account
) -> dict[str, AnnotatedPaper]:
    """Return the papers whose annotations are known, and remark on those that do not fit and on
    what is left out of the others."""
    known = {}
    for paper in papers:
        places = [place for place in origins[paper.id] if place in account.annotations]
        if not places:
            continue
        record = account.annotations[places[0]]
        try:
            known[paper.id] = with_annotations(paper, record)
            text = left_out(known[paper.id], record)
        except ValueError as error:
            text = f"{error}; it is read anew"
        if text:
            account.remarks.append(Remark(places[0].file, places[0].line, text))
    return known


def nothing_found(inputs: Sequence[str | os.PathLike[str]], skipped: Sequence[Skipped]) -> str:
    """Return the message that there is no paper in some inputs."""
    where = ", ".join(map(str, inputs))
    why = f" ({skipped[0].file}: {skipped[0].reason})" if skipped else ""
    return f"{where}: no paper found{why}; `kg formats` lists what kg reads"
