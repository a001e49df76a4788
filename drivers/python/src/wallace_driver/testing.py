"""A search of an application from a test: driver and service in this process, the engine beside it.

The engine is the command `wallace`. What it finds fails the test with the smallest requests.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from .database import install as databases
from .runtime.epoch import units
from .runtime.install import install
from .server.driver import Driver
from .server.http import HttpServer
from .service import caches, failure
from .service.controller import ServiceController, ServiceOptions
from .service.ending import Ending
from .service.people import say
from .service.reset import call
from .service.serving import served

_NOT_SEEN = (
    "no module of the application is instrumented, so that only its answers guide the search: name "
    "its modules before they are imported, with `wallace_include = shop` in the settings of pytest"
)
#: How the command says that it found faults.
_FAULTS = 1


@dataclass(frozen=True)
class Failure:
    """A fault, with the smallest requests that show it."""

    name: str
    #: Why it matters, the requests as commands of curl, and their answers.
    text: str

    def __str__(self) -> str:
        """What a failing test shows."""
        return f"{self.name}\n{self.text}"


class FaultsFoundError(AssertionError):
    """The application has faults."""

    def __init__(self, failures: list[Failure]) -> None:
        """The faults, of which there is one at least."""
        self.failures = failures
        shown = "\n\n".join(f"{number}. {one}" for number, one in enumerate(failures, 1))
        count = "1 fault" if len(failures) == 1 else f"{len(failures)} faults"
        super().__init__(f"{count}\n\n{shown}")


def fuzz(
    application: Callable[..., Any],
    *,
    calls: int = 5_000,
    seed: int = 42,
    reset: Callable[[], Any] | None = None,
    schema: str | None = None,
    out: str | os.PathLike[str] | None = None,
    options: Sequence[str] = (),
) -> None:
    """Searches an ASGI or WSGI application for faults.

    `reset` brings its state back before each test, and may be a coroutine function; `schema` is the
    path of its OpenAPI description or GraphQL endpoint, where that is an unusual one; suite and
    reports go to `out` where it is given; `options` are further ones of `wallace fuzz`. The command
    is that of the environment variable `WALLACE`, or else `wallace` among those on the path.

    Raises `FaultsFoundError`, an `AssertionError`, when the application has faults, and
    `RuntimeError` when it could not be searched.
    """
    command = os.environ.get("WALLACE") or shutil.which("wallace")
    if command is None:
        raise RuntimeError("there is no command `wallace`: install it, or name it in WALLACE")
    install()
    databases.install()
    failure.install()
    caches.install()
    if not units()[0]:
        say(_NOT_SEEN)
    with served(application) as url, tempfile.TemporaryDirectory() as folder:
        results = Path(out) if out is not None else Path(folder) / "out"
        given = ServiceOptions(url=url, schema=schema, reset=_resetting(reset))
        with _driven(given) as port:
            words = [command, "fuzz", "--driver", f"localhost:{port}", "--out", str(results)]
            words += ["--calls", str(calls), "--seed", str(seed), "--quiet", *options]
            done = subprocess.run(words, capture_output=True, text=True, env=_environment())
        if done.returncode == _FAULTS:
            raise FaultsFoundError(_failures(results / "report/junit.xml"))
        if done.returncode != 0:
            raise RuntimeError(f"the search failed: {done.stderr.strip() or done.stdout.strip()}")


def _environment() -> dict[str, str]:
    """The settings of a search come from the test, and not from where it runs."""
    return {name: value for name, value in os.environ.items() if not name.startswith("WALLACE_")}


@contextmanager
def _driven(options: ServiceOptions) -> Iterator[int]:
    """Serves the driver of a service; gives its port."""
    server = HttpServer(0)
    controller = ServiceController(options, server.port)
    driver = Driver(controller)
    ending = Ending(driver.leave)
    server.start(driver.handle)
    controller.watch()
    ending.begin()
    try:
        yield server.port
    finally:
        ending.end()
        ending.forget()
        server.socket.close()


def _resetting(reset: Callable[[], Any] | None) -> Callable[[], None] | None:
    return None if reset is None else lambda: call(reset)


def _failures(report: Path) -> list[Failure]:
    """The faults of a report."""
    cases = ElementTree.parse(report).getroot().iter("testcase")
    found = []
    for case in cases:
        failure = case.find("failure")
        if failure is not None:
            name = f"{case.get('classname')}: {failure.get('message')}"
            found.append(Failure(name, (failure.text or "").strip()))
    return found
