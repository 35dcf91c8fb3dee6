"""A session of Spark that is started once for each number of tasks, and 300 papers to build."""

import gzip
import json
import shutil
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MISSING = [name for name in ("pyspark", "pyarrow", "pandas") if find_spec(name) is None]
if shutil.which("java") is None:
    MISSING.append("java")

METHODS = (
    *("graph neural network (GNN)", "GNN", "vision transformer", "Vision Transformer (ViT)", "ViT"),
    *("low-rank adaptation", "LoRA", "diffusion model", "convolutional neural network"),
)
TASKS = ("image classification", "node classification", "question answering", "machine translation")
DATASETS = ("ImageNet", "CIFAR-10", "CIFAR-100", "Cora", "SQuAD", "MNIST", "WikiText-2")


def abstract(n: int) -> str:
    method, task, dataset = METHODS[n * n % 9], TASKS[n % 4], DATASETS[n * n % 7]
    opening = f"We propose Net{n}, a {method}." if n % 3 else f"A {method} is studied."
    common = " It is better than reinforcement learning." if n % 5 == 0 else ""  # in a fifth of all
    return f"{opening} It does {task} on {dataset}.{common}"


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of 300 papers, with all that may go wrong: records without an id of their own, two
    of one paper, a broken line, annotations that fit and some that do not."""
    folder = tmp_path_factory.mktemp("corpus")
    records: list[dict[str, object]] = [
        {"id": f"p{n:03}", "title": f"On Net{n}", "abstract": abstract(n), "year": 2020 + n % 5}
        for n in range(200)
    ]
    records[7]["doi"] = records[9]["doi"] = "10.5555/twice"
    records[11]["abstract"] = None
    lines = [json.dumps(record) for record in records]
    (folder / "one.jsonl").write_text("\n".join([*lines, "{broken"]), encoding="utf-8")
    (folder / "deep").mkdir()
    named: list[dict[str, object]] = [{"abstract": abstract(n)} for n in range(200, 260)]
    named.append(
        {"id": "other", "abstract": "Another Net.", "doi": "https://doi.org/10.5555/TWICE"}
    )
    text = "\n".join(map(json.dumps, named))
    (folder / "deep" / "one.jsonl.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    (folder / "two [2] {b}.txt").write_text(
        "\n\n".join(map(abstract, range(260, 298))), encoding="utf-8"
    )
    (folder / "known.jsonl").write_text(_annotated(), encoding="utf-8")
    (folder / ".hidden.txt").write_text("Hidden.", encoding="utf-8")
    (folder / "notes.md").write_text("No paper.", encoding="utf-8")
    return folder


def _annotated() -> str:
    mention = {
        "start": 0, "end": 6, "text": "FooNet", "type": "Method", "concept": "FooNet",
        "score": 0.5, "field": "abstract", "sentence": [0, 12],
    }  # fmt: skip
    known = {"id": "k1", "abstract": "FooNet wins.", "label": "FooNet", "mentions": [mention]}
    wrong = {**known, "id": "k2", "mentions": [{**mention, "text": "BarNet"}]}
    return "".join(json.dumps({"relations": [], **one}) + "\n" for one in (known, wrong))


@pytest.fixture(scope="session")
def spark_of() -> Iterator[Callable[[int], "SparkSession"]]:
    """Return the session that runs so many tasks at once; the one before is stopped."""
    if MISSING:
        pytest.skip(f"{MISSING[0]} is not installed")
    from pyspark.sql import SparkSession

    from kg.spark.session import spark_session

    def session(jobs: int) -> "SparkSession":
        active = SparkSession.getActiveSession()
        if active is not None:
            if active.sparkContext.master.startswith(f"local[{jobs},"):
                return active
            active.stop()
        return spark_session(jobs)

    yield session
    last = SparkSession.getActiveSession()
    if last is not None:
        last.stop()
