from typing import Any

import pytest

from kg.read.annotated import left_out, with_annotations
from kg.records import AnnotatedPaper, Paper

ABSTRACT = "We like X. It uses Y. Then X beats Z on Y."
PAPER = Paper("p", None, ABSTRACT)


def mention(text: str, place: int | None = None, **more: Any) -> dict[str, Any]:
    start = ABSTRACT.index(text) if place is None else place
    return {"start": start, "end": start + len(text), "text": text, "type": "Method", **more}


def read(paper: Paper = PAPER, label: str = "L", **record: Any) -> AnnotatedPaper:
    return with_annotations(paper, {"label": label, "mentions": [], **record})


def test_what_a_mention_need_not_say_is_filled_in() -> None:
    [found] = read(mentions=[mention("Y")]).mentions
    assert (found.sentence, found.score, found.field, found.concept) == (
        (11, 21),
        1.0,
        "abstract",
        "Y",
    )


def test_what_a_mention_says_is_kept() -> None:
    said: dict[str, Any] = {
        "concept": "why",
        "score": 0.5,
        "field": "abstract",
        "sentence": (0, 30),
    }
    [found] = read(mentions=[mention("Y", **said)]).mentions
    assert {name: getattr(found, name) for name in said} == said


@pytest.mark.parametrize("name", ["start", "end", "text", "type"])
def test_what_a_mention_must_say_is_named(name: str) -> None:
    record = mention("Y")
    del record[name]
    with pytest.raises(ValueError, match=f"lacks '{name}'"):
        read(mentions=[record])


@pytest.mark.parametrize("name", ["head", "type", "tail"])
def test_what_a_relation_must_say_is_named(name: str) -> None:
    record = {"head": "X", "type": "used_for", "tail": "Y"}
    del record[name]
    with pytest.raises(ValueError, match=f"a relation lacks '{name}'"):
        read(relations=[record])


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"end": 40}, "in the abstract the mention 'Y' is not the text at its place"),
        ({"start": -1}, "not the text at its place"),
        ({"start": "19"}, "'start' of a mention 'Y' is '19'"),
        ({"type": "Thing"}, "Thing is no type of concept"),
        ({"score": "high"}, "the score 'high' is none"),
        ({"score": 7}, "the score 7 is none"),
        ({"field": "body"}, "the field 'body' is none"),
    ],
)
def test_what_does_not_fit_is_told(more: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(mentions=[{**mention("Y"), **more}])


def test_what_no_mention_names_goes_with_it() -> None:
    mentions = [mention("X"), mention("Y")]
    kept = {"head": "X", "type": "used_for", "tail": "Y"}
    gone = {"head": "X", "type": "compared_with", "tail": "Z"}
    record: dict[str, Any] = {
        "mentions": mentions,
        "relations": [kept, gone],
        "proposes": ["Z", "X"],
    }
    annotated = read(**record)
    assert [(one.head, one.tail) for one in annotated.relations] == [("X", "Y")]
    assert annotated.proposes == ("X",)
    assert (left_out(annotated, record) or "").startswith("no mention is of Z;")


def test_a_relation_is_stated_by_the_sentences_of_the_nearest_mentions() -> None:
    mentions = [mention("X"), mention("Y"), mention("X", 27), mention("Z")]
    related = [
        {"head": "X", "type": "compared_with", "tail": "Z"},
        {"head": "Y", "type": "part_of", "tail": "X"},
        {"head": "X", "type": "part_of", "tail": "Y", "start": 0, "end": 9, "score": 0.25},
    ]
    found = read(mentions=mentions, relations=related).relations
    places = [ABSTRACT[one.start : one.end] for one in found]
    assert places == [
        "Then X beats Z on Y.",
        "It uses Y. Then X beats Z on Y.",
        "We like X",
    ]
    assert [one.score for one in found] == [1.0, 1.0, 0.25]


def test_a_relation_of_the_title_alone_has_the_whole_abstract() -> None:
    paper = Paper("p", "X for Q", ABSTRACT)
    places = {"X": 0, "Q": 6}
    mentions = [mention(text, at, field="title") for text, at in places.items()]
    [found] = read(
        paper, mentions=mentions, relations=[{"head": "X", "type": "used_for", "tail": "Q"}]
    ).relations
    assert (found.field, found.start, found.end) == ("abstract", 0, len(ABSTRACT))


@pytest.mark.parametrize(
    ("title", "label", "expected"),
    [
        ("On Graphs and Trees", "On Grahps and Trees", "On Graphs and Trees"),
        ("On Graphs and Trees", "We like X. …", "On Graphs and Trees"),
        ("On Graphs and Trees", "Y", "On Graphs and Trees"),
        ("On Graphs and Trees", "", "On Graphs and Trees"),
        ("On Graphs and Trees", "GT 2020", "GT 2020"),
        (None, "GT 2020", "GT 2020"),
    ],
)
def test_a_new_title_is_the_label_unless_a_person_gave_one(
    title: str | None, label: str, expected: str
) -> None:
    paper = Paper("p", title, ABSTRACT)
    assert read(paper, label, mentions=[mention("Y")], proposes=["Y"]).label == expected


def test_mentions_of_a_title_move_with_it() -> None:
    paper = Paper("p", "A new X for XX and X", ABSTRACT)
    before = mention("X", 2, field="title", sentence=[0, 5])
    [found] = read(paper, mentions=[before]).mentions
    assert (found.start, found.end, found.sentence) == (6, 7, (0, 20))
    with pytest.raises(ValueError, match="in the title the mention 'Y' is not"):
        read(paper, mentions=[mention("Y", 2, field="title")])
