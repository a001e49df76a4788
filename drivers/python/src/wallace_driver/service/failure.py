"""Where a request failed: faults are told apart by that.

The last statement of a failed request mostly stands in what handles all errors alike. Where an
error was raised is known when it is told: to the log, to the server, or as an error of GraphQL.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from functools import wraps
from types import ModuleType, TracebackType
from typing import Any

from ..loading.patch import patch_modules
from ..runtime.kill import KilledError
from ..runtime.recorder import RECORDER
from .place import of_traceback

_OWN = "wallace_driver"
_INSTALLED: list[bool] = []


def note(error: BaseException | None, traceback: TracebackType | None = None) -> None:
    """Notes the innermost own statement that an error came through; what ended it is no error."""
    if error is None or isinstance(error, KilledError):
        return
    # Whatever is wrong with the error is no matter of the service.
    with suppress(Exception):
        statement = of_traceback(traceback or error.__traceback__)
        if statement is not None:
            RECORDER.actions[-1].failed_statement = statement


def install() -> None:
    """Looks at errors from now on."""
    if _INSTALLED:
        return
    _INSTALLED.append(True)
    handle = logging.Logger.handle

    @wraps(handle)
    def handled(self: logging.Logger, record: logging.LogRecord) -> None:
        if record.exc_info and record.levelno >= logging.ERROR and not _is_own(self):
            note(record.exc_info[1], record.exc_info[2])
        handle(self, record)

    logging.Logger.handle = handled  # type: ignore[method-assign]
    patch_modules({"graphql.error.graphql_error": _graphql})


def _is_own(logger: logging.Logger) -> bool:
    return logger.name.split(".", 1)[0] == _OWN


def _graphql(module: ModuleType) -> None:
    """Errors of resolvers become parts of an answer, and need not be logged."""
    kind: Any = module.__dict__["GraphQLError"]
    construct = kind.__init__

    @wraps(construct)
    def constructed(self: Any, *arguments: Any, **options: Any) -> None:
        construct(self, *arguments, **options)
        note(getattr(self, "original_error", None))

    kind.__init__ = constructed
