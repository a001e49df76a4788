"""Patterns of a `match`, as far as they name values: constants that the runtime measures against.

A shape is a tuple whose first part is its kind: `("any",)`, `("value", constant)`,
`("either", shapes)`, `("each", shapes)`, `("map", ((key, shape), ...))` or `("unknown",)`.
"""

from __future__ import annotations

import ast

from .code import Constant

ANY: Constant = ("any",)
UNKNOWN: Constant = ("unknown",)


def shape(pattern: ast.pattern) -> Constant:
    """The shape of a pattern."""
    if isinstance(pattern, ast.MatchSingleton):
        return ("value", pattern.value)
    if isinstance(pattern, ast.MatchValue):
        return _value(pattern.value)
    if isinstance(pattern, ast.MatchOr):
        return ("either", tuple(shape(one) for one in pattern.patterns))
    if isinstance(pattern, ast.MatchAs):
        return ANY if pattern.pattern is None else shape(pattern.pattern)
    if isinstance(pattern, ast.MatchSequence):
        if any(isinstance(one, ast.MatchStar) for one in pattern.patterns):
            return UNKNOWN
        return ("each", tuple(shape(one) for one in pattern.patterns))
    if isinstance(pattern, ast.MatchMapping):
        return _mapping(pattern)
    return UNKNOWN


def is_irrefutable(case: ast.match_case) -> bool:
    """Whether the case takes whatever comes."""
    return case.guard is None and _takes_all(case.pattern)


def _takes_all(pattern: ast.pattern) -> bool:
    if isinstance(pattern, ast.MatchAs):
        return pattern.pattern is None or _takes_all(pattern.pattern)
    return isinstance(pattern, ast.MatchOr) and any(map(_takes_all, pattern.patterns))


def _value(expression: ast.expr) -> Constant:
    try:
        return ("value", ast.literal_eval(expression))
    except ValueError:
        # The name of a constant, which only the running program knows.
        return UNKNOWN


def _mapping(pattern: ast.MatchMapping) -> Constant:
    entries: list[Constant] = []
    for key, value in zip(pattern.keys, pattern.patterns, strict=False):
        known = _value(key)
        if known == UNKNOWN or not isinstance(known, tuple):
            return UNKNOWN
        entries.append((known[1], shape(value)))
    return ("map", tuple(entries))
