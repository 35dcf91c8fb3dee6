"""The annotated papers of a build, read from their file one by one as they are asked for."""

import json
import re
from functools import cached_property
from pathlib import Path

from ..errors import InputError
from ..export.papers import annotated_paper
from ..records import AnnotatedPaper

_ID = re.compile(rb'\{"id": ("(?:[^"\\]|\\.)*")')


class PaperFile:
    """A ``papers.jsonl``, of which only the places of the lines are kept in memory."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self, paper_id: str) -> AnnotatedPaper:
        """Return the paper with this id.

        Raises
        ------
        KeyError
            If the file holds none.
        """
        with self.path.open("rb") as file:
            file.seek(self._places[paper_id])
            return annotated_paper(json.loads(file.readline()))

    @cached_property
    def _places(self) -> dict[str, int]:
        """Where the line of each paper begins."""
        places, at = {}, 0
        try:
            with self.path.open("rb") as lines:
                for line in lines:
                    if found := _ID.match(line):
                        places[json.loads(found[1])] = at
                    at += len(line)
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read ({error}); build it again") from error
        return places
