"""Processes that answer queries side by side, so that none waits for a slow one."""

import asyncio
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..query.process import Worker
from .protocol import Refused

# So many queries run at once, each in a process that waits for it.
AT_ONCE = 6
# Megabytes that a query may take, and that an answer may have.
MEMORY = 1024
ANSWER = 64
# Seconds that a query waits for its turn.
PATIENCE = 2.0


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

    async def answer(self, request: Mapping[str, Any], *, timeout: float) -> tuple[str, bytes]:
        """Return what a worker answers.

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
        from anyio import CapacityLimiter, to_thread

        try:
            # A limiter of its own: the turns are what limits.
            return await to_thread.run_sync(
                lambda: self._ask(request, timeout), limiter=CapacityLimiter(1)
            )
        finally:
            self._turns.release()

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

    def _ask(self, request: Mapping[str, Any], timeout: float) -> tuple[str, bytes]:
        with self._lock:
            worker = self._idle.pop()
            self._busy.add(worker)
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
