"""Rows that the service's own types and models cannot read are not inserted."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pydantic
import pytest
import sqlalchemy

from wallace_driver.database import install
from wallace_driver.database.databases import Databases
from wallace_driver.database.opened import OPENED
from wallace_driver.runtime.recorder import RECORDER

from .running import load

_TABLES = """
CREATE TABLE alarms (id INTEGER PRIMARY KEY, pool TEXT, code TEXT, rules JSON, colour TEXT,
    at DATETIME, other TEXT);
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
    at: int

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


class _Moment(sqlalchemy.types.TypeDecorator[Any]):
    impl = sqlalchemy.DateTime
    cache_ok = True

    def process_result_value(self, value: Any, dialect: Any) -> Any:
        return value.replace(tzinfo=None)


_METADATA = sqlalchemy.MetaData()
_ALARM = sqlalchemy.Table(
    "alarms",
    _METADATA,
    sqlalchemy.Column("colour", _Colour()),
    sqlalchemy.Column("at", _Moment()),
)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    _SERVICE["module"] = load(_SOURCE)[1]
    install.install()
    OPENED.addresses.clear()
    OPENED.on_new = None
    connection = sqlite3.connect(str(tmp_path / "alarms.db"))
    connection.executescript(_TABLES)
    yield connection
    connection.close()
    OPENED.on_new = None


@pytest.mark.parametrize(
    ("name", "literal", "is_read"),
    [
        ("pool", "NULL", False),
        ("pool", '"a"', True),
        ("rules", '"{}"', True),
        ("rules", '"[]"', False),
        ("rules", '"{"a": "b"}"', False),
        ("colour", '"red"', True),
        ("colour", '"blue"', False),
        ("colour", "NULL", True),
        ("other", '"any"', True),
        ("at", "NULL", False),
        # The model has another type there than the table, and says so.
        ("at", '"2026-11-24 17:00:00"', False),
        ("at", "7", True),
    ],
)
def test_rows_are_such_that_the_service_reads_them(
    databases: Databases, name: str, literal: str, is_read: bool
) -> None:
    for _ in range(2):
        data = [{"variableName": name, "printableValue": literal}]
        done = databases.insert([{"id": 1, "targetTable": "alarms", "data": data}])
        assert done.results == [is_read]
    assert not RECORDER.touched(), "what the driver asks for is no work of the service"
    assert not any(any(table.hits) for table in RECORDER.tables.values())


def test_what_cannot_be_read_from_null_is_never_null(databases: Databases) -> None:
    schema = databases.schema()
    assert schema is not None
    told = {one["name"]: one["nullable"] for one in schema["tables"][0]["columns"]}
    assert not told["pool"]
    assert not told["code"]
    assert told["other"]
