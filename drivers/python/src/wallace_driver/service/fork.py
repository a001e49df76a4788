"""A child per test: forks of this process, which has loaded the service and does not serve.

The main thread waits where the server would begin to serve. Each child goes on from there; what it
records comes back through a pipe.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import threading
from collections.abc import Callable
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

from ..runtime.install import register
from ..runtime.recorder import RECORDER
from .request import REQUESTS


class Child:
    """A process that serves, as this one sees it."""

    def __init__(self, pid: int, pipe: Connection[Any, Any]) -> None:
        """A child that has just been forked."""
        self.pid = pid
        self._pipe = pipe

    def ask(self, order: str, *arguments: object) -> Any:
        """Has the child do something, and gives its answer. Raises `OSError` if it is dead."""
        try:
            self._pipe.send((order, arguments))
            return self._pipe.recv()
        except EOFError as error:
            raise OSError("the process of the service has ended") from error

    def end(self) -> None:
        """Ends the child, whatever it does."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        self._pipe.close()


class Nursery:
    """Forks children in the main thread, on behalf of the driver's."""

    def __init__(self) -> None:
        """Nobody waits yet."""
        self._wanted: queue.SimpleQueue[tuple[Connection[Any, Any], Connection[Any, Any]]] = (
            queue.SimpleQueue()
        )
        self._born: queue.SimpleQueue[int] = queue.SimpleQueue()
        #: Whether the service is loaded and children can be had.
        self.is_warm = threading.Event()

    def child(self) -> Child:
        """A new child, which begins to serve."""
        here, there = Pipe()
        self._wanted.put((here, there))
        pid = self._born.get()
        there.close()
        return Child(pid, here)

    def wait(self, serve: Callable[[], Any]) -> None:
        """Called where the server would serve: forks children that do, for ever."""
        self.is_warm.set()
        while True:
            here, there = self._wanted.get()
            pid = os.fork()
            if pid == 0:
                # The child ends with its parent: it must not hold the other end itself.
                here.close()
                _be_a_child(there)
                try:
                    serve()
                finally:
                    os._exit(0)
            self._born.put(pid)


def _be_a_child(pipe: Connection[Any, Any]) -> None:
    threading.Thread(target=_obey, args=(pipe,), daemon=True).start()


def _obey(pipe: Connection[Any, Any]) -> None:
    """Does what the parent asks for, and ends with it."""
    known = set(RECORDER.tables)
    while True:
        try:
            order, arguments = pipe.recv()
        except (EOFError, OSError):
            os._exit(0)
        if order == "begin":
            RECORDER.begin_action(*arguments)
        elif order == "forget":
            REQUESTS.settle(*arguments)
            RECORDER.clear()
        elif order == "kill":
            REQUESTS.kill()
        elif order == "results":
            REQUESTS.settle(*arguments)
            RECORDER.collect()
            new = [one for identity, one in RECORDER.tables.items() if identity not in known]
            modules = [(one.identity, one.unit, one.path, one.sites) for one in new]
            pipe.send((modules, RECORDER.export()))
            continue
        pipe.send(None)


def absorb(results: Any) -> None:
    """Takes what a child has recorded for what this process has recorded."""
    modules, recorded = results
    for module in modules:
        register(*module)
    RECORDER.absorb(recorded)


#: The nursery of this process, if children serve.
NURSERY = Nursery()
