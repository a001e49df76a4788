"""Services that offer no description, as their applications know them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from wallace_driver.service import outline, routes

from .test_servers import driven, free_port, needs

_DJANGO = """
import json
import django
from django.conf import settings
settings.configure(
    ROOT_URLCONF="__main__", ALLOWED_HOSTS=["127.0.0.1"], SECRET_KEY="x",
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "rest_framework"],
    REST_FRAMEWORK={{"DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAdminUser"]}},
)
django.setup()
import django.core.handlers.wsgi
from django.urls import path, re_path
from django.views import i18n
from rest_framework import response, views
class Description(views.APIView):
    def get(self, request):
        return response.Response({{"openapi": "3.0.3", "paths": {{"/notes/": {{}}}}}})
urlpatterns = [
    path("api/{}", Description.as_view()),
    re_path("^notes/(?P<key>[^/.]+)/$", Description.as_view()),
    path("days/<int:day>", lambda request, day: None),
    path("new/", lambda request: request.POST["title"]),
    re_path(r"^notes\\.(?P<format>[a-z0-9]+)/?$", Description.as_view()),
    path("language/", i18n.set_language),
]
from wallace_driver.service import outline
found = outline.outlined("http://127.0.0.1:1")
paths = json.loads(found.description)["paths"]
print(json.dumps({{path: list(operations) for path, operations in paths.items()}}))
"""


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "_APPLICATIONS", [])


def told(application: Any) -> dict[str, Any]:
    routes.remember(application)
    problem = outline.outlined("http://127.0.0.1:1")
    assert problem is not None
    assert problem.description is not None
    paths: dict[str, Any] = json.loads(problem.description)["paths"]
    return paths


def schemas(operation: Any) -> dict[str, Any]:
    return {one["name"]: one["schema"] for one in operation["parameters"]}


def test_fastapi_knows_what_it_does_not_serve() -> None:
    fastapi = pytest.importorskip("fastapi")
    application = fastapi.FastAPI(openapi_url=None)

    def notes(limit: int) -> None:
        pass

    application.get("/notes")(notes)
    (parameter,) = told(application)["/notes"]["get"]["parameters"]
    assert (parameter["name"], parameter["in"]) == ("limit", "query")


def test_routes_of_flask_behind_a_middleware() -> None:
    flask = pytest.importorskip("flask")
    application = flask.Flask(__name__)
    shape = "/<any(red, 'blue'):color>/<uuid:key>/<int:number>/<path:rest>"
    application.add_url_rule(shape, view_func=repr, methods=["PUT", "DELETE"])

    class Middleware:
        def __init__(self) -> None:
            self.wsgi_app = application

    (path, operations), *others = told(Middleware()).items()
    assert (path, others) == ("/{color}/{key}/{number}/{rest}", [])
    assert list(operations) == ["put", "delete"]
    assert "requestBody" not in operations["delete"]
    assert schemas(operations["put"]) == {
        "color": {"type": "string", "enum": ["red", "blue"]},
        "key": {"type": "string", "format": "uuid"},
        "number": {"type": "integer"},
        "rest": {"type": "string"},
    }


def test_routes_of_bottle() -> None:
    bottle = pytest.importorskip("bottle")
    application = bottle.Bottle()
    application.route("/notes/<key:int>/<word>/<rest:re:[a-z]{2}>", "PUT", lambda **_: None)
    ((path, operations),) = told(application).items()
    assert (path, list(operations)) == ("/notes/{key}/{word}/{rest}", ["put"])
    application.route("/pages<:re:(/.*)?>", "GET", lambda: None)
    assert "/pages{part}" in told(application)
    text = {"type": "string"}
    parts = {"key": {"type": "integer"}, "word": text, "rest": text}
    assert schemas(operations["put"]) == parts


def test_routes_of_falcon() -> None:
    falcon = pytest.importorskip("falcon")

    class Note:
        """A resource."""

        def on_get(self, req: Any, resp: Any, key: int) -> None:
            resp.media = {key: req.get_param("q")}

        def on_post(self, req: Any, resp: Any, key: int) -> None:
            resp.media = {key: req.media["title"]}

    application = falcon.App()
    application.add_route("/notes/{key:int}", Note())
    ((path, operations),) = told(application).items()
    assert (path, sorted(operations)) == ("/notes/{key}", ["get", "post"])
    assert list(schemas(operations["get"])) == ["key", "q"]
    body = operations["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert list(body["properties"]) == ["title"]


def test_what_handlers_of_flask_read() -> None:
    flask = pytest.importorskip("flask")
    views = pytest.importorskip("flask.views")
    request = flask.request

    class Note(views.MethodView):  # type: ignore[misc, name-defined]
        """A handler for each method."""

        def get(self, key: str) -> Any:
            return key + request.args["q"]

        def delete(self, key: str) -> Any:
            return key + request.json["why"]

    application = flask.Flask(__name__)
    application.add_url_rule("/<key>", view_func=Note.as_view("note"))
    operations = told(application)["/{key}"]
    assert list(schemas(operations["get"])) == ["key", "q"]
    assert "requestBody" not in operations["get"]
    assert list(schemas(operations["delete"])) == ["key"]
    content = operations["delete"]["requestBody"]["content"]["application/json"]
    assert list(content["schema"]["properties"]) == ["why"]


def test_routes_of_starlette_and_what_is_mounted_in_it() -> None:
    routing = pytest.importorskip("starlette.routing")
    applications = pytest.importorskip("starlette.applications")

    def answer(_: object) -> None:
        pass

    inner = routing.Router([routing.Route("/{key:int}", answer, methods=["POST"])])
    application = applications.Starlette(
        routes=[routing.Route("/a", answer), routing.Mount("/b", app=inner)]
    )
    paths = told(application)
    assert {path: list(one) for path, one in paths.items()} == {"/a": ["get"], "/b/{key}": ["post"]}
    assert schemas(paths["/b/{key}"]["post"]) == {"key": {"type": "integer"}}


def test_routes_of_aiohttp() -> None:
    web = pytest.importorskip("aiohttp.web")
    application = web.Application()
    application.router.add_patch(r"/{word:\d+}", repr)
    assert schemas(told(application)["/{word}"]["patch"]) == {"word": {"type": "string"}}


def test_a_description_of_flask_behind_a_login() -> None:
    flask = pytest.importorskip("flask")
    application = flask.Flask(__name__)
    application.before_request(lambda: ("log in", 401))
    shown = {"swagger": "2.0", "paths": {"/a": {}}}
    application.add_url_rule("/v1/<which>.json", view_func=lambda which: {})
    application.add_url_rule("/v1/swagger.json", "shown", lambda: shown)
    assert told(application) == {"/a": {}}


@pytest.mark.parametrize(
    ("name", "paths"),
    [
        ("schema", {"/notes/": []}),
        (
            "other",
            {
                "/api/other": ["get"],
                "/notes/{key}/": ["get"],
                "/days/{day}": ["get", "post"],
                "/new/": ["get", "post"],
            },
        ),
    ],
)
def test_django_tells_its_description_or_its_routes(name: str, paths: dict[str, Any]) -> None:
    pytest.importorskip("rest_framework")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", _DJANGO.format(name)]
    output = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE).stdout
    assert json.loads(output) == paths


@pytest.mark.parametrize("options", ["", "--reset fork", "--schema of_file.yaml"])
def test_a_service_without_a_description_is_driven(tmp_path: Path, options: str) -> None:
    needs("flask")
    (tmp_path / "bare.py").write_text(
        "import flask\napp = flask.Flask('bare')\n"
        "@app.get('/notes/<int:key>')\ndef note(key):\n    return str(key)\n"
    )
    (tmp_path / "of_file.yaml").write_text("openapi: 3.0.3\n")
    command = (sys.executable, "-m", "flask", "--app", "bare", "run", "--port", str(free_port()))
    with driven(tmp_path, options, *command, service=str(tmp_path)) as session:
        problem = session.info["restProblem"]
        assert problem["openApiUrl"] is None
        if "file" in options:
            assert problem["openApiSchema"] == "openapi: 3.0.3\n"
        else:
            assert list(json.loads(problem["openApiSchema"])["paths"]) == ["/notes/{key}"]
        assert session.call("/notes/7") == "7"
        assert any("no description" in line or "file.yaml" in line for line in session.said)
