"""Where a service has its description or endpoint, found by asking."""

from __future__ import annotations

import json
import re
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from wallace_driver.service import routes, schema, server_hook
from wallace_driver.service.serving import served

_OPENAPI = {"openapi": "3.1.0", "paths": {"/": {}}}
_EMPTY = {"openapi": "3.1.0", "paths": {}}


class _Service:
    """A WSGI application that answers some paths, with what follows `?` or without."""

    def __init__(self, answers: dict[str, object]) -> None:
        self.answers = answers

    def __call__(self, environ: dict[str, Any], start: Any) -> list[bytes]:
        path, query = environ["PATH_INFO"], environ["QUERY_STRING"]
        answer = self.answers.get(f"{path}?{query}" if query else path)
        start("404 Not Found" if answer is None else "200 OK", [])
        text = answer if isinstance(answer, str) else json.dumps(answer)
        return [text.encode()]


class _Route:
    def __init__(self, path: str) -> None:
        self.path = path


class _Routed(_Service):
    """The same with routes that can be asked for, as those of frameworks."""

    def __init__(self, answers: dict[str, object]) -> None:
        super().__init__(answers)
        self.routes = [_Route(path.split("?")[0]) for path in answers]


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "_APPLICATIONS", [])


def _found(answers: dict[str, object]) -> tuple[str, str] | None:
    with served(_Routed(answers)) as url:
        problem = schema.find(url)
        return None if problem is None else (problem.kind, problem.location.removeprefix(url))


@pytest.mark.parametrize(
    ("answers", "place"),
    [
        ({"/v1/oas/spec": _OPENAPI}, "/v1/oas/spec"),
        ({"/schema": "openapi: 3.0.0\npaths: {}\n"}, "/schema"),
        ({"/docs/openapi.yaml": "# ours\nswagger: '2.0'\n"}, "/docs/openapi.yaml"),
        ({"/spec": "openapi: 3.0.0\n", "/api/spec": _OPENAPI}, "/api/spec"),
        ({"/docs/schema?format=openapi-json": _OPENAPI}, "/docs/schema?format=openapi-json"),
        ({"/docs/swagger/?format=openapi": _OPENAPI}, "/docs/swagger/?format=openapi"),
    ],
)
def test_descriptions_are_found(answers: dict[str, object], place: str) -> None:
    assert _found(answers) == ("rest", place)


def test_rules_of_tornado() -> None:
    module: Any = ModuleType("tornado.web")

    class Application:
        """As Tornado's: all rules are in a router inside of the one that serves."""

        def __init__(self, *paths: str) -> None:
            rules = [_rule(path, None) for path in paths]
            self.default_router = SimpleNamespace(rules=[_rule(None, SimpleNamespace(rules=rules))])

    module.Application = Application
    module.RequestHandler = type("RequestHandler", (), {"_handle_request_exception": None})
    server_hook._PATCHES["tornado.web"](module)
    Application(r"/api/spec\.yaml", r"/api/spec/([^/]+)", "/api/schemas")
    assert routes.descriptions() == ["/api/schemas", "/api/spec.yaml"]


def _rule(path: str | None, target: object) -> SimpleNamespace:
    expression = None if path is None else re.compile(f"{path}$")
    return SimpleNamespace(matcher=SimpleNamespace(regex=expression), target=target)


def test_a_description_without_operations_comes_behind_graphql() -> None:
    answers: dict[str, object] = {"/openapi.json": _EMPTY}
    assert _found(answers) == ("rest", "/openapi.json")
    answers["/graphql/"] = {"data": {"__typename": "Query"}}
    assert _found(answers) == ("graphql", "/graphql/")


def test_graphql_is_known_by_its_answer() -> None:
    refused = {"errors": [{"message": "log in"}], "data": None}
    assert _found({"/": {"data": {}, "errors": {}}, "/gql": refused}) == ("graphql", "/gql")
    assert _found({"/": {"data": {"name": "shop"}}, "/api/": {"errors": ["no"]}}) is None


def test_applications_that_are_mounted_in_those_of_aiohttp() -> None:
    web = pytest.importorskip("aiohttp.web")
    whole, part, description = web.Application(), web.Application(), web.Application()
    description.router.add_get("/spec", lambda _: None)
    part.add_subapp("/oas", description)
    whole.add_subapp("/v1", part)
    routes.remember(whole)
    assert "/v1/oas/spec" in routes.descriptions()


def test_routes_that_know_their_application_are_looked_at_once() -> None:
    class Knowing:
        """An application of Bottle, whose routes know it."""

        def __init__(self) -> None:
            self.looks = 0

        @property
        def routes(self) -> list[_Route]:
            self.looks += 1
            made = [_Route(f"/v{number}/openapi.json") for number in range(3)]
            for one in made:
                one.app = self  # type: ignore[attr-defined]
            return made

    application = Knowing()
    routes.remember(application)
    assert routes.descriptions() == [f"/v{number}/openapi.json" for number in range(3)]
    assert application.looks == 1


def test_routes_of_django_for_several_formats() -> None:
    urls = pytest.importorskip("django.urls")
    patterns = [
        urls.path("one/swagger<format>/", print),
        urls.re_path(r"^two/swagger(?P<format>\.json|\.yaml)$", print),
    ]
    found = [path for path, _ in routes._below(patterns, "/", 0)]
    assert found == ["/one/swagger.json/", "/two/swagger.json"]
