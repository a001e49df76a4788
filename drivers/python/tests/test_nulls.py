"""Rows have nulls where the service's own have them, or where somebody wants them there."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from wallace_driver.database import habit
from wallace_driver.database.databases import Databases
from wallace_driver.runtime.recorder import RECORDER

from .opening import opened

_SOURCES = Path(__file__).resolve().parents[1] / "src"
_TABLES = """
CREATE TABLE owner (id INTEGER PRIMARY KEY);
CREATE TABLE run (id INTEGER PRIMARY KEY, size INTEGER, kind TEXT, ended TEXT, code TEXT UNIQUE,
    tags JSON, owner INTEGER REFERENCES owner);
INSERT INTO owner VALUES (1);
INSERT INTO run VALUES (1, 7, 'fast', NULL, 'a', '{"a": 1}', 1), (2, 8, 'slow', 'x', 'b', '{}', 1);
"""
_NAMES = "size kind ended code owner".split()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with opened(tmp_path, _TABLES) as connection:
        yield connection


def _inserted(databases: Databases, service: sqlite3.Connection) -> tuple[Any, ...]:
    """A row of nulls."""
    data = [{"variableName": name, "printableValue": "NULL"} for name in _NAMES]
    assert databases.insert([{"id": 1, "targetTable": "run", "data": data}]).results == [True]
    question = f"SELECT {', '.join(_NAMES)}, tags FROM run ORDER BY id DESC"
    row: tuple[Any, ...] = service.execute(question).fetchone()
    databases.clean([], lambda: None)
    return row


def test_what_the_service_always_writes_is_not_null(
    databases: Databases, service: sqlite3.Connection
) -> None:
    assert _inserted(databases, service) == (7, "fast", None, None, None, '{"a": 1}')


def test_a_null_of_the_service_sets_the_column_free(
    databases: Databases, service: sqlite3.Connection
) -> None:
    service.execute("INSERT INTO run (size) VALUES (9)")
    service.commit()
    databases.clean(RECORDER.actions, lambda: None)
    assert _inserted(databases, service) == (7, None, None, None, None, None)


def test_what_the_service_asks_for_may_be_null(
    databases: Databases, service: sqlite3.Connection
) -> None:
    service.execute('SELECT * FROM run WHERE run."size" IS NULL').fetchall()
    databases.clean(RECORDER.actions, lambda: None)
    assert _inserted(databases, service)[:2] == (None, "fast")


def test_null_is_no_json_either(databases: Databases, service: sqlite3.Connection) -> None:
    service.execute("DELETE FROM run")
    service.commit()
    databases = Databases()
    databases.begin()
    (database,) = databases._databases.values()
    table = database.known.schema().table("run")
    assert table is not None
    assert _inserted(databases, service)[1] is None
    database.habits.expect_json(table, "kind")
    data = [{"variableName": "kind", "printableValue": "NULL"}]
    refused = databases.insert([{"id": 1, "targetTable": "run", "data": data}])
    assert refused.results == [False], "what it should be is not known"


@pytest.mark.parametrize(("own", "wanted"), [("1700000000", 978307200), ("'x'", "2001-01-01")])
def test_moments_are_numbers_where_the_service_keeps_numbers(
    service: sqlite3.Connection, own: str, wanted: object
) -> None:
    service.execute("CREATE TABLE known (made TIMESTAMP)")
    service.execute("CREATE TABLE other (made TIMESTAMP)")
    service.execute(f"INSERT INTO known VALUES ({own})")
    service.commit()
    databases = Databases()
    databases.begin()
    data = [{"variableName": "made", "printableValue": '"2001-01-01"'}]
    assert databases.insert([{"id": 1, "targetTable": "other", "data": data}]).results == [True]
    assert service.execute("SELECT made FROM other").fetchall() == [(wanted,)]


_SQLALCHEMY = """
from sqlalchemy import Column, Enum, Integer, String
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
class Base(DeclarativeBase): pass
class Run(Base):
    __tablename__ = "run"
    id = Column(Integer, primary_key=True)
    usual = Column(String)
    level = Column(Enum("low", "high"))
    said = Column(String, nullable=True)
    may: Mapped[str | None]
    other: Mapped["int | None"] = mapped_column("elsewhere")
    never: Mapped[int]
"""
_TORTOISE = """
from tortoise import fields, models
class Run(models.Model):
    id = fields.IntField(primary_key=True)
    usual = fields.IntField()
    may = fields.IntField(null=True)
"""
_DJANGO = """
from django.conf import settings
settings.configure(INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth"])
import django
django.setup()
"""
_SHOW = """
from wallace_driver.database.nullness import deliberate, unsaid
for found in (deliberate(), unsaid() - deliberate()):
    print(*sorted(column for table, column in found if table in ("run", "auth_user")))
"""


@pytest.mark.parametrize(
    ("library", "source", "wanted"),
    [
        ("sqlalchemy", _SQLALCHEMY, "elsewhere may said"),
        ("tortoise", _TORTOISE, "may"),
        ("django", _DJANGO, "last_login"),
    ],
)
def test_models_say_what_may_be_null_on_purpose(library: str, source: str, wanted: str) -> None:
    pytest.importorskip(library)
    words = [sys.executable, "-c", source + _SHOW]
    environment = {**os.environ, "PYTHONPATH": str(_SOURCES)}
    told = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    said, unsaid = told.stdout.splitlines()
    assert said == wanted, told.stderr
    assert unsaid == ("usual" if library == "sqlalchemy" else "")


def test_texts_of_which_nobody_said_that_they_may_be_null_are_texts(
    service: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.execute("DELETE FROM run")
    service.commit()
    unsaid = {("run", name) for name in ("kind", "ended", "code", "size")}
    monkeypatch.setattr(habit, "unsaid", lambda: unsaid)
    databases = Databases()
    databases.begin()
    service.execute("SELECT * FROM run WHERE ended IS NULL").fetchall()
    databases.clean(RECORDER.actions, lambda: None)
    assert _inserted(databases, service) == (None, "any", None, None, None, None)


def test_a_row_that_refers_to_nothing_is_refused(databases: Databases) -> None:
    for owner, is_fine in (("1", True), ("7", False)):
        data = [{"variableName": "owner", "printableValue": owner}]
        done = databases.insert([{"id": 1, "targetTable": "run", "data": data}])
        assert done.results == [is_fine]
