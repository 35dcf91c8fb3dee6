"""The commands as a person types them."""

import csv
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kg.build import build
from kg.cli.app import add_commands, app

ROOT = Path(__file__).parents[1]
add_commands()
COMMANDS = sorted(
    command.callback.__name__ for command in app.registered_commands if command.callback
)


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("cli") / "exports"
    build([ROOT / "seeds"], output)
    return output


def run(*arguments: object, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kg", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, input=stdin, encoding="utf-8")


def output(*arguments: object, stdin: str | None = None) -> str:
    done = run(*arguments, stdin=stdin)
    assert done.returncode == 0, done.stderr
    return done.stdout


def error(*arguments: object) -> str:
    done = run(*arguments)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("error: "), done.stderr
    return done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_each_command_has_an_example(command: str) -> None:
    assert f"Example: kg {command}" in output(command, "--help")


def test_version() -> None:
    assert output("--version").startswith("kg 0.")


def test_extract_prints_what_a_build_writes(exports: Path) -> None:
    assert output("extract", ROOT / "seeds") == (exports / "papers.jsonl").read_text("utf-8")


def test_related_json_has_the_contract_keys(exports: Path) -> None:
    found = json.loads(output("related", "000_3b75ba93e3f3b8ee-06", exports, "--format", "json"))
    assert found and set(found[0]) == {"paper", "label", "score", "shared"}
    assert set(found[0]["shared"][0]) == {"concept", "type", "weight", "here", "there"}
    assert [one["score"] for one in found] == sorted((one["score"] for one in found), reverse=True)


def test_related_and_show_print_readable_tables(exports: Path) -> None:
    assert "there:" in output("related", "000_3b75ba93e3f3b8ee-06", exports, "--top", "1")
    shown = output("show", "vision transformer", exports)
    assert "ViT" in shown and "acronym of" in shown


def test_show_names_the_authors(tmp_path: Path) -> None:
    paper = {"id": "p", "abstract": "We train a GAN.", "authors": ["Ada B.", "Cy D."]}
    (tmp_path / "p.jsonl").write_text(json.dumps(paper))
    output("build", tmp_path / "p.jsonl", "-o", tmp_path / "out")
    assert "authors: Ada B., Cy D." in output("show", "paper:p", tmp_path / "out")


def test_concepts_in_three_formats(exports: Path) -> None:
    rows = json.loads(output("concepts", exports, "--type", "Method", "--format", "json"))
    assert rows[0]["papers"] == max(row["papers"] for row in rows)
    read = list(csv.DictReader(io.StringIO(output("concepts", exports, "--format", "csv"))))
    assert {row["concept"] for row in rows} <= {row["concept"] for row in read}
    assert rows[0]["concept"] in output("concepts", exports, "--top", "5", "--type", "Method")


def test_concepts_for_a_task_in_three_formats(exports: Path) -> None:
    asked = ("concepts", exports, "--for", "Zero-Shot Quantization", "--top", "2")
    rows = json.loads(output(*asked, "--format", "json"))
    assert list(rows[0]) == ["concept", "type", "stated", "papers", "years"]
    assert {"Method", "Dataset"} <= {row["type"] for row in rows} <= {"Method", "Dataset", "Metric"}
    assert max(row["stated"] for row in rows) >= 1
    read = list(csv.DictReader(io.StringIO(output(*asked, "--format", "csv"))))
    assert [row["concept"] for row in read] == [row["concept"] for row in rows]
    assert all(row["concept"] in output(*asked) for row in rows)
    only = json.loads(output(*asked, "--type", "Dataset", "--format", "json"))
    assert only == [row for row in rows if row["type"] == "Dataset"]
    assert "nearest: " in error("concepts", exports, "--for", "zero-shot quantizatoin")


def test_query_answers_in_several_formats(exports: Path, tmp_path: Path) -> None:
    sparql = "SELECT (COUNT(?paper) AS ?papers) { ?paper a fabio:ResearchPaper }"
    assert "38" in output("query", sparql, exports)
    assert output("query", sparql, exports, "--format", "csv").split() == ["papers", "38"]
    (tmp_path / "q.rq").write_text(sparql, encoding="utf-8")
    assert "38" in output("query", tmp_path / "q.rq", exports)


def test_named_query_takes_its_values_by_bind(exports: Path) -> None:
    assert "top-concepts" in output("query", "--named", "list")
    rows = output("query", "--named", "top-concepts", "--bind", "type=Dataset", exports)
    assert "label" in rows


def test_extract_reads_standard_input() -> None:
    [line] = output("extract", "-", stdin="We train a graph neural network.").splitlines()
    paper = json.loads(line)
    assert list(paper)[:9] == [
        "id", "title", "abstract", "year", "venue", "authors", "doi", "url", "keywords",
    ]  # fmt: skip
    assert paper["mentions"][0]["concept"] == "graph neural network"


def test_min_confidence_leaves_out_what_is_unsure() -> None:
    seeds = ROOT / "seeds"
    scores = [
        mention["score"]
        for line in output("extract", seeds, "--min-confidence", "0.8").splitlines()
        for mention in json.loads(line)["mentions"]
    ]
    assert scores and min(scores) >= 0.8


def test_evaluate_prints_and_gives_figures() -> None:
    gold = ROOT / "tests" / "data" / "seeds-000.jsonl"
    figures = json.loads(output("evaluate", gold, "--format", "json"))
    assert figures["papers"] == 19 and figures["strict"]["f1"] > 50
    assert "expected calibration error" in output("evaluate", gold)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("build", "nowhere.txt", "-o", "never"), "nowhere.txt: no such file"),
        (("related", "Nobody", "nowhere"), "nowhere: no build here; run `kg build"),
        (("query", "SELECT * {}", "nowhere"), "nowhere: no build here"),
        (("evaluate", "nowhere.jsonl"), "nowhere.jsonl"),
        (("build", "README.md", "-o", "never", "--base-iri", "no iri"), "no iri"),
        (("build", "", "-o", "never"), "an empty input"),
        (("show", "a\nb", "no\nwhere"), "no build here"),
        (("build", "z\udcff.txt", "-o", "never"), "z\\udcff.txt: no such file"),
    ],
)
def test_errors_are_one_line(arguments: tuple[str, ...], message: str) -> None:
    assert message in error(*arguments)
    assert not Path("never").exists()


def test_full_disk_is_one_line(exports: Path) -> None:
    command = f"{sys.executable} -m kg concepts {exports} > /dev/full"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert done.returncode != 0 and "Traceback" not in done.stderr, done.stderr


def test_output_is_utf8_whatever_the_terminal(exports: Path) -> None:
    command = [sys.executable, "-m", "kg", "extract", "-"]
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    text = "We train a β-VAE."
    done = subprocess.run(command, input=text.encode(), capture_output=True, env=environment)
    assert "β-VAE" in done.stdout.decode("utf-8")


def test_damaged_build_is_one_line(exports: Path, tmp_path: Path) -> None:
    shutil.copytree(exports, tmp_path / "x")
    (tmp_path / "x" / "manifest.json").write_text('{"settings": {}, "versions": {}}')
    for command in (("show", "transformer"), ("concepts",)):
        assert "damaged" in error(*command, tmp_path / "x")


def test_concept_is_no_paper(exports: Path) -> None:
    assert "no paper of that name" in error("related", "concept:transformer", exports)


def test_query_worker_ends_with_its_deadline(exports: Path) -> None:
    slow = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
    assert "took more than 1 seconds" in error("query", slow, exports, "--timeout", "1")


def test_unknown_concept_and_bad_sparql_are_one_line(exports: Path) -> None:
    assert "nearest: " in error("show", "vision transformr", exports)
    assert "line 1, column" in error("query", "SELECT WHERE", exports)
    assert "SERVICE" in error(
        "query", "SELECT * { SERVICE <http://x.example/> { ?s ?p ?o } }", exports
    )


def test_wrong_usage_exits_with_two() -> None:
    assert run("related").returncode == 2
    assert run("build", "seeds", "--jobs", "0").returncode == 2
    both = run("query", "ASK {}", "exports", "--named", "top-concepts", "--bind", "type=Task")
    assert both.returncode == 2 and "not both" in both.stderr
    twice = run("query", "--named", "top-concepts", "--bind", "type=Task", "--bind", "?type=Metric")
    assert twice.returncode == 2 and "a value already" in twice.stderr


def test_closed_pipe_is_no_traceback() -> None:
    command = f"{sys.executable} -m kg extract {ROOT / 'seeds'} | head -c 10"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert "Traceback" not in done.stderr


def test_a_later_thesaurus_overrules(tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_text("We train a graph neural network.", encoding="utf-8")
    rows = {"a": "graph neural network,Task", "b": "graph neural network,Dataset"}
    for name, row in rows.items():
        (tmp_path / f"{name}.csv").write_text(f"label,type\n{row}\n", encoding="utf-8")
    options = [word for name in rows for word in ("--thesaurus", tmp_path / f"{name}.csv")]
    output("build", tmp_path / "p.txt", "-o", tmp_path / "out", *options)
    [concept] = json.loads(output("concepts", tmp_path / "out", "--format", "json"))
    assert concept["type"] == "Dataset"


def test_a_thesaurus_without_its_header_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("name;kind\nlora;Method\n", encoding="utf-8")
    said = error("build", ROOT / "seeds", "-o", tmp_path, "--thesaurus", tmp_path / "t.csv")
    assert "t.csv:1: begin with the header label,type,aliases,broader" in said
