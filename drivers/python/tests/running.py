"""Runs a piece of source, plain or instrumented, and tells all that can be seen of it."""

from __future__ import annotations

import contextlib
import io
import sys
import traceback
from collections.abc import Callable
from types import ModuleType

from wallace_driver.rewriting.module import identity_of, rewrite_source
from wallace_driver.runtime.install import register
from wallace_driver.runtime.recorder import RECORDER
from wallace_driver.runtime.table import Table

UNIT = "snippet"
PATH = "/snippet.py"


def load(source: str) -> tuple[Table, ModuleType]:
    """The instrumented module and its targets."""
    rewritten = rewrite_source(source.encode(), PATH, UNIT)
    table = register(identity_of(UNIT, PATH), UNIT, PATH, rewritten.sites)
    module = ModuleType(UNIT)
    exec(rewritten.code, module.__dict__)
    return table, module


def scores() -> dict[str, float]:
    """Best scores of the targets that were touched."""
    RECORDER.collect()
    return {table.names[target]: table.scores[target] for table, target in RECORDER.touched()}


def uses() -> list[tuple[str, str, str | None]]:
    """Uses of tainted texts."""
    return [(use.tainted, use.specialisation, use.value) for use in RECORDER.actions[-1].uses]


def seen(source: str, *, instrumented: bool, is_learnt: bool = False) -> str:
    """Everything a piece of source prints, and the error it ends with; `is_learnt` as if nothing
    more could be learnt anywhere, so that helpers are passed by.
    """
    code = compile(source, PATH, "exec", dont_inherit=True)
    if instrumented:
        rewritten = rewrite_source(source.encode(), PATH, UNIT)
        RECORDER.tables.clear()
        table = register(identity_of(UNIT, PATH), UNIT, PATH, rewritten.sites)
        if is_learnt:
            table.guards[:] = [False] * len(table.guards)
        assert rewritten.sites, "a snippet without targets tests nothing"
        code = rewritten.code
    module = ModuleType(UNIT)
    sys.modules[UNIT] = module
    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output):
            _run(lambda: exec(code, module.__dict__))
    finally:
        del sys.modules[UNIT]
    return output.getvalue()


def _run(run: Callable[[], None]) -> None:
    try:
        run()
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [(frame.name, frame.lineno) for frame in frames if frame.filename == PATH]
        print(type(error).__name__, error, lines)
