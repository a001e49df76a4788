"""A database that a service opens while the driver looks on."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from wallace_driver.database import install
from wallace_driver.database.opened import OPENED


@contextlib.contextmanager
def opened(folder: Path, tables: str) -> Iterator[sqlite3.Connection]:
    """A connection of the service to a database of these tables."""
    install.install()
    OPENED.addresses.clear()
    OPENED.on_new = None
    connection = sqlite3.connect(str(folder / "service.db"))
    connection.executescript(tables)
    yield connection
    connection.close()
    OPENED.on_new = None
