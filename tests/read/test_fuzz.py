"""Whatever bytes come in, a reader ends in papers and reasons, or refuses the file."""

import bz2
import gzip
import io
import lzma
import random
import sys
import time
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.read.formats import FORMATS, format_of
from kg.read.found import Found
from kg.read.reading import read_inputs
from kg.read.streams import Damaged, OpenFile, Refused

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

CASES = Path(__file__).parents[1] / "data" / "inputs"
SMALL = [path for path in sorted(CASES.glob("[0-9]*.*")) if path.stat().st_size < 20_000]
SEEDS = [path.read_bytes() for path in SMALL if path.suffix != ".gz"]
PIECES = (
    b"{", b"}", b'"', b"'", b"\\", b"\n", b"\r", b"\x00", b"\xff", b"<", b">", b"&", b"]]>", b"@",
    b"@article{", b"TY  - ", b"ER  - ", b"PMID- 1\n", b",", b"[", b"]", b"null", b"\xef\xbb\xbf",
    b"<entry>", b"</entry>", b"<!--", b"1" * 400, b"(" * 300, b"$", b"\\cite[", b"{{", b"#", b"%",
)  # fmt: skip


SYNTAX = "@{}\"',=#%()\\\n\t<>/&;[]:-ATYEPMID 01x"


def read(data: bytes) -> list[Found]:
    try:
        opened = OpenFile(io.BytesIO(data))
        found = list(format_of(opened.head).read(opened.text))
        opened.hexdigest()
    except (Refused, Damaged) as error:
        assert str(error)
        return []
    assert all((one.paper is None) != (one.reason is None) for one in found)
    assert all(one.line >= 1 for one in found)
    return found


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes(data: bytes) -> None:
    read(data)


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
@settings(max_examples=60, deadline=None)
@given(
    text=st.text(max_size=300) | st.text("@{}\"',=#%()\\\n\t<>/&;[]:-ATYEPMID 01x", max_size=300)
)
def test_any_text_in_any_reader(form, text: str) -> None:  # type: ignore[no-untyped-def]
    if form.name == "Parquet":
        pytest.importorskip("pyarrow")
    stream = io.TextIOWrapper(io.BytesIO(text.encode("utf-8", "replace")), "utf-8", "replace")
    try:
        found = list(form.read(stream))
    except (Refused, Damaged):
        return
    assert all((one.paper is None) != (one.reason is None) for one in found)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
def test_mangled_files(seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(chance.choice(SEEDS))
    for _ in range(chance.randint(1, 6)):
        place = chance.randint(0, len(data))
        match chance.randint(0, 3):
            case 0:
                del data[place : place + chance.randint(1, 30)]
            case 1:
                data[place:place] = chance.choice(PIECES)
            case 2:
                data[place:place] = chance.choice(SEEDS)[: chance.randint(0, 200)]
            case _:
                del data[place:]
    read(bytes(data))


@pytest.mark.parametrize(
    "text",
    [
        "{" * 200_000,
        "[" * 200_000,
        '[{"a":' * 50_000,
        '{"title": "x", "authors": ' + "[" * 900 + "]" * 900 + "}",
        "@a{b, title = " + "{" * 200_000,
        "@a{b, title = {x" + "}" * 200_000,
        "@a{b," * 50_000,
        "@a{b, t = " + "x # " * 50_000 + "}",
        "@a{b, title={" + "\\emph{" * 50_000,
        "@a{b, title={" + "\\cite[" * 50_000 + "}}",
        "@a{b, abstract={" + "\\foo{" * 20_000 + "}" * 20_000 + "}}",
        "<feed><entry>" + "<a>" * 100_000,
        "<feed>" + "<entry>" * 50_000,
        "<feed>" + "<" * 300_000,
        "<feed><entry><title>" + "&" * 200_000 + "</title></entry>",
        "TY  - X\n" + "AB  - a\n" * 50_000,
        "TY  - X\nAB  - a\n" + "x\n" * 1_000_000,
        "PMID- 1\n" + "TI  - a\n" * 50_000,
        'Title,Abstract\n"' + "x\n" * 200_000,
        'Title,Abstract\n"a,b\n' * 20_000,
        "Title,Abstract\n" + "," * 500_000,
        "We study " + "<tex-math>" * 30_000,
        "We study <sec " + "<jats:title>" * 30_000,
        "We study " + "**" * 100_000,
        "We study " + "$" * 200_000,
        "We study " + "`a" * 100_000 + "_b" * 50_000,
        "We study " + "[a](" * 60_000,
        "We study " + "&#1" * 60_000,
        "We study. © 2019" * 20_000,
        "(" * 3_000 + " " + "-" * 40_000 + " " + "x" * 200_000,
        "@a{" + " " * 300_000,
        "@a{b" + " " * 300_000 + "c",
        "@a{b, title={x}" + " " * 300_000 + "y",
        "@a{b, title={{x}" + ("}" + " " * 1_000) * 300,
        "@a{b, title={{x}, " + 'x="y" ' * 50_000,
        "@a{b, author={" + " " * 300_000 + "x}}",
        "@a{b, title={{\\bf" + " " * 300_000 + "x}}",
        "Title,Authors\nx,a" + " " * 300_000 + "b\n",
        "TY  - X\nTI  - a\nAU  - b" + " " * 300_000 + "c\nKW  - b" + " " * 300_000 + "c\n",
        "<feed><entry><t>" + "<!--" * 70_000 + "</entry>",
        "<feed><entry><t>" + "<b" * 100_000 + "</entry>",
        "<feed><entry>" + "<a>" * 60_000 + "</b>" * 60_000 + "</entry>",
        '{"title": "' + " " * 300_000 + '", "doi": "10.' + "1" * 300_000 + '"}',
        '{"title": "x", "url": "' + "pubmed/1 " * 50_000 + '", "pmid": "' + " " * 99_999 + '"}',
        "\n" * 500_000,
        "a\n" * 300_000,
    ],
    ids=range(46),
)
@pytest.mark.parametrize("suffix", ["", ".bib"])
def test_explosive_texts_end_soon(text: str, suffix: str) -> None:
    started = time.process_time()
    opened = OpenFile(io.BytesIO(text.encode()))
    with suppress(Refused, Damaged):
        list(format_of(opened.head, suffix).read(opened.text))
    assert time.process_time() - started < 8


TEXT = b'{"id": "p", "title": "A title", "abstract": "We study graphs."}\n' * 40


def packed(kind: str) -> bytes:
    if kind == "zip":
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("a.jsonl", TEXT)
            archive.writestr("b/c.bib", "@misc{k, title={T}}")
        return file.getvalue()
    return {"gz": gzip, "bz2": bz2, "xz": lzma, "zst": zstd}[kind].compress(TEXT)


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz", "zst", "zip"])
def test_mangled_packed_files_stop_no_other(tmp_path: Path, kind: str) -> None:
    (tmp_path / "good.txt").write_text("We propose A.")
    whole = packed(kind)
    for seed in range(60):
        chance = random.Random(seed)
        data = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        if chance.random() < 0.3:
            del data[chance.randrange(len(data)) :]
        (tmp_path / f"p.jsonl.{kind}").write_bytes(data)
        assert "good-01" in {paper.id for paper in read_inputs([tmp_path]).papers}
