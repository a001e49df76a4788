"""What the driver tells about itself and its service."""

from __future__ import annotations

from typing import Any

from ..runtime import epoch as recorded
from ..runtime.epoch import Epoch
from .controller import Controller, Problem


def controller_info() -> dict[str, Any]:
    """The answer of `controllerInfo`."""
    return {
        "fullName": "wallace_driver",
        "isInstrumentationOn": True,
        "executableFullPath": None,
    }


def info_sut(controller: Controller, epoch: Epoch, schema: dict[str, Any] | None) -> dict[str, Any]:
    """The answer of `infoSUT`."""
    problem = controller.problem
    return {
        "restProblem": _rest(problem) if problem.kind == "rest" else None,
        "graphQLProblem": _graphql(problem) if problem.kind == "graphql" else None,
        "rpcProblem": None,
        "webProblem": None,
        "isSutRunning": True,
        # The format that other engines write tests in; Python is not among the choices.
        "defaultOutputFormat": "JAVA_JUNIT_5",
        "baseUrlOfSUT": controller.base_url,
        "infoForAuthentication": None,
        "sqlSchemaDto": schema,
        "unitsInfoDto": _units(),
        "bootTimeInfoDto": _boot(epoch),
        "errorMsg": None,
    }


def places() -> dict[str, Any]:
    """The answer of `wallace/targets`: every target with its place."""
    files: dict[str, int] = {}
    targets = [
        {"name": name, "file": files.setdefault(file, len(files)), "line": line}
        for name, file, line in recorded.placed_targets()
    ]
    return {"files": list(files), "targets": targets}


def operands(query: str) -> dict[str, Any]:
    """The answer of `wallace/operands`: what is kept of this test; the query says what is kept."""
    kept = [
        {
            "target": target,
            "left": why.left,
            "relation": why.relation,
            "right": why.right,
            "hasDistance": why.has_distance,
        }
        for target, why in recorded.decisions()
    ]
    if query in ("keep=true", "keep=false"):
        recorded.keep_decisions(query == "keep=true")
    return {"operands": kept}


def _rest(problem: Problem) -> dict[str, Any]:
    return {
        "servicesToNotMock": [],
        "openApiUrl": problem.location if problem.description is None else None,
        "endpointsToSkip": [],
        "openApiSchema": problem.description,
        "derivedParams": [],
    }


def _graphql(problem: Problem) -> dict[str, Any]:
    return {"servicesToNotMock": [], "endpoint": problem.location}


def _units() -> dict[str, Any]:
    names, lines, branches = recorded.units()
    return {
        "unitNames": names,
        "numberOfLines": lines,
        "numberOfBranches": branches,
        "numberOfReplacedMethodsInSut": 0,
        "numberOfReplacedMethodsInThirdParty": 0,
        "numberOfTrackedMethods": 0,
        "numberOfInstrumentedNumberComparisons": 0,
        "parsedDtos": {},
        "extractedSpecifiedDtos": {},
        "extraDatabaseConstraintsDtos": [],
    }


def _boot(epoch: Epoch) -> dict[str, Any]:
    targets = [
        {"id": None, "descriptiveId": name, "value": score, "actionIndex": None}
        for name, score in epoch.boot_targets()
    ]
    return {"targets": targets, "externalServicesDto": [], "hostnameResolutionInfoDtos": []}
