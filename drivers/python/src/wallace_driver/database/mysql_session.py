"""The driver's own connection to MySQL or MariaDB, by whichever library the service has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from typing import Any

from .catalogue import as_text, constant, quoted
from .opened import Address, own_work
from .session import DatabaseError, Row, TooLongError, connected

#: What the session asks for. Names between double quotes are names, as everywhere else.
_SETTINGS = (
    "SET SESSION sql_mode = 'ANSI_QUOTES,STRICT_TRANS_TABLES,NO_AUTO_VALUE_ON_ZERO'",
    "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
    "SET SESSION innodb_lock_wait_timeout = 2",
    "SET SESSION lock_wait_timeout = 2",
)
#: What only one of the two knows: longest time of a question, and counts that are not old.
_OTHER_SETTINGS = (
    "SET SESSION max_statement_time = 5",
    "SET SESSION max_execution_time = 5000",
    "SET SESSION information_schema_stats_expiry = 0",
)
#: Lets one message hold several statements.
_MULTI_STATEMENTS = 1 << 16
#: Codes of a statement that took longer, in MariaDB and in MySQL.
_INTERRUPTED = {1969, 3024}
_NUMBER = re.compile(r'ALTER TABLE ("(?:[^"]|"")*") AUTO_INCREMENT = (\d+)')
_LIBRARIES = ("pymysql", "MySQLdb")


class MysqlSession:
    """A connection to MySQL or MariaDB."""

    def __init__(self, address: Address) -> None:
        """Connects. Raises `DatabaseError`."""
        self.address = address
        connect = partial(_connect, parameters=dict(address.parameters))
        self._connection: Any = connected("MySQL", dict.fromkeys(_LIBRARIES, connect))
        for setting in _SETTINGS:
            self.rows(setting)
        for setting in _OTHER_SETTINGS:
            with suppress(DatabaseError):
                self.rows(setting)

    def rows(self, statement: str) -> list[Row]:
        """Executes a statement; gives its rows."""
        try:
            with own_work(), closing(self._connection.cursor()) as cursor:
                cursor.execute(statement)
                return list(cursor.fetchall()) if cursor.description else []
        except Exception as error:
            raise DatabaseError(str(error)) from error

    def ask(self, question: str) -> list[Row]:
        """The rows of a question, if they come in time."""
        try:
            return self.rows(question)
        except DatabaseError as error:
            if set(getattr(error.__cause__, "args", ())[:1]) & _INTERRUPTED:
                raise TooLongError(str(error)) from error
            raise

    def is_stale(self) -> bool:
        """A server is not replaced while it is connected."""
        return False

    @contextmanager
    def deferred(self) -> Iterator[None]:
        """A transaction; references are checked at once."""
        self.rows("BEGIN")
        try:
            yield
            self.rows("COMMIT")
        except BaseException:
            self.rows("ROLLBACK")
            raise

    def script(self, statements: list[str]) -> None:
        """Executes all or nothing, in one message, while references are not checked. Triggers run:
        nobody can say that they should not.
        """
        # What changes a table itself ends a transaction, and does not come back.
        last = [found for one in statements if (found := _NUMBER.fullmatch(one))]
        first = [one for one in statements if not _NUMBER.fullmatch(one)]
        try:
            self._message(["SET FOREIGN_KEY_CHECKS = 0", "BEGIN", *first, "COMMIT"])
            # The rows are right; numbers wait for whoever still uses the table.
            with suppress(DatabaseError):
                self._message(self._numbers(last, first))
        except DatabaseError:
            self.rows("ROLLBACK")
            raise
        finally:
            self.rows("SET FOREIGN_KEY_CHECKS = 1")

    def _numbers(self, wanted: list[re.Match[str]], done: list[str]) -> list[str]:
        """Statements for those tables that give another number next. Each makes the server write to
        its disk a dozen times, and to empty a table half as often.
        """
        if not wanted:
            return []
        names = ", ".join(constant(one[1][1:-1]) for one in wanted)
        rows = self.rows(
            "SELECT table_name, auto_increment FROM information_schema.tables WHERE "
            f"table_schema = DATABASE() AND table_name IN ({names})"
        )
        now = {quoted(as_text(name)): str(number) for name, number in rows}
        filled = {one.split(" ", 3)[2] for one in done if one.startswith("INSERT INTO ")}
        moved = [one for one in wanted if now.get(one[1]) != one[2]]
        return [
            f"TRUNCATE TABLE {one[1]}" if one[2] == "1" and one[1] not in filled else one[0]
            for one in moved
        ]

    def _message(self, statements: list[str]) -> None:
        if not statements:
            return
        try:
            with own_work(), closing(self._connection.cursor()) as cursor:
                cursor.execute("; ".join(statements))
                while cursor.nextset():
                    pass
        except Exception as error:
            raise DatabaseError(str(error)) from error


def _connect(module: Any, parameters: dict[str, Any]) -> Any:
    if "port" in parameters:
        parameters["port"] = int(parameters["port"])
    return module.connect(
        **parameters, charset="utf8mb4", client_flag=_MULTI_STATEMENTS, autocommit=True
    )
