"""What models of Tortoise ORM ask of columns: rules, and enumerations that rows are read into."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any

from .form import of_pattern, of_uuid
from .schema import Column, Schema, Table

_BOUNDS = {
    "min_value": "minValue",
    "max_value": "maxValue",
    "min_length": "sizeMin",
    "max_length": "sizeMax",
}


def models() -> Iterator[tuple[str, Any]]:
    """The models of Tortoise, if it is in use: the name of the table, and what the model says."""
    module = sys.modules.get("tortoise.models")
    waiting = [module.Model] if module is not None else []
    while waiting:
        model = waiting.pop()
        waiting += type.__subclasses__(model)
        meta = getattr(model, "_meta", None)
        if meta is not None:
            yield str(meta.db_table or model.__name__), meta


def asked_by_tortoise(schema: Schema) -> Iterator[tuple[Table, Column, dict[str, Any]]]:
    """What fields of models say."""
    for table_name, meta in models():
        table = schema.table(table_name)
        if table is None:
            continue
        for name, place in meta.fields_db_projection.items():
            column = table.column(str(place))
            asked = {} if column is None else _of_field(meta.fields_map[name], column)
            if column is not None and asked:
                yield table, column, asked


def _of_field(field: Any, column: Column) -> dict[str, Any]:
    known: dict[str, Any] = {}
    for rule in getattr(field, "validators", ()):
        for name, key in _BOUNDS.items():
            bound = getattr(rule, name, None)
            if type(bound) is int:
                known[key] = bound
        regex = getattr(rule, "regex", None)
        if isinstance(regex, re.Pattern):
            known |= of_pattern(regex.pattern, regex.flags)
    if "UUIDField" in {base.__name__ for base in type(field).__mro__}:
        known |= of_uuid(column)
    enumeration = getattr(field, "enum_type", None)
    if enumeration is not None:
        known["enumValuesAsStrings"] = [str(one.value) for one in enumeration]
    return known
