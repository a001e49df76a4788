"""What the service executes in MySQL and MariaDB: through PyMySQL, mysqlclient or aiomysql.

Their cursors come to `execute` with every statement, with those of `executemany` as well.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from functools import wraps
from types import ModuleType
from typing import Any

from . import cursor as cursor_tap
from .opened import OPENED, Address, Executed, server
from .postgres_tap import Connections

#: Parameters of a connection that say which database it goes to, by the names that libraries have.
_NAMES = {
    "host": ("host",),
    "port": ("port",),
    "unix_socket": ("unix_socket",),
    "user": ("user",),
    "database": ("database", "db"),
    "password": ("password", "passwd", "_password"),
}


def address_of(given: Mapping[str, Any]) -> Address:
    """Where a database is, by the parameters of a connection."""
    kept = []
    for name, others in _NAMES.items():
        value = next((given[one] for one in others if given.get(one)), None)
        if value is not None:
            kept.append((name, value.decode() if isinstance(value, bytes) else str(value)))
    found = dict(kept)
    if "unix_socket" in found:
        kept = [one for one in kept if one[0] not in ("host", "port")]
    place = found.get("unix_socket") or server(found.get("host"), found.get("port"), 3306)
    return Address("mysql", found.get("database", ""), place, tuple(kept))


def patch(module: ModuleType) -> None:
    """Watches the cursors of PyMySQL, and of aiomysql, which is made of it."""
    _watch(module.Cursor, Connections(_told_by))


def patch_client(module: ModuleType) -> None:
    """Watches the cursors of mysqlclient."""
    _watch(module.BaseCursor, Connections(_GIVEN.__getitem__))


def patch_connections(module: ModuleType) -> None:
    """Keeps what connections of mysqlclient are made with, since they do not."""
    construct = module.Connection.__init__

    @wraps(construct)
    def constructed(self: Any, *arguments: Any, **options: Any) -> None:
        construct(self, *arguments, **options)
        names = ("host", "user", "password", "database", "port", "unix_socket")
        _GIVEN[self] = address_of({**dict(zip(names, arguments, strict=False)), **options})

    module.Connection.__init__ = constructed


_GIVEN: weakref.WeakKeyDictionary[Any, Address] = weakref.WeakKeyDictionary()


def _told_by(connection: Any) -> Address:
    names = {one for others in _NAMES.values() for one in others}
    return address_of({name: getattr(connection, name, None) for name in names})


def _watch(kind: Any, known: Connections) -> None:
    def begin(cursor: Any, query: Any, values: Any) -> Executed | None:
        return cursor_tap.begin(
            lambda: known.address(cursor.connection), lambda: _text(cursor, query, values)
        )

    def called(cursor: Any, procname: Any, *_: Any, **__: Any) -> None:
        OPENED.note(known.address(cursor.connection), f"CALL {procname}()")

    kind.execute = cursor_tap.watched(kind.execute, begin)
    kind.callproc = cursor_tap.noted(kind.callproc, called)


def _text(cursor: Any, query: Any, values: Any) -> str:
    text = (getattr(cursor, "mogrify", None) or cursor._mogrify)(query, values)
    return text.decode(errors="replace") if isinstance(text, (bytes, bytearray)) else str(text)
