"""What models of Django, and serializers of the REST framework, ask of columns."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from .form import ADDRESS, URL, of_pattern, of_uuid
from .schema import Column, Schema, Table

_Found = Iterator[tuple[Table, Column, dict[str, Any]]]


def models() -> list[Any]:
    """The models of Django, if it is in use."""
    module = sys.modules.get("django.apps")
    try:
        return list(module.apps.get_models(include_auto_created=True)) if module else []
    except Exception:
        # Django is not set up.
        return []


def asked_by_django(schema: Schema) -> _Found:
    """What fields of models say."""
    for model in models():
        for field in model._meta.concrete_fields:
            yield from _of_column(schema, model, field, _of_field)


def asked_by_serializers(schema: Schema) -> _Found:
    """What serializers of the REST framework declare for fields of their models: what comes in
    passes them, also where the model takes any text.
    """
    module = sys.modules.get("rest_framework.serializers")
    waiting = [module.ModelSerializer] if module is not None else []
    seen: set[type] = set()
    while waiting:
        serializer = waiting.pop()
        new = [one for one in serializer.__subclasses__() if one not in seen]
        seen.update(new)
        waiting += new
        model = getattr(getattr(serializer, "Meta", None), "model", None)
        for name, declared in getattr(serializer, "_declared_fields", {}).items():
            if model is None or declared.read_only:
                continue
            for field in model._meta.concrete_fields:
                if field.name == (declared.source or name):
                    asked = partial(_of_serialized, declared)
                    yield from _of_column(schema, model, field, asked)


def _of_column(
    schema: Schema, model: Any, field: Any, asking: Callable[[Any, Column], dict[str, Any]]
) -> _Found:
    table = schema.table(str(model._meta.db_table).replace('"', ""))
    column = table.column(str(field.column)) if table is not None else None
    asked = {} if column is None else asking(field, column)
    if table is not None and column is not None and asked:
        yield table, column, asked


def _of_field(field: Any, column: Column) -> dict[str, Any]:
    known = _of_validators(field)
    kinds = {base.__name__ for base in type(field).__mro__}
    if "UUIDField" in kinds:
        known |= of_uuid(column)
    if "JSONField" in kinds:
        known["enumValuesAsStrings"] = [_default(field)]
    if "EmailField" in kinds:
        known["isEmail"] = True
    if "GenericIPAddressField" in kinds:
        known["patternRegExp"] = ADDRESS
    values = [value for value, _ in field.flatchoices]
    if values and all(isinstance(value, (str, int)) for value in values):
        known["enumValuesAsStrings"] = [str(value) for value in values]
    return known


def _of_serialized(declared: Any, _field: Any, _column: Column) -> dict[str, Any]:
    known = _of_validators(declared)
    if "EmailField" in {base.__name__ for base in type(declared).__mro__}:
        known["isEmail"] = True
    return known


def _of_validators(field: Any) -> dict[str, Any]:
    """What validators say, which fields of models and of serializers have alike."""
    known: dict[str, Any] = {}
    for validator in field.validators:
        limit = getattr(validator, "limit_value", None)
        name = _LIMITS.get(getattr(validator, "code", ""))
        if name is not None and isinstance(limit, int) and not isinstance(limit, bool):
            known[name] = limit
        regex = getattr(validator, "regex", None)
        if type(validator).__name__ == "URLValidator":
            known["patternRegExp"] = URL
        elif isinstance(regex, re.Pattern) and not getattr(validator, "inverse_match", False):
            known |= of_pattern(regex.pattern, regex.flags)
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
