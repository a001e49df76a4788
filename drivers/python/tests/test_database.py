"""SQLite: what the service executes, how near it was, rows for tests, and the state."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from wallace_driver.database import install, known
from wallace_driver.database.databases import Databases
from wallace_driver.database.opened import OPENED
from wallace_driver.runtime.recorder import RECORDER

_TABLES = """
CREATE TABLE person (id INTEGER PRIMARY KEY AUTOINCREMENT, name VARCHAR(20) NOT NULL UNIQUE,
    age INTEGER CHECK (age >= 0), born DATE);
CREATE TABLE pet (id INTEGER PRIMARY KEY,
    owner INTEGER NOT NULL REFERENCES person ON DELETE CASCADE, weight DECIMAL(8, 2) DEFAULT 1);
INSERT INTO person (name, age, born) VALUES ('Ada', 36, '1815-12-10');
INSERT INTO pet (owner) VALUES (1);
"""

Connect = Callable[[], sqlite3.Connection]


@pytest.fixture(autouse=True)
def forgetful() -> Iterator[None]:
    install.install()
    OPENED.addresses.clear()
    OPENED.on_new = None
    yield
    OPENED.on_new = None


@pytest.fixture(params=["file", "memory"])
def service(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    place = ":memory:" if request.param == "memory" else str(tmp_path / "people.db")
    connection = sqlite3.connect(place)
    connection.executescript(_TABLES)
    connection.execute("PRAGMA foreign_keys = ON")
    yield connection
    connection.close()


def distance(databases: Databases, service: sqlite3.Connection, *statement: Any) -> float | None:
    RECORDER.clear()
    databases.clean([], lambda: None)
    service.execute(*statement).fetchall()
    service.commit()
    ((_, measured),) = databases.look(RECORDER.actions)[0].distances
    return measured


def everything(service: sqlite3.Connection) -> list[Any]:
    tables = [service.execute(f"SELECT * FROM {one}").fetchall() for one in ("person", "pet")]
    return [*tables, service.execute("SELECT * FROM sqlite_sequence").fetchall()]


def row(table: str, number: int | None = None, **values: Any) -> dict[str, Any]:
    key = "foreignKeyToPreviouslyGeneratedRow"
    data = [
        {"variableName": name, key: value[0]}
        if isinstance(value, list)
        else {"variableName": name, "printableValue": value}
        for name, value in values.items()
    ]
    return {"id": number, "targetTable": table, "data": data}


def test_a_met_condition_has_no_distance(databases: Databases, service: sqlite3.Connection) -> None:
    for condition in (
        "name = 'Ada'",
        "age BETWEEN 30 AND 40",
        "name LIKE 'a%' AND NOT (age < 30 OR born IS NULL)",
        "id IN (SELECT owner FROM pet)",
        "EXISTS (SELECT 1 FROM pet WHERE owner = person.id)",
    ):
        assert distance(databases, service, f"SELECT * FROM person WHERE {condition}") == 0.0
    join = "SELECT * FROM person p JOIN pet ON pet.owner = p.id LEFT JOIN pet q ON q.id = 9"
    assert distance(databases, service, join) == 0.0


@pytest.mark.parametrize(
    ("nearer", "further"),
    [
        (("age = ?", (37,)), ("age = ?", (90,))),
        (("name = ?", ("Adb",)), ("name = ?", ("Zoe",))),
        (("age > ? AND name = ?", (10, "Adx")), ("age > ? AND name = ?", (50, "Adx"))),
        (("born < ?", ("1815-12-09",)), ("born < ?", ("1700-01-01",))),
        (("name LIKE ?", ("Adx%",)), ("name LIKE ?", ("zzz%",))),
        (("age NOT BETWEEN ? AND 99", (36,)), ("age NOT BETWEEN ? AND 99", (1,))),
        (("id IN (SELECT owner FROM pet WHERE weight = 2)", ()), ("id IN (SELECT 9)", ())),
        (("age IN (?, 90)", (30,)), ("age IN (?, 90)", (89,))),
    ],
)
def test_distances_have_a_gradient(
    databases: Databases, service: sqlite3.Connection, nearer: Any, further: Any
) -> None:
    near, far = (
        distance(databases, service, f"SELECT * FROM person WHERE {condition}", values)
        for condition, values in (nearer, further)
    )
    assert near is not None
    assert far is not None
    assert 0.0 < near < far <= 1.0


def test_without_rows_there_is_no_distance(
    databases: Databases, service: sqlite3.Connection
) -> None:
    service.execute("DELETE FROM pet")
    found = databases.look(RECORDER.actions)[0]
    assert found.distances[-1][1] == 0.0, "it deleted a row"
    assert found.deleted == {"pet"}
    service.execute("SELECT * FROM pet WHERE weight > 2").fetchall()
    service.commit()
    found = databases.look(RECORDER.actions)[0]
    assert found.distances[-1][1] is None
    assert found.missing == {"pet": {"weight"}}


def test_the_schema_is_told(databases: Databases) -> None:
    schema = databases.schema()
    assert schema is not None
    person, pet = schema["tables"]
    assert person["tableCheckExpressions"] == [{"sqlCheckExpression": "age >= 0"}]
    assert person["primaryKeySequence"] == ["id"]
    facts = {column["name"]: column for column in person["columns"]}
    assert facts["id"]["autoIncrement"]
    assert (facts["name"]["type"], facts["name"]["size"]) == ("VARCHAR", 20)
    assert facts["name"]["unique"]
    assert not facts["name"]["nullable"]
    assert facts["age"]["nullable"]
    assert pet["foreignKeys"] == [
        {"sourceColumns": ["owner"], "targetTable": "person", "targetColumns": ["id"]}
    ]
    facts = {column["name"]: column for column in pet["columns"]}
    assert facts["owner"]["foreignKeyToAutoIncrement"]
    assert (facts["weight"]["size"], facts["weight"]["scale"]) == (8, 2)


def test_rows_can_be_read_by_the_service(service: sqlite3.Connection) -> None:
    service.execute(
        "CREATE TABLE tag (words JSON NOT NULL DEFAULT '[]', other JSON, must JSON NOT NULL, "
        "id CHAR(36))"
    )
    databases = Databases()
    databases.begin()
    schema = databases.schema()
    assert schema is not None
    (tag,) = (one for one in schema["tables"] if one["id"]["name"] == "tag")
    # What has a default, or may be null, is left to the database.
    assert [column["name"] for column in tag["columns"]] == ["must", "id"]
    asked = {one["columnName"]: one["constraints"] for one in schema["extraConstraintDtos"]}
    assert asked["must"]["enumValuesAsStrings"] == ["{}"]
    assert re.fullmatch(asked["id"]["patternRegExp"], str(uuid4()))


def test_rows_are_inserted_and_taken_back(
    databases: Databases, service: sqlite3.Connection
) -> None:
    before = everything(service)
    rows = [
        row("person", 7, name='"it\'s"', age="3"),
        row("pet", 8, owner=[7], weight="2.5"),
        row("person", 9, name='"Ada"'),
        row("pet", None, owner=[9]),
    ]
    done = databases.insert(rows)
    assert done.results == [True, True, False, False]
    assert done.keys == {7: 2, 8: 2}
    joined = "SELECT name, weight FROM pet JOIN person ON person.id = owner ORDER BY pet.id"
    assert service.execute(joined).fetchall()[-1] == ("it's", 2.5)
    databases.clean(RECORDER.actions, lambda: None)
    assert everything(service) == before


def test_what_the_service_wrote_is_taken_back(
    databases: Databases, service: sqlite3.Connection
) -> None:
    before = everything(service)
    service.execute("INSERT INTO person (name) VALUES ('Bob')")
    service.execute("UPDATE person SET age = 40 WHERE name = 'Ada'")
    # The pet goes with her, and no statement tells of it.
    service.execute("DELETE FROM person WHERE name = 'Ada'")
    service.commit()
    databases.look(RECORDER.actions)
    databases.clean(RECORDER.actions, lambda: None)
    assert everything(service) == before
    assert service.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_what_triggers_wrote_is_taken_back(service: sqlite3.Connection) -> None:
    service.execute(
        "CREATE TRIGGER t AFTER UPDATE ON pet BEGIN UPDATE person SET age = age + 1; END"
    )
    databases = Databases()
    databases.begin()
    RECORDER.clear()
    before = everything(service)
    for _ in range(2):
        service.execute("UPDATE pet SET weight = 9")
        service.commit()
        assert service.execute("SELECT age FROM person").fetchone() == (37,)
        databases.clean(RECORDER.actions, lambda: None)
        RECORDER.clear()
        assert everything(service) == before


def test_what_cannot_be_read_is_taken_back(
    databases: Databases, service: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known, "parsed", lambda *_: None)
    before = everything(service)
    service.execute("REPLACE INTO person (id, name) VALUES (1, 'Eve')")
    service.commit()
    service.execute("SELECT * FROM person WHERE name = 'Eve'").fetchall()
    service.execute("SELECT * FROM pet WHERE weight = 9").fetchall()
    seen = databases.look(RECORDER.actions)[0]
    assert seen.unread == 6
    # The first two reads are those of the state before.
    assert [distance for _, distance in seen.distances[2:]] == [0.0, None]
    databases.clean(RECORDER.actions, lambda: None)
    assert everything(service) == before


def test_the_reset_of_the_user_comes_last(
    databases: Databases, service: sqlite3.Connection
) -> None:
    def reset() -> None:
        service.execute("INSERT INTO person (name) VALUES ('Zoe')")
        service.commit()

    for _ in range(2):
        service.execute("DELETE FROM person WHERE name = 'Zoe'")
        service.commit()
        databases.clean(RECORDER.actions, reset)
        RECORDER.clear()
        names = [name for (name,) in service.execute("SELECT name FROM person")]
        assert names == ["Ada", "Zoe"]


def test_a_column_tells_what_a_tainted_text_could_be(
    databases: Databases, service: sqlite3.Connection
) -> None:
    service.execute("SELECT * FROM person WHERE name = ?", ("_EM_4_XYZ_",)).fetchall()
    (use,) = databases.look(RECORDER.actions)[0].uses
    assert (use.tainted, use.specialisation, use.value) == ("_EM_4_XYZ_", "CONSTANT", "Ada")


def test_actions_are_told_apart(databases: Databases, service: sqlite3.Connection) -> None:
    RECORDER.begin_action(0, [])
    service.execute("SELECT * FROM person WHERE age = 1").fetchall()
    databases.look(RECORDER.actions)
    RECORDER.begin_action(1, [])
    service.execute("SELECT * FROM pet WHERE weight = 3").fetchall()
    first, second = databases.look(RECORDER.actions)
    assert list(first.queried) == ["person"]
    assert list(second.queried) == ["pet"]


def test_a_database_that_appears_late_is_seeded_before_it_is_used(
    databases: Databases, tmp_path: Path
) -> None:
    place = tmp_path / "late.db"
    plain = sqlite3.connect.wallace_plain(place)  # type: ignore[attr-defined]
    plain.executescript(_TABLES)
    plain.close()
    late = sqlite3.connect(place)
    before = everything(late)
    late.execute("DELETE FROM person")
    late.commit()
    databases.clean(RECORDER.actions, lambda: None)
    assert everything(late) == before
    late.close()


def test_factories_and_traces_of_the_service_are_kept() -> None:
    class Own(sqlite3.Connection):
        """A connection of the service's."""

    seen: list[str] = []
    connection = sqlite3.connect(":memory:", factory=Own)
    assert isinstance(connection, Own)
    connection.set_trace_callback(seen.append)
    connection.execute("SELECT 1")
    assert seen == ["SELECT 1"]
    connection.close()
