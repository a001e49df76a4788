"""A child per test: forks of this process, which has loaded the service and does not serve.

The main thread waits where the server would begin to serve. Each child goes on from there; what it
records comes back through a pipe.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import queue
import signal
import tempfile
import threading
import time
from collections.abc import Callable
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

from ..database.opened import OPENED, Address
from ..runtime.install import register
from ..runtime.recorder import RECORDER
from .clock import LOOK, Patience
from .place import Place, of_dump
from .request import REQUESTS
from .watchdog import Watchdog

#: Has a child write where its threads stand. The interpreter need not run for it.
_DUMP = signal.SIGUSR2
#: How long a child may take to write that, in seconds.
_PATIENCE = 0.1


#: Both ends of a pipe: the parent's, the child's.
_Ends = tuple["Connection[Any, Any]", "Connection[Any, Any]"]


class StuckError(OSError):
    """A child does not answer, or cannot end a request."""


class Child:
    """A process that serves, as this one sees it."""

    def __init__(
        self, pid: int, pipe: Connection[Any, Any], news: Connection[Any, Any], dump: Any
    ) -> None:
        """A child that has just been forked: where it answers, where it asks by itself, and the
        file for its dumps.
        """
        self.pid = pid
        self._pipe = pipe
        self._dump = dump
        self._lock = threading.Lock()
        threading.Thread(target=_hear, args=(news,), daemon=True).start()

    def ask(self, order: str, *arguments: object, within: float | None = None) -> Any:
        """Has the child do something, and gives its answer. Raises `OSError` if it is dead, and
        `StuckError` if it does not answer within so many seconds that it could work.
        """
        with self._lock:
            try:
                self._pipe.send((order, arguments))
                if within is not None:
                    self._await(within)
                return self._pipe.recv()
            except EOFError as error:
                raise OSError("the process of the service has ended") from error

    def _await(self, seconds: float) -> None:
        """Waits for an answer."""
        patience = Patience(seconds, self.pid)
        while not self._pipe.poll(LOOK):
            if patience.is_over():
                raise StuckError("the process of the service does not answer")

    def place(self) -> Place:
        """Where the child stands, whether or not its interpreter runs."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, _DUMP)
        time.sleep(_PATIENCE)
        return of_dump(os.pread(self._dump.fileno(), 1 << 20, 0).decode(errors="replace"))

    def kill(self) -> None:
        """Ends the child, whatever it does, and whoever asks it something."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def end(self) -> None:
        """Ends the child for good."""
        self.kill()
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        self._pipe.close()
        self._dump.close()


class Nursery:
    """Forks children in the main thread, on behalf of the driver's."""

    def __init__(self) -> None:
        """Nobody waits yet."""
        self._wanted: queue.SimpleQueue[tuple[_Ends, _Ends, Any, float]] = queue.SimpleQueue()
        self._born: queue.SimpleQueue[int] = queue.SimpleQueue()
        #: Whether the service is loaded and children can be had.
        self.is_warm = threading.Event()

    def child(self, seconds: float) -> Child:
        """A new child, which begins to serve; its requests may take so long."""
        orders, news = Pipe(), Pipe()
        # It is closed with the child.
        dump = tempfile.TemporaryFile()  # noqa: SIM115
        self._wanted.put((orders, news, dump, seconds))
        pid = self._born.get()
        for _, there in (orders, news):
            there.close()
        return Child(pid, orders[0], news[0], dump)

    def wait(self, serve: Callable[[], Any]) -> None:
        """Called where the server would serve: forks children that do, for ever."""
        self.is_warm.set()
        while True:
            orders, news, dump, seconds = self._wanted.get()
            pid = os.fork()
            if pid == 0:
                # The child ends with its parent: it must not hold the other ends itself.
                for here, _ in (orders, news):
                    here.close()
                _be_a_child(orders[1], news[1], dump, seconds)
                try:
                    serve()
                finally:
                    os._exit(0)
            self._born.put(pid)


def _hear(news: Connection[Any, Any]) -> None:
    """Answers a child that is about to use a database for the first time."""
    with news, contextlib.suppress(EOFError, OSError):
        while True:
            OPENED.add(news.recv())
            news.send(None)


def _be_a_child(
    pipe: Connection[Any, Any], news: Connection[Any, Any], dump: Any, seconds: float
) -> None:
    asking = threading.Lock()

    def tell(address: Address) -> None:
        """The driver looks into databases from the parent, before the service writes there."""
        if address not in OPENED.shared:
            with asking, contextlib.suppress(EOFError, OSError):
                news.send(address)
                news.recv()

    OPENED.on_new = tell
    faulthandler.register(_DUMP, file=dump, all_threads=True)
    watchdog = Watchdog(seconds)
    watchdog.start()
    threading.Thread(target=_obey, args=(pipe, watchdog), daemon=True).start()


def _obey(pipe: Connection[Any, Any], watchdog: Watchdog) -> None:
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
        elif order == "health":
            pipe.send(watchdog.stuck)
            continue
        elif order == "results":
            REQUESTS.settle(*arguments)
            RECORDER.collect()
            OPENED.finish()
            new = [one for identity, one in RECORDER.tables.items() if identity not in known]
            modules = [(one.identity, one.unit, one.path, one.sites) for one in new]
            pipe.send((modules, RECORDER.export(), OPENED.reachable()))
            continue
        pipe.send(None)


def absorb(results: Any) -> None:
    """Takes what a child has recorded for what this process has recorded."""
    modules, recorded, addresses = results
    for module in modules:
        register(*module)
    RECORDER.absorb(recorded)
    for address in addresses:
        OPENED.addresses.setdefault(address)


#: The nursery of this process, if children serve.
NURSERY = Nursery()
