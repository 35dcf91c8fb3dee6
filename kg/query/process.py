"""A process that answers queries about one graph, one after the other, each with a deadline."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import OutputError, QueryError

_SCRIPT = Path(__file__).with_name("worker.py")


class TookTooLong(QueryError):
    """A query was ended at its deadline."""


class Ended(QueryError):
    """The process of a query ended before its answer, most likely for want of memory."""


class Worker:
    """A process of ``worker.py``: it starts at once and is waited for when it is first asked.

    Parameters
    ----------
    graph
        A Turtle file, or the folder of a store (`kg.query.store`).
    options
        Further arguments of ``worker.py``.
    """

    def __init__(self, graph: Path, *options: str) -> None:
        self._graph = graph
        self._ready = False
        # Unbuffered, so that reading a line takes nothing of what follows; -P keeps the
        # worker's own folder from hiding modules of the standard library.
        self._process = subprocess.Popen(
            [sys.executable, "-P", os.fspath(_SCRIPT), os.fspath(graph), *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            # An interrupt from the keyboard is for the parent, which ends its workers.
            process_group=0 if os.name == "posix" else None,
        )

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    @property
    def is_alive(self) -> bool:
        """Whether the process can be asked."""
        return self._process.poll() is None

    def wait_until_ready(self) -> None:
        """Wait until the graph is loaded.

        Raises
        ------
        OutputError
            If it cannot be.
        """
        if self._ready:
            return
        assert self._process.stdout is not None
        told = self._process.stdout.readline()
        if told != b"ready\n":
            told += self._process.stdout.read()
            reason = " ".join(told.decode(errors="replace").split())
            self.end()
            raise OutputError(
                f"{self._graph} is damaged ({reason}): build it again with `kg build`"
            )
        self._ready = True

    def ask(self, request: Mapping[str, Any], *, timeout: float) -> tuple[str, bytes]:
        """Return the kind of the answer to a request and the answer, as ``worker.py`` has them.

        Raises
        ------
        OutputError
            If the graph cannot be loaded.
        TookTooLong
            If the deadline passed; the process has ended then.
        Ended
            If the process ended of itself.
        """
        self.wait_until_ready()
        late = threading.Event()

        def end_late() -> None:
            late.set()
            self._process.kill()

        timer = threading.Timer(timeout, end_late)
        timer.daemon = True
        timer.start()
        try:
            answer = self._exchange(json.dumps({**request, "timeout": timeout}).encode() + b"\n")
        finally:
            timer.cancel()
        if answer is None:
            self.end()
            advice = "narrow it, add LIMIT, or give it more time"
            if late.is_set():
                raise TookTooLong(f"the query took more than {timeout:g} seconds: {advice}")
            raise Ended("the query failed: its process ended, perhaps out of memory")
        return answer

    def kill(self) -> None:
        """End the process, whatever it does; whoever asked it last finds that it has ended."""
        self._process.kill()

    def end(self) -> None:
        """End the process and close what led to it."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _exchange(self, request: bytes) -> tuple[str, bytes] | None:
        """Send a request and return the answer, None if the process ends before it is whole."""
        pipes = self._process.stdin, self._process.stdout
        assert pipes[0] is not None
        assert pipes[1] is not None
        try:
            view = memoryview(request)
            while view:
                view = view[pipes[0].write(view) :]
            head = pipes[1].readline()
            if not head.endswith(b"\n"):
                return None
            told = json.loads(head)
            data = bytearray()
            while len(data) < told["bytes"]:
                part = pipes[1].read(min(told["bytes"] - len(data), 1 << 20))
                if not part:
                    return None
                data += part
        except (BrokenPipeError, ValueError):  # ended, and closed, by another thread
            return None
        return str(told["kind"]), bytes(data)
