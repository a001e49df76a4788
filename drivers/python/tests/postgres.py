"""A PostgreSQL server for tests; they are skipped where none is installed."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest


def _program(name: str) -> str | None:
    """Debian keeps the programs of servers where no path leads."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(found[-1]) if found else None)


def _user() -> str | None:
    """A server refuses to run as root."""
    if os.getuid() != 0:
        return None
    try:
        pwd.getpwnam("postgres")
    except KeyError:
        pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
    return "postgres"


def _wait(place: dict[str, str]) -> None:
    """Until the server answers."""
    psycopg = pytest.importorskip("psycopg")
    for _ in range(200):
        with suppress(psycopg.OperationalError):
            psycopg.connect(**place).close()
            return
        time.sleep(0.05)


@contextmanager
def running() -> Iterator[dict[str, str]]:
    """Runs a server; gives the parameters of a connection."""
    initialise, server = _program("initdb"), _program("postgres")
    if initialise is None or server is None:
        pytest.skip("PostgreSQL is not installed: initdb and postgres were not found")
    user = _user()
    folder = Path(tempfile.mkdtemp(prefix="wallace-pg-"))
    try:
        if user is not None:
            shutil.chown(folder, user)
        data = str(folder / "data")
        words = [initialise, "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run(words, check=True, user=user, stdout=subprocess.DEVNULL, cwd="/")
        options = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={folder}"]
        quick = ["-c", "fsync=off", "-c", "shared_buffers=16MB"]
        log = subprocess.DEVNULL
        words = [server, "-D", data, *options, *quick]
        process = subprocess.Popen(words, user=user, cwd="/", stdout=log, stderr=log)
        try:
            place = {"host": str(folder), "user": "tester", "dbname": "postgres"}
            _wait(place)
            yield place
        finally:
            # At once: otherwise it waits for its clients to leave.
            process.send_signal(signal.SIGINT)
            process.wait(20)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
