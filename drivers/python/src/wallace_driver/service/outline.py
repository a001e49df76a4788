"""What a service does that offers no description to everybody: its application tells.

One may be shown to users only; FastAPI knows its own where it does not serve it. Of others the
routes are known, with their methods and the parts of their paths; what they read from queries and
bodies is in the source of their handlers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from ..server.controller import Problem
from . import behind_login, routes
from .reads import reads_of

#: Methods that a description has.
_METHODS = ("get", "post", "put", "patch", "delete")
#: A part of a path that a request has to fill: of Flask, of Bottle, and of Starlette, Litestar,
#: aiohttp and Falcon.
_OF_FLASK = re.compile(r"<(?:(?P<type>\w+)(?:\((?P<options>[^)]*)\))?:)?(?P<name>\w+)>")
_OF_BOTTLE = re.compile(r"<(\w*)(?::(\w+)(?::(?:\\.|[^>\\])*)?)?>")
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
#: A path, its methods, and what answers there: an object, or one for each method.
_Operation = tuple[str, Iterable[str], Any]


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
    frameworks = (_of_flask, _of_starlette, _of_aiohttp, _of_bottle, _of_falcon)
    for of_framework in (_of_django,) if application is None else frameworks:
        with suppress(Exception):
            operations += of_framework(application)
    paths: dict[str, dict[str, Any]] = {}
    for path, methods, handler in operations:
        known = [one for one in _METHODS if one.upper() in methods]
        name = _OF_OTHERS.sub(r"{\g<name>}", _OF_FLASK.sub(r"{\g<name>}", path))
        if known:
            paths.setdefault(name, {}).update(
                {one: _operation(path, one, handler) for one in known}
            )
    if not paths:
        return None
    about = {"title": "Routes", "version": "", "x-wallace-guessed": True}
    return json.dumps({"openapi": "3.0.3", "info": about, "paths": paths})


def _operation(path: str, method: str, handler: Any) -> dict[str, Any]:
    if isinstance(handler, dict):
        handler = handler.get(method)
    reads = reads_of(handler, method)
    found = [*_OF_FLASK.finditer(path), *_OF_OTHERS.finditer(path)]
    parameters = [
        {"name": one["name"], "in": "path", "required": True, "schema": _schema(one.groupdict())}
        for one in found
    ]
    parameters += reads.parameters()
    # What no field is known of may be read elsewhere.
    body = reads.body() or (_BODY if method in ("post", "put", "patch") else None)
    told = {} if body is None or method == "get" else {"requestBody": body}
    answers = {"default": {"description": "not known"}}
    return {"parameters": parameters, **told, "responses": answers}


def _schema(part: dict[str, str | None]) -> dict[str, Any]:
    kind, options = part["type"] or "", part.get("options") or ""
    if kind == "any":
        return {"type": "string", "enum": [one.strip(" '\"") for one in options.split(",")]}
    return _TYPES.get(kind, {"type": "string"})


def _of_flask(application: Any) -> Iterator[_Operation]:
    for rule in application.url_map.iter_rules():
        # Flask serves files of its own accord.
        if rule.endpoint != "static" and not rule.endpoint.endswith(".static"):
            view = application.view_functions.get(rule.endpoint)
            yield str(rule.rule), rule.methods or ("GET",), getattr(view, "view_class", view)


def _of_starlette(node: Any, prefix: str = "") -> Iterator[_Operation]:
    """The routes of Starlette and Litestar, with those of applications that are mounted."""
    for route in node.routes:
        path = prefix + str(route.path)
        if getattr(route, "methods", None):
            yield path, route.methods, getattr(route, "endpoint", None)
        elif getattr(route, "routes", None):
            yield from _of_starlette(route, path.rstrip("/"))


def _of_aiohttp(node: Any) -> Iterator[_Operation]:
    for resource in node.router.resources():
        for route in resource:
            yield str(resource.canonical), (route.method,), route.handler


def _of_bottle(node: Any) -> Iterator[_Operation]:
    for route in node.routes:
        # Parts without a name are only looked for.
        path = _OF_BOTTLE.sub(lambda part: f"{{{part[1] or 'part'}:{part[2] or ''}}}", route.rule)
        yield path, (route.method,), route.callback


def _of_falcon(node: Any) -> Iterator[_Operation]:
    waiting = list(node._router._roots)
    while waiting:
        place = waiting.pop(0)
        waiting += place.children
        for method, responder in (place.method_map or {}).items():
            # What a resource has nothing for is answered by Falcon itself.
            if not str(responder.__module__).startswith("falcon."):
                yield place.uri_template, (method,), responder


def _of_django(_: None) -> Iterator[_Operation]:
    """The routes of the project of Django, without those of Django's own pages."""
    for path, view in routes.views_of_django():
        kind = getattr(view, "cls", None) or getattr(view, "view_class", None)
        # The REST framework has each path once more with the name of a format.
        if not str(view.__module__).startswith("django.") and "..json" not in path:
            # A set of views has one for each method; a class has methods by their names.
            actions = getattr(view, "actions", None) or {}
            methods = actions or [one for one in _METHODS if hasattr(kind, one)]
            by_method = {method: getattr(kind, name, None) for method, name in actions.items()}
            handler = by_method or kind or view
            yield path, [one.upper() for one in methods] or ("GET", "POST"), handler
