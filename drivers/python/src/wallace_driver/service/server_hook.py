"""Puts the layer around the application that a known server is given."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from types import ModuleType
from typing import Any

from ..loading.patch import patch_modules
from . import caches, failure, routes
from .fork import NURSERY
from .layer import ENDED, AsgiLayer, WsgiLayer, bounded


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
    load, construct = config.load, config.__init__

    @wraps(construct)
    def constructed(self: Any, *arguments: Any, **options: Any) -> None:
        construct(self, *arguments, **options)
        # A service that starts its server itself may ask for other processes, which nobody sees.
        self.reload, self.workers = False, 1

    @wraps(load)
    def loaded(self: Any) -> None:
        load(self)
        self.loaded_app = AsgiLayer(self.loaded_app)

    config.load, config.__init__ = loaded, constructed


def _gunicorn(module: ModuleType) -> None:
    application = module.BaseApplication
    wsgi = application.wsgi

    @wraps(wsgi)
    def found(self: Any) -> Any:
        return layered(wsgi(self))

    application.wsgi = found


def _granian(module: Any) -> None:
    """Workers get their application through a function of its protocol."""
    wrap = module._callback_wrapper

    @wraps(wrap)
    def wrapped(callback: Any, *rest: Any, **options: Any) -> Any:
        return wrap(layered(callback), *rest, **options)

    module._callback_wrapper = wrapped


def _aiohttp(module: ModuleType) -> None:
    """An application of aiohttp is its own server's only, and neither ASGI nor WSGI."""
    application = module.Application
    application._handle = bounded(application._handle, _late)
    make_handler = application._make_handler

    @wraps(make_handler)
    def made(self: Any, *arguments: Any, **options: Any) -> Any:
        routes.remember(self)
        return make_handler(self, *arguments, **options)

    application._make_handler = made


def _tornado(module: ModuleType) -> None:
    """Tornado's applications are those of its own server: their routes are looked at, and errors
    that they answer, which are not logged as such where they have a status.
    """
    application, handler = module.Application, module.RequestHandler
    construct, handle = application.__init__, handler._handle_request_exception

    @wraps(construct)
    def constructed(self: Any, *arguments: Any, **options: Any) -> None:
        construct(self, *arguments, **options)
        routes.remember(self)

    @wraps(handle)
    def handled(self: Any, error: BaseException) -> None:
        failure.note(error)
        handle(self, error)

    application.__init__, handler._handle_request_exception = constructed, handled


def _late() -> Any:
    from aiohttp import web  # type: ignore[import-not-found, unused-ignore]

    return web.Response(status=503, body=ENDED)


def _kept(name: str, attribute: str) -> Callable[[ModuleType], None]:
    """A patch of a class that keeps the application it is given in an attribute."""

    def patch(module: ModuleType) -> None:
        kind = getattr(module, name)
        construct = kind.__init__

        @wraps(construct)
        def constructed(self: Any, *arguments: Any, **options: Any) -> None:
            construct(self, *arguments, **options)
            setattr(self, attribute, layered(getattr(self, attribute)))

        kind.__init__ = constructed

    return patch


def _werkzeug(module: ModuleType) -> None:
    _kept("BaseWSGIServer", "app")(module)
    run = module.run_simple
    signature = inspect.signature(run)

    @wraps(run)
    def running(*arguments: Any, **options: Any) -> None:
        bound = signature.bind(*arguments, **options)
        # As for uvicorn: `app.run(debug=True)` asks for a reloader.
        bound.arguments |= {"use_reloader": False, "processes": 1}
        run(*bound.args, **bound.kwargs)

    module.run_simple = running  # type: ignore[attr-defined]


def _wsgiref(module: ModuleType) -> None:
    server = module.WSGIServer
    set_app = server.set_app

    @wraps(set_app)
    def put(self: Any, application: Any) -> None:
        set_app(self, layered(application))

    server.set_app = put


_PATCHES: dict[str, Callable[[ModuleType], None]] = {
    "aiohttp.web_app": _aiohttp,
    "cheroot.wsgi": _kept("Server", "wsgi_app"),
    "daphne.server": _kept("Server", "application"),
    "granian.asgi": _granian,
    "granian.wsgi": _granian,
    "gunicorn.app.base": _gunicorn,
    "hypercorn.app_wrappers": _kept("ASGIWrapper", "app"),
    "tornado.web": _tornado,
    "uvicorn.config": _uvicorn,
    "waitress.server": _kept("BaseWSGIServer", "application"),
    "werkzeug.serving": _werkzeug,
    "wsgiref.simple_server": _wsgiref,
}


_FORKED: dict[str, Callable[[ModuleType], None]] = {
    "uvicorn.server": lambda module: _forked(module.Server, "run", _load_uvicorn),
    "socketserver": lambda module: _forked(module.BaseServer, "serve_forever", lambda _: None),
}


def install(*, forked: bool = False) -> None:
    """Watches for servers, also for those that are there already."""
    failure.install()
    caches.install()
    patch_modules({**_PATCHES, **(_FORKED if forked else {})})
