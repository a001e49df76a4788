"""The requests that the service works on: their ends are the bounds of actions."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from contextvars import ContextVar
from itertools import count
from threading import get_ident
from time import monotonic
from typing import NamedTuple

from ..runtime import kill
from .clock import MOST

#: Number of the request that the current code works for, or the last that it worked for; 0 where it
#: never worked for any.
_CURRENT: ContextVar[int] = ContextVar("wallace_request", default=0)

#: How long the threads of a request that was ended are looked for, in seconds.
_LINGERING = 0.3
_Task = asyncio.Task[object]


class Running(NamedTuple):
    """A request under way."""

    task: _Task | None
    #: The thread in which it began: of a task, that of its loop.
    thread: int
    #: By the time of the requests, and by the clock on the wall.
    start: float
    start_by_clock: float


class Requests:
    """Requests under way. Numbers follow tasks and threads through context variables."""

    def __init__(self) -> None:
        """No request."""
        self._numbers = count(1)
        #: What a `Running` holds; to make one for each request would cost.
        self._running: dict[int, tuple[_Task | None, int, float, float]] = {}
        self._killed: set[int] = set()
        self._changed = threading.Condition()
        #: How many threads wait for the ends of requests.
        self._waiting = 0
        #: Seconds that requests could run so far; the watchdog counts them.
        self.time = 0.0

    def enter(self, task: _Task | None = None) -> int:
        """A request begins, in this thread or task."""
        # Each of these is one step for other threads: a lock would cost more than all of them.
        number = next(self._numbers)
        self._running[number] = (task, get_ident(), self.time, monotonic())
        _CURRENT.set(number)
        return number

    def leave(self, number: int) -> None:
        """A request has ended, and all that runs inside its call."""
        self._running.pop(number, None)
        # Who begins to wait after this does not find the request any more.
        if self._waiting or self._killed:
            self._tell_end(number)
        # The context keeps the number: nothing else in it is told to end, and the next request sets
        # its own.

    def _tell_end(self, number: int) -> None:
        with self._changed:
            if number in self._killed:
                # A thread that works for it need not have come to its next statement.
                forgiving = threading.Timer(_LINGERING, self._forgive, (number,))
                forgiving.daemon = True
                forgiving.start()
            self._changed.notify_all()

    def _forgive(self, number: int) -> None:
        """Nothing of a request that was ended runs any more."""
        with self._changed:
            self._killed.discard(number)
            if not self._killed:
                kill.end()

    def settle(self, seconds: float) -> bool:
        """Waits until no request runs: an answer arrives before the last lines of its request."""
        deadline = monotonic() + seconds
        with self._changed:
            self._waiting += 1
            try:
                while self._running:
                    if not self._changed.wait(max(deadline - monotonic(), 0)):
                        return False
            finally:
                self._waiting -= 1
        return True

    def is_idle(self) -> bool:
        """Whether no request runs."""
        return not self._running

    def late(self, seconds: float) -> list[Running]:
        """The requests that have run for longer and are not being ended."""
        deadline, by_clock = self.time - seconds, monotonic() - seconds * MOST
        with self._changed:
            running = {number: Running(*one) for number, one in list(self._running.items())}
        return [
            one
            for number, one in running.items()
            if (one.start < deadline or one.start_by_clock < by_clock)
            and number not in self._killed
        ]

    def is_killed(self, number: int) -> bool:
        """Whether a request is to be ended."""
        return number in self._killed

    def kill(self) -> None:
        """Ends the requests that run: at their next statement, or where they wait."""
        with self._changed:
            running = dict(self._running)
            self._killed |= set(running)
            # Those that end from here on see that they are killed; those before are no more.
            self._killed -= set(running) - set(self._running)
            if not self._killed & set(running):
                return
            kill.begin(lambda: _CURRENT.get() in self._killed)
        for task, *_ in running.values():
            if task is not None:
                # The loop may have ended meanwhile.
                with contextlib.suppress(RuntimeError):
                    task.get_loop().call_soon_threadsafe(task.cancel)


#: The requests of this process.
REQUESTS = Requests()
