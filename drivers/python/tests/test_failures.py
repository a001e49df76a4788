"""Faults are told apart by where errors were raised, not by what handles them."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import graphql
import pytest

from wallace_driver.database.activity import Activity
from wallace_driver.runtime.recorder import RECORDER
from wallace_driver.server.results import additional_info
from wallace_driver.service import failure, server_hook
from wallace_driver.service.layer import WsgiLayer

from .running import load

_SERVICE = """
import logging
LOG = logging.getLogger("service")

def broken(key):
    return {"a": 1}[key]

def answer(environ, start_response):
    if environ["way"] == "raise":
        broken("b")
    try:
        broken("b")
    except KeyError:
        if environ["way"] == "log":
            LOG.exception("it failed")
        elif environ["way"] == "remark":
            LOG.warning("never mind", exc_info=True)
    status = "500"
    return [status.encode()]
"""
_BROKEN, _LAST = "snippet_6", "snippet_19"


@pytest.fixture
def service() -> ModuleType:
    failure.install()
    _, module = load(_SERVICE)
    RECORDER.clear()
    RECORDER.begin_action(0, [])
    return module


def _last() -> str:
    RECORDER.collect()
    told = additional_info(RECORDER.actions[-1], Activity())["lastExecutedStatement"]
    assert isinstance(told, str)
    return told


@pytest.mark.parametrize(("way", "told"), [("log", _BROKEN), ("remark", _LAST), ("swallow", _LAST)])
def test_an_error_that_is_logged_is_the_place_of_the_fault(
    service: ModuleType, way: str, told: str
) -> None:
    service.answer({"way": way}, None)
    assert _last() == told


def test_an_error_that_reaches_the_server_is_the_place_of_the_fault(service: ModuleType) -> None:
    with pytest.raises(KeyError):
        WsgiLayer(service.answer)({"way": "raise"}, lambda *_: None)
    service.LOG.debug("what runs afterwards is no matter")
    assert _last() == _BROKEN


def test_an_error_that_tornado_answers_is_the_place_of_the_fault(service: ModuleType) -> None:
    module: Any = ModuleType("tornado.web")
    module.Application = type("Application", (), {})

    class RequestHandler:
        def _handle_request_exception(self, _: BaseException) -> None:
            service.answer({"way": "swallow"}, None)

    module.RequestHandler = RequestHandler
    server_hook._PATCHES["tornado.web"](module)
    try:
        service.broken("b")
    except KeyError as error:
        RequestHandler()._handle_request_exception(error)
    assert _last() == _BROKEN


def test_an_error_of_a_resolver_is_the_place_of_the_fault(service: ModuleType) -> None:
    schema = graphql.build_schema("type Query { broken: Int }")
    root = {"broken": lambda _: service.broken("b")}
    result = graphql.graphql_sync(schema, "{ broken }", root)
    assert result.errors
    assert _last() == _BROKEN
