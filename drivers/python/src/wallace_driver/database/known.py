"""What is remembered of a database from one action to the next."""

from __future__ import annotations

import re

from .catalogue import Catalogue
from .mysql_catalogue import MysqlCatalogue
from .mysql_session import MysqlSession
from .opened import Address
from .parsing import parsed
from .plan import Plan
from .postgres_catalogue import PostgresCatalogue
from .postgres_session import PostgresSession
from .schema import Schema
from .session import Row, Session, SqliteSession, TooLongError
from .sqlite_catalogue import SqliteCatalogue
from .template import template

_NAME = re.compile(r"\w+")
#: Statements that are remembered; with more, all are found out about anew.
_MOST_PLANS = 1_000


class Known:
    """The schema, and what there is to know of statements, as long as the schema stays the same."""

    def __init__(self, address: Address) -> None:
        """Connects to a database. Raises `DatabaseError`."""
        self.session: Session
        self.catalogue: Catalogue
        if address.dialect == "sqlite":
            self.session = sqlite = SqliteSession(address)
            self.catalogue = SqliteCatalogue(sqlite)
        elif address.dialect == "mysql":
            self.session = mysql = MysqlSession(address)
            self.catalogue = MysqlCatalogue(mysql)
        else:
            self.session = postgres = PostgresSession(address)
            self.catalogue = PostgresCatalogue(postgres)
        self.dialect = address.dialect
        self._schema: Schema | None = None
        self._routines: frozenset[str] | None = None
        self._plans: dict[str, Plan | None] = {}
        #: Questions that were given up, whatever their constants.
        self._given_up: set[str] = set()

    def forget(self) -> None:
        """The tables may be others."""
        self._schema = self._routines = None
        self._plans.clear()

    def schema(self) -> Schema:
        """The tables. Raises `DatabaseError`."""
        if self._schema is None:
            self._schema = self.catalogue.schema()
        return self._schema

    def ask(self, shape: str, question: str) -> list[Row]:
        """The rows of a question, which is `shape` with constants in it. One that took too long is
        not asked again: an action has dozens, and the engine waits. Raises `DatabaseError`.
        """
        if shape in self._given_up:
            raise TooLongError("it took too long before")
        try:
            return self.session.ask(question)
        except TooLongError:
            self._given_up.add(shape)
            raise

    def calls_routine(self, text: str) -> bool:
        """Whether a statement may write where it does not say. Raises `DatabaseError`."""
        if self._routines is None:
            self._routines = frozenset(self.catalogue.routines())
        return bool(self._routines) and not self._routines.isdisjoint(
            word.lower() for word in _NAME.findall(text)
        )

    def plan(self, text: str) -> tuple[Plan, list[str]] | None:
        """What there is to know of a statement, and its constants; nothing for what is none."""
        shape, constants = template(text, has_escapes=self.dialect == "mysql")
        plan = self._find(shape)
        if plan is not None:
            return plan, constants
        # Where constants cannot be others, as in a type, they stay.
        plan = self._find(text)
        return None if plan is None else (plan, [])

    def _find(self, text: str) -> Plan | None:
        if text in self._plans:
            return self._plans[text]
        if len(self._plans) >= _MOST_PLANS:
            self._plans.clear()
        plan = None
        statement = parsed(text, self.dialect)
        if statement is not None:
            from .reading import plan_of

            plan = plan_of(statement, self.schema(), self.dialect)
        self._plans[text] = plan
        return plan
