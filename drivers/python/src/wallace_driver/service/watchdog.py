"""Ends requests that take too long, and tells each place once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from ..database.opened import OPENED
from .clock import LOOK, Clock
from .people import say
from .place import Place, of_request
from .request import REQUESTS

#: How long a request may take to end after it was told to, in seconds.
PATIENCE = 0.3

_TOLD: set[str] = set()


def tell(place: Place, what: str) -> None:
    """Tells people of a request that was ended, once for each place."""
    key = what + (place.statement or str(place))
    if key not in _TOLD:
        _TOLD.add(key)
        say(f"{what}: {place}")


class Watchdog:
    """Looks after the requests of this process."""

    def __init__(self, seconds: float, hint: str = "") -> None:
        """Requests may take so long; for ever where it is 0. The hint is for those that go on."""
        self.seconds = seconds
        self.hint = hint
        #: A request that could not be ended: it does not execute statements.
        self.stuck: Place | None = None

    def start(self, begin: Callable[[], bool] = lambda: True) -> None:
        """Looks from now on, in a thread of its own, once `begin` says so."""
        if self.seconds > 0:
            name = "wallace-watchdog"
            threading.Thread(target=self._watch, args=(begin,), name=name, daemon=True).start()

    def _watch(self, begin: Callable[[], bool]) -> None:
        clock = Clock()
        while True:
            time.sleep(LOOK)
            if REQUESTS.is_idle():
                clock.rest()
                continue
            REQUESTS.time += clock.passed()
            late = REQUESTS.late(self.seconds) if begin() else []
            if late:
                self._end(of_request(late[0]))

    def _end(self, place: Place) -> None:
        tell(place, f"a request that ran for {self.seconds:g} s was ended")
        REQUESTS.kill()
        # A statement of SQLite runs in a thread of its own, or executes none of the service's.
        OPENED.interrupt()
        if not REQUESTS.settle(PATIENCE):
            self.stuck = place
            if self.hint:
                tell(place, self.hint)
