"""One thread for linear algebra: the same bytes on every machine, and no quarrel between jobs."""

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


def one_thread() -> AbstractContextManager[Any]:
    """Keep numpy's BLAS to one thread while the context lasts.

    A sum split over threads is rounded otherwise, and matrices as small as an abstract's gain
    nothing from a second thread.
    """
    limits: AbstractContextManager[Any] = _controller().limit(limits=1, user_api="blas")
    return limits
