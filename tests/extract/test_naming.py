from collections.abc import Callable

import pytest

from kg.extract.naming import name_concepts, paper_expansions
from kg.records import AnnotatedPaper, Paper

Marked = Callable[..., AnnotatedPaper]


def groups(annotated: AnnotatedPaper) -> list[set[str]]:
    """The surfaces of each concept, in the order of their first mentions."""
    named: dict[str, set[str]] = {}
    for mention in name_concepts(annotated.paper, annotated.mentions):
        named.setdefault(mention.concept, set()).add(mention.text)
    return list(named.values())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A [[graph neural network|M]] ([[GNN|M]]); [[GNNs|M]] and [[deep GNNs|M]] and "
         "[[deep graph neural networks|M]].",
         [{"graph neural network", "GNN", "GNNs"}, {"deep GNNs", "deep graph neural networks"}]),
        ("[[agentic LLM unlearning|M]] ([[ALU|M]]) for a large language model (LLM).",
         [{"agentic LLM unlearning", "ALU"}]),
        ("[[Markov chain Monte Carlo|M]] is slow, but [[MCMC|M]] is right.",
         [{"Markov chain Monte Carlo", "MCMC"}]),
        ("The [[weak recovery problem|T]]: [[weak recovery|T]] is hard.",
         [{"weak recovery problem", "weak recovery"}]),
        ("[[Fine-tuning|M]] or [[fine-tuned|M]].", [{"Fine-tuning", "fine-tuned"}]),
        ("[[face detection|T]], [[detection of faces|T]], [[detecting faces|T]]; "
         "[[text-to-data|T]] and [[data-to-text|T]].",
         [{"face detection", "detection of faces", "detecting faces"}, {"text-to-data"},
          {"data-to-text"}]),
        ("For [[image deblurring|T]], [[deblurring|T]] is [[blind deblurring|T]].",
         [{"image deblurring", "deblurring"}, {"blind deblurring"}]),
        ("[[Deblurring|T]] like [[image deblurring|T]].", [{"Deblurring"}, {"image deblurring"}]),
        ("A [[neural network|M]] and a [[graph neural network|M]].",
         [{"neural network"}, {"graph neural network"}]),
        ("[[Localization|T]] by [[localization methods|M]].",
         [{"Localization"}, {"localization methods"}]),
        ("[[Masked face recognition|T]], [[recognizing masked faces|T]]; "
         "[[recognition of faces|T]].",
         [{"Masked face recognition", "recognizing masked faces"}, {"recognition of faces"}]),
        ("[[Low-Rank Adaptation|M]] ([[LoRA|M]]) by [[low-rank adapters|M]].",
         [{"Low-Rank Adaptation", "LoRA", "low-rank adapters"}]),
        ("An [[auxiliary point-selective network|M]]; the [[auxiliary network|M]] wins.",
         [{"auxiliary point-selective network", "auxiliary network"}]),
        ("The [[auxiliary network|M]] and an [[auxiliary point-selective network|M]].",
         [{"auxiliary network"}, {"auxiliary point-selective network"}]),
        ("[[deep multitask learning|M]] or [[deep learning|M]].",
         [{"deep multitask learning"}, {"deep learning"}]),
        ("[[deep residual networks|M]], [[deep neural networks|M]] or [[deep networks|M]].",
         [{"deep residual networks"}, {"deep neural networks"}, {"deep networks"}]),
        ("[[point-selective networks|M]] are [[networks|M]]; [[test accuracy|E]] is "
         "[[accuracy|E]].",
         [{"point-selective networks"}, {"networks"}, {"test accuracy", "accuracy"}]),
        ("A CNN (convolutional neural network), [[pre-CNN|M]] and [[LSTM-CNN|M]] and [[CNN|M]].",
         [{"pre-CNN"}, {"LSTM-CNN"}, {"CNN"}]),
        ("[[Set-of-Mark|M]] (SoM) prompts: [[SoM prompts|M]] is [[SoM|M]].",
         [{"Set-of-Mark", "SoM prompts", "SoM"}]),
        ("The [[linear program|M]] (LP) relaxation: [[LP relaxation|M]] or [[LP|M]].",
         [{"linear program", "LP"}, {"LP relaxation"}]),
        ("A [[generative adversarial network|M]] (GAN) critic: [[GAN critic|M]], [[GAN|M]].",
         [{"generative adversarial network", "GAN"}, {"GAN critic"}]),
        ("[[Tritone Step|M]] (TS), a [[TS module|M]].", [{"Tritone Step", "TS module"}]),
        ("A [[learned gizmo|M]]; the [[gizmo|M]].", [{"learned gizmo", "gizmo"}]),
        ("[[Gizmo access|M]] of [[gizmos|M]].", [{"Gizmo access", "gizmos"}]),
        # of another name's words too, named in full again, said in passing, common, or proper:
        ("A [[learned gizmo|M]] and [[word gizmos|M]]; the [[gizmo|M]].",
         [{"learned gizmo"}, {"word gizmos"}, {"gizmo"}]),
        ("A [[learned gizmo|M]] or [[learned gizmo|M]]; the [[gizmo|M]].",
         [{"learned gizmo"}, {"gizmo"}]),
        ("A [[learned gizmo|M]] beats [[gizmos|M]].", [{"learned gizmo"}, {"gizmos"}]),
        ("A [[learned gizmo|M]] beats [[gizmos|M]], and [[gizmos|M]] lose.",
         [{"learned gizmo"}, {"gizmos"}]),
        ("A [[learned gizmo|M]]; the [[Gizmo|M]].", [{"learned gizmo"}, {"Gizmo"}]),
        ("A [[conditional generative gizmo|M]]; the [[conditional generator|M]].",
         [{"conditional generative gizmo"}, {"conditional generator"}]),
        ("The [[gizmo|M]]; a [[learned gizmo|M]].", [{"gizmo"}, {"learned gizmo"}]),
        ("A [[learned gizmo|M]]; the [[gizmo|D]].", [{"learned gizmo"}, {"gizmo"}]),
        ("A [[fast encoder|M]]; the [[encoder|M]].", [{"fast encoder"}, {"encoder"}]),
        ("A [[fast DARTS|M]]; the [[DARTS|M]].", [{"fast DARTS"}, {"DARTS"}]),
        ("[[Slow tritone steps|M]]; the [[tritone steps|M]] (TS), [[TS|M]].",
         [{"Slow tritone steps"}, {"tritone steps", "TS"}]),
        ("[[sequence to sequence|M]] ([[seq2seq|M]]); [[plain seq2seq|M]].",
         [{"sequence to sequence", "seq2seq"}, {"plain seq2seq"}]),
        ("[[reinforcement learning|M]] ([[RL|M]]) and [[RL|M]], not [[deep RL|M]]; [[ML|M]] is "
         "[[machine learning|M]].",
         [{"reinforcement learning", "RL"}, {"deep RL"}, {"ML", "machine learning"}]),
        ("[[generation|T]], [[generalization|T]], [[transfer|T]] and [[transforming|T]].",
         [{"generation"}, {"generalization"}, {"transfer"}, {"transforming"}]),
        ("[[CIFAR-10|D]] and [[CIFAR-100|D]], [[GPT-3|M]] and [[GPT-4|M]].",
         [{"CIFAR-10"}, {"CIFAR-100"}, {"GPT-3"}, {"GPT-4"}]),
    ],
)  # fmt: skip
def test_name_concepts_groups(marked: Marked, text: str, expected: list[set[str]]) -> None:
    assert groups(marked("p", text)) == expected


def test_name_is_the_expansion_in_the_singular(marked: Marked) -> None:
    annotated = marked("p", "The [[GNNs|M]], graph neural networks (GNNs), win.")
    [mention] = name_concepts(annotated.paper, annotated.mentions)
    assert mention.concept == "graph neural network"


def test_expansion_is_all_of_the_mention_before_the_bracket(marked: Marked) -> None:
    text = "[[Clustered-patch Element Connection|M]] ([[CEC|M]]) with [[CEC cells|M]]."
    annotated = marked("p", text)
    assert [mention.concept for mention in name_concepts(annotated.paper, annotated.mentions)] == [
        "Clustered-patch Element Connection",
        "Clustered-patch Element Connection",
        "Clustered-patch Element Connection cell",
    ]


def test_expansion_writes_out_the_acronyms_in_it() -> None:
    paper = Paper("p", abstract="A large language model (LLM), and agentic LLM unlearning (ALU).")
    assert paper_expansions(paper)["ALU"] == "agentic large language model unlearning"


def test_an_expansion_in_markup_names_nothing(marked: Marked) -> None:
    annotated = marked("p", "The **C**o**M**pressor **T**ool (CMT); [[CMT|M]] wins.")
    [mention] = name_concepts(annotated.paper, annotated.mentions)
    assert mention.concept == "CMT"


def test_acronym_that_would_repeat_a_word_is_left(marked: Marked) -> None:
    annotated = marked("p", "A large language model (LLM), a [[tiny language LLM|M]].")
    [mention] = name_concepts(annotated.paper, annotated.mentions)
    assert mention.concept == "tiny language LLM"


def test_acronym_with_words_that_it_stands_for_is_the_acronym(marked: Marked) -> None:
    text = "A large decoder-only language model (LLM), the [[decoder-only LLM|M]], not [[LLM++|M]]."
    annotated = marked("p", text)
    assert [mention.concept for mention in name_concepts(annotated.paper, annotated.mentions)] == [
        "large decoder-only language model",
        "LLM++",
    ]


def test_mention_of_signs_only_is_left_out(marked: Marked) -> None:
    annotated = marked("p", "A [[+++|M]] and a [[\ufe70\ufe70|M]] in a [[net|M]].")
    [mention] = name_concepts(annotated.paper, annotated.mentions)
    assert mention.text == "net"


def test_proper_name_keeps_its_plural() -> None:
    text = "BERT, short for Bidirectional Encoder Representations from Transformers, and GNNs "
    paper = Paper("p", abstract=text + "(Graph Neural Networks).")
    assert paper_expansions(paper) == {
        "BERT": "Bidirectional Encoder Representations from Transformers",
        "GNN": "Graph Neural Network",
    }
