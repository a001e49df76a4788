"""Layers around applications, that tell where requests begin and end."""

from __future__ import annotations

from asyncio import CancelledError, current_task
from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping
from functools import wraps
from typing import Any

from ..runtime.kill import KilledError
from . import failure, routes
from .request import REQUESTS

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
#: What is answered for a request that was ended.
ENDED = b"ended: it took too long"


class AsgiLayer:
    """An ASGI application in its layer."""

    def __init__(self, application: Callable[..., Awaitable[None]]) -> None:
        """A layer around an application."""
        self.application = application
        routes.remember(application)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Runs a request, or passes on what is none."""
        if scope["type"] != "http":
            return await self.application(scope, receive, send)
        number = REQUESTS.enter(current_task())
        try:
            await self.application(scope, receive, send)
        except (KilledError, CancelledError):
            if not REQUESTS.is_killed(number) or not await _is_answered(send):
                raise
        except Exception as error:
            failure.note(error)
            raise
        finally:
            REQUESTS.leave(number)
        return None


async def _is_answered(send: Send) -> bool:
    """Answers for a request that was ended; not if its answer has begun, which the server knows."""
    headers = [(b"content-length", str(len(ENDED)).encode())]
    try:
        await send({"type": "http.response.start", "status": 503, "headers": headers})
    except Exception:
        return False
    await send({"type": "http.response.body", "body": ENDED})
    return True


def bounded(handle: Any, late: Callable[[], Any]) -> Any:
    """A method that answers a request, in bounds; `late` makes the answer of one that is ended."""

    @wraps(handle)
    async def handled(self: Any, *arguments: Any, **options: Any) -> Any:
        task = current_task()
        number = REQUESTS.enter(task)
        try:
            return await handle(self, *arguments, **options)
        except (KilledError, CancelledError):
            if not REQUESTS.is_killed(number):
                raise
            # The task is that of a connection, and goes on.
            getattr(task, "uncancel", int)()
            return late()
        finally:
            REQUESTS.leave(number)

    return handled


class WsgiLayer:
    """A WSGI application in its layer."""

    def __init__(self, application: Callable[..., Iterable[bytes]]) -> None:
        """A layer around an application."""
        self.application = application
        routes.remember(application)

    def __call__(
        self, environ: dict[str, Any], start_response: Callable[..., Any]
    ) -> Iterable[bytes]:
        """Runs a request up to its body, which ends it."""
        number = REQUESTS.enter()
        try:
            body = self.application(environ, start_response)
        except KilledError:
            REQUESTS.leave(number)
            start_response("503 Service Unavailable", [("content-length", str(len(ENDED)))])
            return [ENDED]
        except BaseException as error:
            failure.note(error)
            REQUESTS.leave(number)
            raise
        return _Body(body, number)


class _Body:
    """A body whose end is the end of the request."""

    def __init__(self, body: Iterable[bytes], number: int) -> None:
        self.body = body
        self.number = number

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.body)

    def close(self) -> None:
        try:
            close = getattr(self.body, "close", None)
            if close is not None:
                close()
        finally:
            REQUESTS.leave(self.number)
