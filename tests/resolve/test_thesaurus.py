from collections.abc import Callable
from pathlib import Path

import pytest

from kg.errors import InputError
from kg.records import AnnotatedPaper
from kg.resolve.concepts import collect_concepts
from kg.resolve.names import normal_form
from kg.resolve.resolve import resolve
from kg.resolve.thesaurus import Entry, Thesaurus, read_thesaurus, universal_aliases

Marked = Callable[..., AnnotatedPaper]

SKOS = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix kg: <https://w3id.org/kg-papers/ns#> .
<urn:x:1> a skos:Concept, kg:Method ; skos:prefLabel "low-rank adaptation"@en ;
  skos:altLabel "LoRA" ; skos:broader <urn:x:2> .
<urn:x:2> a skos:Concept ; skos:prefLabel "fine-tuning" .
"""


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_read_csv_with_all_or_part_of_the_header(tmp_path: Path) -> None:
    row = 'low-rank adaptation,Method,LoRA; lora,fine-tuning\n\n"a, b",,,\n'
    entries = (
        Entry("low-rank adaptation", "Method", ("LoRA", "lora"), ("fine-tuning",)),
        Entry("a, b"),
    )
    for text in (f"label,type,aliases,broader\n{row}", f"\n Label, Type\n{row}"):
        assert read_thesaurus(written(tmp_path, "t.csv", text)) == Thesaurus(entries)


def test_read_skos(tmp_path: Path) -> None:
    assert read_thesaurus(written(tmp_path, "t.ttl", SKOS)).entries == (
        Entry("fine-tuning"),
        Entry("low-rank adaptation", "Method", ("LoRA",), ("fine-tuning",)),
    )


def test_read_rules(tmp_path: Path) -> None:
    text = "# mine\nignore: deep learning\nnot the same: CRF = conditional random field  # here\n"
    assert read_thesaurus(written(tmp_path, "t.txt", text)) == Thesaurus(
        (), ("deep learning",), (("CRF", "conditional random field"),)
    )


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("t.csv", "label\na,Method\nb,Thing", r"t\.csv:3: Thing is no type"),
        ("t.csv", "label\na,,,,x", r"t\.csv:2: a row is label"),
        ("t.csv", "label\n,Method", r"t\.csv:2: a row is label"),
        ("t.csv", 'label\n"b', r"t\.csv:2: broken CSV"),
        ("t.csv", "label\na,,x\nb,,x", "x is a name of both a and b"),
        ("t.csv", "\nname;kind\na;Method", r"t\.csv:2: begin with the header label,type,aliases"),
        ("t.csv", "a,Method", r"t\.csv:1: begin with the header label,type,aliases"),
        ("t.csv", "label,aliases\na,b", r"t\.csv:1: begin with the header label,type,aliases"),
        ("t.csv", "", r"t\.csv:1: begin with the header label,type,aliases"),
        ("t.txt", "ignore: a\nforget: b", r"t\.txt:2: write `ignore: NAME`"),
        ("t.txt", "not the same: a", r"t\.txt:1: write"),
        ("t.txt", "not the same: GNN = GNNs", r"t\.txt:1: .* differ in spelling only"),
        ("t.ttl", "<urn:x> a\n oops", r"t\.ttl:\d+: broken Turtle"),
        ("t.yaml", "a: b", "a thesaurus is a .csv, .ttl or .txt file"),
    ],
)
def test_read_thesaurus_tells_what_is_wrong_and_where(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        read_thesaurus(written(tmp_path, name, text))


def test_later_thesaurus_overrules(tmp_path: Path) -> None:
    header = "label,type,aliases,broader\n"
    one = "X,Method,x1;x2,W\nV,Task,v\n"
    two = "X,Task\nU,,x2\nR,,r\n"
    rules = "ignore: R\nignore: q\nnot the same: r = R\nnot the same: q = R\n"
    paths = [
        written(tmp_path, "one.csv", header + one),
        written(tmp_path, "rules.txt", rules.replace("r = R", "U = x2")),
        written(tmp_path, "two.csv", header + two),
    ]
    thesaurus = read_thesaurus(*paths)
    assert thesaurus.entry("x1") == Entry("X", "Task", ("x1",), ("W",))
    assert thesaurus.entry("x2") == Entry("U", None, ("x2",))
    assert thesaurus.entry("v") == Entry("V", "Task", ("v",))
    assert (thesaurus.ignored, thesaurus.apart) == (("q",), (("q", "R"),))
    assert read_thesaurus(paths[2], paths[0]).entry("X") == Entry(
        "X", "Method", ("x1", "x2"), ("W",)
    )
    assert read_thesaurus() == Thesaurus()


def test_missing_thesaurus_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_thesaurus(tmp_path / "none.csv")


def test_thesaurus_overrules_label_type_and_merges(marked: Marked) -> None:
    papers = [marked("a", "We use [[Adam|T]] and [[Adam optimizer|M]] and [[ADAM|M]].")]
    thesaurus = Thesaurus((Entry("Adam algorithm", "Method", ("Adam", "Adam optimizer")),))
    [annotated] = resolve(papers, thesaurus=thesaurus)
    named = {mention.text: (mention.concept, mention.type) for mention in annotated.mentions}
    assert named["Adam"] == named["Adam optimizer"] == ("Adam algorithm", "Method")
    concepts = collect_concepts([annotated], thesaurus=thesaurus)
    [concept] = [one for one in concepts if one.label == "Adam algorithm"]
    assert dict(zip(concept.aliases, concept.reasons, strict=True))["Adam"] == "thesaurus"


def test_exact_spelling_undoes_a_merge_by_normal_form(marked: Marked) -> None:
    papers = [marked("a", "We use [[ELMo|M]] but not [[ELMO|M]].")]
    thesaurus = Thesaurus((Entry("ELMO the muppet", None, ("ELMO",)), Entry("ELMo")))
    [annotated] = resolve(papers, thesaurus=thesaurus)
    assert [m.concept for m in annotated.mentions] == ["ELMo", "ELMO the muppet"]


def test_rule_undoes_an_acronym(marked: Marked) -> None:
    papers = [
        marked("a", "A [[masked autoencoder|M]] or [[MAE|M|masked autoencoder]]."),
        marked("b", "An [[MAE|M]]."),
    ]
    thesaurus = Thesaurus(apart=(("MAE", "masked autoencoder"),))
    assert [[m.concept for m in p.mentions] for p in resolve(papers, thesaurus=thesaurus)] == [
        ["masked autoencoder", "MAE"],
        ["MAE"],
    ]


def test_ignored_names_are_no_concepts(marked: Marked) -> None:
    papers = [marked("a", "[[Deep learning|M]] by [[SGDX|M]].", proposes=("Deep learning",))]
    [annotated] = resolve(papers, thesaurus=Thesaurus(ignored=("deep learning",)))
    assert [m.concept for m in annotated.mentions] == ["SGDX"]
    assert annotated.proposes == ()


def test_thesaurus_states_what_is_broader(marked: Marked) -> None:
    papers = [marked("a", "[[LoRA|M]] is [[fine-tuning|M]].")]
    thesaurus = Thesaurus((Entry("LoRA", broader=("fine-tuning",)),))
    concepts = collect_concepts(resolve(papers, thesaurus=thesaurus), thesaurus=thesaurus)
    ids = {concept.label: concept.id for concept in concepts}
    assert {one.label: one.broader for one in concepts}["LoRA"] == (ids["fine-tuning"],)


def test_universal_acronyms_are_expanded_unless_papers_say_otherwise(marked: Marked) -> None:
    [annotated] = resolve([marked("a", "A [[CNN|M]].")])
    assert annotated.mentions[0].concept == "convolutional neural network"
    papers = [
        marked("a", "The [[cable news network|D]], [[CNN|D|cable news network]]."),
        marked("b", "On [[CNN|D]]."),
    ]
    assert resolve(papers)[1].mentions[0].concept == "cable news network"


def test_each_universal_alias_belongs_to_one_entry() -> None:
    owners: dict[str, str] = {}
    for entry in universal_aliases().entries:
        assert entry.aliases
        for name in (entry.label, *entry.aliases):
            assert owners.setdefault(normal_form(name), entry.label) == entry.label
