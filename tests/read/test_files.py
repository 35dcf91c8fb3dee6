import io
import os
import sys
from pathlib import Path

import pytest

from kg.errors import MissingExtra
from kg.read.formats import FORMATS, SUFFIXES
from kg.read.reading import read_inputs, read_papers

ONE_OF_EACH = {
    "a.jsonl": '{"id": "jsonl", "title": "In JSON Lines"}\n{"id": "jsonl2", "title": "More"}\n',
    "b.json": '[{"id": "json", "title": "In JSON"}]',
    "c.bib": "@misc{bib, title={In BibTeX}}",
    "d.ris": "TY  - JOUR\nID  - ris\nTI  - In RIS\nER  - \n",
    "e.ciw": "FN X\nVR 1.0\nPT J\nTI In WoS\nUT wos\nER\n\nEF\n",
    "f.nbib": "PMID- 1\nTI  - In MEDLINE\n",
    "g.xml": "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>2</PMID><Article>"
    "<ArticleTitle>In PubMed</ArticleTitle></Article></MedlineCitation></PubmedArticle>"
    "</PubmedArticleSet>",
    "h.atom": "<feed><entry><id>http://arxiv.org/abs/2101.00001v1</id><title>In Atom</title>"
    "</entry></feed>",
    "i.xml": '<dblp><article key="dblp"><title>In DBLP.</title></article></dblp>',
    "j.csv": "Title,Year\nIn CSV,2020\n",
    "k.tsv": "Title\tYear\nIn TSV\t2020\n",
    "l.txt": "In Plain Text\nWe propose a format for all of those who want none.\n",
    "sub/again.bib": "@misc{again, title={In BibTeX again}}\n@misc{bib, title={In BibTeX}}",
}
TITLES = {
    "In JSON Lines", "More", "In JSON", "In BibTeX", "In RIS", "In WoS", "In MEDLINE",
    "In PubMed", "In Atom", "In DBLP", "In CSV", "In TSV", "In Plain Text", "In BibTeX again",
}  # fmt: skip


def write(folder: Path) -> Path:
    for name, text in ONE_OF_EACH.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return folder


def test_a_folder_with_every_format_at_once(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = arrow.Table.from_pylist([{"id": "parquet", "title": "In Parquet"}])
    parquet.write_table(table, write(tmp_path) / "m.parquet")
    reading = read_inputs([tmp_path])
    assert {paper.title for paper in reading.papers} == TITLES | {"In Parquet"}
    assert (len(reading.papers), reading.merged, len(reading.skipped)) == (15, 1, 0)
    assert {source.format for source in reading.sources} == {form.name for form in FORMATS}
    assert [place.file for place in reading.origins["bib"]] == ["c.bib", "sub/again.bib"]


def test_formats_are_told_without_their_suffixes(tmp_path: Path) -> None:
    write(tmp_path)
    expected = {source.file: source.format for source in read_inputs([tmp_path]).sources}
    for name in ONE_OF_EACH:
        bare = tmp_path / name.rsplit(".", 1)[0]
        (tmp_path / name).rename(bare)
        [source] = read_inputs([bare]).sources
        assert source.format == expected[name]


def test_every_format_says_how_it_is_told() -> None:
    assert all(form.told_by and form.suffixes for form in FORMATS)
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in SUFFIXES)


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(ONE_OF_EACH[name].encode()))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert {paper.title for paper in read_papers("-")} <= TITLES
    assert not stdin.buffer.closed


def test_without_pyarrow_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "p.parquet").write_bytes(b"PAR1xxxxPAR1")
    with pytest.raises(MissingExtra, match=r"pip install '\.\[parquet\]'"):
        read_papers(tmp_path)


def test_broken_parquet_is_skipped(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / "p.parquet").write_bytes(b"PAR1xxxxPAR1")
    (tmp_path / "q.txt").write_text("We propose A.")
    [skip] = read_inputs([tmp_path]).skipped
    assert skip.file == "p.parquet" and "broken Parquet" in skip.reason


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such a name")
def test_a_name_that_is_no_text_is_read(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.txt")).write_text("We propose A.")
    reading = read_inputs([tmp_path])
    assert [paper.id for paper in reading.papers] == ["caf-01"]
    assert reading.sources[0].file.encode() == b"caf.txt"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to root")
def test_a_file_that_may_not_be_read_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "closed.txt").write_text("We propose A.")
    (tmp_path / "closed.txt").chmod(0)
    (tmp_path / "open.txt").write_text("We propose B.")
    [skip] = read_inputs([tmp_path]).skipped
    assert skip.file == "closed.txt" and "Permission denied" in skip.reason
