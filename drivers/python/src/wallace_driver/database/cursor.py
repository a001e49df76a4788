"""The one wrapper around methods that execute a statement, of cursors of any library of DB-API.

What the service hands over reaches the method as it was handed over, by place or by name: names
differ between libraries, and wrong ones are the library's to refuse.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import aclosing, closing, contextmanager, suppress
from functools import wraps
from typing import Any

from .opened import OPENED, Address, Executed, is_own

#: Names of the parameters for the statement, and for its values or those of many executions: of
#: DB-API itself, of psycopg, of psycopg2 and of PyMySQL.
_QUERIES = ("operation", "query", "statement", "sql")
_VALUES = ("parameters", "seq_of_parameters", "params", "params_seq", "vars", "vars_list", "args")

#: Keeps a statement with its values before a cursor executes it.
Begin = Callable[[Any, Any, Any], Executed | None]


def begin(address: Callable[[], Address], text: Callable[[], str]) -> Executed | None:
    """Keeps a statement before it is executed. What goes wrong here is no matter of the service."""
    if is_own():
        return None
    try:
        return OPENED.note(address(), text())
    except Exception:
        return None


def watched(method: Any, begin: Begin) -> Any:
    """A method that executes a statement, and tells of it."""
    if inspect.iscoroutinefunction(method):

        @wraps(method)
        async def awaited(self: Any, *given: Any, **named: Any) -> Any:
            with _told(begin, self, given, named):
                return await method(self, *given, **named)

        return awaited
    if inspect.isasyncgenfunction(method):

        @wraps(method)
        async def generated(self: Any, *given: Any, **named: Any) -> Any:
            with _told(begin, self, given, named):
                async with aclosing(method(self, *given, **named)) as rows:
                    async for row in rows:
                        yield row

        return generated
    if inspect.isgeneratorfunction(method):

        @wraps(method)
        def streamed(self: Any, *given: Any, **named: Any) -> Any:
            with _told(begin, self, given, named), closing(method(self, *given, **named)) as rows:
                yield from rows

        return streamed

    @wraps(method)
    def called(self: Any, *given: Any, **named: Any) -> Any:
        with _told(begin, self, given, named):
            return method(self, *given, **named)

    return called


def noted(method: Any, note: Callable[..., object]) -> Any:
    """A method that is told of before it is called, whatever comes of it."""

    @wraps(method)
    def called(self: Any, *given: Any, **named: Any) -> Any:
        with suppress(Exception):
            note(self, *given, **named)
        return method(self, *given, **named)

    return called


def of_many(begin: Begin) -> Begin:
    """Of many executions the first stands for all; what can be read only once is left alone."""

    def begin_first(cursor: Any, query: Any, many: Any) -> Executed | None:
        first = many[0] if isinstance(many, (list, tuple)) and many else None
        return begin(cursor, query, first)

    return begin_first


@contextmanager
def _told(
    begin: Begin, cursor: Any, given: tuple[Any, ...], named: dict[str, Any]
) -> Iterator[None]:
    query = given[0] if given else _first(named, _QUERIES)
    values = given[1] if len(given) > 1 else _first(named, _VALUES)
    executed = begin(cursor, query, values)
    try:
        yield
    except Exception:
        if executed is not None:
            executed.has_failed = True
        raise
    if executed is not None:
        executed.has_changed = not cursor.description and cursor.rowcount > 0


def _first(named: dict[str, Any], names: Iterable[str]) -> Any:
    return next((named[name] for name in names if name in named), None)
