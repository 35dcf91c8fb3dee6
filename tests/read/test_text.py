import io

from kg.read.text import read_text


def papers(text: str) -> list[tuple[int, str | None, str | None, str | None]]:
    found = list(read_text(io.StringIO(text, newline=None)))
    assert all(one.paper for one in found)
    return [(f.line, f.paper.title, f.paper.abstract, f.paper.venue) for f in found if f.paper]


def test_collection_title_becomes_the_venue() -> None:
    text = "ICML 2024 Papers\n\nWe propose A.\n\nWe propose B.\n"
    assert papers(text) == [
        (3, None, "We propose A.", "ICML 2024 Papers"),
        (5, None, "We propose B.", "ICML 2024 Papers"),
    ]


def test_first_abstract_is_no_collection_title() -> None:
    assert papers("We propose A.\n\nWe propose B.") == [
        (1, None, "We propose A.", None),
        (3, None, "We propose B.", None),
    ]


def test_lone_short_line_is_a_title() -> None:
    assert papers("Only a Header Line") == [(1, "Only a Header Line", None, None)]


def test_blank_lines_may_hold_blanks_and_crs() -> None:
    assert [abstract for _, _, abstract, _ in papers("One.\r\n \t \r\nTwo.\r\n")] == [
        "One.",
        "Two.",
    ]


def test_short_first_line_is_the_paper_title_with_its_indented_continuation() -> None:
    text = "A Title that is Wrapped\n  over Two Lines\n\tThe tabbed line starts the long abstract."
    assert papers(text) == [
        (
            1,
            "A Title that is Wrapped over Two Lines",
            "The tabbed line starts the long abstract.",
            None,
        )
    ]


def test_wrapped_abstract_has_no_title() -> None:
    text = (
        "We study the training of very deep networks on\n"
        "small machines and show that it can be done in\n"
        "an afternoon."
    )
    assert papers(text) == [(1, None, text.replace("\n", " "), None)]


def test_a_title_may_ask_and_stand_above_wrapped_text() -> None:
    abstract = (
        "We study the training of very deep networks on\nsmall machines, and of shallow ones."
    )
    for title in ("Is Attention All You Need?", "Training Very Deep Networks on Small Computers"):
        assert papers(f"{title}\n{abstract}") == [(1, title, abstract.replace("\n", " "), None)]


def test_an_abstract_may_be_indented_below_its_title() -> None:
    assert papers("On Nets\n  We study nets.\n  They win.") == [
        (1, "On Nets", "We study nets. They win.", None)
    ]


def test_blocks_are_read_as_a_stream() -> None:
    lines = (line for number in range(9) for line in (f"We propose {number} of them all.", "\n"))
    found = read_text(lines)  # type: ignore[arg-type]
    assert next(found).line == 1
    assert next(lines) == "We propose 2 of them all."
