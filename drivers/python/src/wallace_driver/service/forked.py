"""The service in children of this process: a fresh one for each test."""

from __future__ import annotations

import time

from . import port
from .controller import SETTLING, ServiceController, ServiceOptions, answers
from .fork import NURSERY, Child, absorb


class ForkedController(ServiceController):
    """Resets the service by forking the process that has loaded it."""

    def __init__(self, options: ServiceOptions, driver_port: int) -> None:
        """A controller without a child."""
        super().__init__(options, driver_port)
        self._child: Child | None = None

    def start(self) -> None:
        """Waits until the service is loaded, and until its first child answers."""
        if not NURSERY.is_warm.wait(self.options.timeout):
            raise RuntimeError(
                "the service was not loaded in time, or its server is none of those that can be "
                "forked: uvicorn, and all on `socketserver` such as Flask's and Django's"
            )
        self._child = NURSERY.child()
        super().start()
        self.settle()

    def stop(self) -> None:
        """Ends the child."""
        super().stop()
        if self._child is not None:
            self._child.end()
            self._child = None

    def reset(self) -> None:
        """A new child in place of the old one."""
        if self._child is not None:
            self._child.end()
        self._child = NURSERY.child()
        deadline = time.monotonic() + self.options.timeout
        while not answers(self.base_url or ""):
            self.wait(deadline, "the new process of the service does not answer")
        super().reset()
        self._child.ask("forget", SETTLING)

    def begin_action(self, index: int, inputs: list[str]) -> None:
        """Announces an action to the child, where it is counted."""
        if self._child is not None:
            self._child.ask("begin", index, inputs)

    def settle(self) -> None:
        """Gets what the child has recorded so far."""
        if self._child is not None:
            absorb(self._child.ask("results", SETTLING))

    def set_kill_switch(self, is_on: bool) -> None:
        """Ends what still runs; the next test has another process anyway."""
        if is_on and self._child is not None:
            self._child.ask("kill")

    def addresses(self) -> list[port.Address]:
        """Where the child listens, or this process for it."""
        own = super().addresses()
        if self._child is None:
            return own
        return [*own, *port.listening({self.driver_port}, self._child.pid)]
