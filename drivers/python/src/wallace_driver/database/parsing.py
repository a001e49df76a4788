"""Statements as trees. Without the parser nothing is known of conditions, and all else works."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..service.people import say

_CHECK = re.compile(r"\s*CHECK\s*\((.*)\)\s*(?:NO INHERIT)?\s*(?:NOT VALID)?\s*", re.DOTALL | re.I)
_REPLACE = re.compile(r"^\s*REPLACE\b", re.IGNORECASE)
_HINT = "conditions of SQL are not looked into without a parser: pip install sqlglot"
_TOLD: set[str] = set()


def is_there() -> bool:
    """Whether there is a parser; told once if there is none."""
    try:
        import sqlglot  # noqa: F401
    except ImportError:
        if _HINT not in _TOLD:
            _TOLD.add(_HINT)
            say(_HINT)
        return False
    return True


def parsed(text: str, dialect: str) -> Any:
    """The statement of a text; nothing for what is none, or more than one."""
    if not is_there():
        return None
    import sqlglot
    from sqlglot.errors import SqlglotError

    if dialect == "sqlite":
        # The parser knows only the long form.
        text = _REPLACE.sub("INSERT OR REPLACE", text, count=1)
    try:
        with _quiet():
            statements = [one for one in sqlglot.parse(text, read=dialect) if one is not None]
    except (SqlglotError, RecursionError, ValueError):
        return None
    is_read = len(statements) == 1 and not isinstance(statements[0], sqlglot.exp.Command)
    return statements[0] if is_read else None


@contextmanager
def _quiet() -> Iterator[None]:
    """The parser logs what it cannot read; that is no news for the service's own log."""
    log = logging.getLogger("sqlglot")
    before, log.disabled = log.disabled, True
    try:
        yield
    finally:
        log.disabled = before


def checks(text: str) -> list[str]:
    """The conditions in the text of a table of SQLite, which keeps them nowhere else."""
    if "check" not in text.lower():
        return []
    statement = parsed(text, "sqlite")
    if statement is None:
        return []
    from sqlglot import exp

    kinds = (exp.CheckColumnConstraint,)
    return [str(one.this.sql("sqlite")) for one in statement.find_all(*kinds)]


def unwrapped(text: str) -> str:
    """The condition of a constraint of PostgreSQL."""
    match = _CHECK.fullmatch(text)
    return match[1] if match else text
