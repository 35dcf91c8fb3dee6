import subprocess
import sys

import pyoxigraph
import pytest

from kg.query import worker


@pytest.mark.parametrize("form", ["SELECT *", "CONSTRUCT { ?a ?e ?c, ?f }"])
def test_an_answer_that_is_too_long_is_an_error(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "ANSWER", 100)
    store = pyoxigraph.Store()
    store.load("<a:a> <a:b> 1, 2, 3 .", pyoxigraph.RdfFormat.TURTLE)
    request = {"sparql": f"{form} {{ ?a ?b ?c . ?d ?e ?f }}", "prefixes": {}, "bind": {}}
    with pytest.raises(ValueError, match="add LIMIT"):
        worker.answer(store, request)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts address space so")
def test_memory_has_a_limit() -> None:
    code = (
        "from kg.query import worker; worker.MEMORY = 0; worker.limit_memory(); bytearray(1 << 32)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "MemoryError" in run.stderr
