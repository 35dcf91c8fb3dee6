"""What made a build, as far as it changes the result."""

import hashlib
import json
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Provenance:
    """The versions and settings that a build is a function of, besides its papers.

    A graph carries it as ``graph.graph["provenance"]``; one that does not was put together by
    hand, and its RDF says nothing of its origin.

    Parameters
    ----------
    version
        The version of `kg`.
    components
        Name and version of what else decides the result (spaCy, the model's hash), sorted.
    settings
        Name and value of every setting that changes the result, sorted.
    """

    version: str
    components: tuple[tuple[str, str], ...] = ()
    settings: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, version: str, components: dict[str, str], settings: dict[str, object]) -> Self:
        """Return the provenance with its parts sorted and written as JSON, a long one as a hash.

        Examples
        --------
        >>> Provenance.of("1.0.0", {"spaCy": "3.8"}, {"min_support": 2, "layers": None}).settings
        (('layers', 'null'), ('min_support', '2'))
        """
        written = {
            name: _brief(json.dumps(value, sort_keys=True)) for name, value in settings.items()
        }
        return cls(version, tuple(sorted(components.items())), tuple(sorted(written.items())))

    @property
    def digest(self) -> str:
        """A short hash of all of it, the same for builds that were made the same way."""
        content = json.dumps([self.version, self.components, self.settings]).encode()
        return hashlib.sha256(content).hexdigest()[:12]


def _brief(value: str) -> str:
    """Return a value as it is, or the hash of one too long for a line (a whole thesaurus)."""
    return (
        value if len(value) <= 80 else f"sha256:{hashlib.sha256(value.encode()).hexdigest()[:12]}"
    )
