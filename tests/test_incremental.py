"""Built again, a folder extracts only what is new, and has the bytes of a build from nothing."""

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.build import Build, Settings, build
from kg.state import STATE

SIZE = 300
METHODS = (
    *("graph neural network (GNN)", "GNN", "vision transformer", "Vision Transformer (ViT)", "ViT"),
    *("low-rank adaptation", "LoRA", "diffusion model", "convolutional neural network"),
)
TASKS = ("image classification", "node classification", "question answering", "machine translation")
DATASETS = ("ImageNet", "CIFAR-10", "CIFAR-100", "Cora", "SQuAD")

Papers = Mapping[int, int]  # the version of each paper, by its number


def abstract(number: int, version: int) -> str:
    n = number + 7 * version
    method, task, dataset = METHODS[n % 9], TASKS[n % 4], DATASETS[n % 5]
    proposed = f"We propose Net{n}, a {method}." if n % 3 else f"A {method} is studied."
    return f"{proposed} It does {task} on {dataset}."


def text_of(papers: Papers) -> str:
    records = (
        {"id": f"p{number:03}", "abstract": abstract(number, version), "year": 2020 + number % 5}
        for number, version in papers.items()
    )
    return "".join(json.dumps(record) + "\n" for record in records)


def built(papers: Papers, output: Path, **options: object) -> Build:
    source = output.parent / "in.jsonl"
    source.write_text(text_of(papers), encoding="utf-8")
    return build([source], output, jobs=1, **options)  # type: ignore[arg-type]


def contents(folder: Path) -> dict[str, bytes]:
    """All files but the state, the manifest without what it says of the run."""
    found = {path.name: path.read_bytes() for path in folder.iterdir() if path.name != STATE}
    manifest = json.loads(found["manifest.json"])
    del manifest["run"]
    return {**found, "manifest.json": json.dumps(manifest).encode()}


def run_of(folder: Path) -> dict[str, int]:
    run: dict[str, int] = json.loads((folder / "manifest.json").read_text("utf-8"))["run"]
    return run


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The build of all papers as they first are."""
    output = tmp_path_factory.mktemp("first") / "out"
    built(dict.fromkeys(range(SIZE), 0), output)
    return output


changes = st.dictionaries(
    st.integers(0, SIZE + 20), st.sampled_from([None, 0, 1, 2]), min_size=1, max_size=8
)


@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
@given(history=st.lists(changes, min_size=1, max_size=3))
def test_any_history_ends_with_the_bytes_of_a_build_from_nothing(
    first: Path,
    tmp_path_factory: pytest.TempPathFactory,
    history: list[dict[int, int | None]],
) -> None:
    place = tmp_path_factory.mktemp("history")
    shutil.copytree(first, place / "out")
    papers = dict.fromkeys(range(SIZE), 0)
    for step, change in enumerate(history, 1):
        before = {abstract(*paper) for paper in papers.items()}
        papers = {**papers, **change}  # type: ignore[dict-item]  # those that are None go
        papers = {number: version for number, version in papers.items() if version is not None}
        with pytest.MonkeyPatch.context() as patch:
            if step < len(history):  # the page takes longest, and no build reads another's
                patch.setattr("kg.export.html.write_html", lambda *_: None)
            built(papers, place / "out")
        new = [paper for paper in papers.items() if abstract(*paper) not in before]
        run = run_of(place / "out")
        assert (run["extracted"], run["reused"]) == (len(new), len(papers) - len(new))
    built(papers, place / "nothing")
    assert contents(place / "out") == contents(place / "nothing")


def test_nothing_changed_extracts_nothing(first: Path, tmp_path: Path) -> None:
    shutil.copytree(first, tmp_path / "out")
    progress: list[tuple[int, int]] = []
    papers = dict.fromkeys(range(SIZE), 0)
    again = built(papers, tmp_path / "out", progress=lambda *done: progress.append(done))
    assert (again.extracted, progress) == (0, [])
    assert contents(tmp_path / "out") == contents(first)


@pytest.fixture
def some(tmp_path: Path) -> Callable[..., Build]:
    """Build forty papers into one folder."""
    return lambda **options: built(dict.fromkeys(range(40), 0), tmp_path / "out", **options)


def test_another_confidence_extracts_nothing(some: Callable[..., Build], tmp_path: Path) -> None:
    some()
    sure = Settings(min_confidence=0.8)
    assert some(settings=sure).extracted == 0
    again = contents(tmp_path / "out")
    assert some(settings=sure, fresh=True).extracted == 40
    assert contents(tmp_path / "out") == again


def test_papers_that_are_gone_are_forgotten(some: Callable[..., Build], tmp_path: Path) -> None:
    some()
    built({1: 0}, tmp_path / "out")
    assert some().extracted == 39


def test_damaged_state_is_noted_and_made_anew(some: Callable[..., Build], tmp_path: Path) -> None:
    some()
    before = contents(tmp_path / "out")
    (tmp_path / "out" / STATE).write_bytes(b"damaged" * 1000)
    again = some()
    assert again.extracted == 40 and STATE in (again.note or "")
    assert contents(tmp_path / "out") == before


def test_an_interrupted_build_loses_nothing_finished(
    some: Callable[..., Build], tmp_path: Path
) -> None:
    def interrupt(done: int, _: int) -> None:
        if done >= 16:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        some(progress=interrupt)
    assert [path.name for path in (tmp_path / "out").iterdir()] == [STATE]
    assert some().extracted == 40 - 16
