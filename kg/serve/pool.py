"""Processes that answer queries side by side, so that none waits for a slow one."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..errors import KgError
from ..query.process import Worker
from .protocol import Refused

# So many queries run at once, each in a process that waits for it.
AT_ONCE = 6
# Megabytes that a query may take, and that an answer may have.
MEMORY = 1024
ANSWER = 64
# Seconds that a query waits for its turn.
PATIENCE = 2.0
# Seconds between two looks whether the client is still there.
LOOK = 0.5


class Pool:
    """Worker processes of one graph; each answers a query at a time.

    Parameters
    ----------
    graph
        What the workers open (`kg.query.store.stored`).
    """

    def __init__(self, graph: Path) -> None:
        self._graph = graph
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._lock = threading.Lock()
        self._idle = [self._start() for _ in range(AT_ONCE)]
        self._busy: set[Worker] = set()
        self._closed = False

    async def answer(
        self,
        request: Mapping[str, Any],
        *,
        timeout: float,
        is_gone: Callable[[], Awaitable[bool]],
    ) -> tuple[str, bytes]:
        """Return what a worker answers; it is ended as soon as nobody waits for it.

        Raises
        ------
        Refused
            If too many queries run for this one to have its turn.
        KgError
            As `Worker.ask` does.
        """
        try:
            await asyncio.wait_for(self._turns.acquire(), PATIENCE)
        except TimeoutError:
            message = f"{AT_ONCE} queries run already: ask again in a moment"
            raise Refused(503, message, Retry_After="5") from None
        try:
            return await self._watched(request, timeout, is_gone)
        finally:
            self._turns.release()

    async def _watched(
        self, request: Mapping[str, Any], timeout: float, is_gone: Callable[[], Awaitable[bool]]
    ) -> tuple[str, bytes]:
        from anyio import CapacityLimiter, to_thread

        worker = self._take()
        # A limiter of its own: the turns are what limits.
        asked = asyncio.create_task(
            to_thread.run_sync(
                lambda: self._ask(worker, request, timeout), limiter=CapacityLimiter(1)
            )
        )
        try:
            while not (await asyncio.wait({asked}, timeout=LOOK))[0]:
                if await is_gone():
                    worker.kill()
                    break
        except asyncio.CancelledError:  # the server stops
            worker.kill()
            with suppress(KgError):
                await asked
            raise
        return await asked

    def close(self) -> None:
        """End all workers, whatever they do."""
        with self._lock:
            self._closed = True
            for worker in self._idle:
                worker.end()
            for worker in self._busy:
                worker.kill()

    def _start(self) -> Worker:
        return Worker(self._graph, f"--memory={MEMORY}", f"--answer={ANSWER}")

    def _take(self) -> Worker:
        with self._lock:
            if self._closed:
                raise Refused(503, "the server stops")
            worker = self._idle.pop()
            self._busy.add(worker)
        return worker

    def _ask(self, worker: Worker, request: Mapping[str, Any], timeout: float) -> tuple[str, bytes]:
        try:
            return worker.ask(request, timeout=timeout)
        finally:
            self._give_back(worker)

    def _give_back(self, worker: Worker) -> None:
        """Keep a worker for the next query, or put a fresh one in its place if it has ended."""
        with self._lock:
            self._busy.discard(worker)
            if self._closed:
                worker.end()
            else:
                self._idle.append(worker if worker.is_alive else self._start())
