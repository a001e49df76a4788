"""Serves an application in a thread of this process, for tests."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from .layer import AsgiLayer
from .server_hook import layered

#: How long an application may take to start, in seconds.
_START = 60.0


@contextmanager
def served(application: Callable[..., Any]) -> Iterator[str]:
    """Serves an application; gives its base URL."""
    layer = layered(application)
    serve = _asgi if isinstance(layer, AsgiLayer) else _wsgi
    with serve(layer) as url:
        yield url


class _QuietHandler(WSGIRequestHandler):
    # The protocol of answers whose length is known: a connection for each call would be slow.
    protocol_version = "HTTP/1.0"

    def log_message(self, *_: object) -> None:
        """Requests of a search are no news."""


@contextmanager
def _wsgi(application: Callable[..., Any]) -> Iterator[str]:
    server: WSGIServer = make_server("127.0.0.1", 0, application, WSGIServer, _QuietHandler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def _asgi(application: Callable[..., Any]) -> Iterator[str]:
    try:
        import uvicorn
    except ImportError:
        raise RuntimeError("an ASGI application needs a server: pip install uvicorn") from None
    listener = socket.create_server(("127.0.0.1", 0))
    settings = uvicorn.Config(application, log_level="warning", access_log=False, ws="none")
    server = uvicorn.Server(settings)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    deadline = time.monotonic() + _START
    try:
        while not server.started:
            if not thread.is_alive() or time.monotonic() > deadline:
                raise RuntimeError("the application has not started: see what it logged")
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(5)
        listener.close()
