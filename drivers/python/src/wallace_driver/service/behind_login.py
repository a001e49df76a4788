"""Descriptions that a service shows to its users only: the view that makes one is called here.

What stands before views, such as a login, is passed by; a view that asks who calls is told somebody
who may do everything.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit
from wsgiref.util import setup_testing_defaults

from . import routes

#: All the names that frameworks have for a description in JSON.
_ACCEPT = "application/vnd.oai.openapi+json, application/openapi+json, application/json"


class _Everybody:
    """A user of Django who may do everything, and is in no table."""

    pk = id = None
    username = "wallace"
    is_anonymous = False
    is_authenticated = is_active = is_staff = is_superuser = True

    def has_perm(self, *_: object) -> bool:
        return True

    has_perms = has_module_perms = has_perm


def described(base_url: str, place: str | None) -> str | None:
    """The description at the place that is named, or where the routes of the service tell."""
    for place_or_path in [place] if place else routes.descriptions():
        for shown in (_by_django, *map(_by_flask, routes.applications())):
            # The objects are others', and may be anything.
            with suppress(Exception):
                text = shown(base_url, place_or_path)
                answer = json.loads(text)
                if isinstance(answer, dict) and ("openapi" in answer or "swagger" in answer):
                    return text
    return None


def _by_django(base_url: str, place: str) -> str:
    urls, handlers = sys.modules["django.urls"], sys.modules["django.core.handlers.wsgi"]
    request: Any = handlers.WSGIRequest(_environment(base_url, place))
    request.user = request._force_auth_user = _Everybody()
    view, arguments, options = urls.resolve(request.path_info)
    response = view(request, *arguments, **options)
    if not getattr(response, "is_rendered", True):
        response.render()
    return str(response.content.decode())


def _by_flask(application: Any) -> Callable[[str, str], str]:
    def shown(base_url: str, place: str) -> str:
        environment = _environment(base_url, place)
        with application.request_context(environment) as context:
            request = context.request
            view = application.view_functions[request.endpoint]
            response = application.make_response(view(**request.view_args))
            return str(response.get_data(as_text=True))

    return shown


def _environment(base_url: str, place: str) -> dict[str, Any]:
    """A request as WSGI has it."""
    path, _, query = place.partition("?")
    environment: dict[str, Any] = {
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "HTTP_ACCEPT": _ACCEPT,
        "HTTP_HOST": urlsplit(base_url).netloc,
    }
    setup_testing_defaults(environment)
    return environment
