"""From a statement to a question for its database: how near does any row come to the condition?

The condition becomes an expression of its distance. Negations go inwards, so that only single
comparisons are measured; a conjunction is the mean of its parts, a disjunction the smallest. Each
comparison is first asked for as it is, so that types, collations and nulls are the database's own:
`CASE WHEN a = b THEN 0 ELSE wallace_distance('=', a, b) END`. What has no distance of its own is 0
or 1. Inner joins become products whose conditions count with the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from . import mysql_distance
from .plan import MOST_ROWS, Probe

_OPPOSITES = {"=": "<>", "<>": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_OPERATORS: dict[type, str] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
}
_WHOLE = (exp.Any, exp.All, exp.Tuple, exp.Array)


@dataclass(frozen=True)
class Words:
    """What differs between databases."""

    dialect: str
    least: str
    greatest: str
    #: What stands before the names of the functions of distance.
    prefix: str

    def comparison(self, operator: str, one: str, other: str) -> str:
        """The distance of a comparison that does not hold."""
        if self.dialect == "mysql":
            return mysql_distance.comparison(operator, one, other)
        return f"{self.prefix}wallace_distance('{operator}', {one}, {other})"

    def like(self, text: str, pattern: str, escape: str) -> str:
        """The distance of a text from a pattern of `LIKE`."""
        if self.dialect == "mysql":
            return mysql_distance.like(text, pattern)
        return f"{self.prefix}wallace_like({text}, {pattern}, {escape})"

    def sql(self, node: Any) -> str:
        """A piece of a statement as text."""
        return str(node.sql(self.dialect))


WORDS = {
    "sqlite": Words("sqlite", "min", "max", ""),
    "postgres": Words("postgres", "LEAST", "GREATEST", "pg_temp."),
    "mysql": Words("mysql", "LEAST", "GREATEST", ""),
}


def argument(node: Any, name: str) -> Any:
    """A part of a statement. Some releases of the parser write reserved names with a stroke."""
    return node.args.get(name) or node.args.get(f"{name}_")


def probes(statement: Any, dialect: str) -> list[Probe]:
    """The questions about a statement; none for one without rows to choose from. Selections that
    are joined by `UNION` and the like have one each.
    """
    words = WORDS[dialect]
    if isinstance(statement, (exp.Update, exp.Delete)):
        if argument(statement, "from") or argument(statement, "using") or not statement.this:
            return []
        return [_probe(words, "", statement.this, [], argument(statement, "where"))]
    if isinstance(statement, exp.Query):
        clause = argument(statement, "with")
        common = f"{words.sql(clause)} " if clause else ""
        return [
            _probe(
                words,
                common,
                argument(one, "from").this,
                argument(one, "joins") or [],
                argument(one, "where"),
            )
            for one in selections(statement)
        ]
    return []


def selections(query: Any) -> Iterator[Any]:
    """The selections of a query that read rows."""
    if isinstance(query, exp.SetOperation):
        yield from selections(query.this)
        yield from selections(query.expression)
    elif isinstance(query, exp.Subquery):
        yield from selections(query.this)
    elif isinstance(query, exp.Select) and argument(query, "from") is not None:
        yield query


def _probe(words: Words, common: str, first: Any, joins: list[Any], where: Any) -> Probe:
    rows, conditions = _product(words, first, joins)
    if where is not None:
        conditions.append(where.this)
    distance = _Distances(words).mean(conditions)
    plain = " ".join([words.sql(first), *map(words.sql, joins)])
    condition = f" {words.sql(where)}" if where is not None else ""
    return Probe(
        f"{common}SELECT min(distance), count(*) FROM (SELECT {distance} AS distance "
        f"FROM {rows} LIMIT {MOST_ROWS}) AS wallace_rows",
        f"{common}SELECT EXISTS (SELECT 1 FROM {plain}{condition})",
    )


def _product(words: Words, first: Any, joins: list[Any]) -> tuple[str, list[Any]]:
    """The rows without the conditions of inner joins, and these."""
    pieces, conditions = [words.sql(first)], []
    for join in joins:
        is_inner = not join.side and not join.args.get("using") and not join.method
        if is_inner and join.kind in ("", "INNER", "CROSS"):
            pieces.append(f" CROSS JOIN {words.sql(join.this)}")
            if join.args.get("on") is not None:
                conditions.append(join.args["on"])
        else:
            text = words.sql(join)
            pieces.append(text if text.startswith(",") else f" {text}")
    return "".join(pieces), conditions


class _Distances:
    """Expressions of distances in the words of one database."""

    def __init__(self, words: Words) -> None:
        self.words = words

    def mean(self, conditions: list[Any], *, is_wanted: bool = True) -> str:
        return self._mean([self.of(one, is_wanted=is_wanted) for one in conditions])

    def of(self, condition: Any, *, is_wanted: bool) -> str:
        """The distance of a condition to being true, or false where that is wanted."""
        if isinstance(condition, exp.Paren):
            return self.of(condition.this, is_wanted=is_wanted)
        if isinstance(condition, exp.Not):
            return self.of(condition.this, is_wanted=not is_wanted)
        if isinstance(condition, (exp.And, exp.Or)):
            parts = [self.of(one, is_wanted=is_wanted) for one in condition.flatten()]
            is_mean = isinstance(condition, exp.And) == is_wanted
            return self._mean(parts) if is_mean else self._least(parts)
        operator = _OPERATORS.get(type(condition))
        if operator is not None and not isinstance(condition.expression, _WHOLE):
            wanted = operator if is_wanted else _OPPOSITES[operator]
            return self._compared(condition.this, wanted, condition.expression)
        if isinstance(condition, exp.Between):
            return self._between(condition, is_wanted=is_wanted)
        return self._unless(condition, self._otherwise(condition, is_wanted), is_wanted)

    def _otherwise(self, condition: Any, is_wanted: bool) -> str:
        """The distance of a condition that is known not to be as wanted."""
        if isinstance(condition, exp.In) and condition.expressions:
            operator = "=" if is_wanted else "<>"
            values = condition.expressions
            parts = [self._compared(condition.this, operator, value) for value in values]
            return self._least(parts) if is_wanted else self._mean(parts)
        if not is_wanted:
            return "1.0"
        if isinstance(condition, exp.In) and argument(condition, "query") is not None:
            return self._in_query(argument(condition, "query"), condition.this)
        if isinstance(condition, exp.Exists):
            return self._in_query(condition.this, None)
        escape = "NULL"
        if isinstance(condition, exp.Escape):
            escape, condition = self.words.sql(condition.expression), condition.this
        if isinstance(condition, (exp.Like, exp.ILike)):
            text, pattern = map(self.words.sql, (condition.this, condition.expression))
            return self.words.like(text, pattern, escape)
        return "1.0"

    def _between(self, condition: Any, *, is_wanted: bool) -> str:
        low, high = condition.args["low"], condition.args["high"]
        operators = (">=", "<=") if is_wanted else ("<", ">")
        parts = [
            self._compared(condition.this, operator, bound)
            for operator, bound in zip(operators, (low, high), strict=True)
        ]
        return self._mean(parts) if is_wanted else self._least(parts)

    def _in_query(self, query: Any, equal: Any) -> str:
        """The least distance of a row of a sub-query, to be equal to something where asked."""
        query = query.this if isinstance(query, exp.Subquery) else query
        if not isinstance(query, exp.Select) or argument(query, "with"):
            return "1.0"
        source, where = argument(query, "from"), argument(query, "where")
        if source is None or (equal is not None and len(query.expressions) != 1):
            return "1.0"
        rows, conditions = _product(self.words, source.this, argument(query, "joins") or [])
        conditions += [where.this] if where is not None else []
        parts = [self.of(one, is_wanted=True) for one in conditions]
        if equal is not None:
            parts.append(self._compared(equal, "=", query.expressions[0].unalias()))
        return (
            f"coalesce((SELECT min(inner_distance) FROM (SELECT {self._mean(parts)} AS "
            f"inner_distance FROM {rows} LIMIT {MOST_ROWS}) AS wallace_inner), 1.0)"
        )

    def _compared(self, left: Any, operator: str, right: Any) -> str:
        one, other = self.words.sql(left), self.words.sql(right)
        return (
            f"CASE WHEN ({one} {operator} {other}) THEN 0.0 ELSE "
            f"{self.words.comparison(operator, one, other)} END"
        )

    def _unless(self, condition: Any, otherwise: str, is_wanted: bool) -> str:
        """0 where the database says that the condition is so, and otherwise as said, never 0."""
        negation = "" if is_wanted else "NOT "
        far = f"{self.words.greatest}(1e-9, {otherwise})"
        return f"CASE WHEN {negation}({self.words.sql(condition)}) THEN 0.0 ELSE {far} END"

    @staticmethod
    def _mean(parts: list[str]) -> str:
        if len(parts) < 2:
            return parts[0] if parts else "0.0"
        return f"(({' + '.join(parts)}) / {len(parts)}.0)"

    def _least(self, parts: list[str]) -> str:
        # With one argument it would be an aggregate.
        return parts[0] if len(parts) == 1 else f"{self.words.least}({', '.join(parts)})"
