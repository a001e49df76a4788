"""Values that count as numbers, by their exact class: nothing of the service's own is called."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from typing import Any

from .truthness import FARTHEST

Number = int | float


def _since_epoch(value: datetime) -> float:
    return (value if value.tzinfo else value.replace(tzinfo=timezone.utc)).timestamp()


def _of_day(value: time) -> float:
    return value.hour * 3_600 + value.minute * 60 + value.second + value.microsecond / 1e6


#: Dates count in days, everything else about time in seconds.
_CONVERSIONS: dict[type, Callable[[Any], Number]] = {
    int: lambda value: int(value),
    bool: lambda value: int(value),
    float: lambda value: float(value),
    Decimal: float,
    Fraction: float,
    date: lambda value: int(value.toordinal()),
    datetime: _since_epoch,
    time: _of_day,
    timedelta: lambda value: float(value.total_seconds()),
}


def number(value: object) -> Number | None:
    """The value as a number, if it counts as one."""
    conversion = _CONVERSIONS.get(type(value))
    if conversion is None:
        return None
    try:
        return conversion(value)
    except (ArithmeticError, ValueError):
        return None


def difference(left: Number, right: Number) -> float:
    """How far two numbers are apart; the farthest where that cannot be said."""
    try:
        distance = float(abs(left - right))
    except OverflowError:
        return FARTHEST
    return distance if math.isfinite(distance) else FARTHEST
