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


def message(schema: Schema, constraints: list[dict[str, Any]]) -> dict[str, Any]:
    """The schema in the answer of `infoSUT`. Columns that are said never to be null are not."""
    filled = {
        (one["tableId"]["name"], one["columnName"])
        for one in constraints
        if one["constraints"]["isNullable"] is False
    } - schema.circular()
    return {
        "databaseType": schema.kind,
        "name": schema.name,
        "tables": [_table(table, filled) for table in schema.tables],
        # The misspelling is that of the protocol.
        "enumeraredTypes": [
            {"name": name, "values": values} for name, values in schema.enumerations.items()
        ],
        "employSmartDbClean": True,
        "compositeTypes": [],
        "extraConstraintDtos": constraints,
    }


def _table(table: Table, filled: set[tuple[str, str]]) -> dict[str, Any]:
    return {
        "id": {"schema": table.schema, "catalog": None, "name": table.name},
        "columns": [
            _column(table, column, is_filled=(table.name, column.name) in filled)
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


def _column(table: Table, column: Column, *, is_filled: bool) -> dict[str, Any]:
    return {
        "table": table.name,
        "name": column.name,
        "type": column.kind,
        "size": column.size,
        "primaryKey": column.name in table.primary_key,
        "nullable": column.is_nullable and not is_filled,
        "unique": column.is_unique,
        "autoIncrement": column.is_counted,
        "foreignKeyToAutoIncrement": column.refers_to_counted,
        "isUnsigned": False,
        "isEnumeratedType": False,
        "isCompositeType": False,
        "scale": column.scale,
        "numberOfDimensions": 0,
    }
