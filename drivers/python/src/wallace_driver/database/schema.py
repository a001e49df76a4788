"""Schemas of databases, in the words of the driver protocol."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

#: Longest text of a column without a stated length.
TEXT_LENGTH = 255
#: Types whose values have a form of which the protocol has no word.
_ODD = frozenset(
    "json jsonb xml hstore tsvector tsquery inet cidr macaddr point box circle polygon geometry "
    "geography ltree bytea blob binary varbinary".split()
)


@dataclass
class Column:
    """A column."""

    name: str
    #: Type, in the words of the database, without its length.
    kind: str
    #: Precision or length.
    size: int = TEXT_LENGTH
    scale: int | None = None
    is_nullable: bool = True
    is_unique: bool = False
    #: Whether the database counts it up.
    is_counted: bool = False
    refers_to_counted: bool = False
    has_default: bool = False

    @property
    def is_better_left(self) -> bool:
        """Whether the database fills it, and nobody here would know with what."""
        is_odd = self.kind.lower().endswith("[]") or self.kind.lower() in _ODD
        return is_odd and (self.is_nullable or self.has_default)


@dataclass
class ForeignKey:
    """A reference to another table."""

    columns: list[str]
    target: str
    target_columns: list[str]
    #: Whether it may be checked only when a transaction ends.
    is_deferrable: bool = False


@dataclass
class Table:
    """A table."""

    name: str
    schema: str | None = None
    columns: list[Column] = field(default_factory=list)
    primary_key: list[str] = field(default_factory=list)
    foreign_keys: list[ForeignKey] = field(default_factory=list)
    #: Conditions that all rows meet, as SQL.
    checks: list[str] = field(default_factory=list)

    def column(self, name: str) -> Column | None:
        """A column by its name in any case."""
        return next((one for one in self.columns if one.name.lower() == name.lower()), None)


@dataclass
class Schema:
    """The tables of a database."""

    #: Kind of database; the protocol knows no SQLite.
    kind: str = "OTHER"
    name: str = "main"
    tables: list[Table] = field(default_factory=list)
    enumerations: dict[str, list[str]] = field(default_factory=dict)

    def table(self, name: str) -> Table | None:
        """A table by its name in any case, which may be qualified."""
        wanted = name.rsplit(".", 1)[-1].lower()
        return next((one for one in self.tables if one.name.lower() == wanted), None)

    def circular(self) -> set[tuple[str, str]]:
        """Columns that refer to a table which in the end refers back: of such rows one has to be
        there before what it refers to.
        """
        targets = {
            table.name: {
                found.name for key in table.foreign_keys if (found := self.table(key.target))
            }
            for table in self.tables
        }
        reached = {name: set(found) for name, found in targets.items()}
        for _ in self.tables:
            before = sum(map(len, reached.values()))
            for far in reached.values():
                far.update(*(reached[name] for name in list(far)))
            if before == sum(map(len, reached.values())):
                break
        return {
            (table.name, column)
            for table in self.tables
            for key in table.foreign_keys
            if (target := self.table(key.target)) is not None and table.name in reached[target.name]
            for column in key.columns
        }

    def opened(self) -> set[tuple[str, str]]:
        """Columns that are never null, one of each circle of such columns. A row can only come
        without it at first: the database has to wait for it until the transaction ends.
        """
        edges = [
            (table.name, key.columns[0], target.name, key.is_deferrable)
            for table in self.tables
            for key in table.foreign_keys
            if len(key.columns) == 1
            and (target := self.table(key.target)) is not None
            and target is not table
            and (column := table.column(key.columns[0])) is not None
            and not column.is_nullable
        ]
        found = set()
        for edge in [one for one in edges if one[3]]:
            if _is_reached(edge[0], edge[2], edges):
                edges.remove(edge)
                found.add(edge[:2])
        return found

    def complete(self) -> None:
        """Adds what can only be said when all tables are known: keys that are referred to by no
        name, and columns that refer to numbers that the database makes.
        """
        for table in self.tables:
            for key in table.foreign_keys:
                target = self.table(key.target)
                if target is None:
                    continue
                key.target_columns = key.target_columns or target.primary_key
                for name, referred in zip(key.columns, key.target_columns, strict=False):
                    own, other = table.column(name), target.column(referred)
                    if own is not None and other is not None:
                        own.refers_to_counted |= other.is_counted


def _is_reached(wanted: str, start: str, edges: list[tuple[str, str, str, bool]]) -> bool:
    """Whether references lead from one table to another."""
    reached, new = {start}, [start]
    while new:
        place = new.pop()
        further = {target for name, _, target, _ in edges if name == place} - reached
        reached |= further
        new += further
    return wanted in reached


def never_null(constraints: list[dict[str, Any]]) -> set[tuple[str, str]]:
    """The columns that are said never to be null, by table and name."""
    return {
        (one["tableId"]["name"], one["columnName"])
        for one in constraints
        if one["constraints"]["isNullable"] is False
    }


def message(schema: Schema, constraints: list[dict[str, Any]]) -> dict[str, Any]:
    """The schema in the answer of `infoSUT`. Columns that are said never to be null are not."""
    filled, opened = never_null(constraints) - schema.circular(), schema.opened()
    return {
        "databaseType": schema.kind,
        "name": schema.name,
        "tables": [_table(table, filled, opened) for table in schema.tables],
        # The misspelling is that of the protocol.
        "enumeraredTypes": [
            {"name": name, "values": values} for name, values in schema.enumerations.items()
        ],
        "employSmartDbClean": True,
        "compositeTypes": [],
        "extraConstraintDtos": constraints,
    }


def _table(
    table: Table, filled: set[tuple[str, str]], opened: set[tuple[str, str]]
) -> dict[str, Any]:
    def may_be_null(column: Column) -> bool:
        place = (table.name, column.name)
        return place in opened or (column.is_nullable and place not in filled)

    return {
        "id": {"schema": table.schema, "catalog": None, "name": table.name},
        "columns": [
            _column(table, column, is_nullable=may_be_null(column))
            for column in table.columns
            if not column.is_better_left
        ],
        "foreignKeys": [
            {
                "sourceColumns": key.columns,
                "targetTable": key.target,
                "targetColumns": key.target_columns,
            }
            for key in table.foreign_keys
        ],
        "primaryKeySequence": table.primary_key,
        "tableCheckExpressions": [{"sqlCheckExpression": check} for check in table.checks],
    }


def _column(table: Table, column: Column, *, is_nullable: bool) -> dict[str, Any]:
    return {
        "table": table.name,
        "name": column.name,
        "type": column.kind,
        "size": column.size,
        "primaryKey": column.name in table.primary_key,
        "nullable": is_nullable,
        "unique": column.is_unique,
        "autoIncrement": column.is_counted,
        "foreignKeyToAutoIncrement": column.refers_to_counted,
        "isUnsigned": False,
        "isEnumeratedType": False,
        "isCompositeType": False,
        "scale": column.scale,
        "numberOfDimensions": 0,
    }
