"""Starts a service under its driver in a process of its own, for suites that need it."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO

_STARTED = "Started controller server on: http://"
#: Lines that are told of a service that does not start.
_TAIL = 20
#: How long a service may take to end, in seconds.
_PATIENCE = 15.0


class NotStartedError(RuntimeError):
    """The service, or its driver, is not there."""


@contextmanager
def started(command: Sequence[str], options: Sequence[str] = ()) -> Iterator[str]:
    """Starts the command of a service; gives host and port of its driver once both are there.

    Raises `NotStartedError`, with what the service printed last.
    """
    words = [sys.executable, "-m", "wallace_driver", "--port", "0", *options, "--", *command]
    process = subprocess.Popen(
        words, text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert process.stdout is not None
    try:
        last: deque[str] = deque(maxlen=_TAIL)
        address = _read(process.stdout, last)
        # Who does not read what is printed has it wait one day.
        reading = threading.Thread(target=last.extend, args=(process.stdout,), daemon=True)
        reading.start()
        reason = "has ended" if address is None else _wait(address)
        if address is None or reason is not None:
            process.terminate()
            reading.join(_PATIENCE)
            raise NotStartedError(f"{' '.join(command)}: {reason}\n{''.join(last)}")
        yield address
    finally:
        process.terminate()
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _read(output: IO[str], last: deque[str]) -> str | None:
    """Host and port of the driver; nothing where the output ends before."""
    for line in output:
        if line.startswith(_STARTED):
            return line.removeprefix(_STARTED).split("/")[0]
        last.append(line)
    return None


def _wait(address: str) -> str | None:
    """Has the driver wait for the service; gives why it is not there."""
    connection = http.client.HTTPConnection(address)
    headers = {"Content-Type": "application/json", "Connection": "keep-alive"}
    body = json.dumps({"run": True, "resetState": False})
    try:
        connection.request("PUT", "/controller/api/runSUT", body, headers)
        answer = connection.getresponse()
        text = answer.read().decode(errors="replace")
    except (OSError, http.client.HTTPException):
        return "has ended"
    finally:
        connection.close()
    reason = None if answer.status < 300 else text
    with suppress(ValueError, KeyError, TypeError):
        reason = reason and str(json.loads(reason)["error"])
    return reason
