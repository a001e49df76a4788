"""A small HTTP server for one engine: keep-alive connections, each in a thread.

Every answer is one write. In two pieces it would wait 40 ms for a delayed acknowledgement.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import BinaryIO

# Says on which address a driver listens, loopback where it is not set.
_HOST = "WALLACE_DRIVER_HOST"

_LARGEST_HEAD = 65_536


@dataclass
class Request:
    """A request, read whole."""

    method: str
    path: str
    query: str
    #: By their names in lower case.
    headers: dict[str, str]
    body: bytes


@dataclass
class Response:
    """An answer."""

    status: int
    body: bytes = b""
    media_type: str | None = None
    headers: dict[str, str] = field(default_factory=dict)

    def to_bytes(self) -> bytes:
        """The answer as it is sent."""
        lines = [f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}"]
        if self.media_type is not None:
            lines.append(f"content-type: {self.media_type}")
        if self.status != HTTPStatus.NO_CONTENT:
            lines.append(f"content-length: {len(self.body)}")
        lines.extend(f"{name}: {value}" for name, value in self.headers.items())
        return "\r\n".join([*lines, "", ""]).encode() + self.body


Handler = Callable[[Request], Response]


class HttpServer:
    """Answers requests on a socket of this machine."""

    def __init__(self, port: int) -> None:
        """Takes the port, any free one for 0. Raises `OSError` when it is taken."""
        host = os.environ.get(_HOST) or "127.0.0.1"
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.socket = socket.create_server((host, port), family=family)
        self.port: int = self.socket.getsockname()[1]

    def start(self, handler: Handler) -> None:
        """Answers from now on, in threads that do not keep the process alive."""
        accept = threading.Thread(target=self._accept, args=(handler,), daemon=True)
        accept.name = "wallace-driver"
        accept.start()

    def _accept(self, handler: Handler) -> None:
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            serve = threading.Thread(target=self._serve, args=(connection, handler), daemon=True)
            serve.start()

    @staticmethod
    def _serve(connection: socket.socket, handler: Handler) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # A client that goes away, or does not speak HTTP, is no concern of ours.
        with (
            connection,
            contextlib.suppress(OSError, ValueError),
            connection.makefile("rb") as stream,
        ):
            while True:
                request = _read(stream)
                if request is None:
                    return
                response = handler(request)
                connection.sendall(response.to_bytes())
                wishes = (request.headers.get("connection", ""), response.headers.get("connection"))
                if wishes[0].lower() == "close" or wishes[1] == "close":
                    return


def _read(stream: BinaryIO) -> Request | None:
    """The next request; nothing at the end of the connection."""
    line = stream.readline(_LARGEST_HEAD)
    if not line.strip():
        return None
    method, target, _ = line.decode("latin-1").split(" ", 2)
    headers: dict[str, str] = {}
    while (line := stream.readline(_LARGEST_HEAD).strip()) != b"":
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.strip().lower()] = value.strip()
    if "chunked" in headers.get("transfer-encoding", ""):
        body = b"".join(_chunks(stream))
    else:
        body = stream.read(int(headers.get("content-length", "0")))
    path, _, query = target.partition("?")
    return Request(method, path, query, headers, body)


def _chunks(stream: BinaryIO) -> Iterator[bytes]:
    while (size := int(stream.readline().split(b";")[0], 16)) > 0:
        yield stream.read(size)
        stream.readline()
    while stream.readline().strip():
        pass
