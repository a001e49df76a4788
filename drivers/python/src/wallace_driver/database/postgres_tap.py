"""What the service executes in PostgreSQL: through psycopg, psycopg2 or asyncpg."""

from __future__ import annotations

import re
import weakref
from collections.abc import Callable
from functools import partial, wraps
from types import ModuleType
from typing import Any

from . import cursor as cursor_tap
from .catalogue import quoted
from .literal import literal
from .opened import OPENED, Address, Executed, is_own, server

#: Parameters of a connection that say which database it goes to.
_PLACE = ("host", "hostaddr", "port", "user", "dbname", "options", "sslmode")
_NUMBERED = re.compile(r"\$(\d+)")


def address_of(parameters: dict[str, Any], password: str | None) -> Address:
    """Where a database is, by the parameters of a connection."""
    kept = [(name, str(parameters[name])) for name in _PLACE if parameters.get(name)]
    if password:
        kept.append(("password", password))
    host = parameters.get("host") or parameters.get("hostaddr")
    place = server(host, parameters.get("port"), 5432)
    return Address("postgres", str(parameters.get("dbname", "")), place, tuple(kept))


class Connections:
    """The addresses of connections, found out once each."""

    def __init__(self, find: Callable[[Any], Address]) -> None:
        """Connections whose addresses are found so."""
        self._find = find
        self._known: weakref.WeakKeyDictionary[Any, Address] = weakref.WeakKeyDictionary()

    def address(self, connection: Any) -> Address:
        """Where a connection goes."""
        known = self._known.get(connection)
        if known is None:
            known = self._known[connection] = self._find(connection)
            OPENED.add(known)
        return known


def patch_psycopg(module: ModuleType) -> None:
    """Watches the cursors of psycopg 3."""
    known = Connections(
        lambda one: address_of(one.info.get_parameters(), one.info.password or None)
    )

    def text(cursor: Any, query: Any, parameters: Any) -> str:
        if parameters is None:
            plain = query if isinstance(query, (str, bytes)) else query.as_string(cursor)
            return plain.decode() if isinstance(plain, bytes) else plain
        is_async = isinstance(cursor, module.AsyncCursor)
        client = module.AsyncClientCursor if is_async else module.ClientCursor
        rendered: str = client(cursor.connection).mogrify(query, parameters)
        return rendered

    def begin(cursor: Any, query: Any, parameters: Any) -> Executed | None:
        address = partial(known.address, cursor.connection)
        return cursor_tap.begin(address, lambda: text(cursor, query, parameters))

    def copied(cursor: Any, statement: Any, params: Any = None, **_: Any) -> None:
        begin(cursor, statement, params)

    for kind in (module.Cursor, module.AsyncCursor):
        kind.stream = cursor_tap.watched(kind.stream, begin)
        kind.copy = cursor_tap.noted(kind.copy, copied)
    # Those of a server have an `execute` of their own.
    for kind in (module.Cursor, module.AsyncCursor, module.ServerCursor, module.AsyncServerCursor):
        kind.execute = cursor_tap.watched(kind.execute, begin)
        kind.executemany = cursor_tap.watched(kind.executemany, cursor_tap.of_many(begin))


def patch_asyncpg(module: ModuleType) -> None:
    """Watches the connections of asyncpg, which tell of all statements but copies."""
    known: weakref.WeakKeyDictionary[Any, Address] = weakref.WeakKeyDictionary()
    construct = module.Connection.__init__

    @wraps(construct)
    def constructed(self: Any, *arguments: Any, **options: Any) -> None:
        construct(self, *arguments, **options)
        try:
            host, port = self._addr if isinstance(self._addr, tuple) else (self._addr, None)
            given = self._params
            parameters = {"user": given.user, "dbname": given.database, "host": host, "port": port}
            if port is None:
                folder, _, number = str(host).rpartition("/.s.PGSQL.")
                parameters |= {"host": folder, "port": number}
            address = address_of(parameters, given.password)
            if not is_own():
                OPENED.add(address)
                known[self] = address
                self.add_query_logger(lambda record: _note(address, record))
        except Exception:
            return

    def copied(connection: Any, table_name: str, **_: Any) -> None:
        OPENED.note(known[connection], f"COPY {quoted(table_name)} FROM STDIN")

    module.Connection.__init__ = constructed
    for name in ("copy_to_table", "copy_records_to_table"):
        setattr(module.Connection, name, cursor_tap.noted(getattr(module.Connection, name), copied))


def _note(address: Address, record: Any) -> None:
    """A statement of asyncpg, which is told when it has ended."""
    # Of many executions the first stands for all.
    given = record.args
    if isinstance(given, list):
        given = given[0] if given else ()
    values = [literal(value) for value in given]

    def value(match: re.Match[str]) -> str:
        place = int(match[1]) - 1
        return values[place] if place < len(values) else match[0]

    executed = OPENED.note(address, _NUMBERED.sub(value, record.query))
    if executed is not None:
        executed.has_failed = record.exception is not None
