"""A paper with hostile fields, written in a format and read back, is the same paper."""

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kg.read.clean import clean_text
from kg.read.formats import format_of
from kg.records import Paper

WORDS = (
    "deep", "nets", "β-VAE", "R&D", "a<b", "<x>", "</b", "C++", "C#", "5%", "100%", "$5", "{",
    "}", "{x}", "}}", "{{", "\\", "\\x", '"', '"q"', "'", "''", "``", "--", "---", "@article{k,",
    "@home", "@string{x", "TY", "ER", "AB", "-", "|", ";", ",", ",,", "=", "#", "~", "^", "_x",
    "x_", "苹果", "é", "🍎", "–", "]]>", "<!--", "-->", "&copy", "null", "and", "%", "%c", "'s",
    "[1]", "()", "\\'e", "PMID-", "http://x.org/?a=1&b=2", "\u2028", "title={x},", "“q”",
)  # fmt: skip
SEPARATORS = frozenset(";|,")


def texts(words: tuple[str, ...] = WORDS, most: int = 8) -> st.SearchStrategy[str]:
    """Texts that cleaning leaves as they are, so that what is read is what was written."""
    some = st.lists(st.sampled_from(words), min_size=1, max_size=most).map(" ".join)
    cleaned = some.map(clean_text)
    return cleaned.filter(lambda text: bool(text) and clean_text(text) == text)


LISTED = tuple(
    word for word in WORDS if not SEPARATORS & set(word) and word not in ("and", "&copy", "%c")
)
NAMES = st.lists(texts(LISTED, 3), max_size=2, unique=True).map(tuple)
ABSTRACTS = texts().map(lambda text: f"We study {text} in depth.")
PAPERS = st.builds(
    Paper,
    id=st.sampled_from(("p1", "ab:c-2", "k_1")),
    title=texts().map(lambda text: f"On {text} and more"),
    abstract=st.none() | ABSTRACTS.filter(lambda text: clean_text(text) == text),
    year=st.none() | st.integers(1800, 2099),
    venue=st.none() | texts().map(lambda text: f"Proc. {text} x"),
    authors=NAMES.map(lambda names: tuple(f"A. {name} B" for name in names)),
    doi=st.none() | st.just("10.9999/x_y(1)<2>"),
    url=st.none() | st.just("https://example.org/a_b?c=1&d=%20#e"),
    keywords=NAMES.map(lambda names: tuple(f"k {name} k" for name in names)),
).filter(lambda paper: all(clean_text(text) == text for text in strings(paper)))


def strings(paper: Paper) -> list[str]:
    return [text for text in (paper.title, paper.abstract, paper.venue) if text] + [
        *paper.authors,
        *paper.keywords,
    ]


def read(text: str, suffix: str = "") -> Paper:
    [found] = format_of(text, suffix).read(io.StringIO(text, newline=None))
    assert found.paper is not None, found.reason
    return found.paper


TEX = {
    "\\": "\\textbackslash{}", "{": "\\textbraceleft{}", "}": "\\textbraceright{}", "$": "\\$",
    "&": "\\&", "%": "\\%", "#": "\\#", "_": "\\_", "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}", "-": "{-}", "'": "{'}", "`": "{`}", '"': '{"}',
}  # fmt: skip


def tex(text: str) -> str:
    return "".join(TEX.get(char, char) for char in text)


def bibtex(paper: Paper) -> str:
    fields = {
        "title": f"{{{tex(paper.title or '')}}}",
        "abstract": f'"{tex(paper.abstract)}"' if paper.abstract else None,
        "year": str(paper.year) if paper.year else None,
        "booktitle": f"{{{tex(paper.venue)}}}" if paper.venue else None,
        "author": f"{{{' and '.join(map(tex, paper.authors))}}}",
        "doi": f"{{{paper.doi}}}" if paper.doi else None,
        "url": f"{{{paper.url}}}" if paper.url else None,
        "keywords": f"{{{'; '.join(map(tex, paper.keywords))};}}",
    }
    body = ",\n".join(f"  {name} = {value}" for name, value in fields.items() if value)
    return f"@inproceedings{{{paper.id},\n{body}\n}}\n"


def ris(paper: Paper) -> str:
    lines = [
        ("TY", "CONF"), ("ID", paper.id), ("TI", paper.title), ("AB", paper.abstract),
        ("PY", paper.year), ("T2", paper.venue), ("DO", paper.doi), ("UR", paper.url),
        *(("AU", author) for author in paper.authors),
        *(("KW", f"{keyword};") for keyword in paper.keywords), ("ER", ""),
    ]  # fmt: skip
    return "".join(f"{tag}  - {value}\n" for tag, value in lines if value is not None)


def wos(paper: Paper) -> str:
    lines = [
        ("PT", "J"), ("AU", "\n   ".join(paper.authors) or None), ("TI", paper.title),
        ("SO", paper.venue), ("DE", f"{'; '.join(paper.keywords)};" if paper.keywords else None),
        ("AB", paper.abstract), ("PY", paper.year), ("DI", paper.doi), ("UT", paper.id),
    ]  # fmt: skip
    body = "".join(f"{tag} {value}\n" for tag, value in lines if value is not None)
    return f"FN Clarivate\nVR 1.0\n{body}ER\n\nEF\n"


def medline(paper: Paper) -> str:
    lines = [
        ("PMID", "7"), ("TI", paper.title), ("AB", paper.abstract), ("DP", paper.year),
        ("JT", paper.venue), ("LID", f"{paper.doi} [doi]" if paper.doi else None),
        *(("FAU", author) for author in paper.authors),
        *(("OT", f"{keyword};") for keyword in paper.keywords),
    ]  # fmt: skip
    return "".join(f"{tag:4}- {value}\n" for tag, value in lines if value is not None)


def listed(paper: Paper) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return paper.authors, paper.keywords


def table(delimiter: str) -> Callable[[Paper], str]:
    def write(paper: Paper) -> str:
        file = io.StringIO()
        rows = csv.writer(file, delimiter=delimiter)
        rows.writerow("id title abstract year venue authors doi url keywords".split())
        listed = (
            "; ".join(texts) + ";" if texts else "" for texts in (paper.authors, paper.keywords)
        )
        authors, keywords = listed
        texts_ = (paper.id, paper.title, paper.abstract, paper.year, paper.venue, authors)
        rows.writerow((*texts_, paper.doi, paper.url, keywords))
        return file.getvalue()

    return write


def atom(paper: Paper) -> str:
    authors = "".join(f"<author><name>{escape(name)}</name></author>" for name in paper.authors)
    return f"""<?xml version="1.0"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom"><entry>
<id>{paper.id}</id><title>{escape(paper.title or "")}</title>{authors}
<summary>{escape(paper.abstract or "")}</summary><published>{paper.year or ""}</published>
<arxiv:journal_ref>{escape(paper.venue or "")}</arxiv:journal_ref>
<arxiv:doi>{escape(paper.doi or "")}</arxiv:doi>
<link rel="alternate" href="{escape(paper.url or "")}"/></entry></feed>"""


def dblp(paper: Paper) -> str:
    authors = "".join(f"<author>{escape(name)}</author>" for name in paper.authors)
    return f"""<dblp><article key="{paper.id}">{authors}<title>{escape(paper.title or "")}.</title>
<year>{paper.year or ""}</year><journal>{escape(paper.venue or "")}</journal></article></dblp>"""


def pubmed(paper: Paper) -> str:
    authors = "".join(
        f"<Author><CollectiveName>{escape(name)}</CollectiveName></Author>"
        for name in paper.authors
    )
    keywords = "".join(f"<Keyword>{escape(word)}</Keyword>" for word in paper.keywords)
    return f"""<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>7</PMID><Article>
<ArticleTitle>{escape(paper.title or "")}</ArticleTitle><Abstract>
<AbstractText>{escape(paper.abstract or "")}</AbstractText></Abstract>
<AuthorList>{authors}</AuthorList><Journal><Title>{escape(paper.venue or "")}</Title><JournalIssue>
<PubDate><Year>{paper.year or ""}</Year></PubDate></JournalIssue></Journal>
<ELocationID EIdType="doi">{escape(paper.doi or "")}</ELocationID></Article>
<KeywordList>{keywords}</KeywordList></MedlineCitation></PubmedArticle></PubmedArticleSet>"""


def text(paper: Paper) -> str:
    return f"{paper.title}\n{paper.abstract}\n"


def canonical(paper: Paper) -> dict[str, object]:
    names = "id title abstract year venue authors doi url keywords".split()
    return {name: getattr(paper, name) for name in names}


def arxiv(paper: Paper) -> dict[str, object]:
    created = f"Mon, 2 Apr {paper.year} 19:18:42 GMT"
    return {
        "id": paper.id, "title": paper.title, "abstract": paper.abstract, "doi": paper.doi,
        "journal-ref": paper.venue, "authors_parsed": [[name, "", ""] for name in paper.authors],
        "versions": [{"version": "v1", "created": created}] if paper.year else [],
    }  # fmt: skip


def openalex(paper: Paper) -> dict[str, object]:
    index: dict[str, list[int]] = {}
    for place, word in enumerate((paper.abstract or "").split()):
        index.setdefault(word, []).append(place)
    return {
        "id": f"https://openalex.org/{paper.id}", "display_name": paper.title, "title": None,
        "abstract_inverted_index": index or None, "publication_year": paper.year,
        "authorships": [{"author": {"display_name": name}} for name in paper.authors],
        "primary_location": {
            "source": {"display_name": paper.venue}, "landing_page_url": paper.url
        },
        "doi": paper.doi and f"https://doi.org/{paper.doi}",
        "keywords": [{"display_name": word} for word in paper.keywords],
    }  # fmt: skip


def semantic_scholar(paper: Paper) -> dict[str, object]:
    return {
        "paperId": paper.id, "title": paper.title, "abstract": paper.abstract,
        "year": paper.year, "venue": paper.venue, "externalIds": {"DOI": paper.doi},
        "authors": [{"authorId": "1", "name": name} for name in paper.authors],
        "url": paper.url, "fieldsOfStudy": list(paper.keywords),
    }  # fmt: skip


def openreview(paper: Paper) -> dict[str, object]:
    content = {
        "title": {"value": paper.title}, "abstract": {"value": paper.abstract},
        "venue": {"value": paper.venue}, "authors": {"value": list(paper.authors)},
        "keywords": {"value": list(paper.keywords)},
    }  # fmt: skip
    milliseconds = paper.year and (paper.year - 1970) * 31_556_952_000 + 40 * 86_400_000
    date = milliseconds if paper.year and paper.year > 1974 else paper.year
    return {"id": paper.id, "forum": paper.id, "content": content, "cdate": date, "url": paper.url}


def crossref(paper: Paper) -> dict[str, object]:
    return {
        "DOI": paper.doi, "title": [paper.title], "container-title": [paper.venue],
        "abstract": paper.abstract, "issued": {"date-parts": [[paper.year]]},
        "author": [{"name": name} for name in paper.authors], "URL": paper.url,
        "subject": list(paper.keywords),
    }  # fmt: skip


def csl(paper: Paper) -> dict[str, object]:
    return {
        "id": paper.id, "type": "article-journal", "title": paper.title, "DOI": paper.doi,
        "abstract": paper.abstract, "container-title": paper.venue, "URL": paper.url,
        "author": [{"literal": name} for name in paper.authors],
        "issued": {"date-parts": [[str(paper.year)]]} if paper.year else None,
    }  # fmt: skip


def zotero(paper: Paper) -> dict[str, object]:
    return {
        "itemType": "journalArticle", "citationKey": paper.id, "title": paper.title,
        "abstractNote": paper.abstract, "date": f"May {paper.year}", "DOI": paper.doi,
        "creators": [{"creatorType": "author", "name": name} for name in paper.authors],
        "publicationTitle": paper.venue, "url": paper.url,
        "tags": [{"tag": word} for word in paper.keywords],
    }  # fmt: skip


def papers_with_code(paper: Paper) -> dict[str, object]:
    return {
        "paper_url": paper.id, "arxiv_id": None, "title": paper.title, "url_abs": paper.url,
        "abstract": paper.abstract, "date": f"{paper.year}-05-01", "authors": [*paper.authors],
        "proceeding": paper.venue, "tasks": list(paper.keywords),
    }  # fmt: skip


ALL = frozenset("id title abstract year venue authors doi url keywords".split())


def same(read_back: Paper, paper: Paper, fields: frozenset[str]) -> None:
    for name in sorted(fields):
        assert getattr(read_back, name) == getattr(paper, name), name


@pytest.mark.parametrize(
    ("write", "missing"),
    [
        (bibtex, ""),
        (ris, ""),
        (wos, "url"),
        (medline, "id url"),
        (table(","), ""),
        (table("\t"), ""),
        (table(";"), ""),
        (atom, "keywords"),
        (dblp, "abstract doi url keywords"),
        (pubmed, "id url"),
    ],
)
@settings(max_examples=30, deadline=None)
@given(paper=PAPERS)
def test_a_hostile_paper_is_read_back(
    write: Callable[[Paper], str], missing: str, paper: Paper
) -> None:
    # A line may break at U+2028 for some programs, and so no record of lines may hold one.
    assume(not any("\u2028" in text for text in strings(paper)))
    same(read(write(paper)), paper, ALL - frozenset(missing.split()))


@pytest.mark.parametrize(
    ("shape", "missing"),
    [
        (canonical, ""),
        (arxiv, "url keywords"),
        (openalex, "url"),
        (semantic_scholar, ""),
        (openreview, "doi url"),
        (crossref, "id"),
        (csl, "keywords"),
        (zotero, ""),
        (papers_with_code, "doi url"),
    ],
)
@settings(max_examples=20, deadline=None)
@given(paper=PAPERS)
def test_a_hostile_paper_in_each_shape_of_json_is_read_back(
    shape: Callable[[Paper], dict[str, object]], missing: str, paper: Paper
) -> None:
    record, fields = shape(paper), ALL - frozenset(missing.split())
    same(read(json.dumps(record)), paper, fields)
    same(read(json.dumps([record], indent=1)), paper, fields)
    same(read(json.dumps({"meta": {"count": 1}, "results": [record]}, indent=1)), paper, fields)


@settings(max_examples=30, deadline=None)
@given(paper=PAPERS.filter(lambda paper: paper.abstract is not None))
def test_a_hostile_paper_in_plain_text_is_read_back(paper: Paper) -> None:
    paper = replace(paper, abstract=f"{paper.abstract} {'It holds in all cases. ' * 9}.")
    assume("\u2028" not in text(paper))
    same(read(text(paper), ".txt"), paper, frozenset(("title", "abstract")))


@settings(max_examples=20, deadline=None)
@given(paper=PAPERS)
def test_a_hostile_paper_in_parquet_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, paper: Paper
) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path: Path = tmp_path_factory.mktemp("parquet") / "p.parquet"
    record = canonical(paper)
    schema = arrow.schema(
        [
            (name, arrow.list_(arrow.string()) if name in ("authors", "keywords") else kind)
            for name in record
            for kind in [arrow.int32() if name == "year" else arrow.string()]
        ]
    )
    parquet.write_table(arrow.Table.from_pylist([record], schema=schema), path)
    from kg.read.reading import read_papers

    [read_back] = read_papers(path)
    same(read_back, paper, ALL)
