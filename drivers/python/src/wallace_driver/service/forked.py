"""The service in children of this process: a fresh one for each test."""

from __future__ import annotations

import threading
import time

from ..runtime.recorder import RECORDER, ActionNotes
from . import port
from .clock import LOOK, Patience
from .controller import ENDING, SETTLING, ServiceController, ServiceOptions, answers
from .fork import NURSERY, Child, StuckError, absorb
from .place import Place
from .watchdog import tell


class ForkedController(ServiceController):
    """Resets the service by forking the process that has loaded it."""

    def __init__(self, options: ServiceOptions, driver_port: int) -> None:
        """A controller without a child."""
        super().__init__(options, driver_port)
        self._child: Child | None = None
        #: Held by whoever deals with the child.
        self._lock = threading.RLock()
        #: Actions of this test that earlier children have seen.
        self._before: list[ActionNotes] = []
        self._is_watched = False

    def watch(self) -> None:
        """Children look after their requests themselves."""

    def start(self) -> None:
        """Waits until the service is loaded, and until its first child answers."""
        if not NURSERY.is_warm.wait(self.options.timeout):
            raise RuntimeError(
                "the service was not loaded in time, or its server is none of those that can be "
                "forked: uvicorn, and all on `socketserver` such as Flask's and Django's"
            )
        with self._lock:
            self._child = NURSERY.child(self.options.hang)
            super().start()
            self.settle()
        if not self._is_watched and self.options.hang > 0:
            self._is_watched = True
            threading.Thread(target=self._watch, name="wallace-watchdog", daemon=True).start()

    def stop(self) -> None:
        """Ends the child, after a last question for what it has executed."""
        self._base_url = None
        if not self._lock.acquire(timeout=ENDING):
            # Somebody waits for an answer, which a dead child does not owe.
            child = self._child
            if child is not None:
                child.kill()
            self._lock.acquire()
        try:
            if self._child is not None:
                self._ask_last(self._child)
                self._child.end()
                self._child = None
        finally:
            self._lock.release()

    def _ask_last(self, child: Child) -> None:
        """What a child has recorded that is about to end."""
        try:
            self._absorb(child.ask("results", 0.0, within=ENDING))
        except OSError:
            RECORDER.actions[-1].has_lost_statements = True

    def reset(self) -> None:
        """A new child in place of the old one."""
        with self._lock:
            self._bear()
            super().reset()
            if self._child is not None:
                self._child.ask("forget", SETTLING)
            self._before = []

    def _bear(self) -> None:
        """Waits until a new child answers; the old one ends."""
        if self._child is not None:
            self._child.end()
        self._child = NURSERY.child(self.options.hang)
        patience = Patience(self.options.timeout, self._child.pid)
        while not answers(self.base_url or ""):
            self.wait(patience, "the new process of the service does not answer")

    def _watch(self) -> None:
        """Replaces a child that is busy where nothing can end it, such as in C."""
        while True:
            time.sleep(LOOK)
            with self._lock:
                child = self._child
                if child is None or self.base_url is None:
                    continue
                try:
                    stuck: Place | None = child.ask("health", within=self.options.hang)
                    if stuck is not None:
                        self._replace(stuck)
                except StuckError:
                    self._replace(None)
                except OSError:
                    # It has ended by itself: the next test has another one.
                    continue

    def _replace(self, stuck: Place | None) -> None:
        """Goes on with a new child, in the middle of a test. One that answers is asked for what it
        has recorded.
        """
        child = self._child
        if child is None:
            return
        place = child.place() if stuck is None else stuck
        if stuck is None:
            tell(place, f"the service was blocked for {self.options.hang:g} s, and was replaced")
            RECORDER.actions[-1].has_lost_statements = True
        else:
            self._absorb(child.ask("results", 0.0, within=1.0))
        if place.statement is not None:
            RECORDER.actions[-1].last_statement = place.statement
        self._before = list(RECORDER.actions)
        self._bear()
        if self._child is not None:
            # What starting reaches is known.
            self._child.ask("forget", SETTLING)

    def begin_action(self, index: int, inputs: list[str]) -> None:
        """Announces an action to the child, where it is counted."""
        with self._lock:
            if self._child is not None:
                self._child.ask("begin", index, inputs)

    def settle(self) -> None:
        """Gets what the child has recorded so far."""
        with self._lock:
            if self._child is None:
                return
            try:
                self._absorb(self._child.ask("results", SETTLING, within=self.options.hang or None))
            except StuckError:
                self._replace(None)
            except OSError:
                # It has ended by itself: the next test has another one.
                RECORDER.actions[-1].has_lost_statements = True

    def _absorb(self, results: object) -> None:
        absorb(results)
        if self._before:
            # A child that took over does not know the actions before.
            begun = RECORDER.actions if RECORDER.actions != [ActionNotes()] else []
            RECORDER.actions = [*self._before, *begun]

    def set_kill_switch(self, is_on: bool) -> None:
        """Ends what still runs; the next test has another process anyway."""
        with self._lock:
            if is_on and self._child is not None:
                self._child.ask("kill")

    def addresses(self) -> list[port.Address]:
        """Where the child listens, or this process for it."""
        own = super().addresses()
        if self._child is None:
            return own
        return [*own, *port.listening({self.driver_port}, self._child.pid)]
