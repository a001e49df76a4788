"""The service that runs in this process, as the driver sees it."""

from __future__ import annotations

import http.client
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..runtime.recorder import RECORDER
from ..server.controller import Problem
from . import caches, outline, port, schema
from .clock import Patience
from .people import say
from .request import REQUESTS
from .watchdog import Watchdog

PAUSE = 0.02
#: How long a request may go on after its answer and still be booked on its action.
SETTLING = 0.05
#: How long requests may take to end when the engine has finished.
ENDING = 0.3
_HINT = "it executes no statement and goes on; --reset fork would end it with its process"


@dataclass
class ServiceOptions:
    """What the user says of the service; the rest is found."""

    url: str | None = None
    #: Path of the description or of the endpoint; it is asked which of the two it is. Or a file
    #: that holds the description.
    schema: str | None = None
    openapi: str | None = None
    graphql: str | None = None
    reset: Callable[[], None] | None = None
    timeout: float = 120.0
    #: How long a request may run, in seconds; 0 for ever.
    hang: float = 5.0


class ServiceController:
    """Waits for the service and resets it. It cannot stop it: the command does that."""

    def __init__(self, options: ServiceOptions, driver_port: int) -> None:
        """A controller of a service that may still be starting."""
        self.options = options
        self.driver_port = driver_port
        self._base_url: str | None = None
        self._problem: Problem | None = None
        self._has_begun = False

    def watch(self) -> None:
        """Looks after the requests of this process, from the first action on: what comes before,
        such as a long description, is no call of a test.
        """
        Watchdog(self.options.hang, _HINT).start(lambda: self._has_begun)

    @property
    def base_url(self) -> str | None:
        """Where the service answers; nothing before the start."""
        return self._base_url

    @property
    def problem(self) -> Problem:
        """Kind of API."""
        if self._problem is None:
            raise RuntimeError("the service has not been started")
        return self._problem

    def start(self) -> None:
        """Waits until the service answers."""
        patience = Patience(self.options.timeout)
        url = self.options.url
        while url is None:
            url = next((one for one in map(port.url, self.addresses()) if answers(one)), None)
            if url is None:
                self.wait(patience, "no port of this process answers HTTP")
        while not answers(url):
            self.wait(patience, f"{url} does not answer")
        url = url.rstrip("/")
        self._problem = self._problem or self._offered(url)
        if self._base_url is None:
            say(f"the service answers at {url} ({_kind(self._problem)})")
        self._base_url = url

    def stop(self) -> None:
        """Forgets where the service is; it goes on, and the requests that it works on end."""
        self._base_url = None
        self._has_begun = False
        REQUESTS.kill()
        REQUESTS.settle(ENDING)

    def reset(self) -> None:
        """Empties caches, and calls the user's function, if there is one."""
        caches.clear()
        if self.options.reset is not None:
            self.options.reset()

    def begin_action(self, index: int, inputs: list[str]) -> None:
        """Announces an action to the recorder."""
        self._has_begun = True
        RECORDER.begin_action(index, inputs)

    def addresses(self) -> list[port.Address]:
        """Where the service may listen."""
        return port.listening({self.driver_port})

    def set_kill_switch(self, is_on: bool) -> None:
        """Ends the requests that still run. Afterwards it is off: new ones are not concerned."""
        if is_on:
            REQUESTS.kill()

    def settle(self) -> None:
        """Waits a little for the ends of requests whose answers have been sent."""
        REQUESTS.settle(SETTLING)

    def _offered(self, url: str) -> Problem:
        if self.options.graphql is not None:
            return Problem("graphql", self.options.graphql)
        if self.options.openapi is not None:
            path = self.options.openapi
            return Problem("rest", path if "://" in path else url + path)
        place = self.options.schema
        found = _of_file(place) or schema.find(url, place)
        if found is None:
            found = outline.outlined(url, place)
        if found is None:
            advice = (
                "leave --schema out to have it looked for, or name another place"
                if place
                else "say where it is with --schema PATH"
            )
            raise RuntimeError(
                "no OpenAPI description and no GraphQL endpoint was found at "
                f"{url}{place or ''}: {advice}"
            )
        return found

    @staticmethod
    def wait(patience: Patience, reason: str) -> None:
        """A short pause. Raises `RuntimeError` when the time is over."""
        if patience.is_over():
            raise RuntimeError(f"the service has not started in time: {reason}")
        time.sleep(PAUSE)


def _of_file(place: str | None) -> Problem | None:
    """The description in a file, where the place is none of the service."""
    if place is None or not Path(place).is_file():
        return None
    return Problem("rest", place, Path(place).read_text(encoding="utf-8"))


def _kind(problem: Problem) -> str:
    if problem.kind == "graphql":
        return "GraphQL"
    if problem.description is None:
        return "OpenAPI"
    if problem.location:
        return f"OpenAPI in {problem.location}"
    return "it offers no description to everybody: its application tells the operations"


def answers(url: str) -> bool:
    """Whether somebody answers HTTP there."""
    try:
        schema.exchange(url, "GET", "/")
    except (OSError, http.client.HTTPException):
        return False
    return True
