"""What the driver costs requests through a socket: FastAPI in uvicorn, Flask in its own
server, Django in waitress.

    python suites/served.py [FRAMEWORK ...]

Microseconds of CPU time of the process of the service for a request, plain and under the driver's
own command, for a handler with ten comparisons and for one with a loop of 3,000 turns. Each figure
is the best of several rounds, and rounds of both kinds take turns.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[1]
_PATHS = {"comparisons": "/title/male/mrs", "loop": "/loop/3000"}
_REQUESTS = 1_500
_ROUNDS = 6
_QUIET = "--log-level warning --no-access-log"
_COMMANDS = {
    "fastapi": f"-m uvicorn --factory frameworks.applications:fastapi --port {{}} {_QUIET}",
    "flask": "-m flask --app frameworks.applications:flask run --port {}",
    "django": "-m waitress --listen 127.0.0.1:{} --call frameworks.applications:django",
}
_SILENT: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
_TICKS = os.sysconf("SC_CLK_TCK")


@contextmanager
def service(command: str, *, driven: bool) -> Iterator[tuple[int, int]]:
    """Runs a service; gives its process and its port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = command.format(port).split()
    if driven:
        driver = "-m wallace_driver --port 0 --include frameworks -- " + sys.executable
        words = [*driver.split(), *words]
    environment = {**os.environ, "PYTHONPATH": f"{_ROOT / 'src'}:{_ROOT / 'fixtures'}"}
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen([sys.executable, *words], cwd=folder, env=environment, **_SILENT)
        try:
            _wait(port)
            yield process.pid, port
        finally:
            process.terminate()
            process.wait()


def _wait(port: int) -> None:
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.05)


def seconds(process: int) -> float:
    """The CPU time that a process has taken."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def ask(process: int, port: int, path: str) -> float:
    """Microseconds of a request."""
    connection = HTTPConnection("127.0.0.1", port)
    begun = 0.0
    for number in range(_REQUESTS + 50):
        if number == 50:
            begun = seconds(process)
        connection.request("GET", path)
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        answer.read()
    return (seconds(process) - begun) / _REQUESTS * 1e6


def main() -> None:
    print(sys.version.split()[0], os.getloadavg())
    chosen = sys.argv[1:] or list(_COMMANDS)
    for framework, command in ((one, _COMMANDS[one]) for one in chosen):
        best: dict[tuple[str, bool], float] = {}
        for turn in range(2 * _ROUNDS):
            driven = turn % 2 == 1
            with service(command, driven=driven) as (process, port):
                for name, path in _PATHS.items():
                    found = ask(process, port, path)
                    key = (name, driven)
                    best[key] = min(best.get(key, float("inf")), found)
        for name in _PATHS:
            plain, instrumented = best[name, False], best[name, True]
            ratio = instrumented / plain
            print(f"{framework:8} {name:12}{plain:9.0f} {instrumented:9.0f} {ratio:6.2f}")


if __name__ == "__main__":
    main()
