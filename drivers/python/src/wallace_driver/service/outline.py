"""What a service does that offers no description to everybody: its application tells.

One may be shown to users only; FastAPI knows its own where it does not serve it. Of others the
routes are known, with their methods and the parts of their paths, but not what they read from
queries and bodies.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from ..server.controller import Problem
from . import behind_login, routes

#: Methods that a description has.
_METHODS = ("get", "post", "put", "patch", "delete")
#: A part of a path that a request has to fill: of Flask, and of Starlette, Litestar and aiohttp.
_OF_FLASK = re.compile(r"<(?:(?P<type>\w+)(?:\((?P<options>[^)]*)\))?:)?(?P<name>\w+)>")
_OF_OTHERS = re.compile(r"\{(?P<name>\w+)(?::(?P<type>[^{}]*))?\}")
_TYPES: dict[str, dict[str, Any]] = {
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "decimal": {"type": "number"},
    "uuid": {"type": "string", "format": "uuid"},
    "date": {"type": "string", "format": "date"},
    "datetime": {"type": "string", "format": "date-time"},
}
#: What is read from a body is not known.
_BODY = {
    "content": {
        "application/json": {"schema": {"type": "object"}},
        "application/x-www-form-urlencoded": {"schema": {"type": "object"}},
    }
}
_Operation = tuple[str, Iterable[str]]


def outlined(base_url: str, place: str | None = None) -> Problem | None:
    """The service as its application knows it, if there is one that does. Only what is at a place
    counts where one is named.
    """
    shown = behind_login.described(base_url, place)
    if shown is not None:
        return Problem("rest", "", shown)
    for application in () if place else (*routes.applications(), None):
        described = _described(application)
        if described is not None:
            return Problem("rest", "", described)
    return None


def _described(application: Any) -> str | None:
    """An application's own description, or one of its routes. Those of Django are of no object."""
    # The objects are others', and may be anything.
    with suppress(Exception):
        own = application.openapi()
        if own["openapi"] and own["paths"]:
            return json.dumps(own)
    operations: list[_Operation] = []
    frameworks = (_of_flask, _of_starlette, _of_aiohttp)
    for of_framework in (_of_django,) if application is None else frameworks:
        with suppress(Exception):
            operations += of_framework(application)
    paths: dict[str, dict[str, Any]] = {}
    for path, methods in operations:
        known = [one for one in _METHODS if one.upper() in methods]
        name = _OF_OTHERS.sub(r"{\g<name>}", _OF_FLASK.sub(r"{\g<name>}", path))
        if known:
            paths.setdefault(name, {}).update({one: _operation(path, one) for one in known})
    if not paths:
        return None
    about = {"title": "Routes", "version": ""}
    return json.dumps({"openapi": "3.0.3", "info": about, "paths": paths})


def _operation(path: str, method: str) -> dict[str, Any]:
    found = [*_OF_FLASK.finditer(path), *_OF_OTHERS.finditer(path)]
    parameters = [
        {"name": one["name"], "in": "path", "required": True, "schema": _schema(one.groupdict())}
        for one in found
    ]
    body = {"requestBody": _BODY} if method in ("post", "put", "patch") else {}
    answers = {"default": {"description": "not known"}}
    return {"parameters": parameters, **body, "responses": answers}


def _schema(part: dict[str, str | None]) -> dict[str, Any]:
    kind, options = part["type"] or "", part.get("options") or ""
    if kind == "any":
        return {"type": "string", "enum": [one.strip(" '\"") for one in options.split(",")]}
    return _TYPES.get(kind, {"type": "string"})


def _of_flask(application: Any) -> Iterator[_Operation]:
    for rule in application.url_map.iter_rules():
        # Flask serves files of its own accord.
        if rule.endpoint != "static" and not rule.endpoint.endswith(".static"):
            yield str(rule.rule), rule.methods or ("GET",)


def _of_starlette(node: Any, prefix: str = "") -> Iterator[_Operation]:
    """The routes of Starlette and Litestar, with those of applications that are mounted."""
    for route in node.routes:
        path = prefix + str(route.path)
        if getattr(route, "methods", None):
            yield path, route.methods
        elif getattr(route, "routes", None):
            yield from _of_starlette(route, path.rstrip("/"))


def _of_aiohttp(node: Any) -> Iterator[_Operation]:
    for resource in node.router.resources():
        for route in resource:
            yield str(resource.canonical), (route.method,)


def _of_django(_: None) -> Iterator[_Operation]:
    """The routes of the project of Django, without those of Django's own pages."""
    for path, view in routes.views_of_django():
        kind = getattr(view, "cls", None) or getattr(view, "view_class", None)
        # The REST framework has each path once more with the name of a format.
        if not str(view.__module__).startswith("django.") and "..json" not in path:
            # A set of views has one for each method; a class has methods by their names.
            methods = getattr(view, "actions", None) or [
                one for one in _METHODS if hasattr(kind, one)
            ]
            yield path, [one.upper() for one in methods] or ("GET", "POST")
