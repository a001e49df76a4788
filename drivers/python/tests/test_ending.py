"""No row of a test stays in the database, however the process of the service ends."""

from __future__ import annotations

import contextlib
import json
import signal
import sqlite3
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .postgres import running
from .test_servers import Session, driven, free_port, needs

Rows = Callable[[], list[str]]
_TABLE = "CREATE TABLE note (word VARCHAR(20))"
_START = "INSERT INTO note VALUES ('start')"
_QUESTION = "SELECT word FROM note ORDER BY word"
_SERVERS = {
    "file": "{python} keeping.py {}",
    "uvicorn": "{python} -m uvicorn --port {} keeping:served",
    "hypercorn": "{python} -m hypercorn --bind 127.0.0.1:{} keeping:served",
    "gunicorn": "{python} -m gunicorn --bind 127.0.0.1:{} keeping:application",
    "flask": "{python} -m flask --app keeping_flask run --port {}",
}


@pytest.fixture
def sqlite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Rows:
    place = tmp_path / "notes.db"
    connection = sqlite3.connect(place)
    connection.executescript(f"{_TABLE}; {_START};")
    monkeypatch.setenv("KEEPING", str(place))
    return lambda: [word for (word,) in connection.execute(_QUESTION)]


@pytest.fixture
def postgres(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rows]:
    psycopg = pytest.importorskip("psycopg")
    with running() as place:
        connection = psycopg.connect(**place, autocommit=True)
        connection.execute(_TABLE)
        connection.execute(_START)
        monkeypatch.setenv("KEEPING", " ".join(f"{key}={one}" for key, one in place.items()))
        yield lambda: [word for (word,) in connection.execute(_QUESTION)]


@pytest.fixture(params=["sqlite", "postgres"])
def rows(request: pytest.FixtureRequest) -> Rows:
    found: Rows = request.getfixturevalue(request.param)
    return found


@contextlib.contextmanager
def service(folder: Path, server: str, options: str = "") -> Iterator[Session]:
    needs(server if server != "file" else "json")
    words = _SERVERS[server].replace("{}", str(free_port())).replace("{python}", sys.executable)
    with driven(folder, f"--include keeping {options}", *words.split()) as session:
        yield session


def ask_in_vain(session: Session, path: str) -> None:
    """A call that is never answered."""
    with pytest.raises(OSError):  # noqa: PT011
        urllib.request.urlopen(session.info["baseUrlOfSUT"] + path, timeout=1)


@pytest.mark.parametrize("server", list(_SERVERS))
def test_a_signal_brings_rows_back(tmp_path: Path, sqlite: Rows, server: str) -> None:
    with service(tmp_path, server) as session:
        session.test("/notes/before")
        session.test("/notes/a")
        assert sqlite() == ["a", "start"]
    assert sqlite() == ["start"]
    assert "rows of tests stay" not in "".join(session.said)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_every_signal_brings_rows_back(tmp_path: Path, rows: Rows, number: int) -> None:
    with service(tmp_path, "file") as session:
        session.test("/notes/a")
        assert rows() == ["a", "start"]
        session.process.send_signal(number)
        ended = session.process.wait(20)
    assert rows() == ["start"]
    # It has ended as it would have without the driver.
    assert ended == -number


def test_a_service_that_ends_by_itself_brings_rows_back(tmp_path: Path, rows: Rows) -> None:
    with service(tmp_path, "file") as session:
        session.put("/runSUT", {"run": True, "resetState": True})
        session.call("/notes/end")
        assert session.process.wait(20) == 0
    assert rows() == ["start"]


@pytest.mark.parametrize("server", ["file", "uvicorn"])
def test_open_transactions_are_no_hindrance(tmp_path: Path, rows: Rows, server: str) -> None:
    with service(tmp_path, server) as session:
        session.put("/runSUT", {"run": True, "resetState": True})
        session.put("/newAction", {"index": 0, "name": "a"})
        session.call("/notes/a")
        session.put("/newAction", {"index": 1, "name": "open"})
        ask_in_vain(session, "/notes/open")
        assert rows() == ["a", "start"]
        session.put("/runSUT", {"run": False})
        assert rows() == ["start"]


def test_an_engine_that_stops_brings_rows_back(tmp_path: Path, rows: Rows) -> None:
    with service(tmp_path, "file") as session:
        session.test("/notes/a")
        session.put("/runSUT", {"run": False})
        assert rows() == ["start"]
        session.test("/notes/b")
        assert rows() == ["b", "start"]


@pytest.mark.parametrize("end", ["signal", "stop", "reset"])
def test_a_replaced_process_leaves_no_rows(tmp_path: Path, rows: Rows, end: str) -> None:
    with service(tmp_path, "file", "--reset fork") as session:
        session.test("/notes/a")
        session.put("/runSUT", {"run": True, "resetState": True})
        assert rows() == ["start"]
        session.put("/newAction", {"index": 0, "name": "b"})
        session.call("/notes/b")
        # It dies before it can tell what it has executed.
        ask_in_vain(session, "/notes/die")
        assert rows() == ["b", "die", "start"]
        if end != "signal":
            session.put("/runSUT", {"run": end == "reset", "resetState": end == "reset"})
            assert rows() == ["start"]
    assert rows() == ["start"]


def test_what_the_reset_of_the_service_writes_comes_back_too(tmp_path: Path, rows: Rows) -> None:
    with service(tmp_path, "file", "--reset keeping_reset:again") as session:
        for _ in range(2):
            session.put("/runSUT", {"run": True, "resetState": True})
            assert json.loads(session.call("/notes/b")) == ["b", "reset", "start"]
    assert rows() == ["start"]
