"""What tests share: a recorder of their own each time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest

from wallace_driver.database.databases import Databases
from wallace_driver.runtime.install import install
from wallace_driver.runtime.recorder import RECORDER, Recorder


@pytest.fixture(autouse=True)
def recorder() -> Iterator[Recorder]:
    install()
    RECORDER.tables.clear()
    RECORDER.clear()
    RECORDER.decisions = None
    yield RECORDER
    RECORDER.clear()


@pytest.fixture
def databases(service: sqlite3.Connection) -> Databases:
    """The databases of a service that the test module opens."""
    begun = Databases()
    begun.begin()
    RECORDER.clear()
    return begun
