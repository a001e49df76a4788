"""What the service offers: found by asking it where descriptions usually are."""

from __future__ import annotations

import http.client
import json
from urllib.parse import urlsplit

from ..server.controller import Problem
from . import routes

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
    """The description or endpoint at the place that is named, at one of the usual ones, or at one
    that the routes of the service tell.
    """
    for path in [place] if place else _descriptions():
        answer = ask(base_url, "GET", path)
        if isinstance(answer, dict) and ("openapi" in answer or "swagger" in answer):
            return Problem("rest", base_url + path)
    for path in [place] if place else dict.fromkeys([*_ENDPOINTS, *routes.endpoints()]):
        answer = ask(base_url, "POST", path, {"query": "{__typename}"})
        if isinstance(answer, dict) and ("data" in answer or "errors" in answer):
            return Problem("graphql", path)
    return None


def _descriptions() -> dict[str, None]:
    told = routes.descriptions()
    # Some write YAML where nobody asks for JSON.
    as_json = [f"{path}?format=json" for path in told if not path.endswith(".json")]
    return dict.fromkeys([*_DESCRIPTIONS, *told, *as_json])


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
