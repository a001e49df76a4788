"""Models of pydantic: what their fields want a tainted text to be.

The checks themselves are compiled, so nothing inside is seen. The declared fields are read instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, time
from decimal import Decimal
from enum import EnumMeta
from types import MethodType, UnionType
from typing import Any, Literal, Union, get_args, get_origin
from uuid import UUID

from . import taint
from .pattern import anchors, portable
from .recorder import RECORDER

_METACLASS = "ModelMetaclass"
_SPECIALISATIONS: dict[Any, str] = {
    int: "INTEGER",
    float: "DOUBLE",
    Decimal: "DOUBLE",
    bool: "BOOLEAN",
    UUID: "UUID",
    date: "DATE_YYYY_MM_DD",
    datetime: "ISO_LOCAL_DATE_TIME",
    time: "ISO_LOCAL_TIME",
}


def validating(callee: Any) -> Callable[..., Any] | None:
    """What is called in place of a model, or of its `model_validate`; nothing for others."""
    model = callee.__self__ if type(callee) is MethodType else callee
    if type(model).__name__ != _METACLASS:
        return None

    def call(*arguments: Any, **options: Any) -> Any:
        given = arguments[0] if arguments else options
        if type(given) is dict:
            note_fields(model, given)
        return callee(*arguments, **options)

    return call


def note_fields(model: Any, given: Mapping[str, Any], depth: int = 3) -> None:
    """The tainted texts among the values that a model is given."""
    fields = getattr(model, "model_fields", None)
    if type(fields) is not dict or not depth:
        return
    for name, field in fields.items():
        value = given.get(field.alias or name, given.get(name))
        for annotation in _alternatives(field.annotation):
            if type(value) is dict and type(annotation).__name__ == _METACLASS:
                note_fields(annotation, value, depth - 1)
        found = taint.find(value, RECORDER.inputs)
        if found is not None:
            RECORDER.note_uses(list(_uses(found, field)))


def _uses(found: taint.Taint, field: Any) -> Iterator[taint.StringUse]:
    for annotation in _alternatives(field.annotation):
        if get_origin(annotation) is Literal:
            constants = get_args(annotation)
        elif issubclass(type(annotation), EnumMeta):
            constants = tuple(annotation._value2member_map_)
        else:
            constants = ()
            specialisation = _SPECIALISATIONS.get(annotation)
            if specialisation is not None:
                yield found.report(specialisation)
        for constant in constants:
            if type(constant) is str:
                yield found.constant(constant)
    for constraint in field.metadata:
        pattern = getattr(constraint, "pattern", None)
        written = portable(pattern, 0) if type(pattern) is str else None
        if written is not None:
            is_whole = all(anchors(pattern, 0))
            yield found.report("REGEX_WHOLE" if is_whole else "REGEX_PARTIAL", written)


def _alternatives(annotation: Any) -> Iterator[Any]:
    """The members of a union, or the annotation itself."""
    if get_origin(annotation) in (Union, UnionType):
        for one in get_args(annotation):
            yield from _alternatives(one)
    else:
        yield annotation
