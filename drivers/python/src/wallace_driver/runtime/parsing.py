"""Calls that read a text: it can be read, or an exception is raised."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from enum import EnumMeta
from functools import partial
from ipaddress import ip_address
from typing import Any
from uuid import UUID

from . import comparison, layout, note, taint, text
from .decision import Words
from .pattern_distance import edits
from .recorder import RECORDER
from .table import Table
from .truthness import BASE, NO_MATCH, closeness

_JSON = "JSON_OBJECT"
Measure = Callable[[str], float]


def _integer(value: str) -> float:
    return text.numeral(value.strip(), digits=18)


def _decimal(value: str) -> float:
    return text.numeral(value.strip(), digits=None)


def _to_layout(pattern: str) -> Measure:
    def measure(value: str) -> float:
        if not RECORDER.take_measurement():
            return closeness(NO_MATCH)
        distance = edits(pattern, 0, "fullmatch", value)
        return closeness(NO_MATCH if distance is None else distance)

    return measure


def _base(_: str) -> float:
    return BASE


#: What reads a text: the specialisation, its value, and how near a text was to being read.
_READERS: dict[Any, tuple[str, str | None, Measure]] = {
    int: ("INTEGER", None, _integer),
    float: ("DOUBLE", None, _decimal),
    Decimal: ("DOUBLE", None, _decimal),
    UUID: ("UUID", None, _to_layout(layout.UUID)),
    date.fromisoformat: ("DATE_YYYY_MM_DD", None, _to_layout(layout.DATE)),
    datetime.fromisoformat: ("ISO_LOCAL_DATE_TIME", None, _to_layout(layout.DATE_TIME)),
    time.fromisoformat: ("ISO_LOCAL_TIME", None, _to_layout(layout.TIME)),
    json.loads: (_JSON, None, _base),
    base64.b64decode: ("REGEX_WHOLE", layout.BASE64, _to_layout(layout.BASE64)),
    ip_address: ("REGEX_WHOLE", layout.IPV4, _to_layout(layout.IPV4)),
}


def reader(table: Table, site: int, callee: Any) -> Callable[..., Any] | None:
    """What is called in place of something that reads a text; nothing for other callees."""
    if issubclass(type(callee), EnumMeta):
        return _of_enumeration(table, site, callee)
    try:
        known = _READERS.get(callee)
    except TypeError:
        return None
    if known is not None:
        return _of_type(table, site, callee, *known)
    if callee == datetime.strptime:
        return _of_format(table, site, callee)
    if getattr(callee, "__name__", "") == "loads" and _module(callee) == "orjson":
        return _of_type(table, site, callee, _JSON, None, _base)
    return None


def _module(callee: Any) -> str:
    return str(getattr(callee, "__module__", "") or "")


def _of_type(
    table: Table, site: int, callee: Any, kind: str, value: str | None, measure: Measure
) -> Callable[..., Any]:
    def call(*arguments: Any, **options: Any) -> Any:
        # How JSON becomes objects is no matter of whether it can be read.
        is_plain = not options or kind == _JSON
        read = arguments[0] if len(arguments) == 1 and is_plain else None
        if type(read) is not str:
            return callee(*arguments, **options)
        _note_use(read, kind, value)
        called = partial(callee, **options) if options else callee
        try:
            name = getattr(callee, "__name__", "")
            return _watched(table, site, called, (read,), measure, name)
        except ValueError:
            if kind == _JSON and read in RECORDER.given:
                RECORDER.unread.add(read)
            raise

    return call


def _of_format(table: Table, site: int, callee: Any) -> Callable[..., Any]:
    def call(*arguments: Any, **options: Any) -> Any:
        if len(arguments) != 2 or options or not all(type(one) is str for one in arguments):
            return callee(*arguments, **options)
        read, written = arguments
        pattern = layout.of_format(written)
        if pattern is not None:
            _note_use(read, "REGEX_WHOLE", pattern)
        measure = _base if pattern is None else _to_layout(pattern)
        return _watched(table, site, callee, arguments, measure, written)

    return call


def _of_enumeration(table: Table, site: int, callee: EnumMeta) -> Callable[..., Any]:
    def call(*arguments: Any, **options: Any) -> Any:
        if len(arguments) == 1 and not options:
            values = list(callee._value2member_map_)
            note_key(table, site, arguments[0], values)
        return callee(*arguments, **options)

    return call


def note_key(table: Table, site: int, key: object, known: list[object]) -> None:
    """Something of a built-in type is looked up among keys of built-in types."""
    if type(key) not in (str, int):
        return
    if type(key) is str:
        RECORDER.note_uses(taint.in_look_up(key, known, RECORDER.inputs))
    if table.is_open[site]:
        outcome = any(type(one) is type(key) and one == key for one in known)
        nearest = known[: comparison.MOST_ELEMENTS]
        opposite = BASE if outcome else comparison.nearest(key, nearest)
        note.condition(table, site, "key", outcome, opposite, key, known)


def _note_use(read: str, kind: str, value: str | None) -> None:
    uses = taint.in_parse(read, kind, value, RECORDER.inputs)
    if uses:
        RECORDER.note_uses(uses)


def _watched(
    table: Table, site: int, callee: Any, arguments: tuple[Any, ...], measure: Measure, what: str
) -> Any:
    try:
        result = callee(*arguments)
    except Exception:
        if table.is_open[site]:
            opposite = measure(arguments[0])
            note.condition(table, site, "parse", False, opposite, arguments[0], Words(what))
        raise
    if table.is_open[site]:
        note.condition(
            table, site, "parse", True, BASE, arguments[0], Words(what), has_distance=False
        )
    return result
