"""What handlers read from requests, as their sources tell."""

from __future__ import annotations

import json
from typing import Any

import pytest

from wallace_driver.service.reads import reads_of

request: Any = None


def _told(handler: Any, method: str = "post") -> tuple[dict[str, Any], Any]:
    reads = reads_of(handler, method)
    return {one["name"]: one["schema"] for one in reads.parameters()}, reads.body()


def _or(kind: str, *others: Any) -> dict[str, Any]:
    return {"anyOf": [{"type": kind}, *others]}


def _of_flask() -> None:
    limit = request.args.get("limit", 10, type=int)
    if request.args.get("sort") == "name" and "deep" in request.args:
        request.args["page"]
    tags, size = request.args.getlist("tag"), request.get_param_as_int("size")
    print(limit, tags, size, request.headers["x"], request.args.get(limit))


def test_parameters_of_queries() -> None:
    parameters, body = _told(_of_flask, "get")
    text = {"type": "string"}
    assert parameters == {
        "limit": _or("integer", text),
        "sort": text,
        "deep": text,
        "page": text,
        "size": _or("integer", text),
        "tag": {"anyOf": [{"type": "array", "items": text}, text]},
    }
    assert body is None


def _with_data() -> None:
    data = request.get_json(force=True) or {}
    name = data["name"]
    if data.get("kind", "plain") == "odd" or data["size"] > 3:
        print(int(data.get("count", "")), name, data.pop("lines", []))
    amount = data["amount"]
    print(float(amount))


async def _of_starlette(request: Any) -> None:
    data = await request.json()
    print(data["name"], request.query_params.get("q"))


def _of_django(request: Any) -> None:
    data = json.loads(request.body.decode())
    print(data["name"], request.GET.get("q"))


def _of_falcon(req: Any) -> None:
    data = req.media
    print(data["name"], req.get_param("q"))


async def _of_aiohttp(request: Any) -> None:
    data = json.loads(await request.text())
    print(data["name"], request.rel_url.query.get("q"))


class _View:
    """A class with a function for each method, as the REST framework has."""

    request: Any = None

    def post(self, key: str) -> None:
        print(self.request.data["name"], self.request.query_params.get("q"), key)


@pytest.mark.parametrize("handler", [_of_starlette, _of_django, _of_falcon, _of_aiohttp, _View])
def test_bodies_in_json(handler: Any) -> None:
    parameters, body = _told(handler)
    assert parameters == {"q": {"type": "string"}}
    schema: dict[str, Any] = {"properties": {"name": {}}}
    assert body == {"content": {"application/json": {"schema": schema}}}


def test_what_is_known_of_fields() -> None:
    _, body = _told(_with_data)
    schema = body["content"]["application/json"]["schema"]
    assert schema["properties"] == {
        "name": {},
        "kind": _or("string", {}),
        "size": _or("integer", {}),
        "count": _or("integer", {}),
        "lines": {"anyOf": [{"type": "array", "items": {}}, {}]},
        "amount": _or("number", {}),
    }
    assert "required" not in schema


async def _with_form(request: Any) -> None:
    form = await request.form()
    print(form["name"], form.get("age"))


def test_fields_of_forms() -> None:
    _, body = _told(_with_form)
    properties = {"name": {"type": "string"}, "age": {"type": "string"}}
    schema = {"properties": properties}
    assert body == {"content": {"application/x-www-form-urlencoded": {"schema": schema}}}


@pytest.mark.parametrize("handler", [repr, None, 3, _View, compile("1", "x", "eval")])
def test_what_has_no_source_tells_nothing(handler: Any) -> None:
    assert _told(handler, "get") == ({}, None)
