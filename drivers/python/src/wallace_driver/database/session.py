"""The driver's own way to a database, beside the connections of the service."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol, TypeVar

from .catalogue import quoted
from .opened import OPENED, Address, own_work

Row = tuple[Any, ...]
#: Steps of SQLite's machine that a question may take, and after how many it is looked at. Steps are
#: the same on any machine, so that findings repeat; these take about a second.
_MOST_STEPS = 50_000_000
_STEPS = 100_000
_Connection = TypeVar("_Connection")


class DatabaseError(Exception):
    """What a database, or its library, says against something."""


class TooLongError(DatabaseError):
    """A question was given up, since its answer took too long."""


class Session(Protocol):
    """One connection of the driver's. Its statements have their values in them."""

    address: Address

    def rows(self, statement: str) -> list[Row]:
        """Executes a statement; gives its rows. Raises `DatabaseError`."""

    def ask(self, question: str) -> list[Row]:
        """The rows of a statement of the service's, which may take as long as it likes: the driver
        waits for so long only. Raises `TooLongError`, and `DatabaseError`.
        """

    def is_stale(self) -> bool:
        """Whether the database was replaced by another at the same place."""

    def deferred(self) -> AbstractContextManager[None]:
        """A transaction in which references are checked at the end, where the database can do so.
        Raises `DatabaseError` at the end, and then nothing of it is left.
        """

    def script(self, statements: list[str]) -> None:
        """Executes all or nothing. References are not checked meanwhile and triggers do nothing, as
        far as that can be had. Raises `DatabaseError`.
        """


def connected(server: str, libraries: Mapping[str, Callable[[Any], _Connection]]) -> _Connection:
    """A connection by the first of some libraries that is installed: each is given as a module to
    what connects by it. Raises `DatabaseError` where there is none, or it does not connect.
    """
    for name, connect in libraries.items():
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        try:
            with own_work():
                return connect(module)
        except Exception as error:
            raise DatabaseError(f"{name}: {error}") from error
    raise DatabaseError(f"no library for {server} is installed")


class SqliteSession:
    """A connection to SQLite: an own one to a file, that of the service to a database in memory."""

    def __init__(self, address: Address) -> None:
        """Connects. Raises `DatabaseError`."""
        import sqlite3

        from .distance import register

        self.address = address
        self._error = sqlite3.Error
        shared = OPENED.shared.get(address)
        self.is_shared = shared is not None
        connect = getattr(sqlite3.connect, "wallace_plain", sqlite3.connect)
        try:
            if shared is None:
                is_uri = address.place.startswith("file:")
                self._connection = connect(
                    address.place,
                    isolation_level=None,
                    check_same_thread=False,
                    uri=is_uri,
                    timeout=2.0,
                    cached_statements=256,
                )
                # A test need not survive a loss of power.
                self._connection.execute("PRAGMA synchronous = OFF")
                # A row that refers to nothing is none that the service has written.
                self._connection.execute("PRAGMA foreign_keys = ON")
            else:
                self._connection = shared()
                if self._connection is None:
                    raise DatabaseError("the database in memory is gone")
            register(self._connection)
            self._connected_to = _identity(address)
        except (sqlite3.Error, OSError) as error:
            raise DatabaseError(str(error)) from error

    def rows(self, statement: str) -> list[Row]:
        """Executes a statement; gives its rows."""
        try:
            with own_work():
                cursor = self._connection.cursor()
                cursor.row_factory = None
                return list(cursor.execute(statement))
        except (self._error, UnicodeDecodeError) as error:
            raise DatabaseError(str(error)) from error

    def ask(self, question: str) -> list[Row]:
        """The rows of a question, as long as it takes few steps."""
        left = _MOST_STEPS // _STEPS

        def is_over() -> bool:
            nonlocal left
            left -= 1
            return left < 0

        self._connection.set_progress_handler(is_over, _STEPS)
        try:
            return self.rows(question)
        except DatabaseError as error:
            if left < 0:
                raise TooLongError(str(error)) from error
            raise
        finally:
            self._connection.set_progress_handler(None, 0)

    def is_stale(self) -> bool:
        """Whether the file was replaced by another, or the connection closed."""
        try:
            return self._connected_to != _identity(self.address) or self._connection is None
        except OSError:
            return False

    def changes(self) -> int:
        """The number of changes by this connection."""
        return int(self._connection.total_changes)

    @contextmanager
    def deferred(self) -> Iterator[None]:
        """A transaction in which references are checked at the end."""
        with self._transaction():
            self.rows("PRAGMA defer_foreign_keys = ON")
            yield

    def script(self, statements: list[str]) -> None:
        """Executes all or nothing, while references are not checked and triggers do nothing."""
        if self.is_shared:
            # Inside of a transaction the checks stay as they are.
            self._commit()
        ((checks,),) = self.rows("PRAGMA foreign_keys")
        if checks:
            self.rows("PRAGMA foreign_keys = OFF")
        try:
            with self._transaction(), self._no_triggers():
                for statement in statements:
                    self.rows(statement)
        finally:
            if checks:
                self.rows("PRAGMA foreign_keys = ON")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing; on the service's own connection inside of what that has begun."""
        begin, commit, back = "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"
        if self.is_shared:
            self._commit()
            begin, commit, back = "SAVEPOINT wallace", "RELEASE wallace", "ROLLBACK TO wallace"
        self.rows(begin)
        try:
            yield
            self.rows(commit)
        except BaseException:
            self.rows(back)
            raise
        finally:
            if self.is_shared:
                self._commit()

    @contextmanager
    def _no_triggers(self) -> Iterator[None]:
        triggers = self.rows(
            "SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger' AND sql NOT NULL"
        )
        for name, _ in triggers:
            self.rows(f"DROP TRIGGER main.{quoted(name)}")
        yield
        for _, text in triggers:
            self.rows(text)

    def _commit(self) -> None:
        """What the service has left open on the connection would keep references checked."""
        with own_work():
            self._connection.commit()


def _identity(address: Address) -> tuple[int, int] | None:
    """What tells a file from one that takes its place."""
    if not os.path.isabs(address.place):
        return None
    status = os.stat(address.place)
    return status.st_dev, status.st_ino
