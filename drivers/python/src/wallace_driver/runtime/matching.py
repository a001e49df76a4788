"""What rewritten code calls at a `match`: which arm was taken, and how near the others were."""

from __future__ import annotations

from typing import Any

from . import comparison, taint
from .number import number
from .recorder import RECORDER
from .table import Table
from .truthness import ABSENT, BASE, inside

#: Score of an arm whose pattern fits, but that an earlier arm or its guard kept from being taken.
_FITTING = 0.9

Shape = tuple[Any, ...]


def subject(table: Table, site: int, shapes: tuple[Shape, ...], value: Any) -> Any:
    """Measures the value against the shapes of all arms, and gives it as it is."""
    constants: list[tuple[str, str]] = []
    for arm, shape in enumerate(shapes):
        target = site + arm
        if table.scores[target] < _FITTING:
            score = inside(min(closeness(shape, value), _FITTING))
            if score > table.scores[target]:
                RECORDER.reach(table, target, score)
        _texts(shape, value, constants)
    fallen = site + len(shapes)
    if fallen < len(table.scores) and _is_fallthrough(table, site, len(shapes)):
        RECORDER.reach(table, fallen, BASE)
    for text, constant in constants:
        uses = taint.in_comparison(text, constant, RECORDER.inputs, is_order=False)
        RECORDER.note_uses(uses)
    return value


def arm(table: Table, site: int, arm: int) -> None:
    """An arm is taken."""
    if table.scores[site + arm] < 1.0:
        RECORDER.reach(table, site + arm, 1.0)


def closeness(shape: Shape, value: object) -> float:
    """How near a value is to fitting a pattern: 1 where it fits."""
    kind = shape[0]
    if kind == "any":
        return 1.0
    if kind == "value":
        return _to_constant(shape[1], value)
    if kind == "either":
        return max(closeness(one, value) for one in shape[1])
    if kind == "each":
        return _to_sequence(shape[1], value)
    if kind == "map":
        return _to_mapping(shape[1], value)
    return BASE


def _to_constant(wanted: object, value: object) -> float:
    if value is wanted:
        return 1.0
    if value is None or wanted is None:
        return ABSENT
    if type(value) is type(wanted) or (number(value) is not None and number(wanted) is not None):
        if type(value) in (int, float, bool, str, bytes) and value == wanted:
            return 1.0
        return comparison.nearest(value, [wanted])
    return BASE


def _to_sequence(shapes: tuple[Shape, ...], value: object) -> float:
    if type(value) not in (list, tuple) or not isinstance(value, (list, tuple)):
        return BASE
    if len(value) != len(shapes):
        return BASE + (1.0 - BASE) / (2.0 + abs(len(value) - len(shapes)))
    if not shapes:
        return 1.0
    parts = [closeness(one, part) for one, part in zip(shapes, value, strict=True)]
    return sum(parts) / len(parts)


def _to_mapping(entries: tuple[tuple[object, Shape], ...], value: object) -> float:
    if type(value) is not dict:
        return BASE
    if not entries:
        return 1.0
    parts = [closeness(one, value[key]) if key in value else ABSENT for key, one in entries]
    return sum(parts) / len(parts)


def _texts(shape: Shape, value: object, found: list[tuple[str, str]]) -> None:
    """Pairs of a text and a constant that it is matched with."""
    kind = shape[0]
    if kind == "value" and type(value) is str and type(shape[1]) is str:
        found.append((value, shape[1]))
    elif kind == "either":
        for one in shape[1]:
            _texts(one, value, found)
    elif kind == "each" and type(value) in (list, tuple):
        for one, part in zip(shape[1], value, strict=False):  # type: ignore[call-overload]
            _texts(one, part, found)
    elif kind == "map" and type(value) is dict:
        for key, one in shape[1]:
            if key in value:
                _texts(one, value[key], found)


def _is_fallthrough(table: Table, site: int, arms: int) -> bool:
    """Whether there is an arm for what no pattern takes, and nothing reached it yet."""
    return table.arms.get(site, 0) > arms and table.scores[site + arms] == 0.0
