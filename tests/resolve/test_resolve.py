import itertools
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from kg.extract.naming import name_concepts
from kg.records import AnnotatedPaper, Mention, Paper
from kg.resolve.concepts import collect_concepts
from kg.resolve.names import normal_form
from kg.resolve.resolve import resolve
from kg.resolve.thesaurus import Entry, Thesaurus, read_thesaurus

Marked = Callable[..., AnnotatedPaper]


def labels(papers: list[AnnotatedPaper]) -> list[list[str]]:
    return [[mention.concept for mention in annotated.mentions] for annotated in resolve(papers)]


def test_plural_case_and_hyphen_are_one_concept(marked: Marked) -> None:
    papers = [
        marked("a", "We train [[Graph Neural Networks|M]]."),
        marked("b", "A [[graph neural-network|M]] and a [[graph neural network|M]]."),
    ]
    assert labels(papers) == [["graph neural network"], ["graph neural network"] * 2]


def test_acronym_takes_the_meaning_that_other_papers_agree_on(marked: Marked) -> None:
    papers = [
        marked("a", "A [[conditional random field|M]] ([[CRF|M|conditional random field]])."),
        marked("b", "The [[CRFs|M|CRF]] win."),
    ]
    assert labels(papers)[1] == ["conditional random field"]


def test_one_paper_is_no_witness_of_a_name_that_initials_do_not_spell(marked: Marked) -> None:
    papers = [
        marked("a", "The [[image generation net|D]], [[ImageNet|D|image generation net]]."),
        marked("b", "We use [[ImageNet|D]]."),
        marked("c", "As [[low-rank adaptation|T]], [[LoRA|T|low-rank adaptation]] wins."),
        marked("d", "A [[low-rank adaptation|T]] is [[LoRA|T|low-rank adaptation]]."),
        marked("e", "The [[LoRA|T]]."),
    ]
    found = labels(papers)
    assert found[1] == ["ImageNet"]
    assert found[4] == ["low-rank adaptation"]


def test_one_paper_is_no_witness_of_two_letters(marked: Marked) -> None:
    papers = [
        marked("a", "The [[query zooming|M]], [[QZ|M|query zooming]]."),
        marked("b", "The [[QZ|M]]."),
    ]
    assert labels(papers)[1] == ["QZ"]
    assert labels([*papers, replace(papers[0], paper=Paper("c"))])[1] == ["query zooming"]


def test_lone_expansion_does_not_undo_what_all_of_machine_learning_means(marked: Marked) -> None:
    papers = [
        marked("a", "A [[vision transformer|M]], [[ViT|M|vision transformer]]."),
        marked("b", "The [[ViT|M]]."),
    ]
    assert labels(papers)[1] == ["vision transformer"]


def test_names_of_people_and_of_systems_are_left_as_they_are(marked: Marked) -> None:
    paper = marked(
        "a", "[[Bayesian model selection|M]] of [[HyperFields|M]]. [[HyperFields|M]] win."
    )
    assert labels([paper]) == [["Bayesian model selection", "HyperFields", "HyperFields"]]


def test_names_of_the_same_words_are_one_concept_if_papers_use_them_as_one(marked: Marked) -> None:
    both = "[[Robot grasping|T|robot grasping]] is [[robotic grasping|T|robot grasping]]. "
    papers = [
        marked("a", f"The {both}"),
        marked("b", "Here is [[robotic grasping|T]] and [[robotic grasping|T]]."),
        marked("c", "This is [[robotic grasping|M]]."),
        marked("d", "This is [[grasping robot|T]]."),
    ]
    assert labels(papers)[1:] == [
        ["robotic grasping"] * 2,
        ["robotic grasping"],
        ["grasping robot"],
    ]
    assert labels(papers)[0] == ["robot grasping"] * 2
    other = both.replace("robot grasping]]", "robotic grasping]]")
    found = labels([*papers, marked("e", f"The {other}")])
    assert found[0] == found[1] == found[4] == ["robotic grasping"] * 2
    assert found[2:4] == [["robotic grasping"], ["grasping robot"]]


def test_acronym_in_a_name_is_written_out_if_a_paper_has_the_name_in_full(marked: Marked) -> None:
    papers = [
        marked("a", "The [[graph tritone step|M]], [[gTSN|M|graph tritone step network]]."),
        marked("b", "The [[tritone step network|M]] is [[TSN|M|tritone step network]]."),
        marked("c", "The [[graph TSNs|M|graph TSN]] and [[word TSN|M]]; [[spectral GNN|M]]."),
        marked("d", "The [[graph tritone step network|M]]; [[spectral graph neural network|M]]."),
    ]
    assert labels(papers)[2:] == [
        ["graph tritone step network", "word TSN", "spectral graph neural network"],
        ["graph tritone step network", "spectral graph neural network"],
    ]
    concepts = {c.label: c for c in collect_concepts(resolve(papers))}
    assert concepts["spectral graph neural network"].reasons == ("acronym of",)
    del papers[1]
    assert labels(papers)[1][0] == "graph TSN"  # nobody says what TSN means


def test_acronym_in_a_name_means_what_the_papers_say(marked: Marked) -> None:
    annealing = "The [[quantum annealing|M]], [[QA|M|quantum annealing]]."
    papers = [marked(str(n), annealing) for n in range(3)]
    papers.append(marked("c", "A [[hybrid QA|M]], [[hybrid quantum annealing|M]]."))
    papers.append(marked("d", "A [[hybrid question answering|M]], [[saliency map|M]]."))
    papers.append(marked("e", "A [[saliency mean average precision|M]]."))
    assert labels(papers)[3:5] == [
        ["hybrid quantum annealing"] * 2,
        ["hybrid question answering", "saliency map"],
    ]


def test_the_thesaurus_undoes_what_all_of_machine_learning_means(
    marked: Marked, tmp_path: Path
) -> None:
    file = tmp_path / "apart.txt"
    file.write_text("not the same: QA = question answering\nnot the same: LASSO = Lasso\n")
    papers = [
        marked("a", "A [[QA|T]] and [[multi-hop QA|T]], [[LASSO|M]]."),
        marked("b", "A [[multi-hop question answering|T]], [[Lasso|M]]."),
    ]
    found = resolve(papers, thesaurus=read_thesaurus(file))
    assert [[mention.concept for mention in annotated.mentions] for annotated in found] == [
        ["QA", "multi-hop QA", "LASSO"],
        ["multi-hop question answering", "Lasso"],
    ]


def test_acronym_in_a_name_that_the_thesaurus_keeps_apart(marked: Marked, tmp_path: Path) -> None:
    file = tmp_path / "apart.txt"
    file.write_text("not the same: spectral GNN = spectral graph neural network\n")
    papers = [marked("a", "[[spectral GNN|M]], [[spectral graph neural network|M]]")]
    [annotated] = resolve(papers, thesaurus=read_thesaurus(file))
    assert [mention.concept for mention in annotated.mentions] == [
        "spectral GNN",
        "spectral graph neural network",
    ]


def test_names_of_one_concept_that_the_thesaurus_keeps_apart(
    marked: Marked, tmp_path: Path
) -> None:
    file = tmp_path / "apart.txt"
    file.write_text("not the same: robot grasping = robotic grasping\n")
    both = "[[Robot grasping|T|robot grasping]] is [[robotic grasping|T|robot grasping]]. "
    papers = [marked("a", f"The {both}"), marked("b", f"The {both}")]
    found = resolve(papers, thesaurus=read_thesaurus(file))
    for annotated in found:
        assert [m.concept for m in annotated.mentions] == ["robot grasping", "robotic grasping"]


def test_longer_names_of_an_expansion_do_not_undo_it(marked: Marked) -> None:
    long = "long short-term memory network"
    papers = [
        marked("a", f"The [[{long}|M]], [[LSTM|M|{long}]]."),
        marked("b", "The [[long short-term memory|M]], [[LSTM|M|long short-term memory]]."),
        marked("c", "The [[LSTM|M]]."),
    ]
    assert labels(papers)[2] == ["long short-term memory"]


def test_a_paper_that_says_more_agrees_on_the_acronym(marked: Marked) -> None:
    full = "neural radiance field"
    papers = [marked(str(n), f"The [[{full}|M]], [[NeRF|M|{full}]].") for n in range(3)]
    more = f"regularized {full}"
    papers += [marked("a", f"A [[{more}|M]], [[NeRF|M|{more}]]."), marked("b", "On [[NeRF|M]].")]
    assert labels(papers)[3:] == [[more, more], [full]]


def test_acronym_of_two_meanings_is_bound_to_its_own_paper(marked: Marked) -> None:
    papers = [
        marked("a", "A [[CRF|M|conditional random field]] or [[conditional random field|M]]."),
        marked("b", "On [[CRF|M|chronic renal failure]], that is [[chronic renal failure|M]]."),
        marked("c", "A [[CRF|M]] layer."),
    ]
    assert labels(papers) == [
        ["conditional random field"] * 2,
        ["chronic renal failure"] * 2,
        ["CRF"],
    ]


def test_acronym_of_another_type_is_another_concept(marked: Marked) -> None:
    papers = [
        marked("a", "A [[masked autoencoder|M]] is an [[MAE|M|masked autoencoder]]."),
        marked("b", "The [[MAE|E]] falls."),
    ]
    assert labels(papers)[1] == ["MAE"]


def test_capitals_are_a_name_of_their_own_unless_the_name_is_written_otherwise_too(
    marked: Marked,
) -> None:
    papers = [
        marked(
            "a", "We use [[TRANSFORMER|M]] and [[Transformers|M]] and [[ELMO|M]] and [[ELMo|M]]."
        ),
        marked("b", "They [[reinforce|T]] by [[REINFORCE|M]]."),
    ]
    first, second = labels(papers)
    assert first[0] == first[1] and first[2] == first[3]
    assert second[0] != second[1]


def test_label_is_lower_case_where_a_sentence_has_it_so(marked: Marked) -> None:
    one = marked("a", "[[Vision Transformers|M]] win. A [[vision transformer|M]] is big.")
    assert labels([one]) == [["vision transformer"] * 2]
    assert labels([marked("a", "[[Image classification|T]] is solved.")]) == [
        ["image classification"]
    ]
    assert labels([marked("a", "We use [[ImageNet|D]] here.")]) == [["ImageNet"]]
    twice = marked("a", "A [[resnet|M]], a [[ResNet|M]] and a [[ResNet|M]].")
    assert labels([twice]) == [["ResNet"] * 3]
    eponym = (
        "A [[Markov Random Field|M]], a [[Markov Random Field|M]], a [[Markov random field|M]]."
    )
    assert labels([marked("a", eponym)]) == [["Markov random field"] * 3]
    oddly = "Of [[Person Re-IDentification|T]]. " + "And [[person re-identification|T]]. " * 10
    assert labels([marked("a", oddly)]) == [["person re-identification"] * 11]


def test_plural_of_a_proper_name_is_its_label(marked: Marked) -> None:
    papers = [marked(str(n), "We use [[Hermes|M]] on [[Cityscapes|D]].") for n in range(12)]
    papers.append(marked("a", "The [[Transformers|M]] or a [[Transformer|M]] on [[Cityscape|D]]."))
    assert labels(papers)[0] == ["Hermes", "Cityscapes"]
    assert labels(papers)[-1] == ["Transformer", "Transformer", "Cityscapes"]


def test_label_has_no_quotation_marks(marked: Marked) -> None:
    annotated = marked("a", 'An [[additive "residual|M]] or “[[Dual” step|M]].')
    named = replace(annotated, mentions=tuple(name_concepts(annotated.paper, annotated.mentions)))
    assert labels([named]) == [["additive residual", "Dual step"]]


def test_proposes_follows_the_label(marked: Marked) -> None:
    paper = marked(
        "a", "We propose [[Foo Nets|M|Foo Net]] and [[foo nets|M|Foo Net]].", proposes=("Foo Net",)
    )
    [annotated] = resolve([paper])
    assert annotated.proposes == (annotated.mentions[0].concept,)


def test_order_of_papers_does_not_matter(marked: Marked) -> None:
    papers = [
        marked("a", "[[CRF|M|conditional random field]] is a [[conditional random field|M]]."),
        marked("b", "[[CRF|M]] and [[Transformers|M]] of [[TRANSFORMER|M]]."),
        marked("c", "The [[Conditional Random Fields|M]] for [[tagging|T]], a [[Tagging|M]]."),
    ]
    results = [
        (sorted(resolve(list(order)), key=lambda p: p.id), collect_concepts(resolve(list(order))))
        for order in itertools.permutations(papers)
    ]
    assert all(result == results[0] for result in results)


def test_resolving_twice_changes_nothing(marked: Marked) -> None:
    papers = [
        marked("a", "A [[CRF|M|conditional random field]] is a [[conditional random field|M]]."),
        marked(
            "b", "[[Graph Neural Networks|M]] of [[GNNs|M|graph neural network]] and [[CRF|M]]."
        ),
    ]
    once = resolve(papers)
    assert resolve(once) == once


def test_collect_concepts_counts_papers_and_says_why_aliases_are_the_same(marked: Marked) -> None:
    papers = [
        marked(
            "a",
            "A [[GNN|M|graph neural network]], a [[Graph Neural Network|M|graph neural network]].",
        ),
        marked("b", "On [[GNN|T|graph neural network]] or [[graph nets|M|graph neural network]]."),
    ]
    [concept] = collect_concepts(papers)
    assert (concept.label, concept.type, concept.papers) == ("graph neural network", "Method", 2)
    assert dict(zip(concept.aliases, concept.reasons, strict=True)) == {
        "GNN": "acronym of",
        "graph nets": "same thing in one abstract",
        "Graph Neural Network": "same normal form",
    }


NAMES = (
    "GAN", "generative adversarial net", "generative adversarial network", "GANs", "Gan",
    "CRF", "conditional random field", "chronic renal failure", "CNN", "ConvNet", "TRANSFORMER",
    "Transformer", "transformers", "Adam", "ADAM", "adam", "lstm", "LSTM", "long short-term memory",
)  # fmt: skip
MENTIONS = st.tuples(
    st.sampled_from(NAMES), st.sampled_from(NAMES), st.sampled_from(("Method", "Task"))
)
ENTRIES = st.builds(
    lambda label, alias: Entry(label, None, (alias,)),
    st.sampled_from(NAMES),
    st.sampled_from(NAMES),
)
THESAURI = st.builds(
    lambda entry, ignored, pair: Thesaurus((entry,), (ignored,), (pair,)),
    ENTRIES,
    st.sampled_from(NAMES),
    st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)),
)


@given(st.lists(st.lists(MENTIONS, max_size=4), max_size=5), THESAURI, st.randoms())
def test_any_names_resolve_to_one_label_a_normal_form(
    pile: list[list[tuple[str, str, str]]], thesaurus: Thesaurus, rng: random.Random
) -> None:
    papers = [
        AnnotatedPaper(
            Paper(f"p{number}", abstract="x"),
            "x",
            tuple(
                Mention(place, place + 1, text, kind, name, 0.9, "abstract", (0, 99))  # type: ignore[arg-type]
                for place, (text, name, kind) in enumerate(mentions)
            ),
        )
        for number, mentions in enumerate(pile)
    ]
    resolved = resolve(papers, thesaurus=thesaurus)
    found = {mention.concept for annotated in resolved for mention in annotated.mentions}
    assert len(set(map(normal_form, found))) == len(found)
    assert not any(thesaurus.ignores(m.text) for p in resolved for m in p.mentions)
    shuffled = rng.sample(papers, len(papers))
    again = sorted(resolve(shuffled, thesaurus=thesaurus), key=lambda annotated: annotated.id)
    assert again == resolved


def test_a_mention_that_keeps_its_name_is_not_copied(marked: Marked) -> None:
    paper = marked("a", "We use [[FooNet|M]] and [[graph neural networks|M]].")
    kept, renamed = resolve([paper])[0].mentions
    assert kept is paper.mentions[0]
    assert renamed.concept == "graph neural network"


def test_capitals_mean_the_name_and_not_the_word(marked: Marked) -> None:
    """ADAM may be Adam or adAM; which one must not hang on the order of a set."""
    papers = [marked(name, f"We use [[{name}|M]] here.") for name in ("ADAM", "Adam", "adAM")]
    capitals, name, word = (paper.mentions[0].concept for paper in resolve(papers))
    assert capitals == name != word
