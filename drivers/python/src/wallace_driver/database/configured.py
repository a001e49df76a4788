"""Databases that the service is configured for, and may not have opened yet."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from . import mysql_tap, postgres_tap, sqlite_tap
from .opened import OPENED, Address

_POSTGRES = frozenset(["postgres", "postgresql", "postgresql_psycopg2", "postgis"])


def configured() -> list[Address]:
    """The databases in the settings of Django."""
    module = sys.modules.get("django.db")
    if module is None:
        return []
    try:
        databases = dict(module.connections.databases)
    except Exception:
        # There are no settings.
        return []
    return [one for one in map(_of_django, databases.values()) if one is not None]


def _of_django(settings: dict[str, Any]) -> Address | None:
    kind = str(settings.get("ENGINE", "")).rsplit(".", 1)[-1]
    name = settings.get("NAME")
    if kind in ("sqlite3", "spatialite") and name:
        options = settings.get("OPTIONS") or {}
        return _of_file(name, is_uri=bool(options.get("uri", True)))
    if kind in _POSTGRES and name:
        given = {"dbname": name, "host": settings.get("HOST"), "port": settings.get("PORT")}
        given = {**given, "user": settings.get("USER"), "password": settings.get("PASSWORD")}
        # As Django has it, what is set outside of the options comes first.
        options = settings.get("OPTIONS") or {}
        return _of_postgres({**options, **{key: one for key, one in given.items() if one}})
    if kind == "mysql" and name:
        given = {"host": settings.get("HOST"), "port": settings.get("PORT")}
        if str(given["host"] or "").startswith("/"):
            given = {"unix_socket": given["host"]}
        names = {"database": name, "user": settings.get("USER")}
        return mysql_tap.address_of({**given, **names, "password": settings.get("PASSWORD")})
    return None


def _of_postgres(given: dict[str, Any]) -> Address:
    """A server; other options do not tell where it is."""
    names = ("dbname", "host", "port", "user")
    place = {name: given[name] for name in names if isinstance(given.get(name), (str, int))}
    return postgres_tap.address_of(place, given.get("password"))


def _of_file(name: Any, *, is_uri: bool) -> Address | None:
    """A file; databases in memory are known when they are opened."""
    address = sqlite_tap.address_of(name, is_uri=is_uri)
    return None if address.place.startswith("memory:") else address


def patch_sqlalchemy(module: ModuleType) -> None:
    """Notices the databases of engines, which connect when they are first used."""

    def created(kind: Any, *arguments: Any, **_: Any) -> Any:
        try:
            address = _of_url(arguments[2])
        except Exception:
            # An engine that is made of another has no address of its own.
            address = None
        if address is not None:
            OPENED.add(address)
        return object.__new__(kind)

    # The parameters of `__init__` are read by the library, and must stay what they are.
    module.Engine.__new__ = created


def _of_url(url: Any) -> Address | None:
    kind = url.get_backend_name()
    if kind == "sqlite" and url.database:
        return _of_file(url.database, is_uri=url.query.get("uri") == "true")
    if kind == "postgresql" and url.database:
        given = {"dbname": url.database, "host": url.host, "port": url.port}
        given = {**given, "user": url.username, "password": url.password}
        # The folder of a socket can be said behind the address only.
        return _of_postgres({**{key: one for key, one in given.items() if one}, **url.query})
    if kind in ("mysql", "mariadb") and url.database:
        given = {"database": url.database, "host": url.host, "port": url.port}
        given["unix_socket"] = url.query.get("unix_socket")
        return mysql_tap.address_of({**given, "user": url.username, "password": url.password})
    return None
