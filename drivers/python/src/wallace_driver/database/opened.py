"""Databases that the service has opened, and the statements that it has executed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from ..runtime.recorder import RECORDER

#: Statements that are kept of one action.
_MOST_STATEMENTS = 1_000
#: Longest statement that is kept, in characters.
_LONGEST = 50_000
_LOCAL = threading.local()


@dataclass(frozen=True)
class Address:
    """Where a database is."""

    dialect: Literal["sqlite", "postgres", "mysql"]
    #: File or URI of SQLite, `memory:NUMBER` of one that only its connection reaches, name of
    #: a database of a server.
    place: str
    #: Host and port of the server. Connections say the rest in different words, or leave it out.
    server: str = ""
    #: Parameters of a connection, in the words of libpq or of PyMySQL.
    parameters: tuple[tuple[str, str], ...] = field(default=(), repr=False, compare=False)


def server(host: object, port: object, usual_port: int) -> str:
    """A server by its host and port, however much of them is said."""
    name = "127.0.0.1" if host == "localhost" else str(host or "")
    return f"{name}:{port or usual_port}"


@dataclass
class Executed:
    """A statement of the service, with its values in it."""

    address: Address
    text: str
    #: Whether rows changed; unknown until the statement has ended.
    has_changed: bool | None = None
    has_failed: bool = False


class Opened:
    """What is known in the process of the service."""

    def __init__(self) -> None:
        """Nothing is open."""
        self.addresses: dict[Address, None] = {}
        #: Connections to databases in memory, by address.
        self.shared: dict[Address, Callable[[], Any]] = {}
        #: Called before statements are read: they complete what they have told.
        self.unfinished: list[Callable[[], None]] = []
        #: Called where requests are ended: they stop what a connection is executing.
        self.interrupts: list[Callable[[], None]] = []
        #: Called where a database appears after the start, before the service uses it.
        self.on_new: Callable[[Address], None] | None = None
        self.keeps_statements = True

    def add(self, address: Address) -> None:
        """The service uses this database."""
        if address in self.addresses:
            return
        self.addresses[address] = None
        if self.on_new is not None and not is_own():
            self.on_new(address)

    def reachable(self) -> list[Address]:
        """The databases that other processes reach, too."""
        return [address for address in self.addresses if address not in self.shared]

    def note(self, address: Address, text: str) -> Executed | None:
        """A statement is being executed; nothing where it is not kept."""
        if is_own() or not self.keeps_statements:
            return None
        notes = RECORDER.actions[-1]
        if len(notes.statements) >= _MOST_STATEMENTS or len(text) > _LONGEST:
            notes.has_lost_statements = True
            return None
        executed = Executed(address, text)
        notes.statements.append(executed)
        return executed

    def finish(self) -> None:
        """Completes what is known of the statements."""
        for one in list(self.unfinished):
            one()

    def interrupt(self) -> None:
        """Stops what is being executed, as far as the library can."""
        for one in list(self.interrupts):
            one()


def is_own() -> bool:
    """Whether this thread works for the driver."""
    return getattr(_LOCAL, "depth", 0) > 0


@contextmanager
def own_work() -> Iterator[None]:
    """Inside, nothing that this thread executes is work of the service."""
    _LOCAL.depth = getattr(_LOCAL, "depth", 0) + 1
    try:
        yield
    finally:
        _LOCAL.depth -= 1


#: What this process has opened.
OPENED = Opened()
