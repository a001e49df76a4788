"""Libraries over SQLite: each statement is seen once, with its values, and databases are known."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from wallace_driver.database import configured, install, mysql_tap, postgres_tap
from wallace_driver.database.databases import Databases
from wallace_driver.database.opened import OPENED
from wallace_driver.runtime.recorder import RECORDER

install.install()

sqlalchemy = pytest.importorskip("sqlalchemy")
asynchronous = pytest.importorskip("sqlalchemy.ext.asyncio")
aiosqlite = pytest.importorskip("aiosqlite")

_QUESTION = "SELECT name FROM pet WHERE name = "


@pytest.fixture
def place(tmp_path: Path) -> Iterator[str]:
    file = str(tmp_path / "pets.db")
    connection = sqlite3.connect.wallace_plain(file)  # type: ignore[attr-defined]
    connection.execute("CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT)")
    connection.execute("INSERT INTO pet (name) VALUES ('Rex')")
    connection.commit()
    connection.close()
    OPENED.addresses.clear()
    OPENED.on_new = None
    yield file
    OPENED.on_new = None


def check(databases: Databases) -> None:
    """The one statement is known with its value, and what it wanted."""
    (seen,) = databases.look(RECORDER.actions)
    ((text, distance),) = seen.distances
    assert text.replace('"', "").endswith(_QUESTION + "'it''s'")
    assert distance is not None
    assert 0.0 < distance < 1.0


def test_a_database_is_one_however_much_of_its_place_is_said() -> None:
    said = {"host": "localhost", "dbname": "pets"}
    told = {"host": "127.0.0.1", "hostaddr": "127.0.0.1", "port": "5432", "user": "me", **said}
    one, other = (postgres_tap.address_of(place, None) for place in (said, told))
    assert one == other
    assert one != postgres_tap.address_of({**said, "port": 5433}, None)
    named = mysql_tap.address_of({"host": "localhost", "db": b"pets"})
    assert named == mysql_tap.address_of({"host": "127.0.0.1", "port": 3306, "database": "pets"})


def test_the_models_of_sqlalchemy_know_more_than_the_schema(place: str) -> None:
    metadata = sqlalchemy.MetaData()
    kinds = sqlalchemy.Enum("round", "square", name="shape", native_enum=False)
    columns = (
        sqlalchemy.Column("id", sqlalchemy.Uuid(), primary_key=True),
        sqlalchemy.Column("shape", kinds, nullable=False),
    )
    sqlalchemy.Table("toy", metadata, *columns)
    engine = sqlalchemy.create_engine(f"sqlite:///{place}")
    metadata.create_all(engine)
    databases = Databases()
    databases.begin()
    schema = databases.schema()
    assert schema is not None
    asked = {one["columnName"]: one["constraints"] for one in schema["extraConstraintDtos"]}
    assert asked["shape"]["enumValuesAsStrings"] == ["round", "square"]
    pattern = asked["id"]["patternRegExp"]
    assert re.fullmatch(pattern, uuid.uuid4().hex)
    assert not re.fullmatch(pattern, uuid.uuid1().hex), "some services ask for those of chance"


def test_engines_are_known_before_they_connect(place: str) -> None:
    engine = sqlalchemy.create_engine(f"sqlite:///{place}", echo=False)
    databases = Databases()
    databases.begin()
    assert databases.is_there()
    RECORDER.clear()
    with engine.connect() as connection:
        connection.execute(sqlalchemy.text(_QUESTION + ":name"), {"name": "it's"}).all()
    check(databases)


def test_asynchronous_engines_are_seen(place: str) -> None:
    databases = Databases()

    async def ask() -> None:
        engine = asynchronous.create_async_engine(f"sqlite+aiosqlite:///{place}", echo=False)
        databases.begin()
        RECORDER.clear()
        async with engine.connect() as connection:
            await connection.execute(sqlalchemy.text(_QUESTION + ":name"), {"name": "it's"})
        await engine.dispose()

    asyncio.run(ask())
    check(databases)


def test_aiosqlite_is_seen(place: str) -> None:
    databases = Databases()

    async def ask() -> None:
        async with aiosqlite.connect(place) as connection:
            databases.begin()
            RECORDER.clear()
            await connection.execute_fetchall(_QUESTION + "?", ("it's",))

    asyncio.run(ask())
    check(databases)


def test_settings_of_django_are_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    databases = {
        "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": tmp_path / "a.db"},
        "memory": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"},
        "big": {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": "shop",
            "HOST": "127.0.0.1",
            "PORT": "",
            "USER": "me",
            "PASSWORD": "secret",
        },
        "other": {"ENGINE": "django.db.backends.oracle", "NAME": "x"},
        "socket": {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": "shop",
            "HOST": "",
            "OPTIONS": {"host": "/run/here", "user": "you", "pool": {}},
        },
    }
    known = SimpleNamespace(connections=SimpleNamespace(databases=databases))
    monkeypatch.setitem(sys.modules, "django.db", known)
    file, server, socket = configured.configured()
    assert (file.dialect, file.place) == ("sqlite", str(tmp_path / "a.db"))
    assert dict(server.parameters) == {
        "dbname": "shop",
        "host": "127.0.0.1",
        "user": "me",
        "password": "secret",
    }
    assert "secret" not in repr(server), "addresses may be printed"
    assert dict(socket.parameters) == {"dbname": "shop", "host": "/run/here", "user": "you"}


def test_addresses_of_sqlalchemy_are_read() -> None:
    sqlalchemy = pytest.importorskip("sqlalchemy")
    url = sqlalchemy.make_url("postgresql://me:secret@/shop?host=/run/here&sslmode=disable")
    address = configured._of_url(url)
    assert address is not None
    assert dict(address.parameters) == {
        "dbname": "shop",
        "host": "/run/here",
        "user": "me",
        "password": "secret",
    }
