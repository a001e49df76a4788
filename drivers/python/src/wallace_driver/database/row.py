"""Rows that an engine inserts, and its look-ups."""

from __future__ import annotations

import datetime
import decimal
import json
import uuid
from dataclasses import dataclass, field
from typing import Any

from .catalogue import quoted
from .habit import Habits
from .readable import Readers
from .schema import Schema, Table
from .session import DatabaseError, Session

#: Most rows of a look-up.
_MOST_ROWS = 10_000
_APOSTROPHE = "SINGLE_APOSTROPHE_PLACEHOLDER"


@dataclass
class Inserted:
    """What became of rows."""

    #: Keys that the database gave, by the ids of the rows.
    keys: dict[int, Any] = field(default_factory=dict)
    results: list[bool] = field(default_factory=list)
    #: The rows that are there, by their places among those that were asked for.
    placed: dict[int, Placed] = field(default_factory=dict)


@dataclass
class Placed:
    """A row that was inserted."""

    table: Table
    #: Its values as SQL, by the names of columns in lower case; what was left out is missing.
    values: dict[str, str]

    def key(self) -> tuple[str, str] | None:
        """The name and the value of its key, if that is one column and known."""
        name = self.table.primary_key[0] if len(self.table.primary_key) == 1 else ""
        value = self.values.get(name.lower())
        return None if value is None or value == "NULL" else (name, value)


def insert(
    session: Session,
    schema: Schema,
    habits: Habits,
    readers: Readers,
    row: dict[str, Any],
    done: Inserted,
) -> None:
    """Inserts a row. One that cannot be inserted is told as such."""
    table = schema.table(row["targetTable"])
    key = None
    try:
        if table is None:
            raise DatabaseError("no such table")
        data = [_usual(habits, readers, table, entry) for entry in row["data"]]
        data += _left_out(habits, table, data)
        key, values = _insert(session, table, data, done)
        done.placed[len(done.results)] = Placed(table, values)
        done.results.append(True)
    except DatabaseError:
        done.results.append(False)
        return
    if key is None:
        referred = (one.get(_REFERENCE) for one in row["data"])
        key = next((done.keys[one] for one in referred if one in done.keys), None)
    if row.get("id") is not None and key is not None:
        done.keys[row["id"]] = key


def _usual(habits: Habits, readers: Readers, table: Table, entry: dict[str, Any]) -> dict[str, Any]:
    """The value of a column, or what the service writes there if it is nothing of the kind. Raises
    `DatabaseError` where that is not known.
    """
    literal, name = entry.get("printableValue") or "", entry.get("variableName") or ""
    usual: str | None = None
    if literal == "NULL":
        usual = literal_of(habits.instead_of_null(table, name))
    elif len(literal) >= 2 and literal[0] == '"':
        text = habits.instead(table, name, literal[1:-1])
        usual = None if text is None else f'"{text}"'
        column = table.column(name)
        usual = usual if column is None else habits.moment(column, literal[1:-1]) or usual
    chosen = entry if usual is None else {**entry, "printableValue": usual}
    literal = chosen.get("printableValue")
    is_reference = any(name in key.columns for key in table.foreign_keys)
    if not literal or is_reference or readers.can_read(table, name, literal):
        return chosen
    usual = readers.nearest(table, name, literal, literal_of(habits.written(table, name)))
    if usual is None:
        raise DatabaseError(f"the service does not read this in {name}")
    return {**entry, "printableValue": usual}


def _left_out(habits: Habits, table: Table, data: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the service always writes in columns that an engine does not know of."""
    given = {(entry.get("variableName") or "").lower() for entry in data}
    found = []
    for column in table.columns:
        if column.is_better_left and not column.has_default and column.name.lower() not in given:
            usual = literal_of(habits.instead_of_null(table, column.name))
            if usual is not None:
                found.append({"variableName": column.name, "printableValue": usual})
    return found


def literal_of(value: Any) -> str | None:
    """A value as a literal of the protocol; nothing where it has none."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float, decimal.Decimal)):
        return str(value)
    if isinstance(value, dict):
        return f'"{json.dumps(value)}"'
    if isinstance(value, datetime.datetime):
        return f'"{value.isoformat(" ")}"'
    if isinstance(value, (str, datetime.date, datetime.time, uuid.UUID)):
        return f'"{value}"'
    return None


_REFERENCE = "foreignKeyToPreviouslyGeneratedRow"


def _insert(
    session: Session, table: Table, data: list[dict[str, Any]], done: Inserted
) -> tuple[Any, dict[str, str]]:
    """Inserts a row; gives the key that the database made, if it made one, and its values."""
    names, values = [], []
    for entry in data:
        names.append(quoted(entry.get("variableName") or ""))
        value = _value(entry, done)
        # In MySQL a text has escapes.
        is_escaped = session.address.dialect == "mysql"
        values.append(value.replace("\\", "\\\\") if is_escaped else value)
    name = full_name(table)
    is_mysql = session.address.dialect == "mysql"
    has_values = bool(names) or is_mysql
    into = f"({', '.join(names)}) VALUES ({', '.join(values)})" if has_values else "DEFAULT VALUES"
    counted = [column.name for column in table.columns if column.is_counted]
    given = {name[1:-1].lower(): value for name, value in zip(names, values, strict=True)}
    if not counted:
        session.rows(f"INSERT INTO {name} {into}")
        return None, given
    if is_mysql:
        session.rows(f"INSERT INTO {name} {into}")
        made = given.get(counted[0].lower(), "LAST_INSERT_ID()")
        key = session.rows(f"SELECT {made}")[0][0]
    else:
        ((key,),) = session.rows(f"INSERT INTO {name} {into} RETURNING {quoted(counted[0])}")
    return key, {**given, counted[0].lower(): str(key)}


def full_name(table: Table) -> str:
    """The name of a table as SQL, with that of its schema."""
    name = quoted(table.name)
    return name if table.schema is None else f"{quoted(table.schema)}.{name}"


def _value(entry: dict[str, Any], done: Inserted) -> str:
    literal = entry.get("printableValue")
    if literal is not None:
        return _constant(literal)
    reference = entry.get(_REFERENCE)
    if reference is None:
        return "NULL"
    if reference not in done.keys:
        raise DatabaseError("the row that is referred to was not inserted")
    return str(done.keys[reference])


def _constant(literal: str) -> str:
    """A literal of the protocol as one of SQL: texts come between double quotes."""
    if len(literal) >= 2 and literal[0] == literal[-1] == '"':
        inner = literal[1:-1].replace(_APOSTROPHE, "'").replace("'", "''")
        return f"'{inner}'"
    return literal


def look_up(session: Session, statement: str) -> list[list[str]]:
    """The rows of a statement as texts. Raises `DatabaseError`."""
    if not statement.strip():
        return []
    return [[_text(cell) for cell in row] for row in session.rows(statement)[:_MOST_ROWS]]


def _text(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (bytes, memoryview)):
        return bytes(value).decode(errors="replace")
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ")
    return str(value)
