"""Nasty inputs of every kind, each of them as some program once wrote it."""

import shutil
import time
from pathlib import Path

import pytest

from kg.errors import InputError
from kg.read.found import Reading
from kg.read.reading import read_inputs
from kg.records import Paper

CASES = Path(__file__).parents[1] / "data" / "inputs"


def read(number: int) -> Reading:
    [path] = CASES.glob(f"{number:02d}-*")
    return read_inputs([path])


def papers(number: int) -> dict[str, Paper]:
    return {paper.id: paper for paper in read(number).papers}


def lines(reading: Reading) -> list[int | None]:
    return [skip.line for skip in reading.skipped]


def remarks(reading: Reading) -> list[tuple[int | None, str]]:
    return [(remark.line, remark.text) for remark in reading.remarks]


def test_counts_add_up_in_every_case() -> None:
    for path in sorted(CASES.glob("[0-9]*")):
        try:
            reading = read_inputs([path])
        except InputError:
            continue
        skipped = sum(skip.line is not None for skip in reading.skipped)
        records = sum(source.records for source in reading.sources)
        assert records == len(reading.papers) + reading.merged + skipped, path.name
        assert records - skipped == sum(map(len, reading.origins.values())), path.name


def test_01_nested_braces() -> None:
    [paper] = read(1).papers
    assert paper.title == "Graph Neural Networks for Zoë's Deep Trees"
    assert paper.abstract == "We use a Graph Attention model in the Zürich city data set."
    assert paper.authors == ("Example Working Group", "Alpha, A.", "van der Beta, B.")
    assert paper.year == 2019


def test_02_string_macros() -> None:
    reading = read(2)
    one, two = reading.papers
    assert one.abstract == "One part and another part"
    assert one.venue == "Proc. of the Example Conference, part 2"
    assert (two.title, two.venue, two.year) == ("An Undefined Macro", "notdefined", 2021)
    assert remarks(reading) == [(5, "the macro notdefined is not defined")]


def test_04_unbalanced_brace() -> None:
    reading = read(4)
    found = {paper.id: paper for paper in reading.papers}
    assert found.keys() == {"ok1", "bad", "ok2"}
    assert found["ok2"].abstract == "Good text about tagging."
    assert found["bad"].title == "The Broken One"
    assert found["bad"].abstract == "Our model gains 3 to 15% on the test set."
    assert remarks(reading) == [(2, "the braces of abstract do not match")]


def test_05_round_brackets_and_quotes() -> None:
    found = papers(5)
    assert found["p1"].abstract == "Entry between parentheses."
    assert found["p2"].title == 'Quotes with "inner" quotes'
    assert found["p2"].venue == "Round Journal"


def test_07_at_sign_in_field() -> None:
    found = papers(7)
    assert found.keys() == {"at1", "at2"}
    assert found["at1"].abstract == (
        "We ran the task @home and the league @work, and report @article like strings."
    )


def test_08_missing_comma() -> None:
    reading = read(8)
    years = {paper.id: paper.year for paper in reading.papers}
    assert years == {"m1": 2001, "m2": 2002, "m3": None, "m4": 2004, "m5": 2005}
    assert [line for line, _ in remarks(reading)] == [7, 8]


def test_10_latex() -> None:
    [paper] = read(10).papers
    assert paper.title == "Fast k-NN Search with ℓ2 and Faiss"
    assert paper.abstract == (
        "We prove an O(n log n) bound for α-smooth graphs. “Quoted” text—with dashes – and études "
        "naïves, Łódź, ß, ø. See https://example.org/a_b. Results: F1 of 91.3% (p<0.05), "
        "RoBERTalarge, $5, A&B, C_D."
    )


def test_11_raw_percent() -> None:
    [paper] = read(11).papers
    assert paper.abstract == (
        "Our method is 5% better than BERT and 3% worse than GPT-4 on the SQuAD data set."
    )


def test_13_html_entities() -> None:
    [paper] = read(13).papers
    assert paper.title == 'What is a "saturated" graph & why?'
    assert paper.abstract == "AT&T labs β-VAE R&D © 2019 and &unknown; stay."


def test_14_no_abstract() -> None:
    reading = read(14)
    assert [paper.id for paper in reading.papers] == ["n1", "n2", "n5"]
    assert reading.title_only == 3
    assert [(skip.line, skip.reason) for skip in reading.skipped] == [
        (3, "front matter: proceedings, not a paper"),
        (4, "neither a title nor an abstract"),
    ]


def test_16_paragraphs_in_field() -> None:
    [paper] = read(16).papers
    assert paper.title == "Two Line Title"
    assert paper.abstract == "First paragraph. Second paragraph, with a tab."


def test_17_bom_before_ris() -> None:
    [paper] = read(17).papers
    assert (paper.title, paper.year) == ("A File with a BOM", 2015)


def test_19_wrapped_lines_like_tags() -> None:
    [paper] = read(19).papers
    assert paper.abstract == (
        "We compare three kinds of AI - driven tools and GPT-4 - style models"
    )
    assert paper.keywords == ("one", "two", "three")


def test_20_missing_er() -> None:
    titles = [paper.title for paper in read(20).papers]
    assert titles == ["No End Record", "Next One", "Last Without End"]


def test_22_dates() -> None:
    years = [paper.year for paper in read(22).papers]
    assert years == [2020, 2019, 2018, 2017, None, 2016, None, None]


def test_23_variants_of_tags() -> None:
    one, two = sorted(read(23).papers, key=lambda paper: paper.title or "")
    assert (one.id, one.title, one.abstract) == ("77", "Title in T1", "Abstract in N2.")
    assert one.authors == ("Alpha, A.", "Beta, B.")
    assert (one.venue, one.url) == ("Journal Full", "https://example.org/1")
    assert (two.title, two.abstract) == ("Title in TI", "Abstract in AB.")


def test_25_semicolons_and_bom() -> None:
    one, two = read(25).papers
    assert (one.title, one.abstract) == ("Semicolons; and quotes", 'Line one line "two" here')
    assert (two.title, two.year) == ("Plain", 2013)


def test_26_utf16() -> None:
    [paper] = read(26).papers
    assert (paper.title, paper.abstract) == ("Wide Characters", "A graph text with é.")


def test_28_nul_bytes() -> None:
    assert [(paper.title, paper.abstract) for paper in read(28).papers] == [
        ("Nul Byte", "Some text about graphs"),
        ("Second", "Fine text"),
    ]


def test_29_a_cell_over_the_limit_of_the_csv_module() -> None:
    assert [paper.title for paper in read(29).papers] == ["Big Cell", "Next"]


def test_31_ragged_rows() -> None:
    reading = read(31)
    assert [paper.title for paper in reading.papers] == ["Too Few", "Too Many", "Last"]
    assert lines(reading) == [4]
    assert remarks(reading) == [(3, "5 cells under 3 headers")]


def test_32_placeholders() -> None:
    abstracts = [paper.abstract for paper in read(32).papers]
    assert abstracts == [None] * 6 + ["None of the models is best."]


def test_34_same_header_twice() -> None:
    reading = read(34)
    [paper] = reading.papers
    assert (paper.title, paper.keywords) == ("Real Title", ("a", "b", "c"))
    assert remarks(reading) == [(2, "a header is there twice, the first counts: Title")]


@pytest.mark.parametrize("number", [35, 37, 38, 40])
def test_35_to_40_lists_of_json(number: int) -> None:
    assert {key: paper.title for key, paper in papers(number).items()} == {
        "j1": "First Paper",
        "j2": "Second Paper",
    }


def test_38_bad_lines() -> None:
    assert lines(read(38)) == [2, 4, 5, 6, 7]


def test_41_odd_values() -> None:
    found = papers(41)
    assert found["n1"].abstract is None and found["n1"].year is None
    assert found["n2"].title == "New"
    assert found["12345678901234567890123"].year == 2020


def test_43_inverted_index() -> None:
    found = papers(43)
    assert found["W1"].abstract == "We work graphs with & trees graphs $n=10$"
    assert (found["W2"].title, found["W2"].abstract) == ("Clash", "same place far")
    assert found["W3"].abstract is None and found["W4"].abstract is None
    assert found["W5"].abstract == "Hello graph"


def test_44_jats() -> None:
    [paper] = read(44).papers
    assert paper.title == "Effects of PIK3CA on growth"
    assert paper.abstract == "Objective: We test PIK3CA) in mice. Results: H2O <5% α."
    assert paper.authors == ("A. Alpha", "Example Group")


def test_46_openreview() -> None:
    reading = read(46)
    found = {paper.id: paper for paper in reading.papers}
    assert found.keys() == {"v1a", "v2a", "w1"}
    assert (found["v1a"].abstract, found["v1a"].year) == ("Plain strings.", 2018)
    assert (found["v2a"].abstract, found["v2a"].year) == ("Wrapped strings.", 2023)
    assert found["v2a"].keywords == ("x", "y")
    assert found["w1"].abstract is None
    assert len(reading.skipped) == 3


def test_47_csl() -> None:
    found = papers(47)
    years = [found[str(number)].year for number in range(8)]
    assert years == [2019, 2018, 2017, 2016, 2015, None, 2014, None]
    assert found["99"].title == "CSL markup"
    assert found["99"].doi == "10.9999/up"
    assert found["99"].authors == ("Example Group", "van Alpha")


def test_49_semantic_scholar() -> None:
    reading = read(49)
    found = {(paper.title, paper.abstract) for paper in reading.papers}
    assert found == {
        ("Unresolved reference", None),
        ("Null ids", None),
        (None, "Text but no title."),
    }
    assert len(reading.skipped) == 1


def test_50_an_error_told_as_an_entry() -> None:
    with pytest.raises(InputError, match="incorrect id format for abc"):
        read(50)


def test_52_pubmed() -> None:
    found = papers(52)
    assert found["1"].title == "Vitamin D3 in Mus musculus."
    assert found["1"].abstract == (
        "BACKGROUND: Bald eagle (H. leucocephalus) diets vary. METHODS: We used k-means & x."
    )
    assert found["1"].year == 2019
    assert found["2"].abstract == "Book text."


def test_53_dblp() -> None:
    reading = read(53)
    one, two = reading.papers[1], reading.papers[0]
    assert one.title == "Schöne k-NN Gräben in O(n2)"
    assert one.authors == ("M. Tamer Özsu", "Wei Wang")
    assert (two.title, two.year) == ("A & B", None)
    assert lines(reading) == [6]
    assert reading.title_only == 2


def test_55_control_characters_in_xml() -> None:
    assert {(paper.title, paper.abstract) for paper in read(55).papers} == {
        ("Bad char", "Text with and here."),
        ("Good", "Fine."),
    }


def test_56_medline() -> None:
    found = papers(56)
    assert found["11"].title == "A wrapped title that goes on here."
    assert found["11"].abstract == (
        "BACKGROUND: First line of text with PMID- like words and more. RESULTS: Done."
    )
    assert (found["11"].year, found["11"].doi) == (2019, "10.9999/nb1")
    assert found["12"].abstract is None


def test_58_web_of_science() -> None:
    reading = read(58)
    one = next(paper for paper in reading.papers if paper.id == "WOS:000000000000001")
    assert (one.title, one.year) == ("Mapping graphs in two lines", 2010)
    assert one.abstract == "One long abstract line."
    assert one.keywords == ("graphs", "trees")
    assert len(reading.papers) == 2 and not reading.skipped


def test_59_blocks() -> None:
    found = read(59).papers
    assert [paper.title for paper in found] == [
        "Graph Attention for Parsing",
        "A Title that is Wrapped over Two Lines",
        "Only a Header Line",
        None,
    ]
    assert found[1].abstract == "The tabbed line starts the abstract."
    assert found[2].abstract is None


def test_61_markdown() -> None:
    [paper] = read(61).papers
    assert paper.title == "BERT for Graph Parsing"
    assert paper.abstract and paper.abstract.startswith(
        "We use transformers and BERT-large, see the code or https://"
    )
    assert "old and 1. item * star *" in paper.abstract


def test_62_an_abstract_of_five_megabytes() -> None:
    started = time.monotonic()
    reading = read(62)
    assert time.monotonic() - started < 10
    big, small = reading.papers
    assert small.abstract == "Short text."
    assert big.abstract and len(big.abstract) <= 100_000
    assert "cut at 100,000 of 5,0" in reading.remarks[0].text


def test_64_truncated_gzip() -> None:
    reading = read(64)
    assert papers(64).keys() >= {f"g{number}" for number in range(6)}
    [skip] = [skip for skip in reading.skipped if skip.line is None]
    assert skip.file == "64-truncated.jsonl.gz" and "cut short" in skip.reason


def test_65_two_members_of_gzip() -> None:
    assert papers(65).keys() == {"m1", "m2"}


@pytest.mark.parametrize("number", [67, 68])
def test_67_68_empty_files(number: int) -> None:
    with pytest.raises(InputError, match="empty: no record"):
        read(number)


def test_70_content_wins_over_suffix() -> None:
    reading = read(70)
    assert reading.sources[0].format == "RIS"
    assert [paper.title for paper in reading.papers] == ["RIS in a Text File"]


def test_71_a_mixed_folder(tmp_path: Path) -> None:
    folder = shutil.copytree(CASES / "71-dir-mix", tmp_path / "mix")
    (tmp_path / "outside.bib").write_text("@misc{o, title={Outside}}")
    for name, target in (("loop", "."), ("up", ".."), ("dangling.bib", "missing.bib")):
        (folder / name).symlink_to(target)
    reading = read_inputs([folder])
    titles = sorted(paper.title or "" for paper in reading.papers)
    assert titles == ["Deep", "In an odd file name", "Kept"]
    assert {skip.file for skip in reading.skipped} == {
        "README.md", "dangling.bib", "empty.json", "notes.docx", "up",
    }  # fmt: skip
    assert reading == read_inputs([folder])


def test_85_to_88_hostile_strings_are_read_whole() -> None:
    [hostile] = read(85).papers
    assert hostile.id == 't 1/ä?#<>"{}|^`\\'
    assert hostile.keywords[:2] == ('a"b', "c\\")
    [clean] = read(86).papers
    assert clean.title == "Control and and inside"
    assert clean.abstract == "A [31mred[0m net, lone surrogate, non-character."
    assert [paper.id for paper in read(88).papers] == ["l1", "l2"]


def test_89_one_paper_under_three_records() -> None:
    reading = read(89)
    assert [(paper.id, paper.merged) for paper in reading.papers] == [
        ("x1", ("x2", "x3")),
        ("x4", ()),
        ("x5", ()),
    ]
    assert [place.line for place in reading.origins["x1"]] == [1, 2, 3]


def test_91_endless_tokens() -> None:
    started = time.monotonic()
    reading = read(91)
    assert time.monotonic() - started < 5
    [paper] = reading.papers
    assert paper.abstract == "The hash is and ends."
    assert "without a blank" in reading.remarks[0].text


def test_92_many_papers() -> None:
    assert len(read(92).papers) == 3_000


def test_94_citation_marks() -> None:
    [paper] = read(94).papers
    assert paper.title == "Citations and Numbers"
    assert paper.abstract and paper.abstract.endswith("et al., e.g. and cf. this.")


def test_95_unarxive() -> None:
    found = papers(95)
    assert found["2105.00001"].title == "Nested Record"
    assert found["2105.00001"].abstract == "Object abstract with and ."
    assert found["2105.00002"].abstract == "S2ORC style. Second part."
