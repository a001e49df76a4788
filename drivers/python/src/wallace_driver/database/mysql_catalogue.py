"""What MySQL and MariaDB tell of their tables."""

from __future__ import annotations

import re
from typing import Any

from .catalogue import as_text, constant, quoted
from .mysql_session import MysqlSession
from .schema import TEXT_LENGTH, Column, ForeignKey, Schema, Table
from .session import DatabaseError

_NAMES = (
    "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND "
    "table_type = 'BASE TABLE' ORDER BY table_name"
)
_COLUMNS = (
    "SELECT table_name, column_name, data_type, column_type, character_maximum_length, "
    "numeric_precision, numeric_scale, is_nullable, extra, column_default FROM "
    "information_schema.columns WHERE table_schema = DATABASE() AND "
    "coalesce(generation_expression, '') = '' ORDER BY table_name, ordinal_position"
)
_KEYS = (
    "SELECT table_name, constraint_name, column_name, referenced_table_name, "
    "referenced_column_name FROM information_schema.key_column_usage WHERE table_schema = "
    "DATABASE() ORDER BY table_name, constraint_name, ordinal_position"
)
_UNIQUE = (
    "SELECT table_name, min(column_name) FROM information_schema.statistics WHERE table_schema = "
    "DATABASE() AND non_unique = 0 AND index_name <> 'PRIMARY' GROUP BY table_name, index_name "
    "HAVING count(*) = 1"
)
#: MariaDB's names of checks are those of one table, MySQL's those of a schema.
_CHECKS = (
    "SELECT table_name, check_clause FROM information_schema.check_constraints WHERE "
    "constraint_schema = DATABASE()",
    "SELECT t.table_name, c.check_clause FROM information_schema.check_constraints c JOIN "
    "information_schema.table_constraints t ON t.constraint_schema = c.constraint_schema AND "
    "t.constraint_name = c.constraint_name WHERE c.constraint_schema = DATABASE()",
)
_JSON = re.compile(r'json_valid\(["`](.*)["`]\)', re.IGNORECASE)


class MysqlCatalogue:
    """The catalogue of a session with MySQL or MariaDB."""

    def __init__(self, session: MysqlSession) -> None:
        """A catalogue; nothing is asked yet."""
        self._rows = session.rows
        self._database = session.address.place

    def names(self) -> list[str]:
        """The tables."""
        return [quoted(as_text(name)) for (name,) in self._rows(_NAMES)]

    def schema(self) -> Schema:
        """The tables as they are now."""
        schema = Schema("MYSQL", self._database)
        tables = {as_text(name): Table(as_text(name)) for (name,) in self._rows(_NAMES)}
        self._add_columns(tables)
        self._add_keys(tables)
        self._add_checks(tables)
        schema.tables = list(tables.values())
        schema.complete()
        return schema

    def _add_columns(self, tables: dict[str, Table]) -> None:
        unique = {(as_text(table), as_text(name)) for table, name in self._rows(_UNIQUE)}
        for row in self._rows(_COLUMNS):
            place, name, kind, whole, length, precision, scale, nullable, extra, default = row
            place, name, kind, whole = map(as_text, (place, name, kind, whole))
            table = tables.get(place)
            if table is None:
                continue
            if whole == "tinyint(1)":
                kind = "boolean"
            elif kind == "enum":
                kind = "varchar"
                table.checks.append(f"{quoted(name)} IN {whole[len('enum') :]}")
            elif whole.endswith("unsigned"):
                table.checks.append(f"{quoted(name)} >= 0")
            usual = 19 if "int" in kind else TEXT_LENGTH
            size = min(int(length or precision or usual), 1 << 30)
            column = Column(name, kind, size, None if scale is None else int(scale))
            column.has_default = default is not None
            column.is_nullable = as_text(nullable) == "YES"
            column.is_unique = (place, name) in unique
            column.is_counted = "auto_increment" in as_text(extra).lower()
            table.columns.append(column)

    def _add_keys(self, tables: dict[str, Table]) -> None:
        known: dict[tuple[str, str], ForeignKey] = {}
        for row in self._rows(_KEYS):
            place, key, column = map(as_text, row[:3])
            table = tables.get(place)
            if table is None:
                continue
            if key == "PRIMARY":
                table.primary_key.append(column)
            elif row[3] is not None:
                one = known.get((place, key))
                if one is None:
                    one = known[place, key] = ForeignKey([], as_text(row[3]), [])
                    table.foreign_keys.append(one)
                one.columns.append(column)
                one.target_columns.append(as_text(row[4]))

    def _add_checks(self, tables: dict[str, Table]) -> None:
        for place, clause in self._checks():
            table, text = tables.get(as_text(place)), as_text(clause)
            is_json = _JSON.fullmatch(text)
            column = table.column(is_json[1]) if table is not None and is_json else None
            if column is not None:
                # MariaDB keeps JSON as a text with a check.
                column.kind = "json"
            elif table is not None:
                table.checks.append(text.replace("`", '"'))

    def _checks(self) -> list[tuple[Any, ...]]:
        for question in _CHECKS:
            try:
                return self._rows(question)
            except DatabaseError:
                continue
        # Releases that know no checks.
        return []

    def columns(self, name: str) -> list[str]:
        """The columns of a table that hold values of their own."""
        return [as_text(row[1]) for row in self._rows(_COLUMNS) if quoted(as_text(row[0])) == name]

    def sequences(self, name: str) -> list[str]:
        """Statements that bring back the number that comes next."""
        rows = self._rows(
            "SELECT auto_increment FROM information_schema.tables WHERE table_schema = DATABASE() "
            f"AND table_name = {constant(name[1:-1])} AND auto_increment IS NOT NULL"
        )
        return [f"ALTER TABLE {name} AUTO_INCREMENT = {number}" for (number,) in rows]

    def references(self) -> list[tuple[str, str]]:
        """Tables that are referred to, and those that refer."""
        rows = [(row[3], row[0]) for row in self._rows(_KEYS) if row[3] is not None]
        return [(as_text(parent).lower(), as_text(child).lower()) for parent, child in rows]

    def has_triggers(self) -> bool:
        """Whether somebody made triggers."""
        own = "trigger_schema = DATABASE()"
        return bool(self._rows(f"SELECT 1 FROM information_schema.triggers WHERE {own} LIMIT 1"))

    def routines(self) -> list[str]:
        """What is not said to only read may write."""
        rows = self._rows(
            "SELECT routine_name FROM information_schema.routines WHERE routine_schema = "
            "DATABASE() AND sql_data_access NOT IN ('READS SQL DATA', 'NO SQL')"
        )
        return [as_text(name).lower() for (name,) in rows]

    def changes(self) -> Any:
        """Neither of the two counts its changes."""
        return None

    def copy(self, name: str, number: int) -> str:
        """Copies a table into one that only this session sees."""
        self._rows(f"DROP TEMPORARY TABLE IF EXISTS wallace_rows_{number}")
        self._rows(f"CREATE TEMPORARY TABLE wallace_rows_{number} AS SELECT * FROM {name}")
        return f"wallace_rows_{number}"

    def insert_from(self, name: str, columns: str, copy: str) -> str:
        """A statement that inserts the rows of a copy."""
        return f"INSERT INTO {name} ({columns}) SELECT {columns} FROM {copy}"
