"""Regular expressions of `re`, as the engine writes them.

The engine reads the common kernel of regular expressions. So a pattern is parsed by Python's own
parser and written again: without names, comments, flags and look-arounds.
"""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from typing import Any

if sys.version_info >= (3, 11):
    from re import _constants as _constants_module
    from re import _parser as parser
else:
    import sre_constants as _constants_module
    import sre_parse as parser

#: Names of the parts of a tree.
constants: Any = _constants_module
#: Parsed patterns that are kept.
_MOST_KEPT = 256
_SPECIAL = frozenset(r"\.^$*+?{}[]|()-&~#/")
_CATEGORIES: dict[Any, str] = {
    constants.CATEGORY_DIGIT: r"\d",
    constants.CATEGORY_NOT_DIGIT: r"\D",
    constants.CATEGORY_SPACE: r"\s",
    constants.CATEGORY_NOT_SPACE: r"\S",
    constants.CATEGORY_WORD: r"\w",
    constants.CATEGORY_NOT_WORD: r"\W",
}
_REPEATS = [constants.MAX_REPEAT, constants.MIN_REPEAT]
if sys.version_info >= (3, 11):
    _REPEATS.append(constants.POSSESSIVE_REPEAT)


@lru_cache(maxsize=_MOST_KEPT)
def parsed(pattern: str, flags: int) -> Any:
    """The tree of a pattern; nothing where it cannot be read."""
    try:
        return parser.parse(pattern, flags)
    except (re.error, RecursionError, OverflowError):
        return None


@lru_cache(maxsize=_MOST_KEPT)
def portable(pattern: str, flags: int) -> str | None:
    """The pattern without anchors at its ends; nothing where it says what others cannot read."""
    tree = parsed(pattern, flags)
    if tree is None:
        return None
    try:
        body = _sequence(tree)
    except _UnportableError:
        return None
    ignores_case = (tree.state.flags | flags) & re.IGNORECASE
    return f"(?i){body}" if ignores_case else body


@lru_cache(maxsize=_MOST_KEPT)
def anchors(pattern: str, flags: int) -> tuple[bool, bool]:
    """Whether the pattern can only match at the start, and only at the end."""
    tree = parsed(pattern, flags)
    items = [] if tree is None else list(tree)
    if not items:
        return (False, False)
    first, last = items[0], items[-1]
    starts = first[0] is constants.AT and first[1] in (
        constants.AT_BEGINNING,
        constants.AT_BEGINNING_STRING,
    )
    ends = last[0] is constants.AT and last[1] in (constants.AT_END, constants.AT_END_STRING)
    return (starts, ends)


class _UnportableError(Exception):
    pass


def quoted(character: int) -> str:
    """A character that stands for itself."""
    text = chr(character)
    return f"\\{text}" if text in _SPECIAL else text


def _sequence(items: Any) -> str:
    return "".join(_item(kind, value) for kind, value in items)


def _item(kind: Any, value: Any) -> str:
    if kind is constants.LITERAL:
        return quoted(value)
    if kind is constants.NOT_LITERAL:
        return f"[^{quoted(value)}]"
    if kind is constants.ANY:
        return "."
    if kind is constants.AT:
        # Anchors inside and word boundaries are taken as true.
        return ""
    if kind is constants.IN:
        return _set(value)
    if kind is constants.BRANCH:
        return f"(?:{'|'.join(map(_sequence, value[1]))})"
    if kind is constants.SUBPATTERN:
        return f"(?:{_sequence(value[-1])})"
    if kind in _REPEATS:
        return _repeat(*value)
    if str(kind) == "ATOMIC_GROUP":
        return f"(?:{_sequence(value)})"
    if kind in (constants.ASSERT, constants.ASSERT_NOT):
        return ""
    raise _UnportableError


def _repeat(low: int, high: Any, items: Any) -> str:
    bounds = {(0, True): "*", (1, True): "+"}.get((low, high is constants.MAXREPEAT))
    if bounds is None:
        end = "" if high is constants.MAXREPEAT else high
        bounds = "?" if (low, high) == (0, 1) else f"{{{low},{end}}}"
    body = _sequence(items)
    is_single = len(items) == 1 and items[0][0] in (constants.LITERAL, constants.IN, constants.ANY)
    return f"{body}{bounds}" if is_single else f"(?:{body}){bounds}"


def _set(members: Any) -> str:
    written = []
    for kind, value in members:
        if kind is constants.NEGATE:
            written.append("^")
        elif kind is constants.LITERAL:
            written.append(quoted(value))
        elif kind is constants.RANGE:
            written.append(f"{quoted(value[0])}-{quoted(value[1])}")
        elif kind is constants.CATEGORY and value in _CATEGORIES:
            written.append(_CATEGORIES[value])
        else:
            raise _UnportableError
    return f"[{''.join(written)}]"
