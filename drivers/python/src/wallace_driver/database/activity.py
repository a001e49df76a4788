"""What the statements of an action were about."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ..runtime import taint
from ..runtime.taint import StringUse
from .catalogue import plain
from .known import Known
from .opened import Executed
from .plan import MOST_ROWS, Plan
from .seed import Written
from .session import DatabaseError
from .template import filled

#: Distances that are computed for one action.
_MOST_DISTANCES = 50
#: Values of a column that a tainted text could be.
_MOST_VALUES = 10
_WORD = re.compile(r"\s*(?:--[^\n]*\n\s*|/\*.*?\*/\s*)*([A-Za-z]+)", re.DOTALL)
_HOUSEKEEPING = frozenset(
    "begin commit rollback savepoint release pragma end start set show explain vacuum analyze "
    "listen unlisten notify lock reset discard deallocate close fetch declare attach detach".split()
)
#: Statements after which tables may be others.
_DEFINING = frozenset(["create", "alter", "drop"])


@dataclass
class Activity:
    """What an action did with databases."""

    #: Statement, distance and whether that is known.
    distances: list[tuple[str, float | None]] = field(default_factory=list)
    queried: dict[str, set[str]] = field(default_factory=dict)
    inserted: dict[str, set[str]] = field(default_factory=dict)
    updated: dict[str, set[str]] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    missing: dict[str, set[str]] = field(default_factory=dict)
    statements: list[Executed] = field(default_factory=list)
    unread: int = 0
    uses: list[StringUse] = field(default_factory=list)

    def add(self, plan: Plan) -> None:
        """Adds what a statement does."""
        _add(self.queried, plan.queried)
        _add(self.inserted, plan.inserted)
        _add(self.updated, plan.updated)
        self.deleted |= plan.deleted

    def merge(self, other: Activity) -> None:
        """Adds what was seen later in the same action."""
        self.distances += other.distances
        _add(self.queried, other.queried)
        _add(self.inserted, other.inserted)
        _add(self.updated, other.updated)
        _add(self.missing, other.missing)
        self.deleted |= other.deleted
        self.statements += other.statements
        self.unread += other.unread
        self.uses += other.uses


def _add(into: dict[str, set[str]], what: dict[str, set[str]]) -> None:
    for table, columns in what.items():
        into.setdefault(table, set()).update(columns)


def note_written(known: Known, statements: Iterable[Executed], written: Written) -> None:
    """Notes the tables that statements wrote."""
    for executed in statements:
        word = first_word(executed.text)
        if word in _DEFINING:
            known.forget()
        if word in _HOUSEKEEPING:
            continue
        if known.calls_routine(executed.text):
            written.is_unsure = True
        elif word == "select" and executed.has_changed is False:
            continue
        found = known.plan(executed.text)
        if found is None:
            written.is_unsure |= executed.has_changed is not False
            continue
        names = {plain(name) for name in found[0].written}
        written.tables |= names
        if found[0].is_changing:
            written.changed |= names


def activity(known: Known, statements: list[Executed], inputs: list[str]) -> Activity:
    """Sees through the statements of an action."""
    seen = Activity(statements=statements)
    for executed in statements:
        if first_word(executed.text) in _HOUSEKEEPING | _DEFINING:
            continue
        found = known.plan(executed.text)
        if found is None:
            seen.unread += 1
            if _is_about_tables(known, executed.text):
                seen.distances.append((executed.text, _whether(known, executed)))
            continue
        plan, constants = found
        seen.add(plan)
        if executed.has_failed or not plan.is_asking or len(seen.distances) >= _MOST_DISTANCES:
            continue
        # What a statement changed, it found.
        measured = 0.0 if executed.has_changed else _distance(known, plan, constants)
        if measured != 0.0:
            _add(seen.missing, plan.missing)
        seen.distances.append((executed.text, measured))
        seen.uses += _uses(known, plan, constants, inputs)
    return seen


def first_word(text: str) -> str:
    """The first word of a statement, in lower case."""
    match = _WORD.match(text)
    return match[1].lower() if match else ""


def _distance(known: Known, plan: Plan, constants: list[str]) -> float | None:
    """The least distance of any of the selections; nothing where there is no row."""
    distances = []
    for probe in plan.probes:
        exact = filled(probe.exact, constants)
        try:
            ((distance, rows),) = known.ask(probe.distance, filled(probe.distance, constants))
            if distance is not None and rows >= MOST_ROWS and distance > 0.0:
                # There are more rows than were looked at: the nearest may be among the others.
                distance = 0.0 if _is_so(known, probe.exact, exact) else distance
        except DatabaseError:
            distance = 0.0 if _is_so(known, probe.exact, exact) else 1.0 - 1e-9
        if distance is not None:
            distances.append(float(distance))
    return min(distances, default=None)


def _is_about_tables(known: Known, text: str) -> bool:
    """Whether a statement that was not read finds rows in tables of the schema."""
    words = {word.lower() for word in re.findall(r"\w+", text)}
    is_finding = words & {"from", "update"} and first_word(text) not in ("insert", "replace")
    return bool(is_finding) and any(one.name.lower() in words for one in known.schema().tables)


def _whether(known: Known, executed: Executed) -> float | None:
    """0 where a statement that was not read finds a row, and nothing where it finds none."""
    if executed.has_changed:
        return 0.0
    is_query = first_word(executed.text) in ("select", "with")
    exact = f"SELECT EXISTS ({executed.text.rstrip('; ')})"
    return 0.0 if is_query and _is_so(known, exact, exact) else None


def _is_so(known: Known, shape: str, exact: str) -> bool:
    try:
        return bool(known.ask(shape, exact)[0][0])
    except DatabaseError:
        return False


def _uses(known: Known, plan: Plan, constants: list[str], inputs: list[str]) -> Iterator[StringUse]:
    """What a column has that a tainted text was compared with."""
    for table, column, constant in plan.equalities:
        text = filled(constant, constants)
        if not text.startswith("'"):
            continue
        found = taint.find(text[1:-1].replace("''", "'").strip("%"), inputs)
        if found is None:
            continue
        question = f"SELECT DISTINCT {column} FROM {table} LIMIT {_MOST_VALUES}"
        for value in _values(known, question):
            if taint.find(value, inputs) is None:
                yield found.constant(value)


def _values(known: Known, question: str) -> list[str]:
    try:
        rows: list[tuple[Any, ...]] = known.session.rows(question)
    except DatabaseError:
        return []
    return sorted(value for (value,) in rows if isinstance(value, str))


def heuristics(seen: Activity) -> list[dict[str, Any]]:
    """Distances in the words of the protocol. One that is not known is the largest number."""
    return [
        {
            "type": "SQL",
            "objective": "MINIMIZE_TO_ZERO",
            "id": text,
            "value": sys.float_info.max if distance is None else distance,
            "numberOfEvaluatedRecords": int(distance is not None),
            "extraHeuristicEvaluationFailure": False,
        }
        for text, distance in seen.distances
    ]


def executions(seen: Activity) -> dict[str, Any]:
    """What was done to which tables, in the words of the protocol."""
    return {
        "queriedData": _sorted(seen.queried),
        "updatedData": _sorted(seen.updated),
        "insertedData": _sorted(seen.inserted),
        "deletedData": sorted(seen.deleted),
        "failedWhere": _sorted(seen.missing),
        "numberOfSqlCommands": len(seen.statements),
        "sqlParseFailureCount": seen.unread,
        "sqlExecutionLogDtoList": [
            # The misspelling is that of the protocol.
            {"sqlCommand": one.text, "executionTime": 0, "threwSqlExeception": one.has_failed}
            for one in seen.statements
        ],
    }


def _sorted(tables: dict[str, set[str]]) -> dict[str, list[str]]:
    return {table: sorted(columns) for table, columns in sorted(tables.items())}
