"""Whether the service can read a row: its own types of columns and its models are asked.

What SQLAlchemy's column types and pydantic's models refuse, the service has never written, however
it is kept in the database. A row with it would show faults that no request can bring about.
"""

from __future__ import annotations

import gc
import json
import re
import sys
from contextlib import suppress
from typing import Any

from ..runtime.recorder import RECORDER
from .catalogue import plain
from .read_model import models_of, readers, takes
from .schema import Table

#: What few rules about texts forbid is the rest.
_ODD = re.compile(r"[^a-z0-9]+")
#: What types raise that are given something else than by the library of the database.
_UNSURE = (AttributeError, TypeError, NotImplementedError, ImportError)
#: Answers that are remembered.
_MOST_KNOWN = 10_000


class Readers:
    """What reads the columns of one database."""

    def __init__(self) -> None:
        """Nobody is known yet: models are complete only when the service has started."""
        self._columns: dict[str, dict[str, _Reader]] = {}
        self._types: dict[tuple[str, str], list[Any]] | None = None
        self._models: list[Any] = []
        self._known: dict[tuple[str, str, str], bool] = {}

    def can_read(self, table: Table, name: str, literal: str) -> bool:
        """Whether the service can read a literal of the protocol in a column."""
        reader = self._of(table).get(name.lower())
        if reader is None:
            return True
        key = (table.name, name, literal)
        if key not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            with RECORDER.paused():
                self._known[key] = reader.reads(literal)
        return self._known[key]

    def nearest(self, table: Table, name: str, literal: str, usual: str | None) -> str | None:
        """What the service can read in the place of a literal: what it has written itself, if that
        is known, or something like the literal; nothing where nothing helps.
        """
        if usual is not None and not self.can_read(table, name, usual):
            # It was read before: what is known of the readers is not all.
            self._of(table).pop(name.lower(), None)
            return literal
        column = table.column(name)
        texts = [usual or literal, f'"{_ODD.sub("", literal.lower()) or "a"}"', '"{}"', '"[]"']
        if column is not None and column.is_nullable:
            texts.append("NULL")
        return next((text for text in texts if self.can_read(table, name, text)), None)

    def _of(self, table: Table) -> dict[str, _Reader]:
        known = self._columns.get(table.name)
        if known is None:
            if self._types is None:
                self._types, self._models = _types(), readers()
            models = models_of(table, self._models)
            fields = [(model, field) for model in models for field in model.model_fields]
            known = self._columns[table.name] = {}
            for column in table.columns:
                name = column.name.lower()
                reading = [(model, field) for model, field in fields if field.lower() == name]
                kinds = self._types.get((table.name.lower(), name), [])
                if reading or kinds:
                    is_json = column.kind.lower().startswith("json")
                    known[name] = _Reader(kinds, reading, is_json=is_json)
        return known


class _Reader:
    """What reads one column: a type of SQLAlchemy, and then fields of models."""

    def __init__(self, kinds: list[Any], fields: list[tuple[Any, str]], *, is_json: bool) -> None:
        self._kinds = kinds
        self._fields = fields
        self._is_json = is_json

    def reads(self, literal: str) -> bool:
        if not self._kinds:
            return self._are_taking(_value(literal, is_json=self._is_json))
        # A migration describes a table besides the service itself, and in other words.
        return any(self._reads_by(kind, literal) for kind in self._kinds)

    def _reads_by(self, kind: Any, literal: str) -> bool:
        value = _value(literal, is_json=False)
        try:
            value = _by_type(kind, value)
        except _UNSURE:
            return value is not None
        except Exception:
            return False
        return self._are_taking(value)

    def _are_taking(self, value: Any) -> bool:
        return all(takes(model, field, value) for model, field in self._fields)


def _value(literal: str, *, is_json: bool) -> Any:
    """A literal of the protocol as SQLite gives it, or what is kept in it as JSON."""
    if literal == "NULL":
        return None
    is_text = literal[:1] == '"'
    text = literal[1:-1] if is_text else literal.lower()
    if is_json or not is_text:
        with suppress(ValueError):
            return json.loads(text)
    return text


def _types() -> dict[tuple[str, str], list[Any]]:
    """Types of SQLAlchemy's columns."""
    module = sys.modules.get("sqlalchemy.sql.schema")
    found: dict[tuple[str, str], list[Any]] = {}
    if module is None:
        return found
    for metadata in gc.get_objects():
        if issubclass(type(metadata), module.MetaData):
            for table in list(metadata.tables.values()):
                for column in table.columns:
                    key = (plain(str(table.name)), str(column.name).lower())
                    found.setdefault(key, []).append(column.type)
    return found


def _by_type(kind: Any, value: Any) -> Any:
    """What a type makes of a value, in the way of SQLite: there values are plain, whatever library
    the service has.
    """
    from sqlalchemy.dialects.sqlite import dialect

    own = dialect()
    # Types of other databases have their like.
    read = kind.dialect_impl(own).result_processor(own, None)
    return value if read is None else read(value)
