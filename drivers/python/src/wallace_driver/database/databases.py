"""The databases of the service, as the driver's requests see them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import groupby
from typing import Any

from ..runtime.recorder import RECORDER, ActionNotes
from ..service.people import say
from . import activity, row
from .activity import Activity
from .configured import configured
from .constraint import constraints
from .one import Database
from .opened import OPENED, Address, Executed
from .row import Inserted
from .schema import Schema, message
from .seed import MOST_COPIED
from .session import DatabaseError


class Databases:
    """All databases that the service has opened. Its methods may be called in any thread."""

    def __init__(self) -> None:
        """None yet."""
        self._databases: dict[Address, Database] = {}
        self._refused: set[Address] = set()
        self._lock = threading.RLock()
        #: What was seen of each action of the test, and how many of its statements.
        self._seen: list[tuple[int, Activity]] = []

    def begin(self) -> None:
        """The service has started: the rows that are there now are those of the start."""
        for address in configured():
            OPENED.add(address)
        for address in list(OPENED.addresses):
            self._open(address)
        OPENED.on_new = self._appear

    def is_there(self) -> bool:
        """Whether there is a database that has tables."""
        self._open_new()
        return any(one.seed.size for one in self._databases.values())

    def schema(self) -> dict[str, Any] | None:
        """The tables of all databases, in the words of the protocol."""
        if not self.is_there():
            return None
        with self._lock:
            schemas = self._schemas()
            habits = [one.habits.asked for one in self._databases.values()]
            whole = Schema(schemas[0].kind, schemas[0].name)
            for schema in schemas:
                whole.tables += [one for one in schema.tables if whole.table(one.name) is None]
        return message(whole, constraints(whole, *habits))

    def _schemas(self) -> list[Schema]:
        return [one.known.schema() for one in self._databases.values() if one.seed.size]

    def look(self, actions: list[ActionNotes]) -> list[Activity]:
        """Sees through what was executed since the last time, with the rows that there are now."""
        OPENED.finish()
        self._open_new()
        with self._lock:
            for place, notes in enumerate(actions):
                if place == len(self._seen):
                    self._seen.append((0, Activity()))
                count, seen = self._seen[place]
                new = notes.statements[count:]
                self._note_lost(notes)
                if new:
                    for address, database in self._databases.items():
                        own = [one for one in new if one.address == address]
                        seen.merge(activity.activity(database.known, own, RECORDER.inputs))
                    self._note_written(new)
                    self._seen[place] = (count + len(new), seen)
            return [seen for _, seen in self._seen[: len(actions)]]

    def _note_written(self, statements: list[Executed]) -> None:
        for address, database in self._databases.items():
            own = [one for one in statements if one.address == address]
            activity.note_written(database.known, own, database.written)
            for one in own:
                database.habits.expect_null(one.text)

    def _note_lost(self, notes: ActionNotes) -> None:
        """What nobody has seen may have written anything."""
        for database in self._databases.values():
            database.written.is_unsure |= notes.has_lost_statements

    def insert(self, rows: list[dict[str, Any]]) -> Inserted:
        """Inserts rows one by one."""
        done = Inserted()
        with self._lock:
            for database, own in groupby(rows, lambda one: self._with_table(one["targetTable"])):
                database.insert(list(own), done)
        return done

    def query(self, statement: str) -> list[list[str]]:
        """The rows of any statement as texts. Raises `DatabaseError`."""
        with self._lock:
            error = DatabaseError("there is no database")
            for database in self._databases.values():
                try:
                    return row.look_up(database.known.session, statement)
                except DatabaseError as refusal:
                    error = refusal
            raise error

    def _with_table(self, name: str) -> Database:
        databases = list(self._databases.values())
        having = (one for one in databases if one.known.schema().table(name) is not None)
        return next(having, databases[0])

    def clean(self, actions: list[ActionNotes], reset: Callable[[], None]) -> None:
        """Brings back the rows of the start, and calls the reset of the service. Raises
        `DatabaseError` and what that raises.
        """
        self.restore(actions)
        before = len(RECORDER.actions[-1].statements)
        reset()
        OPENED.finish()
        with self._lock:
            for address, database in list(self._databases.items()):
                if database.known.session.is_stale():
                    del self._databases[address]
                    self._open(address)
            # What the service's own reset wrote is written anew before the next test.
            self._note_written(RECORDER.actions[-1].statements[before:])

    def restore(self, actions: list[ActionNotes]) -> None:
        """Brings back the rows of the start in all that was written since. Raises `DatabaseError`
        where a database refuses, after the others have been dealt with.
        """
        self._restore(actions, lambda _: True)

    def leave(self, actions: list[ActionNotes]) -> None:
        """The same for the last time: what ends with the process need not come back."""
        self._restore(actions, lambda address: address not in OPENED.shared)

    def _restore(self, actions: list[ActionNotes], is_meant: Callable[[Address], bool]) -> None:
        self._open_new()
        OPENED.finish()
        refusals = []
        with self._lock:
            self._note_rest(actions)
            for address, database in self._databases.items():
                try:
                    if is_meant(address):
                        database.learn()
                        database.bring_back()
                except DatabaseError as error:
                    refusals.append(error)
        RECORDER.given.clear()
        RECORDER.unread.clear()
        if refusals:
            raise refusals[0]

    def _note_rest(self, actions: list[ActionNotes]) -> None:
        """Notes what was executed since the last look; the test has ended."""
        for place, notes in enumerate(actions):
            count = self._seen[place][0] if place < len(self._seen) else 0
            self._note_lost(notes)
            self._note_written(notes.statements[count:])
        self._seen = []

    def _open_new(self) -> None:
        """Opens what other processes told of."""
        for address in list(OPENED.addresses):
            self._open(address)

    def _appear(self, address: Address) -> None:
        """A database is opened during the search, and was not used yet."""
        # A thread in which an event loop runs cannot run another.
        opening = threading.Thread(target=self._open, args=(address,))
        opening.start()
        opening.join()

    def _open(self, address: Address) -> None:
        with self._lock:
            if address in self._databases or address in self._refused:
                return
            try:
                database = self._databases[address] = Database(address)
            except DatabaseError as error:
                self._refused.add(address)
                say(f"the database {address.place} is not looked into: {error}")
                return
        if database.seed.size:
            count = database.seed.size
            say(f"rows of {count} tables of {address.place} are brought back before each test")
        for name in database.seed.left():
            say(f"{name} has more than {MOST_COPIED} rows: what is written in it stays")
