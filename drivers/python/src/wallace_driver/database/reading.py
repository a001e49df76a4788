"""Sees through statements: their tables, columns and conditions.

Loaded with the first statement that is to be read: the parser takes a while to load.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from .plan import Columns, Plan
from .probe import probes
from .schema import Schema


def plan_of(statement: Any, schema: Schema, dialect: str) -> Plan:
    """Sees through a statement."""
    names = _Names(statement, schema)
    plan = Plan(missing=names.missing())
    names.note(statement, plan)
    is_writing = isinstance(
        statement, (exp.Insert, exp.Merge, exp.Copy, exp.TruncateTable, exp.DDL)
    )
    if not is_writing and names.tables:
        plan.is_asking = True
        plan.probes = probes(statement, dialect)
        plan.equalities = names.equalities(dialect)
    return plan


class _Names:
    """Tables and columns of a statement."""

    def __init__(self, statement: Any, schema: Schema) -> None:
        self.schema = schema
        self.statement = statement
        #: Tables that are read or written, as they are written.
        self.tables: set[str] = set()
        #: Names and aliases of tables in lower case, with the names as they are written.
        self.aliases: dict[str, str] = {}
        for table in statement.find_all(exp.Table):
            if schema.table(table.name) is not None:
                self.tables.add(table.name)
                self.aliases[(table.alias or table.name).lower()] = table.name
                self.aliases.setdefault(table.name.lower(), table.name)

    def note(self, statement: Any, plan: Plan) -> None:
        """Notes what the statement does to which tables."""
        if isinstance(statement, exp.Merge):
            # Its parts do not name the table.
            plan.updated.setdefault(_table(statement.this), set())
            return
        if isinstance(statement, exp.Insert):
            target = statement.this
            columns = target.expressions if isinstance(target, exp.Schema) else []
            _add(plan.inserted, target, columns)
            if statement.args.get("conflict") or statement.args.get("alternative") == "REPLACE":
                _add(plan.updated, target, [])
        elif isinstance(statement, exp.Copy) and statement.args.get("kind"):
            _add(plan.inserted, statement.this, [])
        elif isinstance(statement, exp.Update):
            columns = [one.this for one in statement.expressions if one.this is not None]
            _add(plan.updated, statement.this, columns)
        elif isinstance(statement, exp.Delete):
            plan.deleted |= {_table(statement.this)} if statement.this else self.tables
        elif isinstance(statement, exp.TruncateTable):
            plan.deleted |= {_table(one) for one in statement.expressions}
        elif isinstance(statement, exp.Query):
            plan.queried = {name: {"*"} for name in self.tables}
        # Parts of a statement may write, too.
        for inner in statement.find_all(exp.Insert, exp.Update, exp.Delete):
            if inner is not statement:
                self.note(inner, plan)

    def missing(self) -> Columns:
        """Columns of conditions, by table."""
        missing: Columns = {name: set() for name in self.tables}
        for condition in self._conditions():
            for column in condition.find_all(exp.Column):
                table = self._table_of(column)
                if table is not None:
                    missing.setdefault(table, set()).add(column.name)
        return missing

    def _conditions(self) -> list[Any]:
        found = [one.this for one in self.statement.find_all(exp.Where)]
        joins = self.statement.find_all(exp.Join)
        return found + [one.args["on"] for one in joins if one.args.get("on") is not None]

    def _table_of(self, column: Any) -> str | None:
        """The table of a column: the one that is named, or the one that has it."""
        if column.table:
            return self.aliases.get(column.table.lower())
        for name in sorted(self.tables):
            table = self.schema.table(name)
            if table is not None and table.column(column.name) is not None:
                return name
        return None

    def equalities(self, dialect: str) -> list[tuple[str, str, str]]:
        """Columns, with their tables, that are compared with constants, as they are written."""
        found = []
        for condition in self._conditions():
            for equality in condition.find_all(exp.EQ, exp.Like, exp.ILike):
                column, value = equality.this, equality.expression
                is_one = isinstance(column, exp.Column) and isinstance(value, exp.Literal)
                table = self._table_of(column) if is_one else None
                if table is not None:
                    found.append((table, column.this.sql(dialect), value.sql(dialect)))
        return found


def _add(columns: Columns, target: Any, named: list[Any]) -> None:
    columns.setdefault(_table(target), set()).update(one.name for one in named)


def _table(target: Any) -> str:
    table = target if isinstance(target, exp.Table) else target.find(exp.Table)
    return str(table.name) if table is not None else ""
