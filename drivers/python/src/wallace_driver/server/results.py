"""The answer of `testResults`, with exactly the fields of the protocol's release."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

from ..database.activity import Activity, executions, heuristics
from ..runtime.epoch import Epoch, Reached
from ..runtime.recorder import ActionNotes
from . import reply
from .reply import RefusalError

Target = dict[str, Any]


class Wanted:
    """The query of `testResults`. Of a repeated parameter the first counts."""

    def __init__(self, query: str) -> None:
        """Reads the query. Raises `RefusalError` for numbers that are none."""
        values: dict[str, str] = {}
        for name, value in parse_qsl(query, keep_blank_values=True):
            values.setdefault(name, value)
        self.ids = _ids(values.get("ids", ""))
        self.kill_switch = _is_true(values, "killSwitch")
        self.fully_covered = _is_true(values, "fullyCovered")
        self.descriptive_ids = _is_true(values, "descriptiveIds")


def _is_true(values: dict[str, str], name: str) -> bool:
    return values.get(name, "").lower() == "true"


def _ids(text: str) -> list[int] | None:
    """Numbers separated by commas; empty places count for nothing."""
    if not text:
        return None
    ids = []
    for token in filter(None, text.split(",")):
        digits = token.removeprefix("-").removeprefix("+")
        if not (digits.isascii() and digits.isdigit() and -(2**31) <= int(token) < 2**31):
            reason = f"Invalid parameter 'ids': For input string: \"{token}\""
            raise RefusalError(reply.refused(400, reason))
        ids.append(int(token))
    return ids


def targets(epoch: Epoch, wanted: Wanted, boot_covered: set[str]) -> list[Target]:
    """The targets to report. Raises `RefusalError` when a number is unknown."""
    reached = epoch.reached()
    shown = [one for one in reached if one.name not in boot_covered]
    new = [one for one in shown if one.is_first_seen]
    if wanted.ids is None:
        is_named = wanted.descriptive_ids or bool(new)
        chosen = [_reached(one, is_named=is_named) for one in shown]
    else:
        by_number = {one.number: one for one in reached}
        chosen = [_asked(epoch, by_number, number, wanted) for number in wanted.ids]
        chosen.extend(_reached(one, is_named=True) for one in new)
    if wanted.fully_covered:
        return [target for target in chosen if target["value"] >= 1.0]
    return chosen


def _asked(epoch: Epoch, reached: dict[int, Reached], number: int, wanted: Wanted) -> Target:
    known = reached.get(number)
    if known is not None:
        return _reached(known, is_named=wanted.descriptive_ids)
    if epoch.name(number) is None:
        reason = f"Failed to collect target information for {len(wanted.ids or [])} ids"
        raise RefusalError(reply.refused(500, reason))
    return {"id": number, "descriptiveId": None, "value": 0.0, "actionIndex": -1}


def _reached(target: Reached, *, is_named: bool) -> Target:
    return {
        "id": target.number,
        "descriptiveId": target.name if is_named else None,
        "value": target.score,
        # What runs before the first announcement counts as action 0.
        "actionIndex": max(target.action, 0),
    }


def additional_info(action: ActionNotes, executed: Activity) -> dict[str, Any]:
    """What was seen in one action."""
    uses: dict[str, list[dict[str, Any]]] = {}
    for use in [*action.uses, *executed.uses]:
        entry = {
            "stringSpecialization": use.specialisation,
            "value": use.value,
            "type": "FULL_MATCH" if use.is_full_match else "PARTIAL_MATCH",
        }
        uses.setdefault(use.tainted, []).append(entry)
    return {
        "queryParameters": list(action.query_parameters),
        "headers": list(action.headers),
        "stringSpecializations": uses,
        "lastExecutedStatement": action.failed_statement or action.last_statement,
        "rawAccessOfHttpBodyPayload": False,
        "parsedDtoNames": [],
        "externalServices": [],
        "employedDefaultWM": [],
        "hostnameResolutionInfoDtos": [],
    }


def extra_heuristics(executed: Activity, *, reports_sql: bool) -> dict[str, Any]:
    """Distances of one action besides those of targets."""
    return {
        "heuristics": heuristics(executed),
        "sqlSqlExecutionsDto": executions(executed) if reports_sql else None,
        "mongoExecutionsDto": {"failedQueries": []},
        "redisExecutionsDto": {"failedCommands": []},
    }
