"""Ending requests that take too long, where they stand.

While something is to be ended, the list that every statement writes its number to is replaced by
an object that raises. An `except` clause that would swallow it raises as well, at its first line.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable

from ..rewriting.code import LAST
from .recorder import RECORDER


class KilledError(BaseException):
    """Raised in a request that is ended."""


class _Killer:
    """Takes the number of a statement, or raises."""

    def __init__(self, is_killed: Callable[[], bool]) -> None:
        self.is_killed = is_killed

    def __setitem__(self, index: int, number: int) -> None:
        if self.is_killed():
            raise KilledError
        RECORDER.last[index] = number


def begin(is_killed: Callable[[], bool]) -> None:
    """From now on every statement asks whether it is to be ended."""
    vars(builtins)[LAST] = _Killer(is_killed)


def end() -> None:
    """Statements do not ask any more."""
    vars(builtins)[LAST] = RECORDER.last
