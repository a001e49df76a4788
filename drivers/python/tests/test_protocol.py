"""The driver's answers, field by field, as recorded from drivers of the family."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.client import HTTPConnection
from types import ModuleType
from typing import Any

import pytest

from wallace_driver.runtime.recorder import RECORDER
from wallace_driver.server.controller import Problem
from wallace_driver.server.driver import Driver
from wallace_driver.server.http import HttpServer

from .running import load

_RUN = {
    "run": True,
    "resetState": True,
    "resetCustomizedMethodForMockObject": False,
    "calculateSqlHeuristics": True,
    "advancedHeuristics": False,
    "extractSqlExecutionInfo": True,
    "methodReplacementCategories": "BASE,SQL,EXT_0,MONGO",
}
_ACTION = {
    "index": 0,
    "name": "GET:/x",
    "inputVariables": [],
    "rpcCall": None,
    "externalServiceMapping": {},
    "localAddressMapping": {},
    "skippedExternalServices": [],
}
_SOURCE = "def f(a):\n    if a == 'abc':\n        return 1\n    return 0\n"


class Service:
    """A service that is nothing but a module."""

    problem = Problem("rest", "http://127.0.0.1:1/openapi.json")

    def __init__(self) -> None:
        self.base_url: str | None = None
        self.resets = 0
        self.fails = False

    def start(self) -> None:
        self.base_url = "http://127.0.0.1:1"

    def stop(self) -> None:
        self.base_url = None

    def reset(self) -> None:
        self.resets += 1
        if self.fails:
            raise RuntimeError("no reset")

    def begin_action(self, index: int, inputs: list[str]) -> None:
        RECORDER.begin_action(index, inputs)

    def settle(self) -> None:
        pass

    def set_kill_switch(self, is_on: bool) -> None:
        pass


class Engine:
    """A client of the driver, and the service behind it."""

    def __init__(self) -> None:
        self.service = Service()
        self.module: ModuleType = load(_SOURCE)[1]
        server = HttpServer(0)
        server.start(Driver(self.service).handle)
        self.connection = HTTPConnection("127.0.0.1", server.port, timeout=10)

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, bytes]:
        content = None if body is None else json.dumps(body)
        given = {"Connection": "keep-alive", "Content-Type": "application/json", **headers}
        self.connection.request(method, f"/controller/api{path}", content, given)
        response = self.connection.getresponse()
        return response.status, response.read()

    def data(self, path: str) -> Any:
        status, text = self.ask("GET", path)
        assert status == 200, text
        answer = json.loads(text)
        assert answer["error"] is None
        return answer["data"]

    def test(self, *arguments: str) -> None:
        """A test with an action for each argument."""
        assert self.ask("PUT", "/runSUT", _RUN) == (204, b"")
        for index, argument in enumerate(arguments):
            assert self.ask("PUT", "/newAction", {**_ACTION, "index": index}) == (204, b"")
            self.module.f(argument)


@pytest.fixture
def engine() -> Iterator[Engine]:
    engine = Engine()
    engine.ask("PUT", "/runSUT", _RUN)
    engine.ask("POST", "/newSearch", {"newSearch": True})
    yield engine
    engine.connection.close()


def test_the_service_is_described(engine: Engine) -> None:
    assert engine.data("/controllerInfo") == {
        "fullName": "wallace_driver",
        "isInstrumentationOn": True,
        "executableFullPath": None,
    }
    info = engine.data("/infoSUT")
    assert list(info) == [
        "restProblem",
        "graphQLProblem",
        "rpcProblem",
        "webProblem",
        "isSutRunning",
        "defaultOutputFormat",
        "baseUrlOfSUT",
        "infoForAuthentication",
        "sqlSchemaDto",
        "unitsInfoDto",
        "bootTimeInfoDto",
        "errorMsg",
    ]
    assert info["unitsInfoDto"]["unitNames"] == ["snippet"]
    assert info["unitsInfoDto"]["numberOfLines"] == 4
    assert info["unitsInfoDto"]["numberOfBranches"] == 2
    assert info["bootTimeInfoDto"]["targets"] == [
        {"id": None, "descriptiveId": "Line_at_snippet_00001", "value": 1.0, "actionIndex": None}
    ]
    status, text = engine.ask("GET", "/infoSUT", Connection="close")
    assert (status, "keep-alive" in text.decode()) == (400, True)


def test_results_of_a_test(engine: Engine) -> None:
    engine.test("abd", "abc", "_EM_7_XYZ_")
    results = engine.data("/testResults?ids=")
    by_name = {target["descriptiveId"]: target for target in results["targets"]}
    assert (
        by_name["Line_at_snippet_00003"]
        == {
            "id": 1,
            "descriptiveId": "Line_at_snippet_00003",
            "value": 1.0,
            "actionIndex": 1,
        }
        or by_name["Line_at_snippet_00003"]["actionIndex"] == 1
    )
    assert "Line_at_snippet_00001" not in by_name, "reached by starting"
    assert [list(one) for one in results["additionalInfoList"]] == [
        [
            "queryParameters",
            "headers",
            "stringSpecializations",
            "lastExecutedStatement",
            "rawAccessOfHttpBodyPayload",
            "parsedDtoNames",
            "externalServices",
            "employedDefaultWM",
            "hostnameResolutionInfoDtos",
        ]
    ] * 3
    assert results["additionalInfoList"][2]["stringSpecializations"] == {
        "_EM_7_XYZ_": [{"stringSpecialization": "CONSTANT", "value": "abc", "type": "FULL_MATCH"}]
    }
    assert [list(one) for one in results["extraHeuristics"]] == [
        ["heuristics", "sqlSqlExecutionsDto", "mongoExecutionsDto", "redisExecutionsDto"]
    ] * 3


def test_targets_are_first_seen_once(engine: Engine) -> None:
    engine.test("x")
    first = engine.data("/testResults?ids=")["targets"]
    assert engine.data("/testResults?ids=")["targets"] == first, "asking again changes nothing"
    engine.test("x")
    second = engine.data("/testResults?ids=")["targets"]
    assert [one["descriptiveId"] for one in second] == [None] * len(first)
    named = engine.data("/testResults?ids=&descriptiveIds=true")["targets"]
    assert [one["descriptiveId"] for one in named] == [one["descriptiveId"] for one in first]
    engine.test()
    asked = engine.data("/testResults?ids=1%2C0,,")["targets"]
    assert asked == [
        {"id": number, "descriptiveId": None, "value": 0.0, "actionIndex": -1} for number in (1, 0)
    ]
    engine.test("x")
    full = engine.data("/testResults?fullyCovered=true")["targets"]
    assert full
    assert all(target["value"] == 1.0 for target in full)
    engine.ask("POST", "/newSearch", {"newSearch": True})
    engine.test("x")
    assert engine.data("/testResults")["targets"] == first


def test_errors_have_their_shapes(engine: Engine) -> None:
    status, text = engine.ask("GET", "/testResults?ids=99")
    assert (status, json.loads(text)["error"]) == (
        500,
        "Failed to collect target information for 1 ids",
    )
    status, text = engine.ask("GET", "/testResults?ids=abc")
    assert (status, json.loads(text)) == (
        400,
        {"data": None, "error": "Invalid parameter 'ids': For input string: \"abc\""},
    )
    assert engine.ask("PUT", "/runSUT", {"foo": 1})[0] == 400
    status, text = engine.ask("PUT", "/runSUT", {"resetState": True})
    assert json.loads(text)["error"] == "Invalid JSON: 'run' field is required"
    status, text = engine.ask("PUT", "/runSUT", {"run": False, "resetState": True})
    assert (
        json.loads(text)["error"]
        == "Invalid JSON: cannot reset state and stop service at same time"
    )
    assert engine.ask("PUT", "/newAction", {"index": 0, "inputVariables": None}) == (500, b"")
    assert engine.ask("PUT", "/newAction", {"name": "x"}) == (500, b"")
    status, text = engine.ask("GET", "/nosuch", Accept="application/json")
    assert (status, json.loads(text)["message"]) == (404, "Not Found")
    assert engine.ask("DELETE", "/newSearch")[0] == 405
    assert engine.ask("GET", "/")[0] == 400
    status, text = engine.ask("POST", "/databaseCommand", {"command": "SELECT 1"})
    assert (status, json.loads(text)["error"]) == (400, "No active database connection")


def test_a_stopped_service_has_no_results(engine: Engine) -> None:
    assert engine.ask("PUT", "/runSUT", {"run": False}) == (204, b"")
    assert engine.ask("GET", "/infoSUT")[0] == 500
    status, text = engine.ask("GET", "/testResults", Accept="application/json")
    assert (status, json.loads(text)["message"]) == (500, "Request failed.")
    engine.test("abc")
    assert engine.data("/testResults")["targets"]


def test_a_failed_reset_is_told_and_the_test_is_new(engine: Engine) -> None:
    engine.test("abc")
    engine.service.fails = True
    status, text = engine.ask("PUT", "/runSUT", _RUN)
    assert (status, json.loads(text)["error"]) == (500, "RuntimeError: no reset")
    assert engine.data("/testResults")["targets"] == []


def test_places_and_values_of_decisions(engine: Engine) -> None:
    places = engine.data("/wallace/targets")
    assert places["files"] == ["/snippet.py"]
    assert {"name": "Line_at_snippet_00003", "file": 0, "line": 3} in places["targets"]
    engine.data("/wallace/operands?keep=true")
    engine.test("abd")
    assert engine.data("/wallace/operands?keep=false")["operands"] == [
        {
            "target": "Branch_at_snippet_at_line_00002_position_0_trueBranch",
            "left": "'abd'",
            "relation": "should equal",
            "right": "'abc'",
            "hasDistance": True,
        }
    ]
    assert engine.data("/wallace/operands")["operands"] == []
