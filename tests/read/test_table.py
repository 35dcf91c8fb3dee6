import io
from pathlib import Path

import pytest

from kg.errors import InputError
from kg.read.found import Found
from kg.read.reading import read_inputs
from kg.read.table import is_table, read_table
from kg.records import Paper


def read(text: str, **columns: str) -> list[Found]:
    return list(read_table(io.StringIO(text, newline=None), columns=columns or None))


def paper(text: str) -> Paper:
    [found] = read(text)
    assert found.paper is not None, found.reason
    return found.paper


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (  # Scopus
            'Authors,"Author full names",Title,Year,Source title,DOI,Link,Abstract,'
            "Author Keywords,Index Keywords,EID\n"
            '"Alpha A.; Beta B.","Alpha, Ann (57190000000); Beta, Bo (57190000001)",On Nets,2020,'
            'J. Nets,10.9999/S1,https://s.org,"© 2020 Elsevier B.V. All rights reserved. We do.",'
            "nets; graphs,Nets; Nodes,2-s2.0-1\n",
            Paper(
                "2-s2.0-1", "On Nets", "We do.", 2020, "J. Nets", ("Alpha, Ann", "Beta, Bo"),
                "10.9999/s1", "https://s.org", ("nets", "graphs"),
            ),
        ),
        (  # Scopus of old, its authors between commas
            "Authors,Title,Year,Abstract,EID\n"
            '"Alpha A., Beta B.-C.",On Nets,2010,[No abstract available],e1\n',
            Paper("e1", "On Nets", None, 2010, authors=("Alpha A.", "Beta B.-C.")),
        ),
        (  # Web of Science, tab-delimited
            "PT\tAU\tAF\tTI\tSO\tDE\tID\tAB\tPY\tDI\tUT\t\n"
            "J\tAlpha, A\tAlpha, Ann\tOn Nets\tJ NETS\ta; b\tC; D\tWe do. (C) 2010 X Ltd.\t2010\t"
            "10.9999/w\tWOS:1\t\n",
            Paper(
                "WOS:1", "On Nets", "We do.", 2010, "J NETS", ("Alpha, Ann",), "10.9999/w",
                None, ("a", "b"),
            ),
        ),
        (  # Web of Science, full headers
            '"Author Full Names","Article Title","Source Title","Author Keywords",Abstract,'
            '"Publication Year",DOI,"UT (Unique WOS ID)"\n'
            '"Alpha, Ann; Beta, Bo",On Nets,J NETS,a; b,We do.,2010,10.9999/w,WOS:1\n',
            Paper(
                "WOS:1", "On Nets", "We do.", 2010, "J NETS", ("Alpha, Ann", "Beta, Bo"),
                "10.9999/w", None, ("a", "b"),
            ),
        ),
        (  # IEEE Xplore
            '"Document Title",Authors,"Publication Title","Publication Year",Abstract,DOI,'
            '"PDF Link","Author Keywords","Document Identifier"\n'
            '"On Nets","A. Alpha; B. Beta","Proc. X",2019,"We do.",10.9999/i,https://i.org,'
            '"a;b","IEEE Conferences"\n',
            Paper(
                "IEEE Conferences", "On Nets", "We do.", 2019, "Proc. X",
                ("A. Alpha", "B. Beta"), "10.9999/i", "https://i.org", ("a", "b"),
            ),
        ),
        (  # Springer
            "Item Title,Publication Title,Item DOI,Authors,Publication Year,URL\n"
            "On Nets,J. Nets,10.9999/sp,Ann AlphaBo B. Beta,2018,http://sp.org\n",
            Paper(
                "10.9999/sp", "On Nets", None, 2018, "J. Nets", ("Ann Alpha", "Bo B. Beta"),
                "10.9999/sp", "http://sp.org",
            ),
        ),
        (  # Lens
            "Lens ID,Title,Publication Year,Source Title,Author/s,Abstract,Keywords,DOI,"
            "External URL\n001-2,On Nets,2017,J. Nets,Ann Alpha; Bo Beta,We do.,a; b,10.9999/l,"
            "http://l.org\n",
            Paper(
                "001-2", "On Nets", "We do.", 2017, "J. Nets", ("Ann Alpha", "Bo Beta"),
                "10.9999/l", "http://l.org", ("a", "b"),
            ),
        ),
        (  # Zotero
            '"Key","Publication Year","Author","Title","Publication Title","DOI","Url",'
            '"Abstract Note","Manual Tags"\n"AB12","2016","Alpha, Ann; Beta, Bo","On Nets",'
            '"J. Nets","10.9999/z","http://z.org","We do.","a; b"\n',
            Paper(
                "AB12", "On Nets", "We do.", 2016, "J. Nets", ("Alpha, Ann", "Beta, Bo"),
                "10.9999/z", "http://z.org", ("a", "b"),
            ),
        ),
        (  # OpenAlex
            "id,doi,display_name,publication_year,authorships.author.display_name,"
            "primary_location.source.display_name,abstract\n"
            "W1,https://doi.org/10.9999/O,On Nets,2015,Ann Alpha|Bo Beta,J. Nets,We do.\n",
            Paper(
                "W1", "On Nets", "We do.", 2015, "J. Nets", ("Ann Alpha", "Bo Beta"), "10.9999/o"
            ),
        ),
        (  # ORKG
            "uri,title,doi,date,publisher,research_field,abstract,processed_abstract\n"
            "http://orkg.org/R1,On Nets,10.9999/k,2014-05-01,ACM,AI<SEP>NLP,"
            "<jats:p>We do.</jats:p>,we do\n",
            Paper(
                "http://orkg.org/R1", "On Nets", "We do.", 2014, "ACM", (), "10.9999/k", None,
                ("AI", "NLP"),
            ),
        ),
    ],
    ids="scopus scopus-old wos wos-full ieee springer lens zotero openalex orkg".split(),
)  # fmt: skip
def test_tables_of_services(text: str, expected: Paper) -> None:
    assert is_table(text)
    assert paper(text) == expected


@pytest.mark.parametrize("delimiter", list("\t;,|"))
def test_delimiters_are_told_from_the_header(delimiter: str) -> None:
    found = paper(f'Title{delimiter}Abstract\n"A, b; c|d"{delimiter}"e; f, g|h"\n')
    assert (found.title, found.abstract) == ("A, b; c|d", "e; f, g|h")


def test_excel_says_what_delimits() -> None:
    assert paper("sep=;\nTitle;Year\nA, b;2010\n").title == "A, b"


def test_a_quote_that_is_never_closed_costs_no_other_row() -> None:
    rows = ['"Never closed,abs', *(f"T{number},x" for number in range(50)), '"5"" disk",y']
    found = read("Title,Abstract\n" + "\n".join(rows))
    titles = [one.paper.title for one in found if one.paper]
    assert titles == ['"Never closed', *(f"T{number}" for number in range(50)), '5" disk']
    assert [one.line for one in found] == list(range(2, 54))


def test_two_open_quotes_do_not_close_each_other() -> None:
    found = read('Title,Abstract\n"A,x\nB,y\n"C,z\nD,w\n')
    assert [one.paper.title for one in found if one.paper] == ['"A', "B", '"C', "D"]


def test_columns_name_what_kg_does_not_know(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("Name,Summary text,Wer\nOn Nets,We do.,A. Alpha\n")
    columns = {"title": "Name", "abstract": "Summary text", "authors": "Wer"}
    [found] = read_inputs([tmp_path], columns=columns).papers
    assert (found.title, found.abstract, found.authors) == ("On Nets", "We do.", ("A. Alpha",))


def test_columns_make_a_table_of_what_nothing_else_tells(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("Name|Jahr\nOn Nets|2019\n")
    [found] = read_inputs([tmp_path], columns={"title": "Name", "date": "Jahr"}).papers
    assert (found.title, found.year) == ("On Nets", 2019)


def test_columns_of_no_field_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("Name\nX\n")
    with pytest.raises(InputError, match="no field is called titel; the fields are id, title"):
        read_inputs([tmp_path], columns={"titel": "Name"})


def test_a_table_without_known_headers_says_which_it_has(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("Name,Summary text\nX,Y\n")
    with pytest.raises(InputError, match=r"its columns \(Name, Summary text\): say --columns"):
        read_inputs([tmp_path])


def test_one_column_is_enough_where_the_suffix_says_table(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("abstract\nWe do.\nWe do more.\n")
    assert [one.abstract for one in read_inputs([tmp_path]).papers] == ["We do.", "We do more."]


def test_prose_is_no_table() -> None:
    assert not is_table("Title, abstract and year are what a paper has.\n")
    assert not is_table("We study graphs, nets; and more\n")


def test_a_preface_before_the_header_is_passed_over() -> None:
    text = "Search: graphs, nets\n\n12 results\nTitle,Year\nOn Nets,2019\n"
    assert is_table(text)
    [found] = read(text)
    assert (found.line, found.paper and found.paper.title) == (5, "On Nets")


def test_an_inverted_index_in_a_cell_is_text() -> None:
    cell = '"{""We"": [0], ""do."": [1]}"'
    assert paper(f"title,abstract_inverted_index\nT,{cell}\n").abstract == "We do."


def test_authors_between_commas() -> None:
    assert paper('Title,Authors\nT,"Ann Alpha, Bo Beta"\n').authors == ("Ann Alpha", "Bo Beta")
    assert paper('Title,Authors\nT,"Alpha, Ann"\n').authors == ("Alpha, Ann",)
