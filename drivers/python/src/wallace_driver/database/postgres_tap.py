"""What the service executes in PostgreSQL: through psycopg, psycopg2 or asyncpg."""

from __future__ import annotations

import inspect
import re
import weakref
from collections.abc import Callable
from functools import wraps
from types import ModuleType
from typing import Any

from .literal import literal
from .opened import OPENED, Address, Executed, is_own

#: Parameters of a connection that say which database it goes to.
_PLACE = ("host", "hostaddr", "port", "user", "dbname", "options", "sslmode")
_NUMBERED = re.compile(r"\$(\d+)")


def address_of(parameters: dict[str, Any], password: str | None) -> Address:
    """Where a database is, by the parameters of a connection."""
    kept = [(name, str(parameters[name])) for name in _PLACE if parameters.get(name)]
    if password:
        kept.append(("password", password))
    return Address("postgres", str(parameters.get("dbname", "")), tuple(kept))


class _Connections:
    """The addresses of connections, found out once each."""

    def __init__(self, find: Callable[[Any], Address]) -> None:
        self._find = find
        self._known: weakref.WeakKeyDictionary[Any, Address] = weakref.WeakKeyDictionary()

    def address(self, connection: Any) -> Address:
        known = self._known.get(connection)
        if known is None:
            known = self._known[connection] = self._find(connection)
            OPENED.add(known)
        return known


def _begin(address: Callable[[], Address], text: Callable[[], str]) -> Executed | None:
    """Keeps a statement before it is executed. What goes wrong here is no matter of the service."""
    if is_own():
        return None
    try:
        return OPENED.note(address(), text())
    except Exception:
        return None


def _end(executed: Executed | None, cursor: Any, *, has_failed: bool = False) -> None:
    if executed is not None:
        executed.has_failed = has_failed
        executed.has_changed = not has_failed and not cursor.description and cursor.rowcount > 0


def patch_psycopg(module: ModuleType) -> None:
    """Watches the cursors of psycopg 3."""
    known = _Connections(
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
        connection = cursor.connection
        return _begin(lambda: known.address(connection), lambda: text(cursor, query, parameters))

    for kind, name in ((module.Cursor, "execute"), (module.AsyncCursor, "execute")):
        setattr(kind, name, _watched(getattr(kind, name), begin))
    for kind in (module.Cursor, module.AsyncCursor):
        kind.executemany = _watched(kind.executemany, lambda *given: begin(*_first(*given)))


def _first(cursor: Any, query: Any, many: Any) -> tuple[Any, Any, Any]:
    """Of many executions the first stands for all; what can be read only once is left alone."""
    return cursor, query, many[0] if isinstance(many, (list, tuple)) and many else None


def _watched(
    method: Callable[..., Any], begin: Callable[[Any, Any, Any], Executed | None]
) -> Callable[..., Any]:
    if inspect.iscoroutinefunction(method):

        @wraps(method)
        async def awaited(self: Any, query: Any, params: Any = None, **options: Any) -> Any:
            executed = begin(self, query, params)
            try:
                result = await method(self, query, params, **options)
            except BaseException:
                _end(executed, self, has_failed=True)
                raise
            _end(executed, self)
            return result

        return awaited

    @wraps(method)
    def called(self: Any, query: Any, params: Any = None, **options: Any) -> Any:
        executed = begin(self, query, params)
        try:
            result = method(self, query, params, **options)
        except BaseException:
            _end(executed, self, has_failed=True)
            raise
        _end(executed, self)
        return result

    return called


def patch_psycopg2(module: ModuleType) -> None:
    """Watches the cursors of psycopg2: its class is in C, and connections are given another."""
    connect = module.connect
    known = _Connections(lambda one: address_of(one.info.dsn_parameters, one.info.password or None))
    classes: dict[type, type] = {}
    base = module.extensions.cursor
    connection_base = module.extensions.connection

    def watching(cursor_class: Any) -> type:
        def begin(cursor: Any, query: Any, given: Any) -> Executed | None:
            return _begin(
                lambda: known.address(cursor.connection),
                lambda: cursor.mogrify(query, given).decode(errors="replace"),
            )

        class Watched(cursor_class):  # type: ignore[misc]
            execute = _watched_c(cursor_class.execute, begin)
            executemany = _watched_c(
                cursor_class.executemany, lambda *given: begin(*_first(*given))
            )

        Watched.__name__ = cursor_class.__name__
        return Watched

    def cursor_of(factory: Any) -> Any:
        is_class = isinstance(factory, type) and issubclass(factory, base)
        return classes.setdefault(factory, watching(factory)) if is_class else factory

    class Connection(connection_base):  # type: ignore[misc, valid-type]
        def cursor(self, *arguments: Any, **options: Any) -> Any:
            if len(arguments) < 2:
                given = options.get("cursor_factory") or self.cursor_factory or base
                options["cursor_factory"] = cursor_of(given)
            return super().cursor(*arguments, **options)

    @wraps(connect)
    def watched(*arguments: Any, **options: Any) -> Any:
        if len(arguments) < 2 and not options.get("connection_factory"):
            options["connection_factory"] = Connection
        return connect(*arguments, **options)

    watched.wallace_plain = connect  # type: ignore[attr-defined]
    module.connect = watched  # type: ignore[attr-defined]


def _watched_c(method: Any, begin: Callable[[Any, Any, Any], Executed | None]) -> Any:
    def called(self: Any, query: Any, vars: Any = None) -> Any:
        executed = begin(self, query, vars)
        try:
            result = method(self, query, vars)
        except BaseException:
            _end(executed, self, has_failed=True)
            raise
        _end(executed, self)
        return result

    return called


def patch_asyncpg(module: ModuleType) -> None:
    """Watches the connections of asyncpg."""
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
                self.add_query_logger(lambda record: _note(address, record))
        except Exception:
            return

    module.Connection.__init__ = constructed


def _note(address: Address, record: Any) -> None:
    """A statement of asyncpg, which is told when it has ended."""
    values = [literal(value) for value in record.args]

    def value(match: re.Match[str]) -> str:
        place = int(match[1]) - 1
        return values[place] if place < len(values) else match[0]

    executed = OPENED.note(address, _NUMBERED.sub(value, record.query))
    if executed is not None:
        executed.has_failed = record.exception is not None
