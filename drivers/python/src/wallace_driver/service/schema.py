"""What the service offers: found by asking it where descriptions usually are."""

from __future__ import annotations

import http.client
import json
from urllib.parse import urlsplit

from ..server.controller import Problem

_DESCRIPTIONS = (
    "/openapi.json",
    "/schema/openapi.json",
    "/api/openapi.json",
    "/api/schema/?format=json",
    "/schema/?format=json",
    "/swagger.json",
    "/api/swagger.json",
    "/swagger/?format=openapi",
    "/apispec_1.json",
)
_ENDPOINTS = ("/graphql", "/graphql/", "/api/graphql", "/api/graphql/", "/api/", "/")
_TIMEOUT = 30.0


def find(base_url: str, place: str | None = None) -> Problem | None:
    """The description or endpoint at the place that is named, or at one of the usual ones."""
    for path in [place] if place else _DESCRIPTIONS:
        answer = ask(base_url, "GET", path)
        if isinstance(answer, dict) and ("openapi" in answer or "swagger" in answer):
            return Problem("rest", base_url + path)
    for path in [place] if place else _ENDPOINTS:
        answer = ask(base_url, "POST", path, {"query": "{__typename}"})
        if isinstance(answer, dict) and ("data" in answer or "errors" in answer):
            return Problem("graphql", path)
    return None


def ask(base_url: str, method: str, path: str, body: object = None) -> object:
    """The JSON that the service answers; nothing for other answers."""
    try:
        status, text = exchange(base_url, method, path, body)
        return json.loads(text) if status in (200, 400) else None
    except (OSError, http.client.HTTPException, ValueError):
        return None


def exchange(base_url: str, method: str, path: str, body: object = None) -> tuple[int, bytes]:
    """One request to the service. Raises `OSError` when nobody answers."""
    address = urlsplit(base_url)
    connection = http.client.HTTPConnection(
        address.hostname or "127.0.0.1", address.port, timeout=_TIMEOUT
    )
    try:
        content = None if body is None else json.dumps(body)
        headers = {} if body is None else {"content-type": "application/json"}
        connection.request(method, path, content, headers)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()
