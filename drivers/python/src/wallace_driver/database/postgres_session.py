"""The driver's own connection to PostgreSQL, by whichever library the service has."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib import resources
from typing import Any

from .opened import Address, own_work
from .session import DatabaseError, Row, TooLongError, connected

#: Longest time that a question about distances may take, in milliseconds.
_TIMEOUT = 5_000
#: Code of a statement that took longer.
_CANCELED = "57014"


class PostgresSession:
    """A connection to PostgreSQL."""

    def __init__(self, address: Address) -> None:
        """Connects. Raises `DatabaseError`."""
        self.address = address
        given = dict(address.parameters)
        connect = {name: partial(_by, library, given) for name, library in _LIBRARIES.items()}
        self._library = connected("PostgreSQL", connect)
        self.rows(f"SET statement_timeout = {_TIMEOUT}")
        self.rows("SET lock_timeout = 2000")
        functions = resources.files(__package__).joinpath("postgres.sql").read_text("utf-8")
        for function in functions.split("\n\n"):
            self.rows(function)
        self._is_master = self._may_be_replica()

    def rows(self, statement: str) -> list[Row]:
        """Executes a statement; gives its rows."""
        try:
            with own_work():
                return self._library.rows(statement)
        except Exception as error:
            raise DatabaseError(str(error)) from error

    def ask(self, question: str) -> list[Row]:
        """The rows of a question, if they come in time."""
        try:
            return self.rows(question)
        except DatabaseError as error:
            cause = error.__cause__
            code = getattr(cause, "sqlstate", None) or getattr(cause, "pgcode", None)
            if code == _CANCELED:
                raise TooLongError(str(error)) from error
            raise

    def is_stale(self) -> bool:
        """A server is not replaced while it is connected."""
        return False

    @contextmanager
    def deferred(self) -> Iterator[None]:
        """A transaction in which references are checked at the end, where they can be."""
        self.rows("BEGIN")
        try:
            self.rows("SET CONSTRAINTS ALL DEFERRED")
            yield
            self.rows("COMMIT")
        except BaseException:
            self.rows("ROLLBACK")
            raise

    def script(self, statements: list[str]) -> None:
        """Executes all or nothing, in one message. References are not checked meanwhile and
        triggers do nothing, where the user may say so; otherwise they are checked at the end, where
        they can be.
        """
        way = "SET LOCAL session_replication_role = replica"
        if not self._is_master:
            way = "SET CONSTRAINTS ALL DEFERRED"
        try:
            with own_work():
                self._library.script("; ".join(["BEGIN", way, *statements, "COMMIT"]))
        except Exception as error:
            self.rows("ROLLBACK")
            raise DatabaseError(str(error)) from error

    def _may_be_replica(self) -> bool:
        try:
            self.rows("SET session_replication_role = replica")
            self.rows("RESET session_replication_role")
        except DatabaseError:
            return False
        return True


class _Psycopg:
    """Both releases of psycopg."""

    def __init__(self, module: Any, parameters: dict[str, str]) -> None:
        connect = getattr(module.connect, "wallace_plain", module.connect)
        self._connection = connect(**parameters)
        self._connection.autocommit = True

    def rows(self, statement: str) -> list[Row]:
        with self._connection.cursor() as cursor:
            cursor.execute(statement)
            return list(cursor.fetchall()) if cursor.description else []

    def script(self, text: str) -> None:
        with self._connection.cursor() as cursor:
            cursor.execute(text)


class _Asyncpg:
    """asyncpg, in an event loop of its own."""

    def __init__(self, module: Any, parameters: dict[str, str]) -> None:
        names = {name: parameters[name] for name in _ASYNCPG if name in parameters}
        self._loop = asyncio.new_event_loop()
        connecting = module.connect(**names, database=parameters["dbname"], statement_cache_size=0)
        self._connection = self._loop.run_until_complete(connecting)

    def rows(self, statement: str) -> list[Row]:
        found = self._loop.run_until_complete(self._connection.fetch(statement))
        return [tuple(row) for row in found]

    def script(self, text: str) -> None:
        self._loop.run_until_complete(self._connection.execute(text))


_ASYNCPG = ("host", "port", "user", "password")
_Library = _Psycopg | _Asyncpg
_LIBRARIES: dict[str, type[_Psycopg] | type[_Asyncpg]] = {
    "psycopg": _Psycopg,
    "psycopg2": _Psycopg,
    "asyncpg": _Asyncpg,
}


def _by(library: type[_Psycopg] | type[_Asyncpg], given: dict[str, str], module: Any) -> _Library:
    return library(module, given)
