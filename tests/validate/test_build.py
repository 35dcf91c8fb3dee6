"""Each fault of a build is named in one line with its place."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.errors import OutputError
from kg.validate.build import validate_build


@pytest.fixture(scope="module")
def sound(make_build: Callable[..., Path]) -> Path:
    return make_build(formats=("nt", "csv"))


@pytest.fixture
def build(sound: Path, tmp_path: Path) -> Path:
    shutil.copytree(sound, tmp_path / "out")
    return tmp_path / "out"


def faults(build: Path) -> list[str]:
    return list(map(str, validate_build(build).faults))


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8", newline="\n")


def test_a_sound_build_has_no_fault(sound: Path) -> None:
    found = validate_build(sound)
    assert found.faults == ()
    assert found.with_shapes


@pytest.mark.parametrize(
    "options",
    [
        {"text": "none", "formats": ("gexf", "cypher", "csv")},
        {"layers": ("papers", "concepts")},
        {"base_iri": "urn:example:kg"},
        {"layers": ("papers", "concepts", "similarity", "prov"), "text": "none"},
    ],
)
def test_other_builds_are_sound_too(
    options: dict[str, object], make_build: Callable[..., Path]
) -> None:
    assert faults(make_build(**options)) == []


# What is done to a build: the file, what stands in it, what shall stand there; the fault told.
MENTION = '"start": 11, "end": 17'
FAULTS = {
    "an offset that is off": (
        "papers.jsonl",
        MENTION,
        '"start": 12, "end": 17',
        r"papers.jsonl:1: a: 'FooNet' at abstract 12-17 is not what the text says there: 'ooNet'",
    ),
    "an offset beyond the text": (
        "papers.jsonl",
        MENTION,
        '"start": 11, "end": 1700',
        r"papers.jsonl:1: a: 'FooNet' at abstract 11-1700 ends beyond the abstract of 95 char.*",
    ),
    "a mention outside its sentence": (
        "papers.jsonl",
        '"sentence": [0, 42]',
        '"sentence": [0, 12]',
        r"papers.jsonl:1: a: 'FooNet' at abstract 11-17 is not within its sentence, 0-12",
    ),
    "a relation with a concept that is not there": (
        "papers.jsonl",
        '"tail": "Cora"',
        '"tail": "Citeseer"',
        r"papers.jsonl:1: a: 'FooNet' evaluated_on 'Citeseer' speaks of 'Citeseer', which the.*",
    ),
    "a line that is no JSON": (
        "papers.jsonl",
        '{"id": "b"',
        '{"id": "b',
        r"papers.jsonl:2: no annotated paper \(.*",
    ),
    "a score above one": (
        "papers.jsonl",
        '"score": 0.9',
        '"score": 9',
        r"papers.jsonl:1: a: 'network' at title 2-9 has a score outside 0 to 1: 9",
    ),
    "two papers with one id": (
        "papers.jsonl",
        '"id": "b"',
        '"id": "a"',
        r"papers.jsonl:2: a: the id is that of line 1",
    ),
    "broken Turtle": (
        "graph.ttl",
        'dct:identifier "b"',
        'dct:identifier "b',
        r"graph.ttl:\d+: broken Turtle \(.*",
    ),
    "a reference to nothing": (
        "graph.ttl",
        "itsrdf:taIdentRef concept:cora",
        "itsrdf:taIdentRef concept:corra",
        r"graph.ttl:mention:a\S+: itsrdf:taIdentRef points at concept:corra-\w+, which is not.*",
    ),
    "a value that the papers have not": (
        "graph.ttl",
        'dct:issued "2024"',
        'dct:issued "2023"',
        r"graph.ttl:paper:a: dct:issued is \"2023\"\^\^xsd:gYear, in papers.jsonl \"2024\".*",
    ),
    "a value of the wrong kind": (
        "graph.ttl",
        'kg:field "title"',
        'kg:field "heading"',
        r"graph.ttl:text:a.title: kg:field is \"heading\", in papers.jsonl \"title\"",
    ),
    "an IRI of no kind": (
        "graph.ttl",
        "\npaper:b a ",
        "\n<https://kg.example.org/papers/b> a ",
        r"graph.ttl:<https://kg.example.org/papers/b>: is an IRI of no kind: after the base.*",
    ),
    "a count that is wrong": (
        "manifest.json",
        '"papers": 3',
        '"papers": 4',
        r"manifest.json:counts.papers: is 4, papers.jsonl has 3",
    ),
    "a page of another graph": (
        "graph.html",
        '"key":"paper:b"',
        '"key":"paper:x"',
        r"graph.html:paper:x: is nothing that papers.jsonl has",
    ),
    "a file that was changed": (
        "graph.csv",
        "FooNet",
        "BarNet",
        r"graph.csv: is not the file that was built: its SHA-256 is another",
    ),
    "a manifest that is none": (
        "manifest.json",
        '"settings"',
        '"sittings"',
        r"manifest.json: no manifest of a build \(.*not the manifest of a build.*\)",
    ),
}
# What else must follow from a fault.
CONSEQUENCES = {
    "an IRI of no kind": [
        r"graph.ttl:similarity:a:b: kg:member points at.*",
        r"graph.ttl:paper:.*",
    ],
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_one_line_with_its_place(name: str, build: Path) -> None:
    file, old, new, told = FAULTS[name]
    edit(build / file, old, new)
    first, *others = faults(build)
    assert re.fullmatch(told, first), first
    if name not in CONSEQUENCES:
        assert others == []


@pytest.mark.parametrize("name", ["graph.html", "papers.jsonl", "graph.nt", "manifest.json"])
def test_a_missing_file_is_a_fault(name: str, build: Path) -> None:
    (build / name).unlink()
    assert f"{name}: is missing" in faults(build)


def test_a_file_of_another_build_is_a_fault(build: Path) -> None:
    (build / "graph.gexf").write_text("<gexf/>")
    told = "graph.gexf: is of no part of this build: the manifest does not name it"
    assert faults(build) == [told]


def test_text_in_a_build_without_texts_is_a_fault(
    sound: Path, make_build: Callable[..., Path], tmp_path: Path
) -> None:
    bare = tmp_path / "out"
    shutil.copytree(make_build(text="none"), bare)
    for name in ("papers.jsonl", "graph.html", "graph.graphml"):
        shutil.copy(sound / name, bare / name)
    told = faults(bare)
    assert "papers.jsonl:1: a: has its title and abstract, though the build was made" in told[0]
    assert any(re.match(r"graph.graphml:\d+: a title, though", one) for one in told)
    shutil.copytree(make_build(text="none"), tmp_path / "other")
    shutil.copy(sound / "graph.html", tmp_path / "other")
    assert "graph.html:paper:a: has a text, though the build was made without texts" in faults(
        tmp_path / "other"
    )


def test_a_folder_without_a_build_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="no build here"):
        validate_build(tmp_path)


def command(*arguments: object, code: str = "pass") -> "subprocess.CompletedProcess[str]":
    run = f"import sys; {code}; from kg.cli.app import main; main()"
    words = [sys.executable, "-c", run, *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, encoding="utf-8")


def test_command_tells_faults_and_exits_with_one(build: Path) -> None:
    done = command("validate", build)
    assert (done.returncode, done.stdout) == (0, f"{build}: no fault found\n"), done.stderr
    edit(build / "manifest.json", '"papers": 3', '"papers": 4')
    done = command("validate", build)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == "manifest.json:counts.papers: is 4, papers.jsonl has 3\n"


def test_without_pyshacl_all_else_is_checked(build: Path) -> None:
    hidden = "import importlib.util as u; f = u.find_spec; "
    hidden += "u.find_spec = lambda name, *a: None if name == 'pyshacl' else f(name, *a)"
    done = command("validate", build, code=hidden)
    assert done.returncode == 0
    assert done.stderr == "the shapes were not checked: pip install '.[validate]' for pySHACL\n"
    edit(build / "graph.csv", "FooNet", "BarNet")
    assert command("validate", build, code=hidden).returncode == 1


def test_manifest_names_every_file_but_the_page(sound: Path) -> None:
    files = json.loads((sound / "manifest.json").read_text(encoding="utf-8"))["files"]
    names = {path.name for path in sound.iterdir()} - {"graph.html", "manifest.json"}
    assert set(files) == names
