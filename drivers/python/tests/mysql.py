"""A MariaDB server for tests; they are skipped where none is installed."""

from __future__ import annotations

import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest


def _program(*names: str) -> str:
    for name in names:
        found = shutil.which(name, path="/usr/sbin:/usr/bin:/usr/local/bin")
        if found is not None:
            return found
    pytest.skip(f"MariaDB is not installed: {names[0]} was not found")


@contextmanager
def running() -> Iterator[dict[str, str]]:
    """Runs a server; gives the parameters of a connection."""
    pymysql = pytest.importorskip("pymysql")
    server = _program("mariadbd", "mysqld")
    initialise = _program("mariadb-install-db", "mysql_install_db")
    folder = Path(tempfile.mkdtemp(prefix="wallace-my-"))
    common = ["--no-defaults", f"--datadir={folder}/data", "--user=root"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        words = [*common, "--auth-root-authentication-method=normal", "--skip-test-db"]
        subprocess.run([initialise, *words], check=True, **quiet)  # type: ignore[call-overload]
        place = {"unix_socket": f"{folder}/socket", "user": "root"}
        options = [f"--socket={folder}/socket", "--skip-networking", "--skip-log-bin"]
        quick = ["--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=32M"]
        process = subprocess.Popen([server, *common, *options, *quick], **quiet)  # type: ignore[call-overload]
        try:
            for _ in range(400):
                with suppress(pymysql.err.OperationalError):
                    pymysql.connect(**place).close()
                    break
                time.sleep(0.05)
            yield place
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
