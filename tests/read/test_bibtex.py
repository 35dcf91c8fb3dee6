import io

import pytest

from kg.read.bibtex import read_bibtex
from kg.read.found import Found
from kg.records import Paper


def read(text: str) -> list[Found]:
    return list(read_bibtex(io.StringIO(text)))


def papers(text: str) -> list[Paper]:
    return [one.paper for one in read(text) if one.paper]


def test_equal_keys_are_two_entries() -> None:
    found = papers("@misc{k, title={A}}\n@misc{k, title={B}}\n@misc{K, title={C}}")
    assert [paper.title for paper in found] == ["A", "B", "C"]


def test_comments_are_left_out_wherever_they_stand() -> None:
    text = """Some words, an a@b.org and
% @misc{no, title={No}}
@comment{@misc{hidden, title={Hidden}}}
@Comment{jabref-meta: databaseType:bibtex;}
@preamble{"\\newcommand{\\x}{y}"}
@misc{k, % trailing comment
  % title = {Not this},
  title = {100% {R}ight}, % and more
  year = 2020 % the end
}
"""
    found = papers(text)
    assert [(paper.title, paper.year) for paper in found] == [("No", None), ("100% Right", 2020)]


def test_keys_and_names_in_odd_shapes() -> None:
    text = """@ARTICLE{a:b/c+d, TITLE={A}}
@article {key with blanks,title={B}}
@article{, title={C}}
@article{title={D}}
@article{e
  title={E}}
@article{f}
@article{ g , title   =   {G} , }
  @article{h,title={H},}@article{i,title={I}}
"""
    assert [(paper.id, paper.title) for paper in papers(text)] == [
        ("a:b/c+d", "A"), ("key with blanks", "B"), ("", "C"), ("", "D"), ("e", "E"),
        ("g", "G"), ("h", "H"), ("i", "I"),
    ]  # fmt: skip


def test_an_entry_that_is_not_closed_does_not_swallow_the_rest() -> None:
    good = "".join(f"@misc{{k{n}, title={{T{n}}}, abstract={{A {{b}} c.}}}}\n" for n in range(100))
    found = read("@misc{bad, title={Bad}, abstract={never { closed}\n" + good)
    assert [one.paper.id for one in found if one.paper] == ["bad", *(f"k{n}" for n in range(100))]
    assert found[0].remark == "the entry is not closed"
    assert found[0].paper and found[0].paper.title == "Bad"
    assert [one.line for one in found] == list(range(1, 102))


def test_an_entry_in_a_field_is_text() -> None:
    [paper] = papers("@misc{k, title={T}, abstract={Cite it:\n@misc{x,\n title={Y}\n}\nso}}")
    assert paper.abstract == "Cite it: @miscx, title=Y so"


def test_one_brace_too_many_ends_only_its_entry() -> None:
    found = papers("@misc{a, title={A}}, note={x}}\n@misc{b, title={B}}\n")
    assert [paper.id for paper in found] == ["a", "b"]


def test_a_child_inherits_from_its_parent() -> None:
    text = """@inproceedings{c, title={Child}, crossref={P}}
@inproceedings{o, title={Own}, year=2001, booktitle={Mine}, crossref={p}}
@proceedings{p, title={Proc. of X}, year=2020}
"""
    found = {paper.id: (paper.venue, paper.year) for paper in papers(text)}
    assert found == {"c": ("Proc. of X", 2020), "o": ("Mine", 2001)}


@pytest.mark.parametrize(
    ("fields", "name", "value"),
    [
        ("date = {2019-03-01/2019-04}", "year", 2019),
        ("year = {c2016}", "year", 2016),
        ("date = 2021-05", "year", 2021),
        ("journaltitle = {J. X}", "venue", "J. X"),
        ("doi = {10.9999/a\\_b}", "doi", "10.9999/a_b"),
        ("doi = {https://doi.org/10.9999/A{\\_}B}", "doi", "10.9999/a_b"),
        ("url = {https://x.org/a\\_b\\%20}", "url", "https://x.org/a_b%20"),
        ("eprint = {2101.00001}, eprinttype = {arXiv}", "url", "https://arxiv.org/abs/2101.00001"),
        ("journal = {arXiv preprint arXiv:2101.00001}", "url", "https://arxiv.org/abs/2101.00001"),
        ("eprint = {123456}, eprinttype = {jstor}", "url", None),
        ("subtitle = {A {S}tory}", "title", "T: A Story"),
        ("keywords = {a, {B} c; d}", "keywords", ("a, B c", "d")),
        ("author = {Alpha, A. and {B and C} and others}", "authors", ("Alpha, A.", "B and C")),
        ("author = {A. Alpha\n  and\n  B. Beta}", "authors", ("A. Alpha", "B. Beta")),
        (
            'author = "G{\\"o}del, K. and {\\L}ukasiewicz, J."',
            "authors",
            ("Gödel, K.", "Łukasiewicz, J."),
        ),
        ("author = {Erd{\\H o}s, P. and \\v{C}ech, E.}", "authors", ("Erdős, P.", "Čech, E.")),
    ],
)
def test_fields(fields: str, name: str, value: object) -> None:
    [paper] = papers(f"@article{{k, title = {{T}}, {fields}}}")
    assert getattr(paper, name) == value


def test_months_are_known_and_macros_expand_in_any_case() -> None:
    [found] = read('@STRING{Acl = "ACL"}\n@misc{k, title={T}, month=jan, booktitle = acl # "!"}')
    assert found.paper and found.paper.venue == "ACL!"
    assert found.remark is None
