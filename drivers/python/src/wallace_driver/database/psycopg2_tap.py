"""What the service executes in PostgreSQL through psycopg2.

Its classes are in C and cannot be changed: connections and cursors are of subclasses.
"""

from __future__ import annotations

from functools import wraps
from types import ModuleType
from typing import Any

from . import cursor as cursor_tap
from .opened import Executed
from .postgres_tap import Connections, address_of


def patch(module: ModuleType) -> None:
    """Watches the connections that are made from now on."""
    connect = module.connect
    classes = _Classes(module.extensions.connection, module.extensions.cursor)

    @wraps(connect)
    def watched(*arguments: Any, **options: Any) -> Any:
        if len(arguments) < 2:
            given = options.get("connection_factory") or classes.connection
            options["connection_factory"] = classes.of_connection(given)
        return connect(*arguments, **options)

    watched.wallace_plain = connect  # type: ignore[attr-defined]
    module.connect = watched  # type: ignore[attr-defined]


class _Classes:
    """The subclasses of connections and of cursors, one for each class of the service's."""

    def __init__(self, connection: Any, cursor: Any) -> None:
        self.connection = connection
        self.cursor = cursor
        self._made: dict[type, type] = {}
        self._known = Connections(
            lambda one: address_of(one.info.dsn_parameters, one.info.password or None)
        )

    def of_connection(self, factory: Any) -> Any:
        """A class in place of another; a function makes whatever it makes."""
        if not isinstance(factory, type) or not issubclass(factory, self.connection):
            return factory
        return self._made.get(factory) or self._made.setdefault(factory, self._connection(factory))

    def of_cursor(self, factory: Any) -> Any:
        """The same for cursors."""
        if not isinstance(factory, type) or not issubclass(factory, self.cursor):
            return factory
        return self._made.get(factory) or self._made.setdefault(factory, self._cursor(factory))

    def _connection(self, base: Any) -> type:
        classes = self

        class Watched(base):  # type: ignore[misc]
            def cursor(self, *arguments: Any, **options: Any) -> Any:
                if len(arguments) < 2:
                    given = options.get("cursor_factory") or self.cursor_factory or classes.cursor
                    options["cursor_factory"] = classes.of_cursor(given)
                return super().cursor(*arguments, **options)

        return _named_as(base, Watched)

    def _cursor(self, base: Any) -> type:
        class Watched(base):  # type: ignore[misc]
            execute = cursor_tap.watched(base.execute, self._begin)
            executemany = cursor_tap.watched(base.executemany, cursor_tap.of_many(self._begin))
            callproc = cursor_tap.noted(base.callproc, self._called)
            copy_from = cursor_tap.noted(base.copy_from, self._copied)
            copy_expert = cursor_tap.noted(base.copy_expert, self._copied_by)

        return _named_as(base, Watched)

    def _begin(self, cursor: Any, query: Any, values: Any) -> Executed | None:
        return cursor_tap.begin(
            lambda: self._known.address(cursor.connection),
            lambda: cursor.mogrify(query, values).decode(errors="replace"),
        )

    def _called(self, cursor: Any, procname: Any, *_: Any, **__: Any) -> None:
        self._note(cursor, f"CALL {procname}")

    def _copied(self, cursor: Any, _: Any, table: Any, *__: Any, **___: Any) -> None:
        self._note(cursor, f"COPY {table} FROM STDIN")

    def _copied_by(self, cursor: Any, sql: Any, *_: Any, **__: Any) -> None:
        self._note(cursor, cursor.mogrify(sql).decode(errors="replace"))

    def _note(self, cursor: Any, text: str) -> None:
        cursor_tap.begin(lambda: self._known.address(cursor.connection), lambda: text)


def _named_as(base: type, made: type) -> type:
    made.__name__, made.__qualname__ = base.__name__, base.__qualname__
    return made
