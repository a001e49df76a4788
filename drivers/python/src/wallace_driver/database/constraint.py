"""What columns ask for besides their schema: by their types, and by the models of Django, of
SQLAlchemy and of pydantic. A row that the database takes and the service cannot read would be a
fault of nobody.
"""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

from .django_model import asked_by_django, asked_by_serializers
from .form import URL, of_uuid
from .read_model import asked_by_models
from .schema import Column, Schema, Table
from .tortoise_model import asked_by_tortoise

_EMPTY: dict[str, Any] = dict.fromkeys(
    "isNullable isOptional minValue maxValue enumValuesAsStrings decimalMinValue decimalMaxValue "
    "isNotBlank isEmail isNegative isNegativeOrZero isPositive isPositiveOrZero isFuture "
    "isFutureOrPresent isPast isPastOrPresent isAlwaysNull patternRegExp sizeMin sizeMax "
    "digitsInteger digitsFraction".split()
)


#: Names of types for UUIDs in models of SQLAlchemy, which databases know as texts.
_UUIDS = frozenset(["uuid", "guid", "uuidtype"])

#: Names of columns that hold addresses of the web.
_ADDRESS = re.compile(r"(?:^|_)(?:url|website|homepage)$", re.IGNORECASE)

_Found = Iterator[tuple[Table, Column, dict[str, Any]]]
Source = Callable[[Schema], _Found]


def constraints(schema: Schema, *seen: Source) -> list[dict[str, Any]]:
    """What is known of columns, in the words of the protocol: models know better than types, and
    what was seen in rows better than they.
    """
    known: dict[tuple[str | None, str, str], dict[str, Any]] = {}
    sources = (
        _of_types,
        asked_by_models,
        _of_sqlalchemy,
        _of_kinds,
        asked_by_tortoise,
        asked_by_serializers,
        asked_by_django,
        *seen,
    )
    for source in sources:
        for table, column, asked in source(schema):
            place = (table.schema, table.name, column.name)
            known[place] = _both(known.get(place, {}), asked)
    return [
        {
            "tableId": {"schema": place, "catalog": None, "name": table},
            "columnName": column,
            "constraints": {**_EMPTY, **asked},
        }
        for (place, table, column), asked in known.items()
    ]


def _both(known: dict[str, Any], asked: dict[str, Any]) -> dict[str, Any]:
    """What two sources ask for; where only one can be had, it is the later."""
    both = {**known, **asked}
    for name, choose in (("minValue", max), ("maxValue", min), ("sizeMin", max), ("sizeMax", min)):
        if name in known and name in asked:
            both[name] = choose(known[name], asked[name])
    return both


def _of_types(schema: Schema) -> _Found:
    for table in schema.tables:
        for column in table.columns:
            kind = column.kind.lower()
            if column.is_counted:
                # Databases count from one: no request brings in another number.
                yield table, column, {"minValue": 1}
            elif kind.startswith("json") or kind.endswith("[]"):
                # Who reads it as a list finds nothing in it, either.
                yield table, column, {"enumValuesAsStrings": ["{}"]}
            elif "char" in kind and column.size == 36:
                yield table, column, of_uuid(column)
            elif ("char" in kind or "text" in kind) and _ADDRESS.search(column.name):
                # Of what no model says, the name of the column is all that is left.
                yield table, column, {"patternRegExp": URL}


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


def _of_kinds(schema: Schema) -> _Found:
    """The values of columns that tell SQLAlchemy the class of a row: it reads no other."""
    module = sys.modules.get("sqlalchemy.orm.mapper")
    for registry in list(getattr(module, "_mapper_registries", ())):
        for mapper in list(registry.mappers):
            told = mapper.polymorphic_on
            table = schema.table(str(getattr(getattr(told, "table", None), "name", "")))
            column = None if table is None else table.column(str(told.name))
            kinds = [getattr(one, "name", one) for one in mapper.polymorphic_map if one is not None]
            if table is not None and column is not None and kinds and mapper.inherits is None:
                # It writes one itself, so that there is none without.
                asked = {"enumValuesAsStrings": [str(one) for one in kinds], "isNullable": False}
                yield table, column, asked


def _of_type(kind: Any, column: Column) -> dict[str, Any]:
    if {base.__name__.lower() for base in type(kind).__mro__} & _UUIDS:
        return of_uuid(column)
    values = getattr(kind, "enums", None)
    if isinstance(values, (list, tuple)) and values:
        return {"enumValuesAsStrings": [str(value) for value in values]}
    return {}
