import io

import pytest

from kg.read.formats import format_of
from kg.read.found import Found
from kg.read.tagged import read_medline, read_ris, read_wos


def ris(text: str) -> list[Found]:
    return list(read_ris(io.StringIO(text, newline=None)))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_ris_with_any_line_ends(end: str) -> None:
    text = end.join(["TY  - JOUR", "TI  - A", "AB  - x", "ER  - ", "", "TY  - JOUR", "T1  - B", ""])
    found = ris(text)
    assert [one.paper.title for one in found if one.paper] == ["A", "B"]
    assert [one.line for one in found] == [1, 6]


@pytest.mark.parametrize("tag", ["TY  - ", "TY - ", "TY   - ", " TY  - ", "TY  -\t", "TY  -"])
def test_ris_with_tags_written_loosely(tag: str) -> None:
    text = f"{tag}JOUR\nTI  - A\nER  -\n"
    assert format_of(text).name == "RIS"
    assert [one.paper.title for one in ris(text) if one.paper] == ["A"]


def test_ris_keywords_on_lines_of_their_own() -> None:
    [found] = ris("TY  - JOUR\nTI  - A\nKW  - one\ntwo words\nthree\nER  - \n")
    assert found.paper and found.paper.keywords == ("one", "two words", "three")


def test_ris_after_a_preface() -> None:
    text = "Provider: X\nContent: text/plain\n\nTY  - JOUR\nTI  - A\nER  - \n"
    assert [one.paper.title for one in ris(text) if one.paper] == ["A"]


def test_ris_takes_a_doi_from_where_old_exports_put_it() -> None:
    [found] = ris("TY  - JOUR\nTI  - A\nM3  - doi: 10.9999/Old\nER  - \n")
    assert found.paper and found.paper.doi == "10.9999/old"


def test_wos_needs_no_head() -> None:
    text = "PT J\nTI A\nAU Alpha, A\nER\nPT J\nTI B\nER\n"
    assert format_of(text).name == "Web of Science"
    found = list(read_wos(io.StringIO(text)))
    assert [one.paper.title for one in found if one.paper] == ["A", "B"]


def test_medline_group_authors_and_short_names() -> None:
    text = "PMID- 5\nTI  - A\nAU  - Alpha A\nCN  - The Group\nAID - 10.9999/m [doi]\n"
    [found] = read_medline(io.StringIO(text))
    assert found.paper and found.paper.authors == ("Alpha A", "The Group")
    assert found.paper.doi == "10.9999/m"
    assert found.keys == (("pmid", "5"),)


def test_prose_with_a_tag_in_it_is_prose() -> None:
    assert format_of("We use PMID- like words, TY  - too.").name == "plain text"
    assert format_of("PT and FN are tags of the Web of Science.\n").name == "plain text"
