"""What the routes of an application tell of its description and its endpoint.

Services put them where they like: below a prefix, under a name of their own. Their frameworks know.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import PurePosixPath
from typing import Any

_DESCRIPTION = re.compile(
    r"openapi|swagger|schema|api[-_]?docs?\b|\boas\b|spec\b|__api__", re.IGNORECASE
)
_ENDPOINT = re.compile(r"graphql|gql", re.IGNORECASE)
#: What only pages for people, and parts that a request has to fill, have in their routes.
_OTHER = re.compile(r"[{<(*]|redirect|redoc", re.IGNORECASE)
#: Where Django has one route for a description in several formats.
_FORMAT = re.compile(r"\(\?P<format>[^)]*\)|<(?:str:)?format>")
#: A part of a path of Django that is an expression; it has no parentheses of its own.
_GROUP = re.compile(r"\(\?P<(\w+)>[^()]*\)")
#: A character of an expression that stands for itself.
_ESCAPED = re.compile(r"\\(\W)")
#: What holds an application inside of another, by the names that middlewares use.
_INNER = ("app", "application", "wsgi_app", "_app", "asgi_handler")
#: How deep applications and their routes are looked into, and how many places are tried.
_DEEPEST = 8
_MOST = 12

_APPLICATIONS: list[Any] = []


def remember(application: Any) -> None:
    """A server is given this application."""
    if not any(one is application for one in _APPLICATIONS):
        _APPLICATIONS.append(application)


def descriptions() -> list[str]:
    """Paths that may be those of a description; those of JSON come first, and of YAML last."""
    found = [path for path in _paths() if _DESCRIPTION.search(path)]
    order = {".json": 0, ".yaml": 2, ".yml": 2}
    return sorted(found, key=lambda path: order.get(PurePosixPath(path).suffix, 1))[:_MOST]


def endpoints() -> list[str]:
    """Paths that may be those of a GraphQL endpoint."""
    return [path for path in _paths() if _ENDPOINT.search(path)][:_MOST]


def applications() -> Iterator[Any]:
    """The applications that are served, and those that they are around."""
    for application in _APPLICATIONS:
        yield from _around(application, 0)


def _around(node: Any, depth: int) -> Iterator[Any]:
    if node is None or depth > _DEEPEST:
        return
    yield node
    for name in _INNER:
        yield from _around(getattr(node, "__dict__", {}).get(name), depth + 1)


def _paths() -> list[str]:
    found: dict[str, None] = {}
    for application in _APPLICATIONS:
        found |= dict.fromkeys(_of(application, "", ()))
    found |= dict.fromkeys(_of_django())
    return [path for path in found if not _OTHER.search(path)]


def _of(node: Any, prefix: str, above: tuple[Any, ...]) -> Iterator[str]:
    """The routes of an application, of what it is around, and of what is mounted in it."""
    # Routes of Bottle know the application that they belong to.
    if node is None or len(above) > _DEEPEST or any(node is one for one in above):
        return
    above = (*above, node)
    for path, inner in _routes(node):
        whole = f"{prefix}/{path.lstrip('/')}"
        yield whole
        yield from _of(inner, whole.rstrip("/"), above)
    for name in _INNER:
        yield from _of(getattr(node, "__dict__", {}).get(name), prefix, above)


def _routes(node: Any) -> Iterable[tuple[str, Any]]:
    """Paths of an application, with what is mounted there. What is no framework has none."""
    found: list[tuple[str, Any]] = []
    # The objects are others', and may be anything.
    with suppress(Exception):
        # Starlette, FastAPI, Litestar, Sanic's router, Bottle.
        for route in getattr(node, "routes", None) or ():
            path = getattr(route, "path", None) or getattr(route, "rule", None) or ""
            found.append((str(path), getattr(route, "app", None) or _with_routes(route)))
    with suppress(Exception):
        # Flask and Quart.
        found += [(str(rule.rule), None) for rule in node.url_map.iter_rules()]
    with suppress(Exception):
        # aiohttp.
        found += [(path, None) for path in _of_aiohttp(node)]
    with suppress(Exception):
        # Sanic.
        found += [(f"/{one.path}", None) for one in node.router.routes]
    with suppress(Exception):
        # Pyramid.
        found += [(str(one.path), None) for one in node.routes_mapper.get_routes()]
    with suppress(Exception):
        found += [(path, None) for path in _of_tornado(node.default_router)]
    return found


def _of_tornado(router: Any) -> Iterator[str]:
    """The rules of an application of Tornado: expressions, some of them those of other routers."""
    for rule in router.rules:
        expression = getattr(rule.matcher, "regex", None)
        if expression is not None:
            yield _ESCAPED.sub(r"\1", expression.pattern.rstrip("$"))
        if hasattr(rule.target, "rules"):
            yield from _of_tornado(rule.target)


def _of_aiohttp(node: Any) -> Iterator[str]:
    """The routes of an application and of those mounted in it, which know their whole paths."""
    yield from (str(one.canonical) for one in node.router.resources())
    for inner in node._subapps:
        yield from _of_aiohttp(inner)


def _with_routes(route: Any) -> Any:
    return route if getattr(route, "routes", None) else None


def _of_django() -> Iterator[str]:
    """The routes of the project of Django, if there is one."""
    for path, _ in views_of_django():
        yield path


def views_of_django() -> Iterator[tuple[str, Any]]:
    """The routes of the project of Django, if there is one, with what answers there."""
    module = sys.modules.get("django.urls")
    with suppress(Exception):
        if module is not None:
            yield from _below(module.get_resolver().url_patterns, "/", 0)


def _below(patterns: Iterable[Any], prefix: str, depth: int) -> Iterator[tuple[str, Any]]:
    for one in patterns if depth <= _DEEPEST else ():
        # A pattern that is an expression begins with `^`, and ends with `$` or `\Z`.
        path = prefix + str(one.pattern).lstrip("^").replace("\\Z", "").rstrip("$").rstrip("?")
        if hasattr(one, "url_patterns"):
            yield from _below(one.url_patterns, path, depth + 1)
        else:
            path = _FORMAT.sub(".json", path).replace("\\.", ".")
            yield _GROUP.sub(r"<\1>", path), one.callback
