"""Statements that do not end: the driver's questions about them do, and so do requests."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from wallace_driver.database import activity, install, session
from wallace_driver.database.known import Known
from wallace_driver.database.opened import OPENED, Executed
from wallace_driver.database.sqlite_tap import address_of

_NUMBERS = "WITH RECURSIVE number(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number)"
_ENDLESS = f"{_NUMBERS} SELECT * FROM person WHERE age IN (SELECT -i FROM number)"


@contextmanager
def service(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    install.install()
    connection = sqlite3.connect(tmp_path / "people.db", check_same_thread=False)
    connection.execute("CREATE TABLE person (age INTEGER)")
    connection.execute("INSERT INTO person VALUES (30)")
    connection.commit()
    yield connection
    connection.close()


def test_a_question_without_end_is_given_up_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "_MOST_STEPS", 1_000_000)
    with service(tmp_path):
        address = address_of(tmp_path / "people.db", is_uri=False)
        known = Known(address)
        asked: list[str] = []
        rows = known.session.rows

        def noted(text: str) -> list[session.Row]:
            asked.append(text)
            return rows(text)

        monkeypatch.setattr(known.session, "rows", noted)
        for _ in range(3):
            seen = activity.activity(known, [Executed(address, _ENDLESS)], [])
            ((_, distance),) = seen.distances
            assert distance is not None
            assert distance > 0.9
        assert len([one for one in asked if "RECURSIVE" in one]) == 2, "distance, and whether"
        assert known.session.rows("SELECT age FROM person") == [(30,)]


def test_ending_requests_stops_statements(tmp_path: Path) -> None:
    with service(tmp_path) as connection:
        ending = threading.Timer(0.2, OPENED.interrupt)
        ending.start()
        with pytest.raises(sqlite3.OperationalError, match="interrupted"):
            connection.execute(_ENDLESS).fetchall()
        ending.join()
        assert connection.execute("SELECT age FROM person").fetchall() == [(30,)]
    # Closed connections are no trouble.
    OPENED.interrupt()
