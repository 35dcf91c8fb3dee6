"""Lines of a text, counted, that can be given back: how readers recover from a broken record."""

from collections.abc import Iterable, Iterator, Sequence


class Lines:
    """Lines without NULs; `count` is the number of the last one.

    Examples
    --------
    >>> lines = Lines(["a", "b", "c"])
    >>> next(lines), next(lines), lines.count
    ('a', 'b', 2)
    >>> lines.give_back(["b"])
    >>> [*lines]
    ['b', 'c']
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self._again: list[str] = []
        self.count = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._again.pop() if self._again else next(self._lines)
        self.count += 1
        return line.replace("\0", "")

    def give_back(self, lines: Sequence[str]) -> None:
        """Read these lines once more, before all others."""
        self._again += reversed(lines)
        self.count -= len(lines)
