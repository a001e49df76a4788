"""Rows that the service's own types and models cannot read are not inserted."""

from __future__ import annotations

import datetime
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pydantic
import pytest
import sqlalchemy

from wallace_driver.database.databases import Databases
from wallace_driver.runtime.recorder import RECORDER

from .opening import opened
from .running import load

_TABLES = """
CREATE TABLE alarms (id INTEGER PRIMARY KEY, pool TEXT, code TEXT, rules JSON, colour TEXT,
    took DATETIME, level TEXT NOT NULL DEFAULT 'red', other TEXT);
"""
_SOURCE = """
def read(value):
    if value == "red":
        return 1
    raise ValueError(value)
"""
_SERVICE: dict[str, Any] = {}


class AlarmOut(pydantic.BaseModel):
    """What rows are answered as."""

    pool: str | None
    code: str
    rules: dict[str, int]
    took: datetime.timedelta

    @pydantic.field_validator("code")
    @classmethod
    def is_plain(cls, value: str) -> str:
        """A rule that no pattern tells."""
        if not value.isalnum():
            raise ValueError("letters and digits")
        return value

    @pydantic.field_validator("pool")
    @classmethod
    def is_given(cls, value: str | None) -> str | None:
        """What the annotation does not say."""
        if value is None:
            raise ValueError("every alarm has one")
        return value


class _Colour(sqlalchemy.types.TypeDecorator[int]):
    impl = sqlalchemy.String
    cache_ok = True

    def process_result_value(self, value: Any, dialect: Any) -> int | None:
        return None if value is None else int(_SERVICE["module"].read(value))


_METADATA = sqlalchemy.MetaData()
# What a migration has read from the database.
_OTHER = sqlalchemy.Table(
    "alarms", sqlalchemy.MetaData(), sqlalchemy.Column("took", sqlalchemy.DateTime())
)
_ALARM = sqlalchemy.Table(
    "alarms",
    _METADATA,
    sqlalchemy.Column("colour", _Colour()),
    sqlalchemy.Column("level", _Colour()),
    # SQLite keeps a span of time as a moment.
    sqlalchemy.Column("took", sqlalchemy.Interval()),
)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    _SERVICE["module"] = load(_SOURCE)[1]
    with opened(tmp_path, _TABLES) as connection:
        yield connection


def _insert(databases: Databases, name: str, literal: str) -> list[bool]:
    data = [{"variableName": name, "printableValue": literal}]
    return databases.insert([{"id": 1, "targetTable": "alarms", "data": data}]).results


@pytest.mark.parametrize(
    ("name", "literal", "wanted"),
    [
        ("pool", '"a"', "a"),
        # Nobody knows a pool, and this is like null as far as that goes.
        ("pool", "NULL", "null"),
        ("rules", '"{}"', "{}"),
        ("rules", '"[]"', "{}"),
        ("rules", '"{"a": "b"}"', "{}"),
        ("code", '"a-b; C"', "abc"),
        ("code", '"ab1"', "ab1"),
        ("colour", '"red"', "red"),
        ("colour", '"blue"', None),
        ("took", '"2000-01-01 00:00:05"', "2000-01-01 00:00:05"),
        ("other", '"any; thing"', "any; thing"),
    ],
)
def test_rows_are_such_that_the_service_reads_them(
    databases: Databases, service: sqlite3.Connection, name: str, literal: str, wanted: str | None
) -> None:
    assert _insert(databases, name, literal) == [True]
    assert _insert(databases, name, literal) == [True]
    rows = service.execute(f"SELECT {name} FROM alarms").fetchall()
    assert rows == [(wanted,), (wanted,)]
    assert not RECORDER.touched(), "what the driver asks for is no work of the service"
    assert not any(any(table.hits) for table in RECORDER.tables.values())


def test_what_cannot_be_read_waits_for_the_service_to_write_some(
    databases: Databases, service: sqlite3.Connection
) -> None:
    assert _insert(databases, "level", '"any"') == [False]
    databases.clean(RECORDER.actions, lambda: None)
    service.execute("INSERT INTO alarms (level) VALUES ('red')")
    service.commit()
    databases.clean(RECORDER.actions, lambda: None)
    assert _insert(databases, "level", '"any"') == [True]
    assert service.execute("SELECT level FROM alarms").fetchall() == [("red",)], "as it wrote"


def test_what_the_service_has_written_it_can_read(
    databases: Databases, service: sqlite3.Connection
) -> None:
    service.execute("INSERT INTO alarms (code) VALUES ('x-y')")
    service.commit()
    databases.clean(RECORDER.actions, lambda: None)
    assert _insert(databases, "code", '"a-b"') == [True]
    assert service.execute("SELECT code FROM alarms").fetchall() == [("a-b",)], (
        "the rule is another"
    )


def test_what_cannot_be_read_from_null_is_never_null(databases: Databases) -> None:
    schema = databases.schema()
    assert schema is not None
    told = {one["name"]: one["nullable"] for one in schema["tables"][0]["columns"]}
    assert not told["pool"]
    assert not told["code"]
    assert told["other"]
