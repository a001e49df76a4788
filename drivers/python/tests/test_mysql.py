"""MySQL through its libraries: statements, distances, rows, and the state."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from wallace_driver.database import install
from wallace_driver.database.databases import Databases
from wallace_driver.database.mysql_session import MysqlSession
from wallace_driver.database.opened import OPENED
from wallace_driver.runtime.recorder import RECORDER

from .mysql import running

install.install()

pymysql = pytest.importorskip("pymysql")

_TABLES = (
    "CREATE TABLE person (id int AUTO_INCREMENT PRIMARY KEY, name varchar(20) NOT NULL UNIQUE, age "
    "int unsigned CHECK (age < 200), born date, mood enum('glad', 'sad'), is_old tinyint(1), "
    "data json, twice int GENERATED ALWAYS AS (age * 2) STORED) ENGINE=InnoDB",
    "CREATE TABLE pet (id int AUTO_INCREMENT PRIMARY KEY, owner int NOT NULL, FOREIGN KEY (owner) "
    "REFERENCES person (id) ON DELETE CASCADE) ENGINE=InnoDB",
    "CREATE TABLE note (id int PRIMARY KEY, text json NOT NULL)",
    "INSERT INTO person (name, age, born, data) VALUES ('Ada', 36, '1815-12-10', '{}')",
    "INSERT INTO pet (owner) VALUES (1)",
)
Ask = Callable[[str, tuple[Any, ...]], list[Any]]


@pytest.fixture(scope="module")
def server() -> Iterator[dict[str, str]]:
    with running() as parameters:
        yield parameters


@pytest.fixture
def place(server: dict[str, str]) -> dict[str, str]:
    connection = pymysql.connect(**server, autocommit=True)
    for statement in ("DROP DATABASE IF EXISTS people", "CREATE DATABASE people", "USE people"):
        connection.cursor().execute(statement)
    for statement in _TABLES:
        connection.cursor().execute(statement)
    connection.close()
    OPENED.addresses.clear()
    OPENED.on_new = None
    return {**server, "database": "people"}


def _pymysql(place: dict[str, str]) -> Ask:
    connection = pymysql.connect(**place, autocommit=True)

    def ask(statement: str, values: tuple[Any, ...]) -> list[Any]:
        cursor = connection.cursor()
        cursor.execute(statement, values or None)
        return list(cursor.fetchall())

    return ask


def _mysqlclient(place: dict[str, str]) -> Ask:
    module = pytest.importorskip("MySQLdb")
    connection = module.connect(**place)
    connection.autocommit(True)

    def ask(statement: str, values: tuple[Any, ...]) -> list[Any]:
        cursor = connection.cursor()
        cursor.execute(statement, values or None)
        return list(cursor.fetchall())

    return ask


def _aiomysql(place: dict[str, str]) -> Ask:
    module = pytest.importorskip("aiomysql")
    loop = asyncio.new_event_loop()
    given = {"unix_socket": place["unix_socket"], "user": place["user"], "db": place["database"]}
    connection = loop.run_until_complete(module.connect(**given, autocommit=True, loop=loop))

    async def execute(statement: str, values: tuple[Any, ...]) -> list[Any]:
        async with connection.cursor() as cursor:
            await cursor.execute(statement, values or None)
            return list(await cursor.fetchall())

    return lambda statement, values: loop.run_until_complete(execute(statement, values))


def _engine(place: dict[str, str]) -> Ask:
    sqlalchemy = pytest.importorskip("sqlalchemy")
    query = {"unix_socket": place["unix_socket"]}
    url = sqlalchemy.URL.create(
        "mysql+pymysql", username=place["user"], database=place["database"], query=query
    )
    engine = sqlalchemy.create_engine(url)

    def ask(statement: str, values: tuple[Any, ...]) -> list[Any]:
        with engine.begin() as connection:
            found = connection.exec_driver_sql(statement, values)
            return [tuple(row) for row in found] if found.returns_rows else []

    return ask


_LIBRARIES = {
    "pymysql": _pymysql,
    "mysqlclient": _mysqlclient,
    "aiomysql": _aiomysql,
    "sqlalchemy": _engine,
}


@pytest.fixture(params=list(_LIBRARIES))
def ask(request: pytest.FixtureRequest, place: dict[str, str]) -> Ask:
    return _LIBRARIES[request.param](place)


def _begun(ask: Ask) -> Databases:
    ask("SELECT 1", ())
    databases = Databases()
    databases.begin()
    assert len(OPENED.addresses) == 1
    RECORDER.clear()
    return databases


def _distance(databases: Databases) -> float | None:
    seen = databases.look(RECORDER.actions)[-1]
    return seen.distances[-1][1]


def test_statements_have_values_and_distances(ask: Ask) -> None:
    databases = _begun(ask)
    ask("SELECT name FROM person WHERE name = %s", ("it's \\ me",))
    (seen,) = databases.look(RECORDER.actions)
    ((text, far),) = seen.distances
    assert text == r"SELECT name FROM person WHERE name = 'it\'s \\ me'"
    assert far is not None
    assert 0.0 < far < 1.0
    ask("SELECT name FROM person WHERE name = %s", ("Adb",))
    near = _distance(databases)
    assert near is not None
    assert 0.0 < near < far
    ask("SELECT `name` FROM `person` WHERE `name` = %s", ("Ada",))
    assert _distance(databases) == 0.0


@pytest.mark.parametrize(
    ("nearer", "farther"),
    [
        ("age = 35", "age = 20"),
        ("age > 36", "age > 50"),
        ("born < '1815-12-01'", "born < '1800-01-01'"),
        ("name LIKE 'Adb%'", "name LIKE 'Zzz%'"),
        ("age IN (35, 90)", "age IN (80, 90)"),
        ("age = 36 AND name = 'Bda'", "age = 3 AND name = 'Zda'"),
        ("name < 'Aca'", "name < '0'"),
    ],
)
def test_nearer_is_less(place: dict[str, str], nearer: str, farther: str) -> None:
    ask = _pymysql(place)
    databases = _begun(ask)
    found = []
    for condition in (nearer, farther):
        ask(f"SELECT id FROM person WHERE {condition}", ())
        distance = _distance(databases)
        assert distance is not None
        found.append(distance)
    assert 0.0 < found[0] < found[1] < 1.0


def test_the_schema(place: dict[str, str]) -> None:
    databases = _begun(_pymysql(place))
    schema = databases.schema()
    assert schema is not None
    assert schema["databaseType"] == "MYSQL"
    note, person, pet = schema["tables"]
    columns = {column["name"]: column for column in person["columns"]}
    assert list(columns) == "id name age born mood is_old".split()
    assert columns["id"]["autoIncrement"]
    assert columns["name"]["unique"]
    assert columns["name"]["size"] == 20
    assert note["columns"][1]["type"] == "json"
    assert columns["is_old"]["type"] == "boolean"
    checks = [one["sqlCheckExpression"] for one in person["tableCheckExpressions"]]
    assert sorted(checks) == ['"age" < 200', '"age" >= 0', "\"mood\" IN ('glad','sad')"]
    assert pet["foreignKeys"][0]["targetTable"] == "person"
    assert pet["columns"][1]["foreignKeyToAutoIncrement"]


def _row(number: int, table: str, **data: str) -> dict[str, Any]:
    entries = [{"variableName": name, "printableValue": value} for name, value in data.items()]
    return {"id": number, "targetTable": table, "data": entries}


def test_rows_are_inserted_and_brought_back(ask: Ask) -> None:
    databases = _begun(ask)
    for _ in range(2):
        person = _row(1, "person", name='"B\\ob"', age="4")
        pet = _row(2, "pet")
        pet["data"] = [{"variableName": "owner", "foreignKeyToPreviouslyGeneratedRow": 1}]
        done = databases.insert([person, pet, _row(3, "person", name="NULL")])
        assert done.results == [True, True, False]
        assert done.keys == {1: 2, 2: 2}
        assert ask("SELECT name FROM person WHERE id = 2", ()) == [("B\\ob",)]
        ask("DELETE FROM person WHERE id = 1", ())
        ask("INSERT INTO person (name) VALUES ('Eve')", ())
        databases.clean(RECORDER.actions, lambda: None)
        RECORDER.clear()
        assert ask("SELECT id, name, twice FROM person", ()) == [(1, "Ada", 72)]
        assert ask("SELECT id, owner FROM pet", ()) == [(1, 1)]


def test_many_executions_are_seen(place: dict[str, str]) -> None:
    connection = pymysql.connect(**place, autocommit=True)
    databases = _begun(_pymysql(place))
    statement = "INSERT INTO person (name) VALUES (%s)"
    connection.cursor().executemany(statement, [("Eve",), ("Bob",)])
    (seen,) = databases.look(RECORDER.actions)
    assert seen.inserted == {"person": {"name"}}
    databases.clean(RECORDER.actions, lambda: None)
    cursor = connection.cursor()
    cursor.execute("SELECT count(*) FROM person")
    assert cursor.fetchone() == (1,)


def test_numbers_are_brought_back_where_they_have_moved(
    place: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = _pymysql(place)
    ask("CREATE TABLE log (id int AUTO_INCREMENT PRIMARY KEY, text varchar(9))", ())
    databases = _begun(ask)
    (database,) = databases._databases.values()
    session = database.known.session
    assert isinstance(session, MysqlSession)
    message, changed = session._message, list[str]()

    def noted(statements: list[str]) -> None:
        changed.extend(statements)
        message(statements)

    monkeypatch.setattr(session, "_message", noted)
    ask("INSERT INTO log (text) VALUES ('a')", ())
    ask("INSERT INTO person (name) VALUES ('Eve')", ())
    ask("UPDATE pet SET owner = 2", ())
    databases.clean(RECORDER.actions, lambda: None)
    tables = [one for one in changed if one.startswith(("ALTER", "TRUNCATE"))]
    assert sorted(tables) == ['ALTER TABLE "person" AUTO_INCREMENT = 2', 'TRUNCATE TABLE "log"']
    ask("INSERT INTO log (text) VALUES ('a')", ())
    ask("INSERT INTO person (name) VALUES ('Eve')", ())
    ask("INSERT INTO pet (owner) VALUES (2)", ())
    numbers = [ask(f"SELECT max(id) FROM {one}", ())[0][0] for one in ("log", "person", "pet")]
    assert numbers == [1, 2, 2]
