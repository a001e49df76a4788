"""Requests that hang are ended, reported once, and not counted for the next test."""

from __future__ import annotations

import json
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError, URLError

import pytest

from .test_servers import Session, driven, free_port, needs

_SOURCE = (Path(__file__).resolve().parents[1] / "fixtures/counting.py").read_text().splitlines()


@contextmanager
def service(tmp_path: Path, options: str = "") -> Iterator[Session]:
    needs("uvicorn")
    needs("fastapi")
    command = (sys.executable, "-m", "uvicorn", "--port", str(free_port()), "counting:app")
    with driven(tmp_path, f"--include counting --hang 1 {options}", *command) as session:
        yield session


def ask(session: Session, path: str, index: int = 0) -> int:
    """Status of the answer to an action; 0 where the connection was closed."""
    session.put("/newAction", {"index": index, "name": path})
    try:
        url = session.info["baseUrlOfSUT"] + path
        with urllib.request.urlopen(url, timeout=20) as response:
            return int(response.status)
    except HTTPError as error:
        return error.code
    except (URLError, OSError, HTTPException):
        return 0


def check_hang(session: Session, path: str, code: str, statuses: set[int]) -> None:
    """A test that hangs and goes on, and the one after it."""
    session.put("/runSUT", {"run": True, "resetState": True})
    assert ask(session, path) in statuses
    assert ask(session, "/notes/after", 1) == 200
    results = session.get("/testResults?descriptiveIds=true")
    lines = [number for number, text in enumerate(_SOURCE, 1) if code in text]
    last = results["additionalInfoList"][0]["lastExecutedStatement"]
    assert last in [f"counting_{line + more}" for line in lines for more in (-1, 0, 1)]
    notes = {"NOTES.append(word)", "return NOTES"}
    assert reached(results["targets"], notes) == {1}
    targets = session.test("/notes/x")
    assert reached(list(targets.values()), notes) == {0}
    assert reached(list(targets.values()), {code}) == set()


def reached(targets: list[dict[str, object]], code: set[str]) -> set[object]:
    """Actions that reached the lines."""
    lines = [number for number, text in enumerate(_SOURCE, 1) if text.strip() in code]
    names = {f"Line_at_counting_{line:05}" for line in lines}
    return {one["actionIndex"] for one in targets if one["descriptiveId"] in names}


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/hang/wait", "await asyncio.sleep(3600)"),
        ("/hang/busy", "time.sleep(0)"),
        ("/block/busy", "time.sleep(0)"),
    ],
)
def test_requests_are_ended_where_they_stand(tmp_path: Path, path: str, code: str) -> None:
    with service(tmp_path) as session:
        for _ in range(2):
            check_hang(session, path, code, {503})
        time.sleep(0.2)
        told = "".join(session.said)
        assert told.count("a request that ran for 1 s was ended: counting_") == 1
        assert "    at hang (" in told or "    at block (" in told


@pytest.mark.parametrize(
    ("path", "code", "status"),
    [
        ("/hang/busy", "time.sleep(0)", 503),
        ("/hang/sleep", "time.sleep(3600)", 0),
        ("/block/sleep", "time.sleep(3600)", 0),
        ("/block/pattern", "re.match(", 0),
    ],
)
def test_a_process_that_cannot_be_used_is_replaced(
    tmp_path: Path, path: str, code: str, status: int
) -> None:
    with service(tmp_path, "--reset fork") as session:
        for _ in range(2):
            check_hang(session, path, code, {status, 503})
        time.sleep(0.2)
        told = "".join(session.said)
        assert "counting_" in told
        assert "    at hang (" in told or "    at block (" in told
        assert json.loads(session.call("/notes/y")) == ["x", "y"]


def test_a_place_that_offers_nothing_is_told(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="500"), service(tmp_path, "--schema /nowhere"):
        pass
