"""Bodies of requests, read strictly: every release of the drivers accepts exactly these fields."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from . import reply
from .http import Request, Response
from .reply import RefusalError

_KINDS: dict[str, tuple[type, ...]] = {
    "flag": (bool, str),
    "text": (str,),
    "number": (int,),
    "list": (list,),
    "object": (dict,),
    "any": (object,),
}
RUN_SUT = {
    "run": "flag",
    "resetState": "flag",
    "resetCustomizedMethodForMockObject": "flag",
    "calculateSqlHeuristics": "flag",
    "advancedHeuristics": "flag",
    "extractSqlExecutionInfo": "flag",
    "methodReplacementCategories": "text",
}
NEW_ACTION = {
    "index": "number",
    "name": "text",
    "inputVariables": "list",
    "rpcCall": "any",
    "externalServiceMapping": "object",
    "localAddressMapping": "object",
    "skippedExternalServices": "list",
}

DATABASE_COMMAND = {"idCounter": "number", "command": "text", "insertions": "list"}


def read(request: Request, fields: Mapping[str, str]) -> dict[str, Any]:
    """The object of the body. Raises `RefusalError` for anything else."""
    media_type = request.headers.get("content-type", "application/json").split(";")[0]
    if media_type.strip().lower() != "application/json":
        raise RefusalError(Response(415))
    if request.body.strip() in (b"", b"null"):
        raise RefusalError(reply.crashed())
    try:
        body = json.loads(request.body)
    except ValueError as error:
        raise RefusalError(reply.unreadable(f"Cannot read the body: {error}")) from error
    if not isinstance(body, dict):
        raise RefusalError(reply.unreadable("Cannot read an object from another value"))
    for name, value in body.items():
        _check(name, value, fields)
    return body


def flag(value: Any) -> bool | None:
    """A truth value, which may be written as a text."""
    if isinstance(value, str):
        return value.lower() == "true"
    return value if isinstance(value, bool) else None


def _check(name: str, value: Any, fields: Mapping[str, str]) -> None:
    if name not in fields:
        known = ", ".join(f'"{field}"' for field in fields)
        reason = f'Unrecognized field "{name}" ({len(fields)} known properties: {known})'
        raise RefusalError(reply.unreadable(reason))
    kind = fields[name]
    is_flag_text = (
        kind != "flag" or not isinstance(value, str) or value.lower() in ("true", "false")
    )
    is_number = kind != "number" or not isinstance(value, bool)
    if value is not None and not (isinstance(value, _KINDS[kind]) and is_flag_text and is_number):
        raise RefusalError(reply.unreadable(f'Cannot read the field "{name}"'))
