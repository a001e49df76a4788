"""Bringing the state of the service back: a function of the user's."""

from __future__ import annotations

import asyncio
import importlib
import inspect
from collections.abc import Callable
from typing import Any


class ResetHook:
    """`MODULE:FUNCTION`, called before each test. It may be a coroutine function."""

    def __init__(self, place: str) -> None:
        """Remembers the place. Raises `ValueError` for something that is none."""
        self.module, separator, self.name = place.partition(":")
        if not separator or not self.module or not self.name:
            raise ValueError(f"--reset takes MODULE:FUNCTION, and not {place!r}")
        self._function: Callable[[], Any] | None = None

    def __call__(self) -> None:
        """Calls the function, in the thread of the driver. Raises what it raises."""
        if self._function is None:
            found: Any = importlib.import_module(self.module)
            for part in self.name.split("."):
                found = getattr(found, part)
            self._function = found
        call(self._function)


def call(function: Callable[[], Any]) -> None:
    """Calls a function, and waits for its end where it is a coroutine function."""
    result = function()
    if inspect.isawaitable(result):
        asyncio.run(_awaited(result))


async def _awaited(result: Any) -> None:
    await result
