"""The shape of the package: what it promises, and which way its stages depend."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import kg

PACKAGE = Path(kg.__file__).parent
# A stage may import itself and what stands before it.
STAGES = (
    *("read", "extract", "resolve", "graph", "export", "validate", "query", "serve", "train"),
    "spark",
)
FREE = {"records", "errors"}
# Normal forms and sentences are asked for everywhere: leaves that import other leaves at most.
LEAVES = {("resolve", "english"), ("resolve", "names"), ("extract", "sentences")}


def imported(path: Path) -> set[tuple[str, ...]]:
    """The modules of kg that a file imports, as paths within the package."""
    home = path.relative_to(PACKAGE).parent.parts
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = home[: len(home) - node.level + 1]
            module = (*base, *(node.module or "").split(".")) if node.module else base
            names = [module] if node.module else [(*module, alias.name) for alias in node.names]
            found.update(names)
    return found


@pytest.mark.parametrize("stage", STAGES)
def test_no_stage_imports_a_later_one(stage: str) -> None:
    later = set(STAGES[STAGES.index(stage) + 1 :])
    arrows = [
        (path.relative_to(PACKAGE).as_posix(), ".".join(module))
        for path in (PACKAGE / stage).rglob("*.py")
        for module in imported(path)
        if module and module[0] in later and module not in LEAVES
    ]
    assert arrows == []


def test_records_and_errors_import_nothing_of_the_package() -> None:
    assert all(imported(PACKAGE / f"{name}.py") == set() for name in FREE)


def test_public_names_are_sorted_and_exist() -> None:
    assert kg.__all__ == sorted(kg.__all__)
    assert all(getattr(kg, name) is not None for name in kg.__all__)
    with pytest.raises(AttributeError):
        _ = kg.nothing


def test_import_is_cheap() -> None:
    heavy = {"spacy", "rdflib", "pyvis", "scipy", "numpy"}
    code = f"import sys, kg; print(sorted({heavy} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
