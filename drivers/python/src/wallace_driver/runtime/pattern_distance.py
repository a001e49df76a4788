"""Distance of a text to the nearest text that a regular expression matches.

It is the least number of characters to insert, delete or replace: a shortest path through the
product of the text and the automaton of the expression (R. Wagner, "Order-n correction for regular
languages", Communications of the ACM 17 (1974)).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal

from .pattern import anchors, constants, parsed

#: States of the largest automaton: expressions that need more have no distance.
_MOST_STATES = 400
#: Longest text: longer ones have no distance, so that a request cannot stop the service.
_LONGEST = 120
#: Steps of states times characters that one distance may cost.
_MOST_WORK = 30_000
_MOST_REPEATS = 100
_CLASSES = {
    constants.CATEGORY_DIGIT: str.isdigit,
    constants.CATEGORY_SPACE: str.isspace,
    constants.CATEGORY_WORD: lambda one: one.isalnum() or one == "_",
    constants.CATEGORY_NOT_DIGIT: lambda one: not one.isdigit(),
    constants.CATEGORY_NOT_SPACE: lambda one: not one.isspace(),
    constants.CATEGORY_NOT_WORD: lambda one: not (one.isalnum() or one == "_"),
}

Mode = Literal["search", "match", "fullmatch"]
Takes = Callable[[str], bool]


def edits(pattern: str, flags: int, mode: Mode, text: str) -> int | None:
    """Least number of edits after which `text` matches; nothing when there is no distance."""
    if len(text) > _LONGEST:
        return None
    automaton = _automaton(pattern, flags, mode)
    if automaton is None or len(automaton.steps) * (len(text) + 1) > _MOST_WORK:
        return None
    return automaton.edits(text)


class _TooLargeError(Exception):
    pass


class _Automaton:
    """An automaton without memory, from state 0 to `end`; a step that takes `None` is free."""

    def __init__(self, tree: Any, *, ignores_case: bool) -> None:
        self.steps: list[list[tuple[Takes | None, int]]] = []
        self.ignores_case = ignores_case
        self.end = self.append(tree, self.state())

    def state(self) -> int:
        if len(self.steps) >= _MOST_STATES:
            raise _TooLargeError
        self.steps.append([])
        return len(self.steps) - 1

    def one(self, start: int, takes: Takes | None) -> int:
        end = self.state()
        self.steps[start].append((takes, end))
        return end

    def append(self, items: Any, start: int) -> int:
        for kind, value in items:
            start = self.item(kind, value, start)
        return start

    def item(self, kind: Any, value: Any, start: int) -> int:
        if kind is constants.BRANCH:
            ends = [self.append(branch, start) for branch in value[1]]
            end = self.state()
            for one in ends:
                self.steps[one].append((None, end))
            return end
        if kind is constants.SUBPATTERN:
            return self.append(value[-1], start)
        if kind in (constants.MAX_REPEAT, constants.MIN_REPEAT):
            low, high, items = value
            return self.repeat(low, high, items, start)
        if kind in (constants.AT, constants.ASSERT, constants.ASSERT_NOT):
            return start
        return self.one(start, self.takes(kind, value))

    def takes(self, kind: Any, value: Any) -> Takes:
        if kind is constants.ANY:
            return _anything
        members = value if kind is constants.IN else [(kind, value)]
        is_negated = members[0][0] is constants.NEGATE
        tests = [_member(*member) for member in members if member[0] is not constants.NEGATE]

        def takes(one: str) -> bool:
            variants = {one, one.lower(), one.upper()} if self.ignores_case else (one,)
            return any(test(variant) for variant in variants for test in tests) != is_negated

        return takes

    def repeat(self, low: int, high: Any, items: Any, start: int) -> int:
        if low > _MOST_REPEATS:
            raise _TooLargeError
        for _ in range(low):
            start = self.append(items, start)
        if high is constants.MAXREPEAT or high > _MOST_REPEATS:
            # A loop of its own, so that what stands before cannot be entered again.
            loop = self.one(start, None)
            self.steps[self.append(items, loop)].append((None, loop))
            return self.one(loop, None)
        end = self.state()
        for _ in range(high - low):
            self.steps[start].append((None, end))
            start = self.append(items, start)
        self.steps[start].append((None, end))
        return end

    def edits(self, text: str) -> int:
        """Row by row: the least edits with which the text so far leads to each state."""
        far = len(text) + len(self.steps) + 1
        row = [far] * len(self.steps)
        row[0] = 0
        self.relax(row)
        for character in text:
            following = [cost + 1 for cost in row]
            for state, cost in enumerate(row):
                for takes, end in self.steps[state]:
                    if takes is not None:
                        following[end] = min(following[end], cost + (not takes(character)))
            self.relax(following)
            row = following
        return row[self.end]

    def relax(self, row: list[int]) -> None:
        """Steps that take no character of the text: free ones, and inserted characters."""
        pending = list(range(len(row)))
        while pending:
            state = pending.pop()
            for takes, end in self.steps[state]:
                cost = row[state] + (takes is not None)
                if cost < row[end]:
                    row[end] = cost
                    pending.append(end)


def _anything(_: str) -> bool:
    return True


def _member(kind: Any, value: Any) -> Takes:
    if kind is constants.LITERAL:
        return chr(value).__eq__
    if kind is constants.NOT_LITERAL:
        return chr(value).__ne__
    if kind is constants.RANGE:
        low, high = value
        return lambda one: low <= ord(one) <= high
    if kind is constants.CATEGORY and value in _CLASSES:
        return _CLASSES[value]
    raise _TooLargeError


@lru_cache(maxsize=256)
def _automaton(pattern: str, flags: int, mode: Mode) -> _Automaton | None:
    tree = parsed(pattern, flags)
    if tree is None:
        return None
    starts, ends = anchors(pattern, flags)
    try:
        ignores_case = bool((tree.state.flags | flags) & re.IGNORECASE)
        automaton = _Automaton(tree, ignores_case=ignores_case)
    except (_TooLargeError, RecursionError):
        return None
    if mode == "search" and not starts:
        automaton.steps[0].append((_anything, 0))
    if mode != "fullmatch" and not ends:
        automaton.steps[automaton.end].append((_anything, automaton.end))
    return automaton
