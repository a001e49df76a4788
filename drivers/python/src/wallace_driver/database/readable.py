"""Whether the service can read a row: its own types of columns and its models are asked.

What SQLAlchemy's column types and pydantic's models refuse, the service has never written, however
it is kept in the database. A row with it would show faults that no request can bring about.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from ..runtime.recorder import RECORDER
from .catalogue import plain
from .read_model import models_of, readers, takes
from .schema import Table

_Check = Callable[[str], bool]
#: What types raise that are given something else than by the library of the database.
_UNSURE = (AttributeError, TypeError, NotImplementedError, ImportError)
#: Answers that are remembered.
_MOST_KNOWN = 10_000


class Readers:
    """What reads the columns of one database."""

    def __init__(self) -> None:
        """Nobody is known yet: models are complete only when the service has started."""
        self._checks: dict[str, dict[str, list[_Check]]] = {}
        self._types: dict[tuple[str, str], Any] | None = None
        self._models: list[Any] = []
        self._known: dict[tuple[str, str, str], bool] = {}

    def can_read(self, table: Table, name: str, literal: str) -> bool:
        """Whether the service can read a literal of the protocol in a column."""
        checks = self._of(table).get(name.lower())
        if not checks:
            return True
        key = (table.name, name, literal)
        if key not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            with RECORDER.paused():
                self._known[key] = all(check(literal) for check in checks)
        return self._known[key]

    def _of(self, table: Table) -> dict[str, list[_Check]]:
        known = self._checks.get(table.name)
        if known is None:
            known = self._checks[table.name] = {}
            if self._types is None:
                self._types, self._models = _types(), readers()
            models = models_of(table, self._models)
            for column in table.columns:
                name = column.name.lower()
                checks: list[_Check] = [
                    partial(_is_taken, model, field, table)
                    for model in models
                    for field in model.model_fields
                    if field.lower() == name
                ]
                kind = self._types.get((table.name.lower(), name))
                if kind is not None:
                    checks.append(partial(_is_read, kind))
                if checks:
                    known[name] = checks
        return known


def _is_taken(model: Any, field: str, table: Table, literal: str) -> bool:
    """Whether a field of a model takes a literal of the protocol."""
    if literal == "NULL":
        return takes(model, field, None)
    text = literal[1:-1] if literal[:1] == '"' else literal
    column = table.column(field)
    is_json = column is not None and column.kind.lower().startswith("json")
    if is_json or literal[:1] != '"':
        with suppress(ValueError):
            return takes(model, field, json.loads(text if is_json else text.lower()))
    return takes(model, field, text)


def _types() -> dict[tuple[str, str], Any]:
    """Types of SQLAlchemy's columns that the service reads by code of its own."""
    module = sys.modules.get("sqlalchemy.sql.schema")
    types = sys.modules.get("sqlalchemy.sql.type_api")
    if module is None or types is None:
        return {}
    usual = types.TypeDecorator.process_result_value
    return {
        (plain(str(table.name)).lower(), str(column.name).lower()): column.type
        for metadata in gc.get_objects()
        if issubclass(type(metadata), module.MetaData)
        for table in list(metadata.tables.values())
        for column in table.columns
        if isinstance(column.type, types.TypeDecorator)
        and type(column.type).process_result_value is not usual
    }


def _is_read(kind: Any, literal: str) -> bool:
    """Whether a type of SQLAlchemy reads a literal, in the way of SQLite: there values are plain,
    whatever library the service has. What is not known counts as read.
    """
    from sqlalchemy.dialects.sqlite import dialect

    text = literal[1:-1] if literal[:1] == '"' else literal
    value: Any = None if literal == "NULL" else text
    if literal[:1] != '"':
        with suppress(ValueError):
            value = json.loads(literal.lower())
    try:
        read = kind.result_processor(dialect(), None)
        if read is not None:
            read(value)
    except _UNSURE:
        return value is not None
    except Exception:
        return False
    return True
