"""Where a request stands: for the report of one that is ended."""

from __future__ import annotations

import re
import sys
import traceback
from dataclasses import dataclass, field
from types import FrameType, TracebackType
from typing import Any

from ..runtime.recorder import RECORDER
from .request import Running

#: A frame as `faulthandler` writes it.
_DUMPED = re.compile(r'  File "(?P<file>.+)", line (?P<line>\d+) in (?P<name>.+)')


@dataclass(frozen=True)
class Place:
    """A statement of the service, as the protocol names it, and the frames around it."""

    statement: str | None = None
    #: Innermost first.
    frames: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        """What people are told."""
        stack = "".join(f"\n    at {frame}" for frame in self.frames)
        return (self.statement or "code of others") + stack


def of_request(running: Running) -> Place:
    """The place of a request: in its task, in its thread, or in a thread that works for it."""
    stacks = []
    if running.task is not None:
        stacks.append(_awaiting(running.task.get_coro()))
    frames = sys._current_frames()
    threads = [running.thread, *(one for one in frames if one != running.thread)]
    stacks += [_below(frames[one]) for one in threads if one in frames]
    places = [_place(_triples(stack)) for stack in stacks]
    return next((one for one in places if one.statement), places[0] if places else Place())


def of_dump(text: str) -> Place:
    """The place that a dump of all threads tells, which begins with the current one."""
    for thread in re.split(r"\n\n", text):
        found = [(one["file"], int(one["line"]), one["name"]) for one in _DUMPED.finditer(thread)]
        place = _place(found)
        if place.statement:
            return place
    return Place()


def of_traceback(traceback: TracebackType | None) -> str | None:
    """The innermost statement of the service that an error came through."""
    frames = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        frames.append((code.co_filename, traceback.tb_lineno, code.co_name))
        traceback = traceback.tb_next
    return _place(frames[::-1]).statement


def _awaiting(awaited: Any) -> list[FrameType]:
    """The frames of a task that waits: of coroutines that wait for each other, outermost first."""
    stack = []
    while awaited is not None:
        frame = getattr(awaited, "cr_frame", None) or getattr(awaited, "gi_frame", None)
        if frame is not None:
            stack.append(frame)
        awaited = getattr(awaited, "cr_await", None) or getattr(awaited, "gi_yieldfrom", None)
    return stack


def _below(frame: FrameType | None) -> list[FrameType]:
    """A stack, innermost last, as tasks give theirs."""
    stack = []
    while frame is not None:
        stack.append(frame)
        frame = frame.f_back
    return stack[::-1]


def _triples(stack: list[FrameType]) -> list[tuple[str, int, str]]:
    lines = traceback.StackSummary.extract((one, one.f_lineno) for one in stack[::-1])
    return [(one.filename, one.lineno or 0, one.name) for one in lines]


def _place(frames: list[tuple[str, int, str]]) -> Place:
    """The place of a stack, innermost frame first."""
    units = {table.path: table.unit for table in list(RECORDER.tables.values())}
    own = next(((units[file], line) for file, line, _ in frames if file in units), None)
    statement = None if own is None else f"{own[0].replace('.', '/')}_{own[1]}"
    return Place(statement, [f"{name} ({file}:{line})" for file, line, name in frames])
