"""Puts the layer around the application that a known server is given."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from types import ModuleType
from typing import Any

from ..loading.patch import patch_modules
from .fork import NURSERY
from .layer import AsgiLayer, WsgiLayer


def layered(application: Any) -> Any:
    """The application in the layer of its kind; the same where it has one."""
    if isinstance(application, (AsgiLayer, WsgiLayer)) or not callable(application):
        return application
    is_function = inspect.isfunction(application) or inspect.ismethod(application)
    call = application if is_function else type(application).__call__
    is_asgi = inspect.iscoroutinefunction(call) or _parameters(application) == 3
    return AsgiLayer(application) if is_asgi else WsgiLayer(application)


def _parameters(application: Any) -> int:
    """How many arguments an application takes: three for ASGI, two for WSGI."""
    try:
        return len(inspect.signature(application).parameters)
    except (TypeError, ValueError):
        return 2


def _forked(server: Any, name: str, prepare: Callable[[Any], object]) -> None:
    """Replaces the method in which a server serves: children go on from there."""
    serve = getattr(server, name)

    @wraps(serve)
    def waiting(self: Any, *arguments: Any, **options: Any) -> None:
        prepare(self)
        NURSERY.wait(lambda: serve(self, *arguments, **options))

    setattr(server, name, waiting)


def _load_uvicorn(server: Any) -> None:
    """Has the application imported before the first child is forked."""
    if not server.config.loaded:
        server.config.load()


def _uvicorn(module: ModuleType) -> None:
    config = module.Config
    load = config.load

    @wraps(load)
    def loaded(self: Any) -> None:
        load(self)
        self.loaded_app = AsgiLayer(self.loaded_app)

    config.load = loaded


def _hypercorn(module: ModuleType) -> None:
    wrapper = module.ASGIWrapper
    construct = wrapper.__init__

    @wraps(construct)
    def constructed(self: Any, app: Any, *rest: Any) -> None:
        construct(self, AsgiLayer(app), *rest)

    wrapper.__init__ = constructed


def _gunicorn(module: ModuleType) -> None:
    application = module.BaseApplication
    wsgi = application.wsgi

    @wraps(wsgi)
    def found(self: Any) -> Any:
        return layered(wsgi(self))

    application.wsgi = found


def _werkzeug(module: ModuleType) -> None:
    server = module.BaseWSGIServer
    construct = server.__init__

    @wraps(construct)
    def constructed(self: Any, *arguments: Any, **options: Any) -> None:
        construct(self, *arguments, **options)
        self.app = layered(self.app)

    server.__init__ = constructed


def _wsgiref(module: ModuleType) -> None:
    server = module.WSGIServer
    set_app = server.set_app

    @wraps(set_app)
    def put(self: Any, application: Any) -> None:
        set_app(self, layered(application))

    server.set_app = put


_PATCHES: dict[str, Callable[[ModuleType], None]] = {
    "uvicorn.config": _uvicorn,
    "hypercorn.app_wrappers": _hypercorn,
    "gunicorn.app.base": _gunicorn,
    "werkzeug.serving": _werkzeug,
    "wsgiref.simple_server": _wsgiref,
}


_FORKED: dict[str, Callable[[ModuleType], None]] = {
    "uvicorn.server": lambda module: _forked(module.Server, "run", _load_uvicorn),
    "socketserver": lambda module: _forked(module.BaseServer, "serve_forever", lambda _: None),
}


def install(*, forked: bool = False) -> None:
    """Watches for servers, also for those that are there already."""
    patch_modules({**_PATCHES, **(_FORKED if forked else {})})
