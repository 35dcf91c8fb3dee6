from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from kg.records import AnnotatedPaper, ConceptType, Paper, Relation
from kg.resolve.counts import LIKELY, Occurrences
from kg.resolve.hierarchy import broader_concepts

Marked = Callable[..., AnnotatedPaper]


def stated(name: str, *pairs: tuple[str, str]) -> AnnotatedPaper:
    relations = tuple(Relation(a, "subclass_of", b, 0.9, 0, 1, "abstract") for a, b in pairs)
    return AnnotatedPaper(Paper(name, abstract="x"), name, (), relations)


def methods(*labels: str) -> dict[str, ConceptType]:
    return dict.fromkeys(labels, "Method")


def test_longest_ending_is_the_next_broader(marked: Marked) -> None:
    papers = [
        marked("a", "A [[graph neural network|M]]."),
        marked("b", "A [[graph neural network|M]]."),
    ]
    types = methods("graph neural network", "neural network", "network")
    assert broader_concepts(types, Occurrences.of(papers)) == {
        "graph neural network": {"neural network": 2},
        "neural network": {"network": 0},
    }


def test_of_names_with_the_same_words_the_commonest_is_broader(marked: Marked) -> None:
    papers = [
        marked("a", "[[network|M]]"),
        marked("b", "[[network|M]]"),
        marked("c", "[[Network|M]]"),
    ]
    types = methods("neural network", "network", "Network")
    assert broader_concepts(types, Occurrences.of(papers))["neural network"] == {"network": 0}


def test_an_acronym_is_not_what_a_word_in_lower_case_names() -> None:
    types = methods("language model", "@MODEL", "graph VAE", "VAE")
    assert broader_concepts(types, Occurrences()) == {"graph VAE": {"VAE": 0}}


def test_the_more_papers_name_a_concept_the_more_must_state_a_step(marked: Marked) -> None:
    naming = [marked(str(number), "[[A|M]]") for number in range(10)]
    types = methods("A", "B", "C")
    for said, expected in ([naming[1:], {"A": {"B": 1}}], [naming, {}]):
        papers = [*said, stated("p", ("A", "B"))]
        assert broader_concepts(types, Occurrences.of(papers)) == expected
    papers = [*naming, stated("p", ("A", "B"), ("A", "C")), stated("q", ("A", "B"))]
    assert broader_concepts(types, Occurrences.of(papers)) == {"A": {"B": 2}}


def test_numbers_types_and_names_of_data_make_no_hierarchy() -> None:
    types: dict[str, ConceptType] = {
        "CIFAR-10": "Dataset", "10": "Dataset", "Fashion MNIST": "Dataset", "MNIST": "Dataset",
        "classification": "Task", "image classification": "Method", "GPT 2": "Method",
        "2": "Method",
    }  # fmt: skip
    assert broader_concepts(types, Occurrences.of([])) == {}


def test_statements_count_papers_and_may_not_close_a_circle() -> None:
    papers = [stated("p", ("A", "B")), stated("q", ("A", "B")), stated("r", ("B", "A"))]
    assert broader_concepts(methods("A", "B"), Occurrences.of(papers)) == {"A": {"B": 2}}


def test_step_that_others_imply_is_left_out() -> None:
    papers = [stated("p", ("A", "B"), ("B", "C"), ("A", "C"))]
    assert broader_concepts(methods("A", "B", "C"), Occurrences.of(papers)) == {
        "A": {"B": 1},
        "B": {"C": 1},
    }


@given(st.lists(st.tuples(st.sampled_from("ABCDE"), st.sampled_from("ABCDE")), max_size=12))
def test_hierarchy_has_no_circle_and_ignores_order(pairs: list[tuple[str, str]]) -> None:
    papers = [stated(str(number), pair) for number, pair in enumerate(pairs)]
    above = broader_concepts(methods(*"ABCDE"), Occurrences.of(papers))
    assert above == broader_concepts(methods(*"EDCBA"), Occurrences.of(papers[::-1]))
    rest = dict(above)
    while rest:  # a graph without circles can be taken down from its top
        tops = {label for steps in rest.values() for label in steps} - set(rest)
        lower = {
            label: {b: n for b, n in steps.items() if b not in tops}
            for label, steps in rest.items()
        }
        lower = {label: steps for label, steps in lower.items() if steps}
        assert lower != rest
        rest = lower


def test_unlikely_statement_makes_no_hierarchy() -> None:
    unsure = Relation("A", "subclass_of", "B", LIKELY - 0.01, 0, 1, "abstract")
    paper = AnnotatedPaper(Paper("p", abstract="x"), "p", (), (unsure,))
    assert broader_concepts(methods("A", "B"), Occurrences.of([paper])) == {}
