"""Rows of tables that refer to each other in a circle.

One of them has to come first, without what it refers to. The service fills that in once the other
is there, and never shows such a row to itself before. So it is done here, too, where a model, the
service's own rows or the database say that nothing is not among the values.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from .catalogue import quoted
from .constraint import constraints
from .habit import Habits
from .known import Known
from .readable import Readers
from .row import Inserted, Placed, full_name, insert, literal_of
from .schema import Column, ForeignKey, Schema, Table, never_null
from .session import DatabaseError, Session

#: How many rows are made behind each other for one.
_DEEPEST = 4
_Place = tuple[str, str]
_Row = dict[str, Any]


class Circles:
    """The circles of one database."""

    def __init__(self, known: Known, habits: Habits, readers: Readers) -> None:
        """Nothing is asked yet: models are complete only when the service has started."""
        self._known = known
        self._habits = habits
        self._readers = readers
        self._schema: Schema | None = None
        #: Columns of circles, those of them that only come later, and all that are never null.
        self._circular: set[_Place] = set()
        self._opened: set[_Place] = set()
        self._needed: set[_Place] = set()
        self._asked: dict[_Place, dict[str, Any]] = {}

    def insert(self, rows: list[_Row], one: Callable[[_Row], None], done: Inserted) -> set[str]:
        """Inserts rows, each by `one`, and what is needed to close their circles. Gives the tables
        of rows that nobody asked for.
        """
        self._look()
        if not any(True for row in rows for _ in self._owed(row)):
            for row in rows:
                one(row)
            return set()
        start, made = len(done.results), set[str]()
        session = self._known.session
        try:
            with session.deferred():
                for row in rows:
                    with suppress(DatabaseError), _attempt(session):
                        one(self._begun(row))
                        if not done.results[-1]:
                            raise DatabaseError("the row was refused")
                for place, row in enumerate(rows, start):
                    for key in self._owed(row) if place in done.placed else ():
                        self._close(done.placed[place], key, done, made)
        except DatabaseError:
            # The database waited for a row in vain, and has none of them.
            done.results[start:] = [False] * len(rows)
        return made

    def _look(self) -> None:
        schema = self._known.schema()
        if schema is self._schema:
            return
        self._schema, circular = schema, schema.circular()
        self._circular = {(table.lower(), column.lower()) for table, column in circular}
        self._opened = {(table.lower(), column.lower()) for table, column in schema.opened()}
        asked = constraints(schema, self._habits.asked) if circular else []
        self._needed = {(table.lower(), column.lower()) for table, column in never_null(asked)}
        self._asked = {
            (one["tableId"]["name"].lower(), one["columnName"].lower()): one["constraints"]
            for one in asked
        }

    def _owed(self, row: _Row) -> Iterator[ForeignKey]:
        """The references of a row that have nothing now, and are part of a circle."""
        table = self._known.schema().table(row["targetTable"]) if self._circular else None
        for key in table.foreign_keys if table is not None else ():
            name = key.columns[0].lower()
            given = [one for one in row["data"] if _name(one) == name]
            is_null = all(one.get("printableValue") in (None, "NULL") for one in given)
            is_new = any(one.get("foreignKeyToPreviouslyGeneratedRow") is not None for one in given)
            is_one = len(key.columns) == len(key.target_columns) == 1
            if table is not None and is_one and is_null and not is_new:
                place = (table.name.lower(), name)
                is_needed = place in self._needed or self._habits.is_always_there(table, name)
                if place in self._opened or (place in self._circular and is_needed):
                    yield key

    def _begun(self, row: _Row) -> _Row:
        """A row with something in the columns that are never null. It is replaced before anybody
        looks at it.
        """
        table, data = self._known.schema().table(row["targetTable"]), list(row["data"])
        for key in self._owed(row) if table is not None else ():
            column = table.column(key.columns[0]) if table is not None else None
            if table is not None and column is not None and not column.is_nullable:
                data = [one for one in data if _name(one) != column.name.lower()]
                data.append(_entry(column.name, self._any(table, column)))
        return {**row, "data": data}

    def _close(self, row: Placed, key: ForeignKey, done: Inserted, made: set[str]) -> None:
        """Lets a row refer to one that refers back to it, or to another if there is none."""
        own, target = row.key(), self._known.schema().table(key.target)
        if own is None or target is None:
            return
        value = self._referring(row, key, target, done)
        if value is None and target is not row.table:
            value = self._made(target, row, made, _DEEPEST).get(key.target_columns[0].lower())
        value = value or self._existing(target, key.target_columns[0], row)
        if value is not None:
            with suppress(DatabaseError), _attempt(self._known.session):
                self._known.session.rows(
                    f"UPDATE {full_name(row.table)} SET {quoted(key.columns[0])} = {value} "
                    f"WHERE {quoted(own[0])} = {own[1]}"
                )

    def _referring(self, row: Placed, key: ForeignKey, target: Table, done: Inserted) -> str | None:
        """What a row of the test has that refers to this one."""
        for other in done.placed.values():
            for back in other.table.foreign_keys if other.table is target else ():
                is_back = self._is_to(back, row.table) and other is not row
                at = back.target_columns[0].lower() if is_back else ""
                if is_back and other.values.get(back.columns[0].lower()) == row.values.get(at, ""):
                    return other.values.get(key.target_columns[0].lower())
        return None

    def _is_to(self, key: ForeignKey, table: Table) -> bool:
        is_one = len(key.columns) == len(key.target_columns) == 1
        return is_one and self._known.schema().table(key.target) is table

    def _made(self, table: Table, around: Placed, made: set[str], depth: int) -> dict[str, str]:
        """The values of a new row that refers to another; nothing where none can be made."""
        data = []
        for column in table.columns:
            key = next((one for one in table.foreign_keys if column.name in one.columns), None)
            is_needed = not column.is_nullable or self._place(table, column) in self._needed
            if key is not None and self._is_to(key, around.table):
                value = around.values.get(key.target_columns[0].lower())
            elif not is_needed or column.is_counted or column.has_default or column.is_better_left:
                continue
            elif key is not None:
                value = self._referred(key, around, made, depth)
            else:
                data.append(_entry(column.name, self._any(table, column)))
                continue
            if value is None:
                return {}
            data.append(_entry(column.name, _literal(value)))
        done, session = Inserted(), self._known.session
        row = {"id": None, "targetTable": table.name, "data": data}
        with suppress(DatabaseError), _attempt(session):
            insert(session, self._known.schema(), self._habits, self._readers, row, done)
            if not done.results[0]:
                raise DatabaseError("the row was refused")
            made.add(table.name.lower())
        return done.placed[0].values if done.placed else {}

    def _referred(self, key: ForeignKey, around: Placed, made: set[str], depth: int) -> str | None:
        target = self._known.schema().table(key.target)
        if target is None or len(key.columns) != 1 or depth == 0:
            return None
        found = self._existing(target, key.target_columns[0], around)
        made_here = {} if found else self._made(target, around, made, depth - 1)
        return found or made_here.get(key.target_columns[0].lower())

    def _existing(self, table: Table, column: str, but: Placed) -> str | None:
        """A value of a row that is there, and is another."""
        name, key = quoted(column), but.key() if but.table is table else None
        other = "" if key is None else f" AND {quoted(key[0])} <> {key[1]}"
        with suppress(DatabaseError), _attempt(self._known.session):
            rows = self._known.session.rows(
                f"SELECT {name} FROM {full_name(table)} WHERE {name} IS NOT NULL{other} "
                f"ORDER BY {name} LIMIT 1"
            )
            found = literal_of(rows[0][0]) if rows else None
            return None if found is None else _constant(found)
        return None

    def _place(self, table: Table, column: Column) -> _Place:
        return table.name.lower(), column.name.lower()

    def _any(self, table: Table, column: Column) -> str:
        """Some literal of the protocol that a column takes."""
        asked = self._asked.get(self._place(table, column), {})
        if asked.get("enumValuesAsStrings"):
            return f'"{asked["enumValuesAsStrings"][0]}"'
        kind = column.kind.upper()
        ((count,),) = self._known.session.rows(f"SELECT count(*) FROM {full_name(table)}")
        if "UUID" in kind or ("CHAR" in kind and column.size in (32, 36)):
            made = uuid.uuid5(uuid.NAMESPACE_URL, f"{table.name} {count}")
            return f'"{made.hex if column.size == 32 else made}"'
        for names, value in _ANY:
            if any(name in kind for name in names):
                return value or str(max(count + 1, asked.get("minValue") or 0))
        return f'"any{count}"'


#: Values of kinds of columns, by parts of their names; of whole numbers it is another each time.
_ANY = (
    (("BOOL",), "false"),
    (("INTERVAL",), '"1 day"'),
    (("INT", "SERIAL", "NUM", "DEC", "REAL", "DOUB", "FLOA"), ""),
    (("TIMESTAMP", "DATETIME"), '"2020-01-01 00:00:00"'),
    (("DATE",), '"2020-01-01"'),
    (("TIME",), '"00:00:00"'),
    (("JSON",), '"{}"'),
)


@contextmanager
def _attempt(session: Session) -> Iterator[None]:
    """What fails is as if it had not been tried, and the rest of the transaction stays."""
    session.rows("SAVEPOINT wallace_row")
    try:
        yield
    except DatabaseError:
        session.rows("ROLLBACK TO SAVEPOINT wallace_row")
        raise
    finally:
        session.rows("RELEASE SAVEPOINT wallace_row")


def _name(entry: dict[str, Any]) -> str:
    return (entry.get("variableName") or "").lower()


def _entry(name: str, literal: str) -> dict[str, Any]:
    return {"variableName": name, "printableValue": literal}


def _literal(value: str) -> str:
    """A value as SQL as a literal of the protocol."""
    return f'"{value[1:-1].replace(chr(39) * 2, chr(39))}"' if value[:1] == "'" else value


def _constant(literal: str) -> str:
    """The other way round."""
    inner = literal[1:-1].replace("'", "''")
    return f"'{inner}'" if literal[:1] == '"' else literal
