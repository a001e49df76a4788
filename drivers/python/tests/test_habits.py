"""Texts of rows have the form of those that the service itself writes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from wallace_driver.database.databases import Databases
from wallace_driver.runtime.recorder import RECORDER

from .opening import opened
from .running import load

_TABLES = """
CREATE TABLE run (id INTEGER PRIMARY KEY, body TEXT, kind TEXT, page TEXT, label TEXT UNIQUE);
CREATE TABLE form (id INTEGER PRIMARY KEY, config TEXT, link TEXT, name TEXT, path TEXT UNIQUE);
INSERT INTO form (config, link, name, path)
    VALUES ('<View></View>', 'https://a.org/b', 'one', '{"a": 1}'), ('<View/>', NULL, '{}', '[]');
"""
_BODY = '{"__class__": "Run", "note": "it\'s"}'


@pytest.fixture
def service(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with opened(tmp_path, _TABLES) as connection:
        yield connection


def _write(databases: Databases, service: sqlite3.Connection, *values: str) -> None:
    """A test in which the service writes."""
    service.execute("INSERT INTO run (body, kind, page, label) VALUES (?, ?, ?, ?)", values)
    service.commit()
    databases.clean(RECORDER.actions, lambda: None)
    RECORDER.clear()


def _insert(databases: Databases, table: str, **texts: str) -> None:
    data = [{"variableName": name, "printableValue": f'"{text}"'} for name, text in texts.items()]
    done = databases.insert([{"id": 1, "targetTable": table, "data": data}])
    assert done.results == [True]


def _rows(service: sqlite3.Connection) -> list[Any]:
    return service.execute("SELECT body, kind, page FROM run ORDER BY id").fetchall()


def test_the_rows_of_the_start_say_what_texts_look_like(databases: Databases) -> None:
    schema = databases.schema()
    assert schema is not None
    asked = {one["columnName"]: one["constraints"] for one in schema["extraConstraintDtos"]}
    assert asked.keys() == {"id", "config", "link"}
    assert asked["config"]["enumValuesAsStrings"] == ["<View></View>", "<View/>"]
    assert asked["link"]["patternRegExp"].startswith("https?")


def test_rows_get_what_the_service_wrote_where_theirs_cannot_be(
    databases: Databases, service: sqlite3.Connection
) -> None:
    _insert(databases, "run", body="any")
    assert _rows(service) == [("any", None, None)], "nothing is known yet"
    databases.clean([], lambda: None)
    _write(databases, service, _BODY, "fast", "http://a.org/", "{}")
    _insert(databases, "run", body="any", kind="slow", page="here", label="there")
    _insert(databases, "run", body='["mine"]', kind="slow")
    wanted = [(_BODY, "slow", "http://a.org/"), ('["mine"]', "slow", None)]
    assert _rows(service) == wanted
    assert service.execute("SELECT max(label) FROM run").fetchone() == ("there",)


@pytest.mark.parametrize(
    "hashed",
    [
        "$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaGhhc2g",
        "$2b$12$abcdefghijklmnopqrstuv",
        "pbkdf2_sha256$1000000$salt$aGFzaGhhc2g=",
        "scrypt:32768:8:1$salt$0123456789abcdef",
    ],
)
def test_hashes_of_passwords_are_kept_by_the_driver(
    databases: Databases, service: sqlite3.Connection, hashed: str
) -> None:
    service.execute("CREATE TABLE user (id INTEGER PRIMARY KEY, secret TEXT)")
    service.execute("INSERT INTO user (secret) VALUES (?)", (hashed,))
    service.commit()
    databases = Databases()
    databases.begin()
    schema = databases.schema()
    assert schema is not None
    assert hashed not in str(schema), "they would come into suites"
    _insert(databases, "user", secret="any")
    assert service.execute("SELECT secret FROM user").fetchall() == [(hashed,), (hashed,)]


def test_a_text_without_the_form_sets_the_column_free(
    databases: Databases, service: sqlite3.Connection
) -> None:
    _write(databases, service, _BODY, "[]", "http://a.org/", "a")
    _write(databases, service, "plain", "{}", "http://b.org/", "a")
    _insert(databases, "run", body="any", kind="slow")
    assert _rows(service) == [("any", "[]", None)]


def test_rows_of_an_engine_are_no_habit(databases: Databases, service: sqlite3.Connection) -> None:
    _insert(databases, "run", body="{}")
    service.execute("UPDATE run SET kind = 'other'")
    service.commit()
    databases.clean(RECORDER.actions, lambda: None)
    _insert(databases, "run", body="any")
    assert _rows(service) == [("any", None, None)]


_READER = """
import json
def read(body):
    return json.loads(body, object_hook=dict)
"""


def test_what_is_read_as_json_in_vain_is_not_inserted_again(
    databases: Databases, service: sqlite3.Connection
) -> None:
    _, module = load(_READER)
    _insert(databases, "run", body="any text", kind="any text")
    _insert(databases, "run", body="another text", kind="an")
    for body in ("any text", "another text", "not of a row"):
        with pytest.raises(json.JSONDecodeError):
            module.read(body)
    databases.clean([], lambda: None)
    data = [{"variableName": "body", "printableValue": '"other"'}]
    refused = databases.insert([{"id": 1, "targetTable": "run", "data": data}])
    assert refused.results == [False], "what it should be is not known"
    _insert(databases, "run", body="[7]", kind="an")
    databases.clean([], lambda: None)
    _write(databases, service, _BODY, "fast", "", "")
    _insert(databases, "run", body="other", kind="an")
    _insert(databases, "run", kind="an")
    assert _rows(service) == [(_BODY, "an", None), (None, "an", None)]
    null = {"variableName": "body", "printableValue": "NULL"}
    databases.insert([{"id": 1, "targetTable": "run", "data": [null]}])
    assert _rows(service)[2] == (_BODY, None, None), "there always is one"
