"""The memory of Python, whose keeping is in the way where records are made by the million."""

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def no_collection() -> Iterator[None]:
    """Keep Python from looking for circles of objects while a block makes many that have none.

    The search, started anew whenever a quarter has been added, would take a third of the time.
    After the block, what it needed for a while goes back to the system.

    Examples
    --------
    >>> with no_collection():
    ...     gc.isenabled()
    False
    >>> gc.isenabled()
    True
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        _give_back()
        if enabled:
            gc.enable()


def _give_back() -> None:
    """Give free memory back to the system: glibc would keep a tenth of a large build's.

    Other libraries of C have no such function, and most of them no such need.
    """
    with suppress(OSError, TypeError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
