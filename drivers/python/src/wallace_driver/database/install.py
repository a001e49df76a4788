"""Watches the libraries for databases, as they are imported."""

from __future__ import annotations

from ..loading.patch import patch_modules
from . import configured, mysql_tap, postgres_tap, psycopg2_tap, sqlite_tap

_INSTALLED: list[bool] = []


def install() -> None:
    """Watches from now on, also the libraries that are there already. Connections that were made
    before are not seen.
    """
    if _INSTALLED:
        return
    _INSTALLED.append(True)
    patch_modules(
        {
            "sqlite3.dbapi2": sqlite_tap.patch,
            "pymysql.cursors": mysql_tap.patch,
            "aiomysql.cursors": mysql_tap.patch,
            "MySQLdb.cursors": mysql_tap.patch_client,
            "MySQLdb.connections": mysql_tap.patch_connections,
            "psycopg": postgres_tap.patch_psycopg,
            "psycopg2": psycopg2_tap.patch,
            "asyncpg.connection": postgres_tap.patch_asyncpg,
            "sqlalchemy.engine.base": configured.patch_sqlalchemy,
        }
    )
