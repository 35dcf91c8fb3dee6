import json
import os
from pathlib import Path

import pytest

from kg.errors import InputError
from kg.read.reading import read_inputs, read_papers


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def test_seeds_are_38_papers_of_two_collections() -> None:
    papers = read_papers(Path(__file__).parents[2] / "seeds")
    assert len(papers) == 38
    assert papers[0].id == "000_3b75ba93e3f3b8ee-01"
    assert papers[-1].id == "002_e903ecdb98bc6090-19"
    assert {paper.venue for paper in papers} == {"ICML 2024 Papers"}


def test_order_of_arguments_does_not_matter(tmp_path: Path) -> None:
    write(tmp_path, {"a.txt": "We propose A.", "b.txt": "We propose B."})
    files = [tmp_path / "a.txt", tmp_path / "b.txt"]
    assert (
        read_inputs(files) == read_inputs(files[::-1]) == read_inputs([*files, tmp_path / "a.txt"])
    )


def test_equal_stems_take_their_folders_names(tmp_path: Path) -> None:
    write(tmp_path, {"x/p.txt": "We propose A.", "y/p.txt": "We propose B.", "q.txt": "We use C."})
    assert [paper.id for paper in read_papers(tmp_path)] == ["q-01", "x-p-01", "y-p-01"]


def test_same_id_of_two_papers_is_made_unique(tmp_path: Path) -> None:
    one, two = (json.dumps({"id": "1", "abstract": text}) for text in ("One.", "Two."))
    write(tmp_path, {"a.jsonl": one, "b.jsonl": f"{two}\n{one}"})
    papers = {paper.id: paper.abstract for paper in read_papers(tmp_path)}
    assert papers == {"1": "One.", "b-01-1": "Two."}


def test_bad_files_are_skipped_and_listed(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "good.txt": "We propose A.",
            "empty.txt": "",
            "blank.jsonl": "\ufeff \n",
            "image.txt": b"\x89PNG\r\n\x1a\n\x00\x00",
            "report.json": b"%PDF-1.7",
            "bad.jsonl": '{"title": "B"}\n{"title": ',
            "notes.docx": "PK",
            ".hidden.txt": "We propose H.",
        },
    )
    reading = read_inputs([tmp_path])
    assert [paper.id for paper in reading.papers] == ["bad-01", "good-01"]
    skipped = {(skip.file, skip.line) for skip in reading.skipped}
    assert skipped == {
        ("bad.jsonl", 2), ("blank.jsonl", None), ("empty.txt", None),
        ("image.txt", None), ("notes.docx", None), ("report.json", None),
    }  # fmt: skip


def test_links_and_builds_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path, {"out/secret.txt": "We propose S.", "in/a.txt": "We propose A."})
    write(
        tmp_path,
        {"in/exports/manifest.json": "{}", "in/exports/graph.ttl": "", "in/exports/b.txt": "B"},
    )
    inside = tmp_path / "in"
    (inside / "loop").symlink_to(".")
    (inside / "up").symlink_to("..")
    (inside / "out.txt").symlink_to("../out/secret.txt")
    (inside / "dangling.txt").symlink_to("missing.txt")
    reading = read_inputs([inside])
    assert [paper.abstract for paper in reading.papers] == ["We propose A."]
    assert {skip.file for skip in reading.skipped} == {"up", "out.txt", "dangling.txt"}


def test_a_pipe_in_a_folder_is_not_opened(tmp_path: Path) -> None:
    write(tmp_path, {"a.txt": "We propose A."})
    os.mkfifo(tmp_path / "pipe.txt")
    reading = read_inputs([tmp_path])
    assert [skip.file for skip in reading.skipped] == ["pipe.txt"]


def test_missing_input_is_told_before_anything_else(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.txt: no such file"):
        read_inputs([tmp_path, tmp_path / "nowhere.txt"])


def test_no_paper_at_all_is_an_error_with_the_reason(tmp_path: Path) -> None:
    write(tmp_path, {"empty.txt": ""})
    with pytest.raises(InputError, match=r"no paper found \(empty.txt: empty"):
        read_inputs([tmp_path])
    with pytest.raises(InputError, match="no input"):
        read_inputs([])


def test_two_records_with_one_doi_are_one_paper(tmp_path: Path) -> None:
    one = {"id": "x1", "title": "BERT", "doi": "https://doi.org/10.9999/ABC.1"}
    two = {
        "id": "x2",
        "title": "Bert.",
        "abstract": "We do.",
        "url": "http://arxiv.org/abs/1901.00001v2",
    }
    three = {
        "id": "x3",
        "title": "BERT",
        "doi": "10.9999/abc.1",
        "url": "https://arxiv.org/pdf/1901.00001",
    }
    other = {"id": "x4", "title": "Introduction", "year": 2019, "authors": ["A"]}
    another = {"id": "x5", "title": "Introduction", "year": 2019, "authors": ["A"]}
    text = "\n".join(map(json.dumps, (one, two, three, other, another)))
    reading = read_inputs([write(tmp_path, {"p.jsonl": text}) / "p.jsonl"])
    assert [(paper.id, paper.merged) for paper in reading.papers] == [
        ("x1", ("x2", "x3")), ("x4", ()), ("x5", ()),
    ]  # fmt: skip
    assert reading.papers[0].abstract == "We do."
    assert reading.merged == 2


def test_title_year_and_author_join_two_files(tmp_path: Path) -> None:
    record = {"title": "On Graphs", "year": 2019, "authors": ["Ada Lovelace"]}
    files = {f"{name}.json": json.dumps({"id": name, **record}) for name in ("a", "b")}
    [paper] = read_papers(write(tmp_path, files))
    assert (paper.id, paper.merged) == ("a", ("b",))
