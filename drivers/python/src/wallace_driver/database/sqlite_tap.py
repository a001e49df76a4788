"""What the service executes in SQLite: told by the trace of its connections.

The trace is the one place that Django's own cursors, SQLAlchemy and aiosqlite all pass, and it
gives statements with their values.
"""

from __future__ import annotations

import os
import sys
import weakref
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from types import ModuleType
from typing import Any

from .opened import OPENED, Address, Executed, own_work

_PARAMETERS = (
    "database timeout detect_types isolation_level check_same_thread factory cached_statements uri"
).split()
_MEMORY = "memory:"
_NUMBERS = count(1)


def patch(module: ModuleType) -> None:
    """Watches all connections that are made from now on."""
    connect = module.connect
    if hasattr(connect, "wallace_plain"):
        return
    classes: dict[type, type] = {}

    def watched(*arguments: Any, **options: Any) -> Any:
        if not arguments and "database" not in options:
            return connect(**options)
        given = {**dict(zip(_PARAMETERS, arguments, strict=False)), **options}
        factory = given.get("factory", module.Connection)
        if not isinstance(factory, type) or not issubclass(factory, module.Connection):
            return connect(*arguments, **options)
        given["factory"] = classes.setdefault(factory, _watching(factory))
        address = address_of(given["database"], is_uri=bool(given.get("uri")))
        is_shared = address.place.startswith(_MEMORY)
        if is_shared:
            # The driver's thread asks the only connection that reaches it.
            given["check_same_thread"] = False
        with own_work():
            connection = connect(given.pop("database"), **given)
        if is_shared:
            OPENED.shared[address] = weakref.ref(connection)
        OPENED.add(address)
        connection.wallace_begin(address)
        return connection

    watched.wallace_plain = connect  # type: ignore[attr-defined]
    module.connect = watched  # type: ignore[attr-defined]
    package = sys.modules.get("sqlite3")
    if package is not None and hasattr(package, "connect"):
        package.connect = watched  # type: ignore[attr-defined]


def address_of(database: Any, *, is_uri: bool) -> Address:
    """Where a database of SQLite is."""
    place = os.fsdecode(database)
    if is_uri and place.startswith("file:"):
        is_memory = place.startswith("file::memory:") or "mode=memory" in place
        if not is_memory or "cache=shared" in place:
            return Address("sqlite", place)
    elif place not in ("", ":memory:"):
        return Address("sqlite", os.path.abspath(place))
    return Address("sqlite", f"{_MEMORY}{next(_NUMBERS)}")


def _watching(factory: Any) -> type:
    """A class of connections that tell what they execute."""

    class Watched(factory):  # type: ignore[misc]
        def wallace_begin(self, address: Address) -> None:
            self._wallace = _Trace(self, address)
            super().set_trace_callback(self._wallace.note)

        def set_trace_callback(self, callback: Callable[[str], object] | None) -> None:
            self._wallace.also = callback

        def close(self) -> None:
            self._wallace.finish()
            super().close()

    Watched.__name__, Watched.__qualname__ = factory.__name__, factory.__qualname__
    return Watched


class _Trace:
    """The statements of one connection."""

    def __init__(self, connection: Any, address: Address) -> None:
        self.also: Callable[[str], object] | None = None
        self._connection = weakref.ref(connection)
        self._address = address
        self._last: Executed | None = None
        self._changes = 0
        for calls, own in ((OPENED.unfinished, self.finish), (OPENED.interrupts, self.interrupt)):
            calls.append(own)
            weakref.finalize(connection, calls.remove, own)

    def note(self, text: str) -> None:
        before = self._last
        self.finish()
        # A statement that is prepared anew is told twice.
        is_again = before is not None and before.text == text and not before.has_changed
        # What triggers execute is told as a comment.
        if not text.startswith("--") and not is_again:
            self._last = OPENED.note(self._address, text)
        elif is_again:
            self._last = before
        if self.also is not None:
            self.also(text)

    def interrupt(self) -> None:
        """Nothing that runs goes on. Any thread may say so; where nothing runs it does nothing."""
        connection = self._connection()
        # It may be closed.
        with suppress(Exception):
            if connection is not None:
                connection.interrupt()

    def finish(self) -> None:
        """Says of the last statement whether it has changed rows."""
        connection = self._connection()
        try:
            changes = connection.total_changes if connection is not None else self._changes
        except Exception:
            # It is closed, and the statement before was told of.
            return
        if self._last is not None:
            self._last.has_changed = changes > self._changes
            self._last = None
        self._changes = changes
