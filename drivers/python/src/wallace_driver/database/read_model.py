"""What models of pydantic ask of the rows that they are read from.

A service answers with what such a model makes of a row. Where the model refuses the row, no request
could have brought it in, since the same names mostly carry the same rules on the way in.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from enum import EnumMeta
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from .form import URL, of_pattern
from .schema import Column, Schema, Table

_URLS = frozenset("AnyUrl AnyHttpUrl HttpUrl AnyWebsocketUrl".split())
#: Endings of the names of models that rows are answered as, whatever their settings say: FastAPI
#: reads any model from rows.
_ENDING = re.compile(r"(?:Read|Out|Output|Response|Public|Private|InDB|Detail)$")
_BEGINNING = re.compile(r"^(?:Read|Private|Public|Get)(?=[A-Z])")
#: A model whose fields are so many columns of a table is read from it, whatever its name.
_LEAST_FIELDS = 4
#: Models of one thing have more of its columns than of anything else's.
_LEAST_SHARE = 0.5


def asked_by_models(schema: Schema) -> Iterator[tuple[Table, Column, dict[str, Any]]]:
    """What models say about columns, by the names of both."""
    models = readers()
    for table in schema.tables:
        for model in models_of(table, models):
            yield from _of_model(model, table)


def models_of(table: Table, models: list[Any]) -> list[Any]:
    """Those of the models that rows of a table are read into: by the names of both, or since all of
    their fields are columns of it.
    """
    names = {_plain(table.name), *_classes().get(table.name.lower(), ())}
    names |= {f"{name}s" for name in names} | {name.removesuffix("s") for name in names}
    names |= {f"{name.removesuffix('ies')}y" for name in names if name.endswith("ies")}
    return [
        one
        for one in models
        if (_thing(one) in names and _is_about(one, table)) or _is_whole(one, table)
    ]


def _classes() -> dict[str, set[str]]:
    """Names of SQLAlchemy's classes by those of their tables: `GroupModel` is of a group."""
    module = sys.modules.get("sqlalchemy.orm.mapper")
    found: dict[str, set[str]] = {}
    for registry in list(getattr(module, "_mapper_registries", ())):
        for mapper in list(registry.mappers):
            table = str(getattr(mapper.local_table, "name", "")).lower()
            name = _plain(mapper.class_.__name__).removesuffix("model")
            found.setdefault(table, set()).add(name)
    return found


def takes(model: Any, name: str, value: Any) -> bool:
    """Whether a field of a model takes a value, by the rules of its own and of the service's
    validators. True where that is not known.
    """
    try:
        model.__pydantic_validator__.validate_assignment(model.model_construct(), name, value)
    except Exception as error:
        told = getattr(error, "errors", list)
        with suppress(Exception):
            return not any(
                one["loc"][:1] == (name,) and not one["type"].startswith("frozen") for one in told()
            )
    return True


def _thing(model: Any) -> str:
    """The name of what a model is of: `UserOut` is a user."""
    name = model.__name__
    return _plain(_BEGINNING.sub("", _ENDING.sub("", name)) or name)


def _of_model(model: Any, table: Table) -> Iterator[tuple[Table, Column, dict[str, Any]]]:
    for name, field in model.model_fields.items():
        column = table.column(name)
        asked = {} if column is None else _of_field(field)
        if column is not None and not takes(model, name, None):
            asked["isNullable"] = False
        if column is not None and asked:
            yield table, column, asked
        referring = table.column(f"{name}_id")
        is_reference = any(f"{name}_id" in key.columns for key in table.foreign_keys)
        # What the model has of another table is there where the reference is.
        is_needed = column is None and is_reference and not takes(model, name, None)
        if referring is not None and is_needed:
            yield table, referring, {"isNullable": False}


def readers() -> list[Any]:
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
        is_read = model.model_config.get("from_attributes") or _ENDING.search(model.__name__)
        return bool(is_read) and bool(model.model_fields)
    except Exception:
        # A model that is not complete yet.
        return False


def _is_about(model: Any, table: Table) -> bool:
    shared = sum(table.column(name) is not None for name in model.model_fields)
    return shared >= _LEAST_SHARE * len(model.model_fields)


def _is_whole(model: Any, table: Table) -> bool:
    fields = model.model_fields
    is_read = model.model_config.get("from_attributes") and len(fields) >= _LEAST_FIELDS
    return bool(is_read) and all(table.column(name) is not None for name in fields)


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _of_field(field: Any) -> dict[str, Any]:
    """What a field asks for, where it has one kind of value."""
    kinds = list(_kinds(field.annotation, list(field.metadata)))
    if len(kinds) != 1:
        return {}
    ((kind, rules),) = kinds
    asked = _of_kind(kind)
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
