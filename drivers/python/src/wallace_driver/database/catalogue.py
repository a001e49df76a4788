"""What a database tells of its tables, and what differs between databases in bringing rows back."""

from __future__ import annotations

from typing import Any, Protocol

from .schema import Schema


class Catalogue(Protocol):
    """The questions to one kind of database. All raise `DatabaseError`."""

    def schema(self) -> Schema:
        """The tables as they are now."""

    def names(self) -> list[str]:
        """The tables of the service, as statements of the driver write them."""

    def columns(self, name: str) -> list[str]:
        """The columns of a table that hold values of their own."""

    def sequences(self, name: str) -> list[str]:
        """Statements that bring back the numbers that the database gives next in a table."""

    def references(self) -> list[tuple[str, str]]:
        """Pairs of tables by their plain names: one that is referred to, and one that refers."""

    def has_triggers(self) -> bool:
        """Whether writing a table may write others."""

    def routines(self) -> list[str]:
        """Functions of the service's own that may write, by their names in lower case."""

    def changes(self) -> Any:
        """What changes with every change of rows; nothing where that is unknown."""

    def copy(self, name: str, number: int) -> str:
        """Copies a table to a place of the driver's own; gives its name there."""

    def insert_from(self, name: str, columns: str, copy: str) -> str:
        """A statement that inserts the rows of a copy."""


def quoted(name: str) -> str:
    """A name between double quotes."""
    return '"' + name.replace('"', '""') + '"'


def constant(text: str) -> str:
    """A text as a constant."""
    return "'" + text.replace("'", "''") + "'"


def plain(name: str) -> str:
    """A name without quotes and schema, in lower case."""
    return name.replace('"', "").rsplit(".", 1)[-1].lower()


def as_text(name: Any) -> str:
    """A name; some releases of MySQL give them as bytes."""
    return name.decode() if isinstance(name, (bytes, bytearray)) else str(name)
