"""What columns ask for besides their schema: by their types, and by the models of Django and of
SQLAlchemy. A row that the database takes and the service cannot read would be a fault of nobody.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Iterator
from typing import Any

from .schema import Column, Schema, Table

_EMPTY: dict[str, Any] = dict.fromkeys(
    "isNullable isOptional minValue maxValue enumValuesAsStrings decimalMinValue decimalMaxValue "
    "isNotBlank isEmail isNegative isNegativeOrZero isPositive isPositiveOrZero isFuture "
    "isFutureOrPresent isPast isPastOrPresent isAlwaysNull patternRegExp sizeMin sizeMax "
    "digitsInteger digitsFraction".split()
)


_DIGIT = "[0-9a-f]"
_UUID = "-".join(f"{_DIGIT}{{{length}}}" for length in (8, 4, 4, 4, 12))
_PLAIN_UUID = f"{_DIGIT}{{32}}"
#: Names of types for UUIDs in models of SQLAlchemy, which databases know as texts.
_UUIDS = frozenset(["uuid", "guid", "uuidtype"])

_Found = Iterator[tuple[Table, Column, dict[str, Any]]]


def constraints(schema: Schema) -> list[dict[str, Any]]:
    """What is known of columns, in the words of the protocol; models know better than types."""
    known: dict[tuple[str | None, str, str], dict[str, Any]] = {}
    for found in (_of_types(schema), _of_sqlalchemy(schema), _of_django(schema)):
        for table, column, asked in found:
            known.setdefault((table.schema, table.name, column.name), {}).update(asked)
    return [
        {
            "tableId": {"schema": place, "catalog": None, "name": table},
            "columnName": column,
            "constraints": {**_EMPTY, **asked},
        }
        for (place, table, column), asked in known.items()
    ]


def _of_types(schema: Schema) -> _Found:
    for table in schema.tables:
        for column in table.columns:
            kind = column.kind.lower()
            if kind.startswith("json") or kind.endswith("[]"):
                # Who reads it as a list finds nothing in it, either.
                yield table, column, {"enumValuesAsStrings": ["{}"]}
            elif "char" in kind and column.size == 36:
                yield table, column, _uuid(column)


def _uuid(column: Column) -> dict[str, Any]:
    """A UUID that is kept as a text, with or without strokes."""
    if "uuid" in column.kind.lower():
        return {}
    return {"patternRegExp": _PLAIN_UUID if column.size == 32 else _UUID}


def _of_sqlalchemy(schema: Schema) -> _Found:
    """What the tables of SQLAlchemy say."""
    module = sys.modules.get("sqlalchemy.sql.schema")
    if module is None:
        return
    for metadata in gc.get_objects():
        if not issubclass(type(metadata), module.MetaData):
            continue
        for told in list(metadata.tables.values()):
            table = schema.table(str(told.name))
            for one in told.columns if table is not None else ():
                column = table.column(str(one.name)) if table is not None else None
                asked = {} if column is None else _of_type(one.type, column)
                if table is not None and column is not None and asked:
                    yield table, column, asked


def _of_type(kind: Any, column: Column) -> dict[str, Any]:
    if {base.__name__.lower() for base in type(kind).__mro__} & _UUIDS:
        return _uuid(column)
    values = getattr(kind, "enums", None)
    if isinstance(values, (list, tuple)) and values:
        return {"enumValuesAsStrings": [str(value) for value in values]}
    return {}


def _of_django(schema: Schema) -> _Found:
    module = sys.modules.get("django.apps")
    try:
        models = list(module.apps.get_models(include_auto_created=True)) if module else []
    except Exception:
        # Django is not set up.
        return
    for model in models:
        table = schema.table(str(model._meta.db_table).replace('"', ""))
        for field in model._meta.concrete_fields if table is not None else []:
            column = table.column(str(field.column)) if table is not None else None
            asked = {} if column is None else _of_field(field, column)
            if table is not None and column is not None and asked:
                yield table, column, asked


def _of_field(field: Any, column: Column) -> dict[str, Any]:
    known: dict[str, Any] = {}
    kinds = {base.__name__ for base in type(field).__mro__}
    if "UUIDField" in kinds:
        known |= _uuid(column)
    if "JSONField" in kinds:
        known["enumValuesAsStrings"] = [_default(field)]
    if type(field).__name__ == "EmailField":
        known["isEmail"] = True
    values = [value for value, _ in field.flatchoices]
    if values and all(isinstance(value, (str, int)) for value in values):
        known["enumValuesAsStrings"] = [str(value) for value in values]
    for validator in field.validators:
        limit = getattr(validator, "limit_value", None)
        name = _LIMITS.get(getattr(validator, "code", ""))
        if name is not None and isinstance(limit, int) and not isinstance(limit, bool):
            known[name] = limit
    return known


def _default(field: Any) -> str:
    """The default of a field of JSON."""
    try:
        return json.dumps(field.get_default() or {})
    except Exception:
        return "{}"


_LIMITS = {
    "min_value": "minValue",
    "max_value": "maxValue",
    "min_length": "sizeMin",
    "max_length": "sizeMax",
}
