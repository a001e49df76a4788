"""The shapes of answers: wrapped ones, and those that the peers' container makes by itself."""

from __future__ import annotations

import json
from typing import Any

from .http import Request, Response

BASE_PATH = "/controller/api"
_JSON = "application/json;charset=utf8;version=1"
_CLOSING = {"connection": "close"}
_PAGE = (
    "<!DOCTYPE html><html><head><title>Driver</title></head><body><h1>Driver</h1>"
    "<p>A fuzzing engine talks to this address; there is nothing to see here.</p></body></html>"
)


class RefusalError(Exception):
    """A request that is answered with an error."""

    def __init__(self, response: Response) -> None:
        """The error that the engine gets."""
        super().__init__(response.status)
        self.response = response


def data(payload: Any) -> Response:
    """200 with data."""
    return _wrapped(200, payload, None)


def created() -> Response:
    """201, done."""
    return _wrapped(201, None, None)


def done() -> Response:
    """204, done."""
    return Response(204, media_type=_JSON)


def refused(status: int, reason: str) -> Response:
    """A status with a reason."""
    return _wrapped(status, None, reason)


def unreadable(reason: str) -> Response:
    """400 for a body that cannot be read."""
    return Response(400, reason.encode(), "text/plain")


def crashed() -> Response:
    """500 without a body, closing the connection, as after an exception that nobody caught."""
    return Response(500, headers=_CLOSING)


def failed(request: Request) -> Response:
    """500 in the container's shape, closing the connection."""
    response = by_container(500, "Request failed.", request)
    response.headers.update(_CLOSING)
    return response


def by_container(status: int, message: str, request: Request) -> Response:
    """An error that is not wrapped: JSON where the client asked for it, a page otherwise."""
    if request.headers.get("accept") == "application/json":
        body = {
            "servlet": "wallace",
            "message": message,
            "url": request.path,
            "status": str(status),
        }
        return Response(status, json.dumps(body).encode(), "application/json")
    page = f"<html><head><title>Error {status}</title></head></html>\n"
    return Response(status, page.encode(), "text/html;charset=iso-8859-1")


def warn_people(request: Request) -> Response:
    """The root of the protocol, where only people come by."""
    accept = request.headers.get("accept", "*/*")
    if "*/*" not in accept and "text/html" not in accept:
        return by_container(406, "Not Acceptable", request)
    return Response(400, _PAGE.encode(), "text/html")


def redirect_to_slash() -> Response:
    """302 to the root."""
    return Response(302, headers={"location": f"{BASE_PATH}/"})


def _wrapped(status: int, payload: Any, error: str | None) -> Response:
    body = json.dumps({"data": payload, "error": error}, separators=(",", ":"), ensure_ascii=False)
    # A text of the service may hold halves of surrogate pairs.
    return Response(status, body.encode("utf-8", "replace"), _JSON)
