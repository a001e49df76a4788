"""One database of the service: what is known of it, and what was written in it."""

from __future__ import annotations

import gc
from typing import Any

from ..runtime.recorder import RECORDER
from . import row
from .catalogue import plain
from .circle import Circles
from .habit import Habits
from .known import Known
from .opened import Address
from .readable import Readers
from .row import Inserted
from .schema import Table
from .seed import Seed, Written
from .session import DatabaseError

#: Shorter texts may be anywhere.
_LEAST_TEXT = 3


class Database:
    """One database: what is known of it, the rows of the start, and what was written since."""

    def __init__(self, address: Address) -> None:
        """Looks at what is there. Raises `DatabaseError`."""
        self.known = Known(address)
        self.seed = Seed(self.known.session, self.known.catalogue)
        self.written = Written()
        #: Tables that an engine has put rows into since the last time.
        self.given: set[str] = set()
        #: The columns that texts of these rows were put into.
        self._texts: dict[str, list[tuple[Table, str]]] = {}
        self.habits = Habits(self.known.session)
        self.readers = Readers()
        self._circles = Circles(self.known, self.habits, self.readers)
        for table in self.known.schema().tables:
            self.habits.learn(table)

    def insert(self, rows: list[dict[str, Any]], done: Inserted) -> None:
        """Inserts rows of an engine one by one, with those that they cannot be without."""
        for name in self._circles.insert(rows, lambda one: self._insert(one, done), done):
            self.written.tables.add(name)
            self.given.add(name)

    def _insert(self, one: dict[str, Any], done: Inserted) -> None:
        name, schema = plain(one["targetTable"]), self.known.schema()
        self.written.tables.add(name)
        self.given.add(name)
        row.insert(self.known.session, schema, self.habits, self.readers, one, done)
        table = schema.table(one["targetTable"])
        for entry in one["data"] if table is not None and done.results[-1] else ():
            text = (entry.get("printableValue") or "").strip('"')
            if table is not None and len(text) >= _LEAST_TEXT:
                RECORDER.given.add(text)
                self._texts.setdefault(text, []).append((table, entry["variableName"]))

    def learn(self) -> None:
        """Looks at what the service itself has written, and at what it could not read."""
        for text in RECORDER.unread:
            places = self._texts.get(text, [])
            if len(places) == 1:
                self.habits.expect_json(*places[0])
        for name in sorted(self.written.tables - self.given):
            table = self.known.schema().table(name)
            if table is not None:
                self.habits.learn(table)

    def bring_back(self) -> None:
        """Brings back the rows of the start in what was written. Raises `DatabaseError`."""
        try:
            self.seed.restore(self.written)
        except DatabaseError:
            # The connection of a request that was ended is open as long as its frames are there.
            gc.collect()
            self.seed.restore(self.written)
        self.written = Written()
        self.given = set()
