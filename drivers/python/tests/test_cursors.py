"""What executes a statement takes what it always took, by place and by name, and is seen."""

from __future__ import annotations

import asyncio
import inspect
import io
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from wallace_driver.database import install
from wallace_driver.database.databases import Databases
from wallace_driver.database.opened import OPENED
from wallace_driver.runtime.recorder import RECORDER

from .postgres import running

install.install()

psycopg = pytest.importorskip("psycopg")
psycopg2 = pytest.importorskip("psycopg2")
asyncpg = pytest.importorskip("asyncpg")

_CONNECTION, _CURSOR = psycopg2.extensions.connection, psycopg2.extensions.cursor
_INSERT = "INSERT INTO note VALUES (%s)"
_QUESTION = "SELECT word FROM note WHERE word = %s"
#: How a service may write the words `a` and `b`, and ask for `a`: statements that are then seen.
Use = Callable[[Any], Any]


def by_place(cursor: Any) -> Any:
    cursor.executemany(_INSERT, [("a",), ("b",)])
    return cursor.execute(_QUESTION, ("a",)) or cursor


def by_name(cursor: Any) -> Any:
    cursor.executemany(query=_INSERT, params_seq=[("a",), ("b",)])
    return cursor.execute(query=_QUESTION, params=("a",), prepare=True, binary=False)


def named_in_psycopg2(cursor: Any) -> Any:
    cursor.executemany(query=_INSERT, vars_list=[("a",), ("b",)])
    cursor.execute(query=_QUESTION, vars=("a",))
    return cursor


def read_once(cursor: Any) -> Any:
    cursor.executemany(_INSERT, iter([("a",), ("b",)]))
    return by_question(cursor)


def by_question(cursor: Any) -> Any:
    return cursor.execute(_QUESTION, ["a"]) or cursor


def streamed(cursor: Any) -> Any:
    cursor.executemany(_INSERT, (("a",), ("b",)))
    return cursor.stream(query=_QUESTION, params=("a",))


def copied(cursor: Any) -> Any:
    with cursor.copy("COPY note FROM STDIN") as copy:
        copy.write_row(("a",))
        copy.write_row(("b",))
    return by_question(cursor)


def copied_in_psycopg2(cursor: Any) -> Any:
    cursor.copy_from(io.StringIO("a\n"), "note")
    cursor.copy_expert(sql="COPY note FROM STDIN", file=io.StringIO("b\n"))
    return by_question(cursor)


def from_the_server(cursor: Any) -> Any:
    cursor.executemany(_INSERT, [("a",), ("b",)])
    return cursor.connection.cursor("of_server").execute(query=_QUESTION, params=("a",))


@pytest.fixture(scope="module")
def server() -> Iterator[dict[str, str]]:
    with running() as place:
        yield place


@pytest.fixture
def place(server: dict[str, str]) -> dict[str, str]:
    with psycopg.connect(**server, autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS note")
        connection.execute("CREATE TABLE note (word varchar(20))")
    OPENED.addresses.clear()
    OPENED.on_new = None
    return server


def begun(place: dict[str, str]) -> Databases:
    databases = Databases()
    databases.begin()
    RECORDER.clear()
    return databases


def check(databases: Databases, place: dict[str, str], rows: list[str]) -> None:
    """The service got its rows, the driver saw the condition, and no row stays."""
    assert rows == ["a"]
    seen = databases.look(RECORDER.actions)[0]
    questions = [text for text, _ in seen.distances if "WHERE word" in text]
    assert [text.rsplit("= ", 1)[1].removesuffix(" ") for text in questions] == ["'a'"]
    databases.clean(RECORDER.actions, lambda: None)
    OPENED.on_new = None
    with psycopg.connect(**place) as connection:
        assert connection.execute("SELECT word FROM note").fetchall() == []


@pytest.mark.parametrize("use", [by_place, by_name, read_once, streamed, copied, from_the_server])
def test_cursors_of_psycopg(place: dict[str, str], use: Use) -> None:
    with psycopg.connect(**place) as connection:
        connection.execute("SELECT 1")
        databases = begun(place)
        rows = [word for (word,) in use(connection.cursor())]
        connection.commit()
        check(databases, place, rows)


async def _ask(connection: Any) -> list[str]:
    cursor = connection.cursor()
    await cursor.executemany(query=_INSERT, params_seq=[("a",), ("b",)])
    await cursor.execute(query=_QUESTION, params=("a",))
    return [word for (word,) in await cursor.fetchall()]


async def _stream(connection: Any) -> list[str]:
    cursor = connection.cursor()
    async with cursor.copy(statement="COPY note FROM STDIN") as copy:
        await copy.write_row(("a",))
    return [word async for (word,) in cursor.stream(query=_QUESTION, params=("a",))]


async def _ask_server(connection: Any) -> list[str]:
    await connection.cursor().executemany(_INSERT, [("a",), ("b",)])
    async with connection.cursor("of_server") as cursor:
        await cursor.execute(query=_QUESTION, params=("a",))
        return [word for (word,) in await cursor.fetchall()]


@pytest.mark.parametrize("use", [_ask, _stream, _ask_server])
def test_asynchronous_cursors_of_psycopg(
    place: dict[str, str], use: Callable[[Any], Awaitable[list[str]]]
) -> None:
    async def run() -> tuple[Databases, list[str]]:
        async with await psycopg.AsyncConnection.connect(**place) as connection:
            await connection.execute("SELECT 1")
            databases = begun(place)
            return databases, await use(connection)

    check(*_swapped(asyncio.run(run()), place))


def _swapped(found: tuple[Databases, list[str]], place: dict[str, str]) -> Any:
    return found[0], place, found[1]


@pytest.mark.parametrize("use", [by_place, named_in_psycopg2, read_once, copied_in_psycopg2])
@pytest.mark.parametrize("options", [{}, {"connection_factory": True}, {"cursor_factory": True}])
def test_cursors_of_psycopg2(place: dict[str, str], use: Use, options: dict[str, Any]) -> None:
    class Own(_CONNECTION):  # type: ignore[misc, valid-type]
        """A connection of the service's."""

    class OwnCursor(_CURSOR):  # type: ignore[misc, valid-type]
        """A cursor of the service's, with names of its own."""

        def execute(self, query: Any, vars: Any = None) -> Any:
            return super().execute(query, vars)

    classes = {"connection_factory": Own, "cursor_factory": OwnCursor}
    connection = psycopg2.connect(**place, **{name: classes[name] for name in options})
    assert isinstance(connection, classes["connection_factory"]) == (
        "connection_factory" in options
    )
    connection.cursor().execute("SELECT 1")
    databases = begun(place)
    cursor = connection.cursor()
    assert isinstance(cursor, OwnCursor) == ("cursor_factory" in options)
    rows = [word for (word,) in use(cursor)]
    connection.commit()
    connection.close()
    check(databases, place, rows)


def _call(cursor: Any) -> None:
    cursor.callproc("keep", ("a",))


def _select(cursor: Any) -> None:
    cursor.execute("SELECT keep(%s)", ("a",))


@pytest.mark.parametrize("call", [_call, _select])
def test_what_functions_write_does_not_stay(place: dict[str, str], call: Use) -> None:
    connection = psycopg2.connect(**place)
    cursor = connection.cursor()
    body = "BEGIN INSERT INTO note VALUES (word); END"
    cursor.execute(
        f"CREATE OR REPLACE FUNCTION keep(word text) RETURNS void LANGUAGE plpgsql AS '{body}'"
    )
    connection.commit()
    databases = begun(place)
    call(cursor)
    cursor.execute(_QUESTION, ("a",))
    rows = [word for (word,) in cursor]
    connection.commit()
    check(databases, place, rows)


async def _many(connection: Any) -> None:
    await connection.executemany(command="INSERT INTO note VALUES ($1)", args=[("a",), ("b",)])


async def _copy(connection: Any) -> None:
    await connection.copy_records_to_table("note", records=[("a",), ("b",)])


@pytest.mark.parametrize("write", [_many, _copy])
def test_connections_of_asyncpg(place: dict[str, str], write: Callable[[Any], Any]) -> None:
    async def run() -> tuple[Databases, list[str]]:
        named = {"host": place["host"], "user": place["user"], "database": place["dbname"]}
        async with asyncpg.create_pool(**named, min_size=1, max_size=1) as pool:
            async with pool.acquire() as connection:
                databases = await asyncio.to_thread(begun, place)
                await write(connection)
                question = _QUESTION.replace("%s", "$1")
                rows = [row["word"] for row in await connection.fetch(question, "a")]
                await asyncio.sleep(0)
            return databases, rows

    check(*_swapped(asyncio.run(run()), place))


def test_what_the_library_refuses_is_refused(place: dict[str, str]) -> None:
    with psycopg.connect(**place) as connection, connection.cursor() as cursor:
        with pytest.raises(TypeError, match="query"):
            cursor.execute()
        with pytest.raises(TypeError, match="vars"):
            cursor.execute("SELECT 1", vars=())
        signature = inspect.signature(type(cursor).executemany)
        assert list(signature.parameters)[:3] == ["self", "query", "params_seq"]
    with pytest.raises(TypeError):
        psycopg2.connect(**place).cursor().execute("SELECT 1", params=())


def test_connections_of_sqlite(tmp_path: Path) -> None:
    connection = sqlite3.connect(database=tmp_path / "a.db", isolation_level=None)
    assert connection.isolation_level is None
    connection.close()
    with pytest.raises(TypeError):
        sqlite3.connect()  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        sqlite3.connect(5)  # type: ignore[call-overload]
