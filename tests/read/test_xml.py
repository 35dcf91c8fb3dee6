import io
from pathlib import Path

import pytest

from kg.errors import InputError
from kg.read.found import Found
from kg.read.reading import read_inputs
from kg.read.streams import Refused
from kg.read.xml import read_atom, read_dblp, read_pubmed

LAUGHS = """<?xml version="1.0"?>
<!DOCTYPE feed [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<feed><entry><id>1</id><title>&b;</title></entry></feed>"""
OUTSIDE = """<!DOCTYPE feed [<!ENTITY x SYSTEM "file:///etc/passwd">]>
<feed><entry><id>1</id><title>&x;</title></entry></feed>"""


def titles(found: list[Found]) -> list[str | None]:
    return [one.paper.title for one in found if one.paper]


@pytest.mark.parametrize("text", [LAUGHS, OUTSIDE])
def test_entities_of_its_own_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(Refused, match="entities"):
        list(read_atom(io.StringIO(text)))
    (tmp_path / "evil.xml").write_text(text)
    (tmp_path / "good.txt").write_text("We propose A.")
    reading = read_inputs([tmp_path])
    assert [paper.id for paper in reading.papers] == ["good-01"]
    assert [skip.file for skip in reading.skipped] == ["evil.xml"]


def test_an_external_document_type_is_not_looked_at() -> None:
    text = (
        '<!DOCTYPE feed SYSTEM "http://nowhere.invalid/x.dtd"><feed><entry><title>A</title></entry>'
    )
    assert titles(list(read_atom(io.StringIO(text)))) == ["A"]


def test_a_broken_record_costs_no_other() -> None:
    text = """<feed xmlns="x">
<entry><title>A & B &nbsp;&Ouml;</title></entry>
<entry><title>Never closed</title>
<entry><title>C</titel></entry>
<entry><title>D <und:known>d</und:known></title></entry>
<entry><title>Cut off</ti"""
    found = list(read_atom(io.StringIO(text)))
    assert titles(found) == ["A & B Ö", "Never closed", "C", "D d", "Cut off</ti"]
    assert [one.line for one in found if one.remark] == [3, 4, 6]


def test_a_broken_record_is_read_as_far_as_it_goes() -> None:
    text = """<feed><entry><title>A <i>b</title><summary>2 < 3 &amp; <![CDATA[<x>]]></summary>
<author><name>Q</author><link rel='alternate' href="http://x.org"/></entry></feed>"""
    [found] = read_atom(io.StringIO(text))
    paper = found.paper
    assert paper is not None
    assert (paper.title, paper.abstract) == ("A b", "2 < 3 & <x>")
    assert (paper.authors, paper.url) == (("Q",), "http://x.org")
    assert found.remark and found.remark.startswith("broken XML")


def test_records_across_the_chunks_of_the_stream() -> None:
    record = "<entry><title>T {}</title><summary>{}</summary></entry>\n"
    text = "<feed>\n" + "".join(record.format(n, "word " * (n * 37 % 9_000)) for n in range(40))
    found = list(read_atom(io.StringIO(text)))
    assert titles(found) == [f"T {n}" for n in range(40)]
    assert [one.line for one in found] == list(range(2, 42))


def test_atom_of_arxiv() -> None:
    text = """<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom">
<title>ArXiv Query</title><entry><id>http://arxiv.org/abs/2101.00001v2</id>
<updated>2022-01-01T00:00:00Z</updated><published>2021-01-05T00:00:00Z</published>
<title>On
  Nets</title><summary>  We use $\\alpha$-nets.
</summary><author><name>A. Alpha</name><arxiv:affiliation>X</arxiv:affiliation></author>
<arxiv:doi>10.9999/A</arxiv:doi><arxiv:journal_ref>J. X 1</arxiv:journal_ref>
<link href="http://arxiv.org/abs/2101.00001v2" rel="alternate"/></entry></feed>"""
    [found] = read_atom(io.StringIO(text))
    paper = found.paper
    assert paper is not None
    assert (paper.id, paper.title, paper.abstract) == ("2101.00001", "On Nets", "We use α-nets.")
    assert (paper.year, paper.authors, paper.doi) == (2021, ("A. Alpha",), "10.9999/a")
    assert found.keys == (("arxiv", "2101.00001"),)


def test_dblp_keeps_dots_that_belong_to_a_title() -> None:
    record = "<article key='{0}'><title>{0}</title></article>"
    text = "<dblp>" + "".join(map(record.format, ("A.", "A...", "A?", "A"))) + "</dblp>"
    assert titles(list(read_dblp(io.StringIO(text)))) == ["A", "A...", "A?", "A"]


def test_pubmed_names_dates_and_keywords() -> None:
    text = """<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>9</PMID><Article>
<Journal><JournalIssue><PubDate><Year>2018</Year></PubDate></JournalIssue>
<Title>J. X</Title></Journal>
<ArticleTitle>A</ArticleTitle>
<AuthorList><Author><LastName>Alpha</LastName><ForeName>Ann</ForeName></Author>
<Author><CollectiveName>The Group</CollectiveName></Author></AuthorList></Article>
<KeywordList><Keyword>nets</Keyword></KeywordList></MedlineCitation><PubmedData>
<ArticleIdList><ArticleId IdType="doi">10.9999/P</ArticleId></ArticleIdList>
<ReferenceList><Reference><ArticleIdList>
<ArticleId IdType="doi">10.9999/other</ArticleId>
</ArticleIdList></Reference></ReferenceList>
</PubmedData></PubmedArticle></PubmedArticleSet>"""
    [found] = read_pubmed(io.StringIO(text))
    paper = found.paper
    assert paper is not None
    assert (paper.year, paper.venue, paper.doi) == (2018, "J. X", "10.9999/p")
    assert (paper.authors, paper.keywords) == (("Ann Alpha", "The Group"), ("nets",))


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("a.xml", "<?xml version='1.0'?><tei><title>X</title></tei>", "its root is tei"),
        ("a.xml", "<html><body>Not found</body></html>", "a web page"),
        ("a.json", "<!DOCTYPE html><html>", "a web page"),
        ("a.xml", "no markup at all", "nowhere to be seen"),
    ],
)
def test_what_kg_does_not_know_is_told(tmp_path: Path, name: str, text: str, reason: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=reason):
        read_inputs([tmp_path])
