"""The garbage collector of Python, which is in the way where records are made by the million."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """Keep Python from looking for circles of objects while a block makes many that have none.

    The search, started anew whenever a quarter has been added, would take a third of the time.

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
        if enabled:
            gc.enable()
