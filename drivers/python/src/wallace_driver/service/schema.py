"""What the service offers: found by asking it where descriptions usually are."""

from __future__ import annotations

import http.client
import json
import re
from typing import Any
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
#: Words for JSON of the description, in Django's frameworks.
_FORMATS = ("json", "openapi", "openapi-json")
_YAML = re.compile(rb"^(?:openapi|swagger): *[\"']?[23]", re.MULTILINE)
_TIMEOUT = 30.0


def find(base_url: str, place: str | None = None) -> Problem | None:
    """The description or endpoint at the place that is named, at one of the usual ones, or at one
    that the routes of the service tell.
    """
    in_yaml = without_operations = None
    for path in [place] if place else _descriptions():
        text = answered(base_url, "GET", path)
        answer = _json(text)
        if isinstance(answer, dict) and ("openapi" in answer or "swagger" in answer):
            if answer.get("paths"):
                return Problem("rest", base_url + path)
            without_operations = without_operations or Problem("rest", base_url + path)
        if in_yaml is None and _YAML.search(text):
            in_yaml = Problem("rest", base_url + path)
    if in_yaml is not None:
        return in_yaml
    for path in [place] if place else dict.fromkeys([*_ENDPOINTS, *routes.endpoints()]):
        answer = _json(answered(base_url, "POST", path, {"query": "{__typename}"}))
        if isinstance(answer, dict) and _is_graphql(answer):
            return Problem("graphql", path)
    # FastAPI has one, also where all that it does is to hold an endpoint of GraphQL.
    return without_operations


def _is_graphql(answer: dict[str, Any]) -> bool:
    """Whether GraphQL answers: other services have `data` and `errors` of their own."""
    data, errors = answer.get("data"), answer.get("errors")
    if isinstance(data, dict):
        return "__typename" in data
    told = errors if isinstance(errors, list) else []
    return any(isinstance(one, dict) and "message" in one for one in told)


def _descriptions() -> dict[str, None]:
    told = routes.descriptions()
    asked = [path for path in told if "." not in path]
    # Some write YAML, or a page, where nobody asks for JSON.
    as_json = [f"{path}?format={one}" for one in _FORMATS for path in asked]
    return dict.fromkeys([*_DESCRIPTIONS, *told, *as_json])


def _json(text: bytes) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None


def answered(base_url: str, method: str, path: str, body: object = None) -> bytes:
    """What the service answers; nothing where it refuses or is silent."""
    try:
        status, text = exchange(base_url, method, path, body)
    except (OSError, http.client.HTTPException):
        return b""
    return text if status in (200, 400) else b""


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
