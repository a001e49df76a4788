"""What instrumentation costs a request of a FastAPI handler, without sockets.

    python suites/request.py plain
    python suites/request.py instrumented

Microseconds of CPU time, the best of nine rounds. Run both in turn, and compare.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(_ROOT / "src"), str(_ROOT / "fixtures")]
_PATH = "/api/title/male/mrs"


def application(kind: str) -> Any:
    """The string case study, as it is or as the driver runs it."""
    if kind == "plain":
        from case_study.scs import app

        return app
    from wallace_driver.loading.hook import set_up
    from wallace_driver.loading.ownership import Ownership
    from wallace_driver.service.layer import AsgiLayer

    set_up(Ownership(patterns=["case_study"]), Path(tempfile.mkdtemp()))
    from case_study.scs import app

    return AsgiLayer(app)


async def receive() -> dict[str, Any]:
    return {"type": "http.request", "body": b"", "more_body": False}


async def send(message: dict[str, Any]) -> None:
    assert message.get("status", 200) == 200


async def measure(app: Any) -> float:
    """Seconds of a thousand requests, in the best of nine rounds."""
    fixed = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET"}
    place = {"scheme": "http", "root_path": "", "server": ("localhost", 80), "client": ("x", 1)}
    rounds = []
    for _ in range(9):
        begun = time.process_time()
        for _ in range(1_000):
            request = {
                "path": _PATH,
                "raw_path": _PATH.encode(),
                "query_string": b"",
                "headers": [],
            }
            await app({**fixed, **place, **request}, receive, send)
        rounds.append(time.process_time() - begun)
    return min(rounds)


if __name__ == "__main__":
    seconds = asyncio.run(measure(application(sys.argv[1])))
    print(f"{sys.argv[1]}: {seconds * 1_000:.0f} microseconds a request")
