"""Distances of single comparisons, as functions that SQLite calls.

Formulas are those of the driver for Rust: all are in (0, 1) and grow with what is wrong. That a
comparison is true is not decided here but by SQLite, which calls these only where it is not.
"""

from __future__ import annotations

import math
from datetime import datetime
from typing import Any

from ..runtime import text

#: Distance of what can never become true by small steps, such as a null.
FAR = 1.0
#: What a comparison of unlike types gives: nearer than a null.
UNLIKE = 0.99
#: Characters of a text that are compared with a pattern.
_PATTERN_LENGTH = 200


def register(connection: Any) -> None:
    """Makes the functions known to a connection to SQLite."""
    connection.create_function("wallace_distance", 3, comparison, deterministic=True)
    connection.create_function("wallace_like", 3, like, deterministic=True)


def normalised(distance: float) -> float:
    """From `[0, ..)` to `(0, 1)`, keeping the order. What is not true is never at distance 0."""
    if not math.isfinite(distance):
        return UNLIKE
    return min(max(distance / (distance + 1.0), 1e-9), 1.0 - 1e-9)


def comparison(operator: str, left: Any, right: Any) -> float:
    """The distance of two values of a row to being as the operator wants."""
    if left is None or right is None:
        return FAR
    one, other = _number(left), _number(right)
    if one is not None and other is not None:
        gap = abs(one - other)
        if operator == "<>":
            return UNLIKE
        return normalised(gap + 1.0 if operator in ("<", ">") else gap)
    if isinstance(left, str) and isinstance(right, str):
        return texts(operator, left, right)
    return UNLIKE


def texts(operator: str, left: str, right: str) -> float:
    """The distance of two texts."""
    if operator == "<>":
        # Texts differ as soon as one changes.
        return normalised(0.5)
    if operator == "=":
        return normalised(text.alignment(text.units(left), text.units(right)) / 128.0)
    one, other = _time(left), _time(right)
    if one is not None and other is not None:
        return normalised(abs(one - other) + 1e-3)
    return max(text.order(left, right) * 0.98, 1e-6)


def _number(value: Any) -> float | None:
    if isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return None
    return None


def _time(value: str) -> float | None:
    """Days of a text that begins like `2026-11-21 17:30:00`."""
    for length in (19, 16, 10):
        try:
            moment = datetime.fromisoformat(value[:length])
        except ValueError:
            continue
        return (
            moment.toordinal() + (moment.hour * 60 + moment.minute) / 1440 + moment.second / 86400
        )
    return None


def like(value: Any, pattern: Any, escape: Any) -> float:
    """Least number of characters to change, add or take away until a text matches a pattern of
    `LIKE`, which knows no case.
    """
    if not isinstance(value, str) or not isinstance(pattern, str):
        return FAR
    letters = value[:_PATTERN_LENGTH].lower()
    # Changes from the text so far to the pattern so far, for every length of the text.
    costs = [float(length) for length in range(len(letters) + 1)]
    characters = iter(pattern[:_PATTERN_LENGTH])
    for character in characters:
        is_plain = character == escape
        wanted = next(characters, "") if is_plain else character
        costs = _step(costs, letters, wanted, is_plain=is_plain)
    return normalised(costs[-1])


def _step(costs: list[float], letters: str, wanted: str, *, is_plain: bool) -> list[float]:
    """The changes after one more character of the pattern."""
    following: list[float] = []
    for place, cost in enumerate(costs):
        if wanted == "%" and not is_plain:
            following.append(min(cost, following[-1]) if following else cost)
            continue
        best = cost + 1.0
        if place:
            is_any = wanted == "_" and not is_plain
            change = 0.0 if is_any else _change(letters[place - 1], wanted.lower())
            best = min(best, costs[place - 1] + change, following[place - 1] + 1.0)
        following.append(best)
    return following


def _change(one: str, other: str) -> float:
    """A near character is a little nearer."""
    if one == other:
        return 0.0
    gap = abs(ord(one) - ord(other)) if len(one) == len(other) == 1 else 1_000
    return 0.5 + 0.5 * normalised(float(gap))
