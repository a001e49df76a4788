"""Where the service listens: found among the sockets of this process."""

from __future__ import annotations

import os
import socket
import sys
import weakref
from pathlib import Path
from typing import Any

Address = tuple[str, int]

_LISTENING = "0A"
_BOUND: weakref.WeakSet[socket.socket] = weakref.WeakSet()


def watch() -> None:
    """Notices sockets from now on, for systems without a list of them."""
    sys.addaudithook(_audit)


def listening(excluded: set[int], process: int | None = None) -> list[Address]:
    """Host and port of all sockets that listen, by port: those of this process, or of another."""
    found = {
        (host, port)
        for host, port in (*_from_system(process), *_from_sockets())
        if port not in excluded and host is not None
    }
    return sorted(found, key=lambda address: address[1])


def url(address: Address) -> str:
    """The base URL of a service that listens there."""
    host, port = address
    return f"http://[::1]:{port}" if host == "::1" else f"http://127.0.0.1:{port}"


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "socket.bind" and isinstance(arguments[0], socket.socket):
        _BOUND.add(arguments[0])


def _from_sockets() -> list[Address]:
    found = []
    for one in list(_BOUND):
        try:
            if one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                host, port, *_ = one.getsockname()
                found.append((host, port))
        except (OSError, ValueError):
            continue
    return found


def _from_system(process: int | None) -> list[Address]:
    """What Linux knows, also of sockets that are not made by Python."""
    own, folder = set(), Path("/proc") / str(process or "self")
    try:
        for entry in os.scandir(folder / "fd"):
            try:
                own.add(os.readlink(entry.path))
            except OSError:
                continue
    except OSError:
        return []
    found = []
    for table, any_host, loopback in (("tcp", "0.0.0.0", "127.0.0.1"), ("tcp6", "::", "::1")):
        file = folder / "net" / table
        lines = file.read_text().splitlines()[1:] if file.exists() else []
        for fields in map(str.split, lines):
            host, port = fields[1].split(":")
            if fields[3] == _LISTENING and f"socket:[{fields[9]}]" in own:
                found.append((any_host if not int(host, 16) else loopback, int(port, 16)))
    return found
