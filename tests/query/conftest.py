from pathlib import Path

import pytest
from networkx import MultiDiGraph

from kg.export.rdf import write_turtle


@pytest.fixture(scope="session")
def build(small_graph: "MultiDiGraph[str]", tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the graph of a small build."""
    folder = tmp_path_factory.mktemp("build")
    write_turtle(small_graph, folder / "graph.ttl")
    return folder
