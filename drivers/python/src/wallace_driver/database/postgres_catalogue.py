"""What PostgreSQL tells of its tables."""

from __future__ import annotations

from typing import Any

from .catalogue import constant, quoted
from .parsing import unwrapped
from .postgres_session import PostgresSession
from .schema import TEXT_LENGTH, Column, ForeignKey, Schema, Table

_OWN = "n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'"
_TABLES = (
    "SELECT c.oid::bigint, n.nspname::text, c.relname::text FROM pg_class c JOIN pg_namespace n ON "
    "n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND "
    f"{_OWN} AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e') "
    "ORDER BY 2, 3"
)
_COLUMNS = (
    "SELECT attrelid::bigint, attname::text, CASE WHEN t.typtype = 'e' THEN 'VARCHAR' ELSE "
    "format_type(coalesce(nullif(t.typbasetype, 0), atttypid), NULL) END, CASE WHEN t.typname IN "
    "('varchar', 'bpchar') AND atttypmod > 4 THEN atttypmod - 4 WHEN t.typname = 'numeric' AND "
    "atttypmod > 4 THEN ((atttypmod - 4) >> 16) & 65535 END, CASE WHEN t.typname = 'numeric' AND "
    "atttypmod > 4 THEN (atttypmod - 4) & 65535 END, attnotnull, attidentity <> '' OR "
    "coalesce(pg_get_expr(adbin, adrelid), '') LIKE 'nextval(%', t.typtype = 'e', t.oid::bigint, "
    "atthasdef "
    "FROM pg_attribute JOIN pg_type t ON t.oid = atttypid LEFT JOIN pg_attrdef ON adrelid = "
    "attrelid AND adnum = attnum WHERE attnum > 0 AND NOT attisdropped AND attgenerated = '' AND "
    "attrelid IN ({}) ORDER BY attrelid, attnum"
)
_KEYS = (
    "SELECT k.conrelid::bigint, k.contype::text, (SELECT array_agg(a.attname::text ORDER BY o.n) "
    "FROM unnest(k.conkey) WITH ORDINALITY o(number, n) JOIN pg_attribute a ON a.attrelid = "
    "k.conrelid AND a.attnum = o.number), t.relname::text, (SELECT array_agg(a.attname::text ORDER "
    "BY o.n) FROM unnest(k.confkey) WITH ORDINALITY o(number, n) JOIN pg_attribute a ON a.attrelid "
    "= k.confrelid AND a.attnum = o.number), pg_get_constraintdef(k.oid), "
    "k.condeferrable FROM pg_constraint k LEFT JOIN pg_class t ON t.oid = k.confrelid "
    "WHERE k.conrelid IN ({}) ORDER BY k.oid"
)
_UNIQUE = (
    "SELECT i.indrelid::bigint, a.attname::text FROM pg_index i JOIN pg_attribute a ON a.attrelid "
    "= i.indrelid AND a.attnum = i.indkey[0] WHERE i.indisunique AND i.indnkeyatts = 1 AND NOT "
    "i.indisprimary AND i.indpred IS NULL AND i.indrelid IN ({})"
)


class PostgresCatalogue:
    """The catalogue of a session with PostgreSQL."""

    def __init__(self, session: PostgresSession) -> None:
        """A catalogue; nothing is asked yet."""
        self._rows = session.rows
        self._database = session.address.place

    def names(self) -> list[str]:
        """The tables with their schemas."""
        return [f"{quoted(schema)}.{quoted(name)}" for _, schema, name in self._rows(_TABLES)]

    def schema(self) -> Schema:
        """The tables as they are now."""
        schema = Schema("POSTGRES", self._database)
        tables: dict[int, Table] = {}
        for number, place, name in self._rows(_TABLES):
            tables[number] = Table(name, place)
        if tables:
            asked = ", ".join(map(str, tables))
            self._add_columns(tables, asked, schema)
            self._add_keys(tables, asked)
        schema.tables = list(tables.values())
        schema.complete()
        return schema

    def _add_columns(self, tables: dict[int, Table], asked: str, schema: Schema) -> None:
        unique = {(number, name) for number, name in self._rows(_UNIQUE.format(asked))}
        for row in self._rows(_COLUMNS.format(asked)):
            (
                number,
                name,
                kind,
                size,
                scale,
                is_required,
                is_counted,
                is_listed,
                kind_number,
                default,
            ) = row
            usual = 19 if "int" in kind else TEXT_LENGTH
            column = Column(name, kind, size or usual, scale, not is_required)
            column.has_default = default
            column.is_unique, column.is_counted = (number, name) in unique, is_counted
            table = tables[number]
            table.columns.append(column)
            if is_listed:
                labels = self._rows(
                    "SELECT enumlabel::text FROM pg_enum WHERE enumtypid = "
                    f"{kind_number} ORDER BY enumsortorder"
                )
                values = ", ".join(constant(label) for (label,) in labels)
                table.checks.append(f"{quoted(name)} IN ({values})")

    def _add_keys(self, tables: dict[int, Table], asked: str) -> None:
        for number, kind, own, target, others, text, is_late in self._rows(_KEYS.format(asked)):
            table = tables[number]
            if kind == "p":
                table.primary_key = list(own)
            elif kind == "f":
                table.foreign_keys.append(ForeignKey(list(own), target, list(others), is_late))
            elif kind == "c":
                table.checks.append(unwrapped(text))

    def columns(self, name: str) -> list[str]:
        """The columns of a table that hold values of their own."""
        rows = self._rows(
            "SELECT attname::text FROM pg_attribute WHERE attnum > 0 AND NOT attisdropped AND "
            f"attgenerated = '' AND attrelid = {constant(name)}::regclass ORDER BY attnum"
        )
        return [str(column) for (column,) in rows]

    def sequences(self, name: str) -> list[str]:
        """Statements that bring the sequences of a table back."""
        found = self._rows(
            "SELECT d.objid::regclass::text FROM pg_depend d JOIN pg_class c ON c.oid = d.objid "
            "WHERE c.relkind = 'S' AND d.deptype IN ('a', 'i') AND d.refclassid = "
            f"'pg_class'::regclass AND d.refobjid = {constant(name)}::regclass"
        )
        statements = []
        for (sequence,) in found:
            ((last, is_called),) = self._rows(f"SELECT last_value, is_called FROM {sequence}")
            statements.append(f"SELECT setval({constant(sequence)}, {last}, {is_called})")
        return statements

    def references(self) -> list[tuple[str, str]]:
        """Tables that are referred to, and those that refer."""
        rows = self._rows(
            "SELECT a.relname::text, b.relname::text FROM pg_constraint k JOIN pg_class a ON a.oid "
            "= k.confrelid JOIN pg_class b ON b.oid = k.conrelid WHERE k.contype = 'f'"
        )
        return [(parent.lower(), child.lower()) for parent, child in rows]

    def has_triggers(self) -> bool:
        """Whether somebody made triggers."""
        return bool(self._rows("SELECT 1 FROM pg_trigger WHERE NOT tgisinternal LIMIT 1"))

    def routines(self) -> list[str]:
        """Functions that are neither the system's nor an extension's, and not said to only read."""
        rows = self._rows(
            "SELECT p.proname::text FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace "
            f"WHERE p.provolatile = 'v' AND p.prokind = 'f' AND {_OWN} AND NOT EXISTS "
            "(SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')"
        )
        return [str(name).lower() for (name,) in rows]

    def changes(self) -> Any:
        """PostgreSQL counts its changes too late to be asked."""
        return None

    def copy(self, name: str, number: int) -> str:
        """Copies a table into one that only this session sees."""
        self._rows(f"DROP TABLE IF EXISTS pg_temp.wallace_rows_{number}")
        self._rows(f"CREATE TEMP TABLE wallace_rows_{number} AS SELECT * FROM {name}")
        return f"pg_temp.wallace_rows_{number}"

    def insert_from(self, name: str, columns: str, copy: str) -> str:
        """A statement that inserts the rows of a copy, also where numbers are made."""
        return (
            f"INSERT INTO {name} ({columns}) OVERRIDING SYSTEM VALUE SELECT {columns} FROM {copy}"
        )
