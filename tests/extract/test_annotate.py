"""From spaCy's entities to mentions, with a pipeline whose entities are given."""

from collections.abc import Callable

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc, Span

from kg.extract.annotate import annotate, paper_label
from kg.extract.load import load
from kg.records import AnnotatedPaper, Paper

Marked = Callable[..., AnnotatedPaper]
PATTERNS = {
    "Method": [
        "graph neural network",
        "Graph neural networks",
        "GNNs",
        "GNN",
        "FooNet",
        "12",
        '"it"',
    ],
    "Task": ["node classification"],
    "Dataset": ["Cora"],
}


@Language.component("sure")
def sure(doc: Doc) -> Doc:
    for ent in doc.ents:
        ent._.score = 0.9
    return doc


@pytest.fixture(scope="module")
def nlp() -> Language:
    if not Span.has_extension("score"):
        Span.set_extension("score", default=None)
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler")
    ruler.add_patterns(  # type: ignore[attr-defined]
        [{"label": kind, "pattern": text} for kind, texts in PATTERNS.items() for text in texts]
    )
    nlp.add_pipe("sure")
    return nlp


def one(nlp: Language, **fields: object) -> AnnotatedPaper:
    [annotated] = annotate(nlp, [Paper("p", **fields)])  # type: ignore[arg-type]
    return annotated


def test_what_the_text_calls_a_dataset_is_one_wherever_it_is_named(nlp: Language) -> None:
    annotated = one(nlp, abstract="FooNet is new. We made FooNet, a dataset of songs.")
    assert [mention.type for mention in annotated.mentions] == ["Dataset", "Dataset"]


def test_acronym_has_the_name_of_its_expansion(nlp: Language) -> None:
    annotated = one(nlp, abstract="Graph neural networks (GNNs) win. A GNN is deep.")
    assert [mention.text for mention in annotated.mentions] == [
        "Graph neural networks",
        "GNNs",
        "GNN",
    ]
    assert {mention.concept for mention in annotated.mentions} == {"Graph neural network"}


def test_abstract_explains_the_title(nlp: Language) -> None:
    annotated = one(nlp, title="On GNNs", abstract="A graph neural network (GNN) is deep.")
    assert [(m.field, m.concept) for m in annotated.mentions] == [
        ("title", "graph neural network"),
        ("abstract", "graph neural network"),
        ("abstract", "graph neural network"),
    ]


def test_title_and_abstract_keep_their_own_offsets(nlp: Language) -> None:
    annotated = one(nlp, title="GNN", abstract="GNN on Cora. FooNet.")
    assert [(m.field, m.start, m.sentence) for m in annotated.mentions] == [
        ("title", 0, (0, 3)),
        ("abstract", 0, (0, 12)),
        ("abstract", 7, (0, 12)),
        ("abstract", 13, (13, 20)),
    ]
    only = one(nlp, title="GNN")
    assert [(m.field, m.start) for m in only.mentions] == [("title", 0)]


def test_what_the_title_ends_with_is_no_part_of_an_acronyms_meaning(nlp: Language) -> None:
    annotated = one(nlp, title="A Good", abstract="Nice network (GNN) on Cora.")
    assert {m.concept for m in annotated.mentions} == {"GNN", "Cora"}


def test_names_are_on_one_line(nlp: Language) -> None:
    text = "We use a graph  neural\tnetwork (GNN)."
    [mention] = one(nlp, abstract=text).mentions
    assert (mention.text, mention.concept) == ("GNN", "graph neural network")


def test_mention_has_its_sentence_and_offsets(nlp: Language) -> None:
    text = "We start. A GNN wins on Cora. The end."
    for mention in one(nlp, abstract=text).mentions:
        assert text[mention.start : mention.end] == mention.text
        assert text[slice(*mention.sentence)] == "A GNN wins on Cora."


def test_what_is_no_name_is_no_mention(nlp: Language) -> None:
    assert one(nlp, abstract='On 12 of "it" we agree.').mentions == ()


def test_paper_without_text_has_no_mention(nlp: Language) -> None:
    assert one(nlp, abstract=None, title=None).mentions == ()


def test_proposed_name_labels_a_paper_without_title() -> None:
    text = "In this paper, we propose FooNet, a graph neural network for node classification."
    annotated = one(load(), abstract=text)
    assert annotated.proposes[0] == annotated.label == "FooNet"
    assert ("FooNet", "used_for", "node classification") in {
        (relation.head, relation.type, relation.tail) for relation in annotated.relations
    }
    for relation in annotated.relations:
        assert text[relation.start : relation.end] == text


def test_relations_can_be_left_out() -> None:
    text = "In this paper, we propose FooNet, a graph neural network for node classification."
    [annotated] = annotate(load(), [Paper("p", abstract=text)], relations=False)
    assert annotated.relations == () and annotated.proposes[0] == "FooNet"


def test_paper_label_prefers_the_title_then_a_name_then_first_words() -> None:
    assert paper_label(Paper("p", "Title", "Text."), [], []) == "Title"
    words = " ".join(map(str, range(20)))
    assert paper_label(Paper("p", abstract=words), [], []) == "0 1 2 3 4 5 6 7 8 9 …"


def test_paper_label_is_the_name_among_what_is_proposed(marked: Marked) -> None:
    text = "We propose [[Collaborative Training|M]] ([[CoBFormer|M]]) by [[Deep LoRA|M]]."
    annotated = marked("p", text)
    proposes = ("Collaborative Training", "Deep LoRA", "CoBFormer")
    for names, label in ((proposes, "CoBFormer"), (proposes[:2], "Deep LoRA")):
        assert paper_label(annotated.paper, annotated.mentions, names) == label
    assert paper_label(annotated.paper, annotated.mentions, proposes[:1]).startswith("We propose")
