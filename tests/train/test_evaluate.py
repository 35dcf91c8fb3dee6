"""Each figure on cases small enough to count by hand."""

import pytest

from kg.records import AnnotatedPaper, ConceptType, Mention, Paper, Relation, RelationType
from kg.train.data import GoldConcept, GoldMention, GoldPaper
from kg.train.evaluate import Figures, score

TEXT = "GANs and VAEs solve image synthesis on CelebA; GAN wins in FID and IS."


def span(surface: str) -> tuple[int, int]:
    start = TEXT.index(surface)
    return start, start + len(surface)


def gold_mention(surface: str, kind: ConceptType, concept: str) -> GoldMention:
    return GoldMention(*span(surface), kind, concept)


def found(surface: str, kind: ConceptType, concept: str, value: float = 0.9) -> Mention:
    return Mention(*span(surface), surface, kind, concept, value, "abstract", (0, len(TEXT)))


GOLD = GoldPaper(
    "p",
    TEXT,
    mentions=(
        gold_mention("GANs", "Method", "GAN"),
        gold_mention("VAEs", "Method", "VAE"),
        gold_mention("image synthesis", "Task", "image synthesis"),
        gold_mention("CelebA", "Dataset", "CelebA"),
        gold_mention("GAN wins", "Method", "GAN"),
        gold_mention("FID", "Metric", "FID"),
    ),
    concepts=(
        GoldConcept("GAN", core=True, must=True),
        GoldConcept("image synthesis", core=True),
        GoldConcept("CelebA", core=True),
        GoldConcept("FID"),
    ),
    relations=(
        ("GAN", "used_for", "image synthesis"),
        ("GAN", "evaluated_on", "CelebA"),
        ("GAN", "measured_by", "FID"),
    ),
)


def annotated(*mentions: Mention, relations: tuple[Relation, ...] = ()) -> AnnotatedPaper:
    return AnnotatedPaper(Paper("p", abstract=TEXT), "p", mentions, relations)


def relation(head: str, kind: RelationType, tail: str, value: float = 0.5) -> Relation:
    return Relation(head, kind, tail, value, 0, len(TEXT), "abstract")


def test_mentions_exact_typed_and_overlapping() -> None:
    paper = annotated(
        found("GANs", "Method", "GAN"),  # right
        found("VAEs", "Task", "VAE"),  # right but for its type
        found("image", "Task", "image"),  # overlaps
        found("FID", "Metric", "FID"),  # right
    )
    result = score([GOLD], [paper])
    assert result.papers == 1
    assert result.strict == Figures(50.0, 33.33, 40.0)
    assert result.untyped == Figures(75.0, 50.0, 60.0)
    assert result.partial == Figures(75.0, 50.0, 60.0)
    # Method: 1 of 1 found, 1 of 3 gold. Two types of equal counts: Dataset and Task, none right.
    assert result.by_type == {"Dataset": 0.0, "Method": 50.0, "Metric": 100.0, "Task": 0.0}


def test_core_and_must_count_concepts_once() -> None:
    result = score([GOLD], [annotated(found("GANs", "Method", "x"), found("FID", "Metric", "y"))])
    assert result.core == 33.33
    assert result.must == 100.0
    assert score([GoldPaper("p", TEXT)], []).core is None


def test_grouping_counts_pairs_that_both_sides_have() -> None:
    both = (
        found("GANs", "Method", "a"),
        found("GAN wins", "Method", "a"),
        found("VAEs", "Method", "a"),
    )
    assert score([GOLD], [annotated(*both)]).grouping == Figures(33.33, 100.0, 50.0)


def test_relations_match_by_any_mention() -> None:
    mentions = (
        found("GANs", "Method", "g"),
        found("image synthesis", "Task", "s"),
        found("CelebA", "Dataset", "c"),
    )
    relations = (relation("g", "used_for", "s"), relation("g", "trained_on", "c"))
    result = score([GOLD], [annotated(*mentions, relations=relations)])
    assert result.relations == Figures(50.0, 33.33, 40.0)
    assert result.relations_by_type == {
        "evaluated_on": 0.0, "measured_by": 0.0, "trained_on": 0.0, "used_for": 100.0
    }  # fmt: skip
    assert result.linked == Figures(100.0, 66.67, 80.0)


def test_offsets_of_cleaned_text_are_moved_back() -> None:
    raw = GoldPaper("p", "The  $k$-NN rule", (GoldMention(6, 11, "Method", "k-NN"),))
    mention = Mention(4, 8, "k-NN", "Method", "k-NN", 0.9, "abstract", (0, 13))
    moved = AnnotatedPaper(Paper("p", abstract="The k-NN rule"), "p", (mention,))
    inner = GoldPaper("p", raw.text, (GoldMention(6, 11, "Method", "k-NN"),))
    assert score([inner], [moved]).strict.f1 == 100.0


def test_titles_are_not_compared() -> None:
    title = Mention(0, 4, "GANs", "Method", "GAN", 0.9, "title", (0, 4))
    assert score([GOLD], [annotated(title)]).strict == Figures(0.0, 0.0, 0.0)


def test_a_missing_paper_is_one_without_mentions() -> None:
    assert score([GOLD], []).strict == Figures(0.0, 0.0, 0.0)


def test_calibration() -> None:
    paper = annotated(
        found("GANs", "Method", "g", 0.95),  # right
        found("VAEs", "Method", "v", 0.91),  # right
        found("IS", "Dataset", "i", 0.45),  # wrong
    )
    result = score([GOLD], [paper])
    assert result.calibration_error == pytest.approx((0.05 + 0.09 + 0.45) / 3, abs=1e-4)
    low, high = result.reliability
    assert (low.count, low.right, high.count, high.mean_score) == (1, 0.0, 2, 0.93)


def test_calibration_of_relations() -> None:
    mentions = (
        found("GANs", "Method", "g"),
        found("image synthesis", "Task", "s"),
        found("CelebA", "Dataset", "c"),
    )
    relations = (relation("g", "used_for", "s", 0.9), relation("g", "trained_on", "c", 0.3))
    result = score([GOLD], [annotated(*mentions, relations=relations)])
    assert result.relation_calibration_error == pytest.approx((0.1 + 0.3) / 2)
    low, high = result.relation_reliability
    assert (low.count, low.right, high.count, high.right) == (1, 0.0, 1, 1.0)
