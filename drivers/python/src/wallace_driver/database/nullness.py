"""Which columns may be null on purpose, and which only because nobody said otherwise.

A table of SQLAlchemy lets null into each column that does not forbid it, and so does a table that
was made by hand. A row with null where the service always writes something would show faults that
no request can bring about.
"""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Iterator
from typing import Any

from . import django_model, tortoise_model

Place = tuple[str, str]
_NULL = re.compile(r"\b(?:Optional|None)\b")


def place(table: object, column: object) -> Place:
    """Names of a table and a column, as they are compared."""
    return str(table).replace('"', "").lower(), str(column).lower()


def deliberate() -> set[Place]:
    """The columns of which a model says that they may be null."""
    return {*_of_django(), *_of_tortoise(), *_of_tables(), *_of_mapped_classes()}


def unsaid() -> set[Place]:
    """The columns of SQLAlchemy of which nobody has said whether they may be null."""
    return {one for one, is_said in _columns() if is_said is None}


def _of_django() -> Iterator[Place]:
    """Fields of Django forbid null unless they are told otherwise."""
    for model in django_model.models():
        for field in model._meta.concrete_fields:
            if field.null:
                yield place(model._meta.db_table, field.column)


def _of_tortoise() -> Iterator[Place]:
    """Those of Tortoise do, too."""
    for table, meta in tortoise_model.models():
        for name, column in meta.fields_db_projection.items():
            if getattr(meta.fields_map[name], "null", False):
                yield place(table, column)


def _of_tables() -> Iterator[Place]:
    """Columns of SQLAlchemy that were given `nullable=True`."""
    return (one for one, is_said in _columns() if is_said)


def _columns() -> Iterator[tuple[Place, bool | None]]:
    """Columns of SQLAlchemy that may be null, and whether it was said; where any text will not do
    instead of a null it is taken as said that there is none.
    """
    module = sys.modules.get("sqlalchemy.sql.schema")
    if module is None:
        return
    for metadata in gc.get_objects():
        if issubclass(type(metadata), module.MetaData):
            for table in list(metadata.tables.values()):
                for column in table.columns:
                    said = getattr(column, "_user_defined_nullable", True)
                    is_open = not getattr(column.type, "enums", None)
                    if column.nullable:
                        unsaid = None if is_open else False
                        yield place(table.name, column.name), True if said is True else unsaid


def _of_mapped_classes() -> Iterator[Place]:
    """Columns of SQLAlchemy whose annotation has a null in it: `Mapped[int | None]`."""
    module = sys.modules.get("sqlalchemy.orm.mapper")
    registries = getattr(module, "_mapper_registries", None) if module is not None else None
    for registry in list(registries or ()):
        for mapper in list(registry.mappers):
            yield from _of_mapper(mapper)


def _of_mapper(mapper: Any) -> Iterator[Place]:
    table = getattr(mapper.local_table, "name", None)
    annotations: dict[str, Any] = {}
    for base in reversed(mapper.class_.__mro__):
        annotations |= vars(base).get("__annotations__", {})
    for name, annotation in annotations.items():
        if _NULL.search(str(annotation)):
            # Columns mostly have the names of their attributes; the mapper knows only once it is
            # complete, and it is not asked to become so here.
            given = getattr(vars(mapper.class_).get(name), "expression", None)
            yield place(table, getattr(given, "name", None) or name)
