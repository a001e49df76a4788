"""`POST /databaseCommand`: either any statement, or rows to insert."""

from __future__ import annotations

from typing import Any

from ..database.databases import Databases
from ..database.session import DatabaseError
from . import body, reply
from .http import Request, Response

NO_DATABASE = "No active database connection"
_REFERENCE = "foreignKeyToPreviouslyGeneratedRow"


class Commands:
    """Commands to the databases of the service."""

    def __init__(self, databases: Databases) -> None:
        """No command was given yet."""
        self._databases = databases
        self._last: int | None = None

    def new_search(self) -> None:
        """Numbers of commands begin anew."""
        self._last = None

    def answer(self, request: Request) -> Response:
        """Answers a command."""
        if not self._databases.is_there():
            return reply.refused(400, NO_DATABASE)
        command = body.read(request, body.DATABASE_COMMAND)
        statement, rows = command.get("command"), command.get("insertions", [])
        if rows is None:
            return reply.refused(500, "Thrown exception: null")
        if statement is None and not rows:
            return reply.refused(400, "No input command")
        if statement is not None and rows:
            return reply.refused(400, "Only 1 command can be specified")
        if statement is not None:
            return self._execute(statement)
        return self._insert(command.get("idCounter"), rows)

    def _execute(self, statement: str) -> Response:
        try:
            rows = self._databases.query(statement)
        except DatabaseError as error:
            reason = f"Failed to execute database command: Error executing '{statement}': {error}"
            return reply.refused(400, reason)
        return reply.data({"rows": [{"columnData": row} for row in rows]})

    def _insert(self, counter: int | None, rows: list[dict[str, Any]]) -> Response:
        """Inserts rows, unless the number says that they were inserted before."""
        if any(not isinstance(row, dict) or not row.get("targetTable") for row in rows):
            return reply.refused(400, "Insertion with no target table")
        if counter is not None:
            if self._last is not None and counter <= self._last:
                return reply.done()
            self._last = counter
        rows = [{**row, "data": row.get("data") or []} for row in rows]
        reason = _dangling(rows)
        if reason is not None:
            return reply.refused(400, reason)
        done = self._databases.insert(rows)
        keys = {str(number): key for number, key in done.keys.items() if isinstance(key, int)}
        return reply.data({"idMapping": keys, "executionResults": done.results})


def _dangling(rows: list[dict[str, Any]]) -> str | None:
    """The first reference to a row that does not stand before it, in the words of the peers."""
    known: list[int] = []
    for place, row in enumerate(rows):
        for entry in row["data"]:
            reference = entry.get(_REFERENCE)
            is_key = reference is not None and entry.get("printableValue") is None
            if is_key and reference not in known:
                return (
                    f"Failed to execute database command: Insertion operation at position {place} "
                    f"has a foreign key reference to key {reference} but that was not processed. "
                    f"Processed primary keys: {known}"
                )
        if row.get("id") is not None:
            known.append(row["id"])
    return None
