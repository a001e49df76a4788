"""What the models of Django ask of columns besides the schema."""

from __future__ import annotations

import sys
from typing import Any

from .schema import Schema

_EMPTY: dict[str, Any] = dict.fromkeys(
    "isNullable isOptional minValue maxValue enumValuesAsStrings decimalMinValue decimalMaxValue "
    "isNotBlank isEmail isNegative isNegativeOrZero isPositive isPositiveOrZero isFuture "
    "isFutureOrPresent isPast isPastOrPresent isAlwaysNull patternRegExp sizeMin sizeMax "
    "digitsInteger digitsFraction".split()
)


def constraints(schema: Schema) -> list[dict[str, Any]]:
    """Choices, bounds and kinds of fields of the models, in the words of the protocol."""
    module = sys.modules.get("django.apps")
    try:
        models = list(module.apps.get_models(include_auto_created=True)) if module else []
    except Exception:
        # Django is not set up.
        return []
    found = []
    for model in models:
        table = schema.table(str(model._meta.db_table).replace('"', ""))
        for field in model._meta.concrete_fields if table is not None else []:
            known = _of_field(field)
            if table is not None and known:
                place = {"schema": table.schema, "catalog": None, "name": table.name}
                column = {"columnName": field.column, "constraints": {**_EMPTY, **known}}
                found.append({"tableId": place, **column})
    return found


def _of_field(field: Any) -> dict[str, Any]:
    known: dict[str, Any] = {}
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


_LIMITS = {
    "min_value": "minValue",
    "max_value": "maxValue",
    "min_length": "sizeMin",
    "max_length": "sizeMax",
}
