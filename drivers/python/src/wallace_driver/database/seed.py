"""The rows of the start, and bringing them back in the tables that were written."""

from __future__ import annotations

from dataclasses import dataclass, field

from .catalogue import Catalogue, plain, quoted
from .session import Session

#: Rows of a table that are copied at most. What is written in larger tables stays.
MOST_COPIED = 100_000


@dataclass
class Written:
    """What the service and the engine wrote since the last time, by plain names of tables."""

    #: Tables that were written at all.
    tables: set[str] = field(default_factory=set)
    #: Those among them whose rows may have been deleted or changed, and others with them.
    changed: set[str] = field(default_factory=set)
    #: Whether a statement was executed that could not be read.
    is_unsure: bool = False


@dataclass
class _Table:
    """A table at the start."""

    columns: str = ""
    #: Where its rows are copied to; nothing for a table without rows.
    copy: str | None = None
    is_left: bool = False
    sequences: list[str] = field(default_factory=list)


class Seed:
    """The rows of one database at the start."""

    def __init__(self, session: Session, catalogue: Catalogue) -> None:
        """Remembers the rows that are there. Raises `DatabaseError`."""
        self._session = session
        self._catalogue = catalogue
        names = enumerate(catalogue.names())
        self._tables = {name: self._take(name, number) for number, name in names}
        self._children: dict[str, set[str]] = {}
        for parent, child in catalogue.references():
            self._children.setdefault(parent, set()).add(child)
        self._has_triggers = catalogue.has_triggers()
        self._changes = catalogue.changes()

    @property
    def size(self) -> int:
        """The number of tables."""
        return len(self._tables)

    def left(self) -> list[str]:
        """Tables that are too large to be brought back."""
        return [plain(name) for name, table in self._tables.items() if table.is_left]

    def restore(self, written: Written) -> None:
        """Brings back the rows of tables that were written, and the numbers that come next; of all
        tables where something was written and nobody saw where. Raises `DatabaseError`.
        """
        changes = self._catalogue.changes()
        is_still = changes is not None and changes == self._changes
        if is_still or (changes is None and not written.tables and not written.is_unsure):
            return
        reached = written.tables | self._with_children(written.changed)
        is_unsure = written.is_unsure or self._has_triggers or not written.tables
        # Tables that came later are looked for only where nobody saw what was done.
        known = self._catalogue.names() if is_unsure else list(self._tables)
        names = [
            name for name in known if plain(name) in reached or (is_unsure and self._differs(name))
        ]
        names = [name for name in names if not self._table(name).is_left]
        if names:
            self._refill(self._children_first(names))
        self._changes = self._catalogue.changes()

    def _refill(self, names: list[str]) -> None:
        statements = [f"DELETE FROM {name}" for name in names]
        for name in reversed(names):
            table = self._table(name)
            if table.copy is not None:
                statements.append(self._catalogue.insert_from(name, table.columns, table.copy))
            statements += table.sequences
        self._session.script(statements)

    def _table(self, name: str) -> _Table:
        """A table; one that is new since the start had no rows."""
        return self._tables.get(name, _Table())

    def _take(self, name: str, number: int) -> _Table:
        columns = ", ".join(map(quoted, self._catalogue.columns(name)))
        table = _Table(columns, sequences=self._catalogue.sequences(name))
        limited = f"SELECT 1 FROM {name} LIMIT {MOST_COPIED + 1}"
        ((rows,),) = self._session.rows(f"SELECT count(*) FROM ({limited}) AS wallace_counted")
        if rows > MOST_COPIED:
            table.is_left = True
        elif rows:
            table.copy = self._catalogue.copy(name, number)
        return table

    def _differs(self, name: str) -> bool:
        """Whether the rows are not those of the start, as far as that can be asked."""
        table = self._table(name)
        if table.copy is None:
            return bool(self._session.rows(f"SELECT 1 FROM {name} LIMIT 1"))
        if self._changes is None:
            # Types of PostgreSQL need not be comparable.
            return True
        now, then = (f"SELECT {table.columns} FROM {one}" for one in (name, table.copy))
        counts = f"(SELECT count(*) FROM {name}) <> (SELECT count(*) FROM {table.copy})"
        ((differs,),) = self._session.rows(f"SELECT {counts} OR EXISTS ({now} EXCEPT {then})")
        return bool(differs)

    def _with_children(self, changed: set[str]) -> set[str]:
        """The tables, and those that refer to them: their rows may have gone with others."""
        reached, new = set(changed), list(changed)
        while new:
            found = self._children.get(new.pop(), set()) - reached
            reached |= found
            new += found
        return reached

    def _children_first(self, names: list[str]) -> list[str]:
        """The tables in an order in which all of their rows can be deleted, if there is one."""
        order: list[str] = []
        left = list(names)
        while left:
            waiting = {plain(name) for name in left}
            free = [
                name
                for name in left
                if not (self._children.get(plain(name), set()) - {plain(name)}) & waiting
            ]
            # Tables that refer to each other have no order.
            chosen = free or left[:1]
            order += chosen
            left = [name for name in left if name not in chosen]
        return order
