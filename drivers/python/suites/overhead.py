"""What instrumentation costs requests of FastAPI, Flask and Django, without sockets.

    python suites/overhead.py

Microseconds of CPU time of a request, plain and instrumented with all that the driver does, for a
handler with ten comparisons and for one with a loop of 3,000 turns. Each figure is the best of
several rounds, and rounds of both kinds take turns.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[1]
_PATHS = {"comparisons": "/title/male/mrs", "loop": "/loop/3000"}
_REQUESTS = {"comparisons": 500, "loop": 60}
_ROUNDS = 5


def application(framework: str, kind: str) -> Callable[..., Any]:
    """An application, as it is or as the driver runs it."""
    sys.path[:0] = [str(_ROOT / "src"), str(_ROOT / "fixtures")]
    if kind == "instrumented":
        from wallace_driver.database import install
        from wallace_driver.loading.hook import set_up
        from wallace_driver.loading.ownership import Ownership

        install.install()
        set_up(Ownership(patterns=["frameworks"]), Path(tempfile.mkdtemp()))
    from frameworks import MAKERS

    made = MAKERS[framework]()
    if kind == "instrumented":
        from wallace_driver.service.server_hook import layered

        made = layered(made)
    return made


def asgi(app: Any, path: str, count: int) -> float:
    """Seconds of CPU time of requests to an ASGI application."""

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        assert message.get("status", 200) == 200

    async def ask() -> float:
        begun = time.process_time()
        for _ in range(count):
            scope = {
                "type": "http",
                "asgi": {"version": "3.0"},
                "http_version": "1.1",
                "method": "GET",
                "scheme": "http",
                "root_path": "",
                "server": ("localhost", 80),
                "client": ("x", 1),
                "path": path,
                "raw_path": path.encode(),
                "query_string": b"",
                "headers": [],
            }
            await app(scope, receive, send)
        return time.process_time() - begun

    return asyncio.run(ask())


def wsgi(app: Any, path: str, count: int) -> float:
    """Seconds of CPU time of requests to a WSGI application."""
    from wsgiref.util import setup_testing_defaults

    def start_response(status: str, _: Any, __: Any = None) -> None:
        assert status.startswith("200"), status

    begun = time.process_time()
    for _ in range(count):
        environ: dict[str, Any] = {"PATH_INFO": path, "QUERY_STRING": ""}
        setup_testing_defaults(environ)
        body = app(environ, start_response)
        b"".join(body)
        getattr(body, "close", lambda: None)()
    return time.process_time() - begun


def measure(framework: str, kind: str) -> None:
    """Prints microseconds of a request of each path."""
    app = application(framework, kind)
    ask = asgi if framework == "fastapi" else wsgi
    for name, path in _PATHS.items():
        ask(app, path, 20)
        count = _REQUESTS[name]
        best = min(ask(app, path, count) for _ in range(4))
        print(name, best / count * 1e6)


def main() -> None:
    print(sys.version.split()[0], os.getloadavg())
    for framework in ("fastapi", "flask", "django"):
        best: dict[tuple[str, str], float] = {}
        for turn in range(2 * _ROUNDS):
            kind = ("plain", "instrumented")[turn % 2]
            words = [sys.executable, __file__, framework, kind]
            told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
            for name, value in map(str.split, told.splitlines()):
                key = (name, kind)
                best[key] = min(best.get(key, float("inf")), float(value))
        for name in _PATHS:
            plain, instrumented = best[name, "plain"], best[name, "instrumented"]
            ratio = instrumented / plain
            print(f"{framework:8} {name:12}{plain:9.0f} {instrumented:9.0f} {ratio:6.2f}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        measure(*sys.argv[1:])
    else:
        main()
