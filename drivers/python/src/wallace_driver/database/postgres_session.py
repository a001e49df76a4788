"""The driver's own connection to PostgreSQL, by whichever library the service has."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import resources
from typing import Any

from .opened import Address, own_work
from .session import DatabaseError, Row

#: Longest time that a question about distances may take, in milliseconds.
_TIMEOUT = 5_000


class PostgresSession:
    """A connection to PostgreSQL."""

    def __init__(self, address: Address) -> None:
        """Connects. Raises `DatabaseError`."""
        self.address = address
        self._execute = _connected(dict(address.parameters))
        self.rows(f"SET statement_timeout = {_TIMEOUT}")
        self.rows("SET lock_timeout = 2000")
        functions = resources.files(__package__).joinpath("postgres.sql").read_text("utf-8")
        for function in functions.split("\n\n"):
            self.rows(function)
        self._is_master: bool | None = None

    def rows(self, statement: str) -> list[Row]:
        """Executes a statement; gives its rows."""
        try:
            with own_work():
                return self._execute(statement)
        except Exception as error:
            raise DatabaseError(str(error)) from error

    def is_stale(self) -> bool:
        """A server is not replaced while it is connected."""
        return False

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Inside, references are not checked and triggers do nothing, where the user may say so.
        Otherwise references are checked at the end, where they can be.
        """
        self.rows("BEGIN")
        try:
            self.rows("SAVEPOINT wallace")
            if self._is_master is not False:
                self._be_replica()
            if not self._is_master:
                self.rows("SET CONSTRAINTS ALL DEFERRED")
            yield
            self.rows("COMMIT")
        except BaseException:
            self.rows("ROLLBACK")
            raise

    def _be_replica(self) -> None:
        try:
            self.rows("SET LOCAL session_replication_role = replica")
            self._is_master = True
        except DatabaseError:
            self._is_master = False
            self.rows("ROLLBACK TO SAVEPOINT wallace")


def _connected(parameters: dict[str, str]) -> Callable[[str], list[Row]]:
    """What executes statements. Raises `DatabaseError` where no library is found or connects."""
    for name, connect in (
        ("psycopg", _with_psycopg),
        ("psycopg2", _with_psycopg2),
        ("asyncpg", _with_asyncpg),
    ):
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        try:
            with own_work():
                return connect(module, parameters)
        except Exception as error:
            raise DatabaseError(f"{name}: {error}") from error
    raise DatabaseError("no library for PostgreSQL is installed")


def _with_psycopg(module: Any, parameters: dict[str, str]) -> Callable[[str], list[Row]]:
    connection = module.connect(**parameters, autocommit=True)

    def execute(statement: str) -> list[Row]:
        cursor = connection.execute(statement, prepare=False)
        return list(cursor.fetchall()) if cursor.description else []

    return execute


def _with_psycopg2(module: Any, parameters: dict[str, str]) -> Callable[[str], list[Row]]:
    connect = getattr(module.connect, "wallace_plain", module.connect)
    connection = connect(**parameters)
    connection.autocommit = True

    def execute(statement: str) -> list[Row]:
        with connection.cursor() as cursor:
            cursor.execute(statement)
            return list(cursor.fetchall()) if cursor.description else []

    return execute


def _with_asyncpg(module: Any, parameters: dict[str, str]) -> Callable[[str], list[Row]]:
    names = {"host": "host", "port": "port", "user": "user", "password": "password"}
    given = {names[name]: value for name, value in parameters.items() if name in names}
    loop = asyncio.new_event_loop()
    connecting = module.connect(**given, database=parameters["dbname"], statement_cache_size=0)
    connection = loop.run_until_complete(connecting)

    def execute(statement: str) -> list[Row]:
        return [tuple(row) for row in loop.run_until_complete(connection.fetch(statement))]

    return execute
