"""Rows of tables that refer to each other in a circle."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pydantic
import pytest

from wallace_driver.database import databases as databases_module
from wallace_driver.database.databases import Databases
from wallace_driver.database.schema import Column, ForeignKey, Schema, Table, message
from wallace_driver.runtime.recorder import RECORDER

from .opening import opened
from .test_database import row

# Of pools a model asks for the first queue; of teams and captains the tables ask for both. Nobody
# asks for the boss of a clerk.
_TABLES = """
CREATE TABLE pool (id INTEGER PRIMARY KEY, name TEXT NOT NULL, first CHAR(36) REFERENCES queue);
CREATE TABLE kind (name TEXT PRIMARY KEY);
CREATE TABLE queue (id CHAR(36) PRIMARY KEY, pool INTEGER NOT NULL REFERENCES pool,
    kind TEXT NOT NULL REFERENCES kind, size INTEGER NOT NULL, made DATETIME NOT NULL);
CREATE TABLE team (id INTEGER PRIMARY KEY, captain INTEGER NOT NULL REFERENCES captain
    DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE captain (id INTEGER PRIMARY KEY, team INTEGER NOT NULL REFERENCES team);
CREATE TABLE clerk (id INTEGER PRIMARY KEY, boss INTEGER REFERENCES clerk);
"""
_UUID = "5f2b0c1e-6a39-4a7e-9a57-0d6e1f1c2b3a"


class PoolOut(pydantic.BaseModel):
    """What rows are answered as."""

    name: str
    first: str


@pytest.fixture
def service(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with opened(tmp_path, _TABLES) as connection:
        yield connection


def _all(service: sqlite3.Connection, statement: str) -> list[Any]:
    return service.execute(statement).fetchall()


def test_of_a_circle_of_references_one_may_be_null() -> None:
    pool = Table("pool", foreign_keys=[ForeignKey(["first"], "queue", ["id"])])
    queue = Table("queue", foreign_keys=[ForeignKey(["pool"], "POOL", ["id"])])
    queue.foreign_keys.append(ForeignKey(["owner"], "owner", ["id"]))
    job = Table("job", foreign_keys=[ForeignKey(["queue"], "queue", ["id"])])
    schema = Schema(tables=[pool, queue, job, Table("owner")])
    assert schema.circular() == {("pool", "first"), ("queue", "pool")}
    pool.columns = [Column("first", "TEXT"), Column("name", "TEXT")]
    known = {"tableId": {"name": "pool"}, "constraints": {"isNullable": False}}
    asked = [{**known, "columnName": one} for one in ("first", "name")]
    told = message(schema, asked)["tables"][0]["columns"]
    assert [one["nullable"] for one in told] == [True, False]


def test_a_row_refers_to_one_of_the_test_that_refers_back(
    databases: Databases, service: sqlite3.Connection
) -> None:
    _all(service, "INSERT INTO kind VALUES ('plain')")
    service.commit()
    queue = {"kind": '"plain"', "size": "3", "made": '"2020-01-01"'}
    rows = [
        row("pool", 1, id="7", name='"a"', first="NULL"),
        row("pool", 2, id="8", name='"b"'),
        row("queue", 3, id=f'"{_UUID}"', pool="7", **queue),
    ]
    assert databases.insert(rows).results == [True] * 3
    assert _all(service, "SELECT first FROM pool WHERE id = 7") == [(_UUID,)]
    ((made,),) = _all(service, "SELECT id FROM queue WHERE pool = 8")
    assert _all(service, "SELECT first FROM pool WHERE id = 8") == [(made,)]


def test_a_partner_is_made_with_what_it_needs(
    databases: Databases, service: sqlite3.Connection
) -> None:
    pool = row("pool", 1, name='"a"', first="NULL")
    assert databases.insert([pool]).results == [True]
    joined = "SELECT pool.name, queue.kind FROM pool JOIN queue ON first = queue.id AND pool = "
    assert _all(service, f"{joined} pool.id JOIN kind ON kind.name = kind") == [("a", "any0")]
    databases.clean(RECORDER.actions, lambda: None)
    for table in ("pool", "queue", "kind"):
        assert not _all(service, f"SELECT * FROM {table}"), table


def test_where_no_partner_can_be_made_there_is_a_null(
    databases: Databases, service: sqlite3.Connection
) -> None:
    _all(service, "CREATE TRIGGER no BEFORE INSERT ON kind BEGIN SELECT RAISE(ABORT, 'no'); END")
    service.commit()
    assert databases.insert([row("pool", 1, name='"a"', first="NULL")]).results == [True]
    assert _all(service, "SELECT first FROM pool") == [(None,)]
    assert not _all(service, "SELECT * FROM queue")


def test_neither_of_a_circle_is_null(databases: Databases, service: sqlite3.Connection) -> None:
    told = databases.schema()
    assert told is not None
    nullable = {
        (one["table"], one["name"])
        for table in told["tables"]
        for one in table["columns"]
        if one["nullable"]
    }
    assert ("captain", "team") in nullable
    assert ("team", "captain") not in nullable
    rows = [
        row("captain", 1, id="5", team="NULL"),
        row("team", 2, id="6", captain="5"),
        row("captain", 3, id="5", team="6"),
        row("captain", 4, id="9", team="6"),
    ]
    assert databases.insert(rows).results == [True, True, False, True]
    assert _all(service, "SELECT * FROM captain ORDER BY id") == [(5, 6), (9, 6)]
    databases.clean(RECORDER.actions, lambda: None)
    assert databases.insert([row("captain", 1, team="NULL")]).results == [True]
    assert _all(service, "SELECT c.team = t.id, t.captain = c.id FROM captain c, team t") == [
        (1, 1)
    ]


def test_a_circle_that_stays_open_leaves_nothing(
    databases: Databases, service: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    (database,) = databases._databases.values()
    monkeypatch.setattr(database._circles, "_close", lambda *_: None)
    rows = [row("captain", 1, id="5", team="NULL"), row("pool", 2, name='"a"', first="NULL")]
    assert databases.insert(rows).results == [False, False]
    assert not _all(service, "SELECT id FROM captain UNION SELECT id FROM pool")


def test_a_row_that_refers_to_its_like_stays_alone_where_nobody_asks(
    databases: Databases, service: sqlite3.Connection
) -> None:
    assert databases.insert([row("clerk", 1, boss="NULL")]).results == [True]
    assert _all(service, "SELECT boss FROM clerk") == [(None,)]


def test_a_row_refers_to_another_of_its_kind_where_the_service_always_does(
    databases: Databases, service: sqlite3.Connection
) -> None:
    _all(service, "INSERT INTO clerk VALUES (1, 1), (2, 1)")
    service.commit()
    again = databases_module.Databases()
    again.begin()
    assert again.insert([row("clerk", 1, id="5", boss="NULL")]).results == [True]
    assert _all(service, "SELECT boss FROM clerk WHERE id = 5") == [(1,)]
    again.restore(RECORDER.actions)
