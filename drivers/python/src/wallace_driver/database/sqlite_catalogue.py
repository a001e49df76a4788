"""What SQLite tells of its tables."""

from __future__ import annotations

import re
from typing import Any

from .catalogue import constant, quoted
from .parsing import checks
from .schema import TEXT_LENGTH, Column, ForeignKey, Schema, Table
from .session import SqliteSession

_COLUMNS = (
    'SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_xinfo({}) WHERE hidden = 0'
)
_UNIQUE = (
    "SELECT min(one.name) FROM pragma_index_list({}) AS list JOIN pragma_index_info(list.name) AS "
    "one WHERE list.\"unique\" = 1 AND list.origin <> 'pk' AND list.partial = 0 GROUP BY list.name "
    "HAVING count(*) = 1"
)
_KEYS = 'SELECT id, "table", "from", "to" FROM pragma_foreign_key_list({}) ORDER BY id, seq'
_TYPE = re.compile(r"\s*([^(]*?)\s*(?:\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\))?\s*", re.DOTALL)


class SqliteCatalogue:
    """The catalogue of a session with SQLite."""

    def __init__(self, session: SqliteSession) -> None:
        """A catalogue; nothing is asked yet."""
        self._session = session
        self._rows = session.rows

    def _tables(self) -> list[tuple[str, str]]:
        return [
            (name, text)
            for name, text in self._rows(
                "SELECT name, sql FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE "
                "'sqlite\\_%' ESCAPE '\\' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name"
            )
        ]

    def names(self) -> list[str]:
        """The tables, in alphabetical order."""
        return [f"main.{quoted(name)}" for name, _ in self._tables()]

    def schema(self) -> Schema:
        """The tables as they are now."""
        schema = Schema(tables=[self._table(name, text) for name, text in self._tables()])
        schema.complete()
        return schema

    def _table(self, name: str, text: str) -> Table:
        asked = constant(name)
        rows = self._rows(_COLUMNS.format(asked))
        keys = sorted((key, column) for column, _, _, _, key in rows if key)
        table = Table(name, primary_key=[column for _, column in keys], checks=checks(text))
        unique = {column for (column,) in self._rows(_UNIQUE.format(asked))}
        for column, declared, not_null, default, key in rows:
            kind, size, scale = _type(declared)
            # A key of another type may be null in SQLite, which is of use to nobody.
            one = Column(column, kind, size, scale, not not_null and not key, column in unique)
            one.has_default = default is not None
            # The row number; the only key that SQLite counts up.
            one.is_counted = table.primary_key == [column] and declared.upper() == "INTEGER"
            table.columns.append(one)
        known: dict[int, ForeignKey] = {}
        for number, target, own, other in self._rows(_KEYS.format(asked)):
            key = known.setdefault(number, ForeignKey([], target, [], is_deferrable=True))
            key.columns.append(own)
            key.target_columns += [other] if other else []
        table.foreign_keys = list(known.values())
        return table

    def columns(self, name: str) -> list[str]:
        """The columns of a table that hold values of their own."""
        return [str(row[0]) for row in self._rows(_COLUMNS.format(constant(_bare(name))))]

    def sequences(self, name: str) -> list[str]:
        """Statements that let `AUTOINCREMENT` go on where it is now."""
        asked = constant(_bare(name))
        if not self._rows("SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_sequence'"):
            return []
        known = self._rows(f"SELECT seq FROM sqlite_sequence WHERE name = {asked}")
        insert = f"INSERT INTO sqlite_sequence (name, seq) VALUES ({asked}, "
        return [
            f"DELETE FROM sqlite_sequence WHERE name = {asked}",
            *(f"{insert}{number})" for (number,) in known),
        ]

    def references(self) -> list[tuple[str, str]]:
        """Tables that are referred to, and those that refer."""
        found = []
        for name, _ in self._tables():
            for row in self._rows(_KEYS.format(constant(name))):
                found.append((str(row[1]).lower(), name.lower()))
        return found

    def has_triggers(self) -> bool:
        """Whether there are triggers."""
        return bool(self._rows("SELECT 1 FROM main.sqlite_schema WHERE type = 'trigger' LIMIT 1"))

    def routines(self) -> list[str]:
        """Functions of SQLite are in the service, and what they execute is seen."""
        return []

    def changes(self) -> Any:
        """SQLite's counters of changes: by other connections, and by this one."""
        return self._rows("PRAGMA main.data_version"), self._session.changes()

    def copy(self, name: str, number: int) -> str:
        """Copies a table into a database in memory, which is attached to the session."""
        attached = "SELECT 1 FROM pragma_database_list WHERE name = 'wallace_seed'"
        if not self._rows(attached):
            self._rows("ATTACH ':memory:' AS wallace_seed")
        copy = f"wallace_seed.rows_{number}"
        self._rows(f"DROP TABLE IF EXISTS {copy}")
        self._rows(f"CREATE TABLE {copy} AS SELECT * FROM {name}")
        return copy

    def insert_from(self, name: str, columns: str, copy: str) -> str:
        """A statement that inserts the rows of a copy."""
        return f"INSERT INTO {name} ({columns}) SELECT {columns} FROM {copy}"


def _bare(name: str) -> str:
    return name.removeprefix("main.")[1:-1].replace('""', '"')


def _type(declared: str) -> tuple[str, int, int | None]:
    """`VARCHAR(20)` is a type of 20, `DECIMAL(8, 2)` one with a scale."""
    match = _TYPE.fullmatch(declared)
    name = match[1].upper() if match else declared.upper()
    usual = 19 if "INT" in name else TEXT_LENGTH
    size = int(match[2]) if match and match[2] else usual
    return name, size, int(match[3]) if match and match[3] else None
