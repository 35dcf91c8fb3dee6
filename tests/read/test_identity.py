import random
from dataclasses import replace
from pathlib import PurePath

from kg.read.found import Place
from kg.read.identity import Record, identify, telling_stems
from kg.records import Paper


def record(paper: Paper, file: str, line: int, *keys: tuple[str, str]) -> Record:
    return Record(paper, file, f"{file}-{line:02d}", Place(f"{file}.x", line), keys)


def test_any_identifier_that_agrees_joins_records() -> None:
    records = [
        record(Paper("a", "One", doi="10.9999/x"), "f", 1),
        record(Paper("b", "Two", url="https://doi.org/10.9999/X"), "f", 2),
        record(Paper("c", "Three"), "f", 3, ("doi", "10.9999/x"), ("arxiv", "2101.00001")),
        record(Paper("d", "Four", url="https://arxiv.org/pdf/2101.00001v3"), "f", 4),
        record(Paper("e", "Five", doi="10.48550/arxiv.2101.00001"), "f", 5),
        record(Paper("f", "Six"), "f", 6, ("arxiv", "2101.00001"), ("pmid", "7")),
        record(Paper("g", "Seven", url="https://pubmed.ncbi.nlm.nih.gov/7/"), "g", 1),
        record(Paper("h", "Eight"), "g", 2, ("pmid", "8")),
    ]
    (first, other), origins = identify(records)
    assert (first.id, first.merged) == ("a", ("b", "c", "d", "e", "f", "g"))
    assert other.id == "h"
    assert [(place.file, place.line) for place in origins["a"]] == [
        *(("f.x", line) for line in range(1, 7)),
        ("g.x", 1),
    ]


def test_names_in_any_order_are_one_author() -> None:
    names = ("Lovelace, Ada", "Ada Lovelace", "Lovelace, A.", "Lovelace A", "A. Lovelace")
    records = [
        record(Paper(f"k{number}", "On Graphs.", year=1843, authors=(name,)), f"f{number}", 1)
        for number, name in enumerate(names)
    ]
    [paper], _ = identify(records)
    assert paper.merged == ("k1", "k2", "k3", "k4")


def test_another_year_or_author_is_another_paper() -> None:
    one = Paper("a", "On Graphs", year=1843, authors=("Ada Lovelace",))
    others = [
        Paper("b", "On Graphs", year=1844, authors=("Ada Lovelace",)),
        Paper("c", "On Graphs", year=1843, authors=("Ada Byron",)),
        Paper("d", "On Graphs II", year=1843, authors=("Ada Lovelace",)),
        Paper("e", "On Graphs", authors=("Ada Lovelace",)),
    ]
    records = [record(paper, paper.id, 1) for paper in (one, *others)]
    assert len(identify(records)[0]) == 5


def test_each_field_is_of_the_first_record_that_has_it() -> None:
    records = [
        record(Paper("b", "Title B", "Text B.", doi="10.9999/x", keywords=("b",)), "b", 1),
        record(Paper("a", "Title A", None, 2020, doi="10.9999/x"), "a", 1),
    ]
    [paper], _ = identify(records)
    assert paper == Paper(
        "a", "Title A", "Text B.", 2020, doi="10.9999/x", keywords=("b",), merged=("b",)
    )


def test_the_order_of_records_does_not_matter() -> None:
    records = [
        record(Paper(f"p{n % 7}", f"T{n % 5}", year=2000, authors=("A",)), f"f{n % 3}", n)
        for n in range(40)
    ]
    expected = identify(records)
    for seed in range(5):
        shuffled = random.Random(seed).sample(records, len(records))
        assert identify(shuffled) == expected


def test_stems_tell_files_apart() -> None:
    files = [PurePath(name) for name in ("a/x/p.txt", "b/x/p.txt", "b/x/p.csv", "q.bib")]
    stems = telling_stems(files)
    assert len(set(stems.values())) == 4
    assert stems[files[3]] == "q"


def test_merged_paper_has_the_longest_abstract_and_the_most_authors() -> None:
    short = record(Paper("a", "X", "Short.", authors=("A",), doi="10.1000/x"), "a", 1)
    long = record(Paper("b", "X", "Longer text.", authors=("A", "B"), doi="10.1000/x"), "b", 1)
    for records in ([short, long], [long, short]):
        [paper], _ = identify(records)
        assert (paper.id, paper.abstract, paper.authors) == ("a", "Longer text.", ("A", "B"))


def test_a_corrected_record_wins_over_the_one_that_it_was_read_from() -> None:
    text = "We study graphs."
    source = record(Paper("", None, text, 2019, authors=("A. Beta", "C. Delta")), "a", 7)
    paper = Paper("a-07", None, text, 2020, authors=("Ada Beta",))
    corrected = replace(record(paper, "z", 1), annotated=True)
    for records in ([source, corrected], [corrected, source]):
        [found], origins = identify(records)
        assert found == paper
        assert len(origins["a-07"]) == 2
    other = replace(source, paper=replace(source.paper, id="a-07", abstract="Other."))
    assert len(identify([other, corrected])[0]) == 2


def test_what_a_corrected_record_lacks_is_taken_from_others() -> None:
    long = record(Paper("a", "X", "Longer text.", authors=("A", "B"), doi="10.1000/x"), "a", 1)
    short = Paper("b", "X, Corrected", "Short.", doi="10.1000/x")
    [found], _ = identify([long, replace(record(short, "b", 1), annotated=True)])
    assert (found.title, found.abstract, found.authors) == ("X, Corrected", "Short.", ("A", "B"))
