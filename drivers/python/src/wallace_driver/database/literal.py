"""Values of Python as constants of PostgreSQL, for statements that come without their values."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


_LITERALS: dict[type, Callable[[Any], str]] = {
    bool: lambda value: "TRUE" if value else "FALSE",
    int: str,
    float: lambda value: repr(value) if value == value and abs(value) < 1e308 else f"'{value}'",
    Decimal: lambda value: str(value) if value.is_finite() else f"'{value}'",
    str: _text,
    bytes: lambda value: f"'\\x{value.hex()}'",
    date: lambda value: _text(value.isoformat()),
    datetime: lambda value: _text(value.isoformat(" ")),
    time: lambda value: _text(value.isoformat()),
    timedelta: lambda value: _text(f"{value.total_seconds()} seconds"),
    UUID: lambda value: _text(str(value)),
    type(None): lambda _: "NULL",
}


def literal(value: Any) -> str:
    """The constant of a value; the text of what is unknown."""
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, (list, tuple)):
        return f"ARRAY[{', '.join(map(literal, value))}]"
    for kind in type(value).__mro__:
        known = _LITERALS.get(kind)
        if known is not None:
            return known(value)
    return _text(str(value))
