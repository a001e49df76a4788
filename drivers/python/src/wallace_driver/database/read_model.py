"""What models of pydantic ask of the rows that they are read from.

A service answers with what such a model makes of a row. Where the model refuses the row, no request
could have brought it in, since the same names mostly carry the same rules on the way in.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import EnumMeta
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from .form import URL, of_pattern
from .schema import Column, Schema, Table

_URLS = frozenset("AnyUrl AnyHttpUrl HttpUrl AnyWebsocketUrl".split())
#: Rules that are asked before the type is, and may make something of null.
_EARLIER = frozenset("BeforeValidator WrapValidator PlainValidator".split())
#: Models of one thing have more of its columns than of anything else's.
_LEAST_SHARE = 0.5


def asked_by_models(schema: Schema) -> Iterator[tuple[Table, Column, dict[str, Any]]]:
    """What models say about columns, by the names of both."""
    models = [(_plain(one.__name__), one) for one in _models()]
    if not models:
        return
    for table in schema.tables:
        name = _plain(table.name)
        for called, model in models:
            if name in (called, f"{called}s") and _is_about(model, table):
                yield from _of_model(model, table)


def _of_model(model: Any, table: Table) -> Iterator[tuple[Table, Column, dict[str, Any]]]:
    early = _looked_at_early(model)
    for name, field in model.model_fields.items():
        column = table.column(name)
        asked = {} if column is None else _of_field(field)
        if name in early or "*" in early:
            asked.pop("isNullable", None)
        if column is not None and asked:
            yield table, column, asked


def _looked_at_early(model: Any) -> set[str]:
    """Fields that a validator of the service's sees before their types are asked: it may make
    something of null. `*` is all of them.
    """
    decorators = model.__pydantic_decorators__
    of_fields = [one.info for one in decorators.field_validators.values()]
    of_models = [one.info for one in decorators.model_validators.values()]
    found = {name for info in of_fields if info.mode != "after" for name in info.fields}
    return found | ({"*"} if any(info.mode != "after" for info in of_models) else set())


def _models() -> list[Any]:
    """The models that may be made of objects with attributes, which is what rows are."""
    module = sys.modules.get("pydantic")
    found: dict[Any, None] = {}
    waiting = [module.BaseModel] if module is not None and hasattr(module, "BaseModel") else []
    while waiting:
        model = waiting.pop()
        for one in type.__subclasses__(model):
            if one not in found:
                found[one] = None
                waiting.append(one)
    return [one for one in found if _is_read(one)]


def _is_read(model: Any) -> bool:
    try:
        return bool(model.model_config.get("from_attributes")) and bool(model.model_fields)
    except Exception:
        # A model that is not complete yet.
        return False


def _is_about(model: Any, table: Table) -> bool:
    shared = sum(table.column(name) is not None for name in model.model_fields)
    return shared >= _LEAST_SHARE * len(model.model_fields)


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _of_field(field: Any) -> dict[str, Any]:
    """What a field asks for: whether it may be null, and more where it has one kind of value."""
    kinds = list(_kinds(field.annotation, list(field.metadata)))
    # Before its own types a validator may take anything.
    may_be_null = _has_null(field.annotation) or not _is_plain(kinds)
    asked: dict[str, Any] = {} if may_be_null else {"isNullable": False}
    if len(kinds) != 1:
        return asked
    ((kind, rules),) = kinds
    asked |= _of_kind(kind)
    for rule in rules:
        asked |= _of_rule(rule)
    return asked


def _kinds(annotation: Any, rules: list[Any]) -> Iterator[tuple[Any, list[Any]]]:
    """The alternatives of an annotation but for null, each with its rules."""
    annotation = getattr(annotation, "__value__", annotation)
    origin = get_origin(annotation)
    if origin is Annotated:
        inner, *more = get_args(annotation)
        for one in more:
            rules = rules + list(getattr(one, "metadata", None) or [one])
        yield from _kinds(inner, rules)
    elif origin in (Union, UnionType):
        for one in get_args(annotation):
            yield from _kinds(one, rules)
    elif annotation is not type(None):
        yield annotation, rules


def _has_null(annotation: Any) -> bool:
    annotation = getattr(annotation, "__value__", annotation)
    if annotation in (None, type(None), Any):
        return True
    if get_origin(annotation) is Annotated:
        return _has_null(get_args(annotation)[0])
    is_union = get_origin(annotation) in (Union, UnionType)
    return is_union and any(map(_has_null, get_args(annotation)))


def _is_plain(kinds: list[tuple[Any, list[Any]]]) -> bool:
    """Whether no validator of the service's looks at the values before their types are asked."""
    return not any(type(rule).__name__ in _EARLIER for _, rules in kinds for rule in rules)


def _of_kind(kind: Any) -> dict[str, Any]:
    values: list[Any] = []
    if get_origin(kind) is Literal:
        values = list(get_args(kind))
    elif isinstance(kind, EnumMeta):
        values = list(kind._value2member_map_)
    if values and all(isinstance(value, (str, int)) for value in values):
        return {"enumValuesAsStrings": [str(value) for value in values]}
    name = getattr(kind, "__name__", "")
    if name in _URLS:
        return {"patternRegExp": URL}
    return {"isEmail": True} if name == "EmailStr" else {}


def _of_rule(rule: Any) -> dict[str, Any]:
    asked: dict[str, Any] = {}
    for name, key, step in _BOUNDS:
        bound = getattr(rule, name, None)
        if type(bound) is int:
            asked[key] = bound + step
    pattern = getattr(rule, "pattern", None)
    pattern = getattr(pattern, "pattern", pattern)
    if type(pattern) is str:
        asked |= of_pattern(pattern)
    return asked


#: Names of rules, those of the protocol, and how far the bound is from the last value that is fine.
_BOUNDS = (
    ("ge", "minValue", 0),
    ("gt", "minValue", 1),
    ("le", "maxValue", 0),
    ("lt", "maxValue", -1),
    ("min_length", "sizeMin", 0),
    ("max_length", "sizeMax", 0),
)
