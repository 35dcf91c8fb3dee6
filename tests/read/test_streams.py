import bz2
import gzip
import hashlib
import io
import json
import lzma
import os
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.errors import InputError
from kg.read.reading import read_inputs
from kg.read.streams import Damaged, OpenFile, Refused, encoding_of

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

LINES = b"".join(b'{"id": "p%d", "title": "Paper %d"}\n' % (n, n) for n in range(2_000))
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstd.compress,
}


def zipped(members: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


@pytest.mark.parametrize("suffix", PACKERS)
def test_packed_files_are_read(tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"p.jsonl{suffix}").write_bytes(PACKERS[suffix](LINES))
    assert len(read_inputs([tmp_path]).papers) == 2_000


@pytest.mark.parametrize("suffix", PACKERS)
def test_several_streams_in_one_packed_file_are_read(tmp_path: Path, suffix: str) -> None:
    half = LINES.index(b"\n", len(LINES) // 2) + 1
    packed = PACKERS[suffix](LINES[:half]) + PACKERS[suffix](LINES[half:])
    (tmp_path / f"p.jsonl{suffix}").write_bytes(packed)
    assert len(read_inputs([tmp_path]).papers) == 2_000


@pytest.mark.parametrize("suffix", PACKERS)
def test_what_stands_before_a_cut_is_kept(tmp_path: Path, suffix: str) -> None:
    noise = os.urandom(300_000).hex().encode()  # so that a cut leaves some blocks whole
    text = b'{"id": "a", "title": "First"}\n{"id": "b", "title": "%s"}\n' % noise
    (tmp_path / "cut.jsonl").with_suffix(f".jsonl{suffix}").write_bytes(
        PACKERS[suffix](text)[:-1_000]
    )
    (tmp_path / "other.jsonl").write_bytes(b'{"id": "c", "title": "Other"}')
    reading = read_inputs([tmp_path])
    assert "c" in {paper.id for paper in reading.papers}
    [skip] = [skip for skip in reading.skipped if skip.line is None]
    assert skip.file == f"cut.jsonl{suffix}" and "cut short" in skip.reason


def test_packed_content_is_told_without_a_suffix(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_bytes(gzip.compress(LINES))
    assert len(read_inputs([tmp_path / "p.jsonl"]).papers) == 2_000


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_decompression_bomb_is_refused(suffix: str) -> None:
    bomb = PACKERS[suffix](b'{"title": "' + bytes(70 << 20))
    with pytest.raises(Refused, match="bomb"):
        OpenFile(io.BytesIO(bomb)).text.read()


def test_a_bomb_stops_no_other_file(tmp_path: Path) -> None:
    bomb = b'{"id": "x", "title": "X"}\n' + b" " * (70 << 20)
    (tmp_path / "bomb.jsonl.gz").write_bytes(gzip.compress(bomb))
    (tmp_path / "bomb.zip").write_bytes(zipped({"bomb.jsonl": bomb}))
    (tmp_path / "good.txt").write_text("We propose A.")
    reading = read_inputs([tmp_path])
    assert [paper.id for paper in reading.papers] == ["good-01"]
    assert {skip.file for skip in reading.skipped} == {"bomb.jsonl.gz", "bomb.zip/bomb.jsonl"}


def test_members_of_an_archive_are_files(tmp_path: Path) -> None:
    members = {
        "b/p.bib": b"@misc{k, title={In BibTeX}}",
        "a/p.jsonl": b'{"id": "j", "title": "In JSON"}',
        "a/p.csv.gz": gzip.compress(b"Title,Year\nIn a table,2020\n"),
        "notes.docx": b"x",
        ".hidden.bib": b"@misc{h, title={Hidden}}",
        "__MACOSX/p.bib": b"@misc{m, title={Fork}}",
    }
    (tmp_path / "all.zip").write_bytes(zipped(members))
    reading = read_inputs([tmp_path / "all.zip"])
    assert {paper.title for paper in reading.papers} == {"In BibTeX", "In JSON", "In a table"}
    assert [source.file for source in reading.sources] == [
        "all.zip/a/p.csv.gz",
        "all.zip/a/p.jsonl",
        "all.zip/b/p.bib",
    ]
    assert [skip.file for skip in reading.skipped] == ["all.zip/notes.docx"]


def test_what_leads_out_of_an_archive_is_refused(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("link.bib")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "slip.zip", "w") as archive:
        for name in ("../up.bib", "/root.bib", "a/../../up.bib", "C:/x.bib", "..\\win.bib"):
            archive.writestr(name, "@misc{k, title={Slipped}}")
        archive.writestr(link, "/etc/passwd")
        archive.writestr("good.bib", "@misc{g, title={Good}}")
    reading = read_inputs([tmp_path / "slip.zip"])
    assert [paper.id for paper in reading.papers] == ["g"]
    assert len(reading.skipped) == 6
    assert all("archive" in skip.reason for skip in reading.skipped)


def test_archives_that_are_none(tmp_path: Path) -> None:
    inner = zipped({"p.bib": b"@misc{k, title={Inner}}"})
    (tmp_path / "nested.zip").write_bytes(zipped({"inner.zip": inner}))
    (tmp_path / "broken.zip").write_bytes(inner[:40])
    (tmp_path / "word.bib").write_bytes(
        zipped({"[Content_Types].xml": b"", "word/document.xml": b""})
    )
    (tmp_path / "good.txt").write_text("We propose A.")
    reasons = {skip.file: skip.reason for skip in read_inputs([tmp_path]).skipped}
    assert reasons.keys() == {"nested.zip/inner.zip", "broken.zip", "word.bib"}
    assert "office document" in reasons["word.bib"]


def test_a_pdf_gets_a_plain_answer(tmp_path: Path) -> None:
    (tmp_path / "paper.pdf").write_bytes(b"%PDF-1.7\n\xe2\xe3")
    (tmp_path / "good.txt").write_text("We propose A.")
    [skip] = read_inputs([tmp_path]).skipped
    assert "PDF" in skip.reason and "export" in skip.reason
    with pytest.raises(InputError, match="PDF"):
        read_inputs([tmp_path / "paper.pdf"])


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ("Łódź".encode(), "utf-8"),
        ("Łódź".encode("utf-8-sig"), "utf-8-sig"),
        ("Łódź".encode("utf-16"), "utf-16"),
        ("Title,Year".encode("utf-16-be"), "utf-16-be"),
        ("Title,Year".encode("utf-16-le"), "utf-16-le"),
        (b'<?xml version="1.0" encoding="ISO-8859-1"?>', "utf-8"),
        (b'<?xml version="1.0" encoding="GBK"?>', "gbk"),
        (b'<?xml version="1.0" encoding="nonsense"?>', "utf-8"),
        (b"Nul\x00 Byte, and then some more text", "utf-8"),
    ],
)
def test_encodings_are_told(data: bytes, encoding: str) -> None:
    assert encoding_of(data) == encoding


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\x00\x00",
        b"\x7fELF\x02\x01\x01\x00\x00\x00",
        b"%PDF-1.4",
        b"\xd0\xcf\x11\xe0",
        "Привет, мир".encode("cp1251"),
        bytes(range(256)),
    ],
)
def test_what_is_no_text_is_refused(data: bytes) -> None:
    with pytest.raises(Refused):
        encoding_of(data)


def test_odd_bytes_are_windows_1252_and_told(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_bytes("Title,Abstract\nZoë’s nets,Fine – “so”.\n".encode("cp1252"))
    reading = read_inputs([tmp_path])
    [paper] = reading.papers
    assert (paper.title, paper.abstract) == ("Zoë’s nets", "Fine – “so”.")
    [remark] = reading.remarks
    assert remark.line is None and "5 bytes are no UTF-8" in remark.text


def test_encodings_that_are_mixed_are_both_read() -> None:
    data = "Zoë".encode() + b" and " + "Zoë".encode("cp1252")
    assert OpenFile(io.BytesIO(data)).text.read() == "Zoë and Zoë"


def test_the_hash_is_of_the_bytes_as_they_are_stored(tmp_path: Path) -> None:
    packed = gzip.compress(json.dumps({"title": "X"}).encode())
    (tmp_path / "p.jsonl.gz").write_bytes(packed)
    [source] = read_inputs([tmp_path]).sources
    assert source.sha256 == hashlib.sha256(packed).hexdigest()


def test_a_broken_stream_is_damaged_not_more() -> None:
    with pytest.raises(Damaged, match="broken or cut short"):
        OpenFile(io.BytesIO(gzip.compress(LINES)[:20])).text.read()
