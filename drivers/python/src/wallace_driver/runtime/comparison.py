"""Scores of comparisons, of memberships and of truth values."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from itertools import islice

from . import text
from .number import Number, difference, number
from .truthness import (
    ABSENT,
    BASE,
    FARTHEST,
    FLAG,
    closeness,
    closeness_above,
    order_closeness,
)

#: Elements of a collection that are looked at.
MOST_ELEMENTS = 50
COLLECTIONS = frozenset([list, tuple, set, frozenset, dict, type({}.keys()), type({}.values())])
_TEXTS = {str}
_SIZED = frozenset([str, bytes, bytearray, range, *COLLECTIONS])


def equality(is_equal: bool, left: object, right: object) -> float:
    """Score of the side that was missed by a test for equality.

    Where two numbers are equal, the other side has the score of distance 1, the nearest value.
    """
    # The most frequent kinds come first.
    if type(left) is str and type(right) is str:
        return BASE if is_equal else text.equality(left, right)
    if type(left) is int and type(right) is int:
        return closeness(1.0 if is_equal else difference(left, right))
    left, right = _plain(left), _plain(right)
    if type(left) is bool and type(right) is bool:
        return FLAG
    one, other = number(left), number(right)
    if one is not None and other is not None:
        return closeness(1.0 if is_equal else difference(one, other))
    if is_equal:
        return BASE
    if left is None or right is None:
        return ABSENT
    if type(left) is str and type(right) is str:
        return text.equality(left, right)
    if type(left) is bytes and type(right) is bytes:
        return text.equality(left, right)
    if type(left) is type(right) and type(left) in (list, tuple):
        return _elementwise(left, right)
    return BASE


def order(left: object, right: object) -> float:
    """Score of the side that was missed by a test for order."""
    if type(left) is int and type(right) is int:
        try:
            return 1.0 / (1.1 + abs(left - right))
        except OverflowError:
            return order_closeness(FARTHEST)
    left, right = _plain(left), _plain(right)
    one, other = number(left), number(right)
    if one is not None and other is not None:
        return order_closeness(difference(one, other))
    if type(left) is str and type(right) is str:
        return order_closeness(text.order(left, right))
    if type(left) is bytes and type(right) is bytes:
        return order_closeness(text.order(left, right))
    return BASE


def _ordered(_: bool, left: object, right: object) -> float:
    return order(left, right)


def membership(is_member: bool, element: object, holder: object) -> float:
    """Score of the side that was missed by `in`."""
    if is_member:
        return BASE
    if type(holder) is str and type(element) is str:
        return text.containment(holder, element)
    if type(holder) is range:
        return _in_range(element, holder)
    if type(holder) in COLLECTIONS:
        return nearest(element, list(islice(holder, MOST_ELEMENTS)))  # type: ignore[call-overload]
    return BASE


def nearest(element: object, elements: list[object]) -> float:
    """The nearest element counts: above the base however far it is, as any is nearer than none."""
    if not elements:
        return ABSENT
    if type(element) is str and set(map(type, elements)) == _TEXTS:
        return text.nearest(element, tuple(elements))  # type: ignore[arg-type]
    return max(BASE, *(_likeness(one, element) for one in elements))


def truth(outcome: bool, value: object) -> float:
    """Score of the side that was missed by asking for the truth of a value."""
    if value is None:
        return ABSENT
    kind = type(value)
    if kind is bool:
        return FLAG
    if kind in _SIZED:
        return closeness(len(value)) if outcome else BASE  # type: ignore[arg-type]
    measure = number(value)
    if measure is None:
        return BASE
    return closeness(difference(measure, 0) if outcome else 1.0)


def _likeness(one: object, other: object) -> float:
    left, right = number(_plain(one)), number(_plain(other))
    if left is not None and right is not None:
        return closeness_above(BASE, difference(left, right))
    return equality(False, one, other)


def _in_range(element: object, holder: range) -> float:
    value = number(element)
    if value is None or not holder:
        return BASE if holder else ABSENT
    low, high = min(holder[0], holder[-1]), max(holder[0], holder[-1])
    return closeness_above(BASE, _outside(value, low, high))


def _outside(value: Number, low: Number, high: Number) -> float:
    if value < low:
        return difference(value, low)
    return difference(value, high) if value > high else 1.0


def _plain(value: object) -> object:
    """The value of a member of an enumeration, else what is given."""
    if not issubclass(type(value), Enum):
        return value
    try:
        return object.__getattribute__(value, "_value_")
    except AttributeError:
        # It is being made.
        return value


def _elementwise(left: object, right: object) -> float:
    """Two lists are as near as their lengths, then as their elements."""
    assert isinstance(left, (list, tuple))
    assert isinstance(right, (list, tuple))
    if len(left) != len(right):
        return closeness_above(BASE, abs(len(left) - len(right)) * 2.0)
    pairs = list(zip(left[:MOST_ELEMENTS], right[:MOST_ELEMENTS], strict=False))
    scores = [1.0 if a is b else _likeness(a, b) for a, b in pairs]
    return closeness_above(BASE, 1.0 - sum(scores) / len(scores)) if scores else BASE


#: Score of the side that a comparison missed, by operator: of its outcome and its operands.
MEASURES: dict[str, Callable[[bool, object, object], float]] = {
    "eq": equality,
    "ne": lambda outcome, left, right: equality(not outcome, left, right),
    "in": membership,
    "notin": lambda outcome, left, right: membership(not outcome, left, right),
    **dict.fromkeys("lt le gt ge".split(), _ordered),
}
