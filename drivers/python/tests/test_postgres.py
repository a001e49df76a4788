"""PostgreSQL through its libraries: statements, distances, rows, and the state."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest

from wallace_driver.database import install, postgres_session
from wallace_driver.database.databases import Databases
from wallace_driver.database.opened import OPENED
from wallace_driver.runtime.recorder import RECORDER

from .postgres import running

install.install()

psycopg = pytest.importorskip("psycopg")
psycopg2 = pytest.importorskip("psycopg2")
asyncpg = pytest.importorskip("asyncpg")
sqlalchemy = pytest.importorskip("sqlalchemy")

_TABLES = """
CREATE TYPE mood AS ENUM ('glad', 'sad');
CREATE TABLE person (id serial PRIMARY KEY, name varchar(20) NOT NULL UNIQUE, age integer
    CHECK (age >= 0), born date, mood mood, money numeric(8, 2), twice integer GENERATED ALWAYS AS
    (age * 2) STORED);
CREATE TABLE pet (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, owner integer NOT NULL
    REFERENCES person ON DELETE CASCADE);
INSERT INTO person (name, age, born, money) VALUES ('Ada', 36, '1815-12-10', 1.5);
INSERT INTO pet (owner) VALUES (1);
"""
Ask = Callable[[str, tuple[Any, ...]], list[Any]]


@pytest.fixture(scope="module")
def server() -> Iterator[dict[str, str]]:
    with running() as parameters:
        yield parameters


@pytest.fixture
def place(server: dict[str, str]) -> dict[str, str]:
    with psycopg.connect(**server, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS people WITH (FORCE)")
        connection.execute("CREATE DATABASE people")
    place = {**server, "dbname": "people"}
    with psycopg.connect(**place, autocommit=True) as connection:
        connection.execute(_TABLES)
    OPENED.addresses.clear()
    return place


def _psycopg(place: dict[str, str]) -> Ask:
    connection = psycopg.connect(**place, autocommit=True)

    def ask(statement: str, values: tuple[Any, ...]) -> list[Any]:
        cursor = connection.execute(statement, values)
        return list(cursor) if cursor.description else []

    return ask


def _psycopg2(place: dict[str, str]) -> Ask:
    connection = psycopg2.connect(**place)
    connection.autocommit = True

    def ask(statement: str, values: tuple[Any, ...]) -> list[Any]:
        cursor = connection.cursor()
        cursor.execute(statement, values)
        return list(cursor) if cursor.description else []

    return ask


def _asyncpg(place: dict[str, str]) -> Ask:
    loop = asyncio.new_event_loop()
    given = {"host": place["host"], "user": place["user"], "database": place["dbname"]}
    connection = loop.run_until_complete(asyncpg.connect(**given))

    def ask(statement: str, values: tuple[Any, ...]) -> list[Any]:
        for number in range(1, len(values) + 1):
            statement = statement.replace("%s", f"${number}", 1)
        return [tuple(row) for row in loop.run_until_complete(connection.fetch(statement, *values))]

    return ask


def _engine(library: str) -> Callable[[dict[str, str]], Ask]:
    def connect(place: dict[str, str]) -> Ask:
        url = sqlalchemy.URL.create(
            f"postgresql+{library}",
            username=place["user"],
            database=place["dbname"],
            query={"host": place["host"]},
        )
        engine = sqlalchemy.create_engine(url)

        def ask(statement: str, values: tuple[Any, ...]) -> list[Any]:
            names = [f"v{number}" for number in range(len(values))]
            for name in names:
                statement = statement.replace("%s", f":{name}", 1)
            with engine.begin() as connection:
                given = dict(zip(names, values, strict=True))
                found = connection.execute(sqlalchemy.text(statement), given)
                return [tuple(row) for row in found] if found.returns_rows else []

        return ask

    return connect


_LIBRARIES = {
    "psycopg": _psycopg,
    "psycopg2": _psycopg2,
    "asyncpg": _asyncpg,
    "sqlalchemy+psycopg": _engine("psycopg"),
    "sqlalchemy+psycopg2": _engine("psycopg2"),
}


@pytest.fixture(params=["psycopg", "psycopg2", "asyncpg"])
def own(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The driver connects by the library that the service has."""
    known = {request.param: postgres_session._LIBRARIES[request.param]}
    monkeypatch.setattr(postgres_session, "_LIBRARIES", known)


@pytest.fixture(params=_LIBRARIES)
def service(request: pytest.FixtureRequest, place: dict[str, str]) -> Ask:
    ask: Ask = _LIBRARIES[request.param](place)
    # Some are known only when they are used.
    ask("SELECT 1", ())
    return ask


@pytest.fixture
def databases(service: Ask) -> Iterator[Databases]:
    begun = Databases()
    begun.begin()
    RECORDER.clear()
    yield begun
    OPENED.on_new = None


def everything(service: Ask) -> list[Any]:
    questions = (
        "SELECT id, name, age, born::text, money, twice FROM person ORDER BY id",
        "SELECT * FROM pet ORDER BY id",
        "SELECT last_value FROM person_id_seq",
        "SELECT last_value FROM pet_id_seq",
    )
    return [service(question, ()) for question in questions]


def test_statements_are_seen_once_with_their_values(databases: Databases, service: Ask) -> None:
    service("SELECT id FROM person WHERE name = %s AND age > %s", ("it's", 3))
    (seen,) = databases.look(RECORDER.actions)
    ((text, distance),) = seen.distances
    assert "'it''s'" in text
    assert "> 3" in text.replace("'3'", "3")
    assert distance is not None
    assert 0.0 < distance < 1.0
    assert seen.missing == {"person": {"name", "age"}}


@pytest.mark.parametrize(
    ("nearer", "further"),
    [
        (("age = %s", 37), ("age = %s", 90)),
        (("name = %s", "Adb"), ("name = %s", "Zoe")),
        (("name LIKE %s", "Adx%"), ("name LIKE %s", "zzz%")),
        (("money > %s", Decimal("2.5")), ("money > %s", Decimal(900))),
        (("id IN (SELECT owner + 1 FROM pet WHERE owner < %s)", 9), ("id IN (%s, 999)", 998)),
    ],
)
def test_distances_have_a_gradient(
    databases: Databases, service: Ask, nearer: tuple[str, Any], further: tuple[str, Any]
) -> None:
    measured = []
    for condition, value in (nearer, further):
        service(f"SELECT * FROM person WHERE {condition}", (value,))
        measured.append(databases.look(RECORDER.actions)[0].distances[-1][1])
    near, far = measured
    assert near is not None
    assert far is not None
    assert 0.0 < near < far < 1.0


def test_met_conditions_have_no_distance(databases: Databases, service: Ask) -> None:
    for condition in (
        "born < '1900-01-01' AND name ILIKE 'A%%' AND upper(name) = 'ADA'",
        "NOT (age IS NULL OR age NOT BETWEEN 30 AND 40)",
        "EXISTS (SELECT 1 FROM pet WHERE owner = person.id)",
        "name = ANY(ARRAY['Ada', 'Eve'])",
    ):
        service(f"SELECT * FROM person WHERE {condition} AND age < %s", (99,))
        assert databases.look(RECORDER.actions)[0].distances[-1][1] == 0.0, condition


def test_rows_and_writes_are_taken_back(databases: Databases, service: Ask) -> None:
    before = everything(service)
    key = "foreignKeyToPreviouslyGeneratedRow"
    done = databases.insert(
        [
            {
                "id": 5,
                "targetTable": "public.person",
                "data": [
                    {"variableName": "name", "printableValue": '"it\'s"'},
                    {"variableName": "mood", "printableValue": '"sad"'},
                    {"variableName": "age", "printableValue": "3"},
                ],
            },
            {"id": 6, "targetTable": "pet", "data": [{"variableName": "owner", key: 5}]},
            {"id": 7, "targetTable": "pet", "data": [{"variableName": "owner", key: 9}]},
        ]
    )
    assert done.results == [True, True, False]
    assert done.keys == {5: 2, 6: 2}
    assert service("SELECT twice FROM person WHERE name = %s", ("it's",)) == [(6,)]
    # The pet goes with her, and no statement tells of it.
    service("DELETE FROM person WHERE name = %s", ("Ada",))
    service("INSERT INTO person (name) VALUES (%s)", ("Bob",))
    databases.look(RECORDER.actions)
    databases.clean(RECORDER.actions, lambda: None)
    assert everything(service) == before


def test_circles_that_the_database_waits_for(databases: Databases, service: Ask) -> None:
    service("CREATE TABLE team (id serial PRIMARY KEY, captain integer NOT NULL)", ())
    service("CREATE TABLE captain (id integer PRIMARY KEY, team integer REFERENCES team)", ())
    refers = "ALTER TABLE team ADD FOREIGN KEY (captain) REFERENCES captain"
    service(f"{refers} DEFERRABLE INITIALLY DEFERRED", ())
    service("ALTER TABLE captain ALTER team SET NOT NULL", ())
    begun = Databases()
    begun.begin()
    told = begun.schema()
    assert told is not None
    columns = {
        (one["table"], one["name"]): one["nullable"]
        for of in told["tables"]
        for one in of["columns"]
    }
    assert columns["team", "captain"]
    assert not columns["captain", "team"]
    captain = {"variableName": "captain", "printableValue": "NULL"}
    refused = {"variableName": "absent", "printableValue": "1"}
    rows = [
        {"id": 1, "targetTable": "team", "data": [captain]},
        {"id": 2, "targetTable": "team", "data": [captain, refused]},
    ]
    assert begun.insert(rows).results == [True, False]
    found = service("SELECT c.team = t.id, t.captain = c.id FROM captain c, team t", ())
    assert found == [(True, True)]
    begun.clean(RECORDER.actions, lambda: None)
    assert service("SELECT id FROM team UNION SELECT id FROM captain", ()) == []


def test_the_schema_is_told(databases: Databases) -> None:
    schema = databases.schema()
    assert schema is not None
    assert schema["databaseType"] == "POSTGRES"
    person, pet = schema["tables"]
    assert person["id"] == {"schema": "public", "catalog": None, "name": "person"}
    checks = [check["sqlCheckExpression"] for check in person["tableCheckExpressions"]]
    assert checks == ["\"mood\" IN ('glad', 'sad')", "(age >= 0)"]
    facts = {column["name"]: column for column in person["columns"]}
    assert list(facts) == ["id", "name", "age", "born", "mood", "money"]
    assert facts["id"]["autoIncrement"]
    assert (facts["name"]["size"], facts["name"]["unique"]) == (20, True)
    assert (facts["money"]["size"], facts["money"]["scale"]) == (8, 2)
    assert pet["foreignKeys"] == [
        {"sourceColumns": ["owner"], "targetTable": "person", "targetColumns": ["id"]}
    ]
    assert [column["autoIncrement"] for column in pet["columns"]] == [True, False]


@pytest.mark.parametrize("user", ["clerk", "tester"])
def test_every_library_and_user_brings_rows_back(
    own: None, place: dict[str, str], user: str
) -> None:
    with psycopg.connect(**place, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS clerk")
        connection.execute("CREATE ROLE clerk LOGIN")
        connection.execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO clerk")
        connection.execute("GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO clerk")
    OPENED.addresses.clear()
    service = _psycopg({**place, "user": user})
    service("SELECT 1", ())
    databases = Databases()
    databases.begin()
    RECORDER.clear()
    before = everything(service)
    service("DELETE FROM person", ())
    service("INSERT INTO person (name) VALUES (%s)", ("Bob",))
    databases.clean(RECORDER.actions, lambda: None)
    OPENED.on_new = None
    assert everything(service) == before


def test_all_that_one_statement_writes_is_taken_back(databases: Databases, service: Ask) -> None:
    before = everything(service)
    service(
        "WITH p AS (INSERT INTO person (name) VALUES (%s) RETURNING id), q AS (DELETE FROM pet) "
        "UPDATE person SET age = 1 WHERE name = %s",
        ("Bob", "Ada"),
    )
    databases.clean(RECORDER.actions, lambda: None)
    assert everything(service) == before
    RECORDER.clear()
    service(
        "MERGE INTO person USING (SELECT CAST(%s AS text) AS new) s ON name = new WHEN NOT "
        "MATCHED THEN INSERT (name) VALUES (new)",
        ("Eve",),
    )
    databases.clean(RECORDER.actions, lambda: None)
    assert everything(service) == before
