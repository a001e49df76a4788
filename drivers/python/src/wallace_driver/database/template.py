"""Statements without their constants, so that what was found out of one holds for all like it."""

from __future__ import annotations

import re

_PIECE = re.compile(
    r"""
    (?P<kept> --[^\n]* | /\*.*?\*/ | "(?:[^"]|"")*" | `[^`]*` | \$\w*\$.*?\$\w*\$
      | (?:[xXeEbBnN]|[uU]&)'(?:[^'\\]|''|\\.)*' | interval\s*'[^']*' | '\$[^']*'
      | \d[\w.]*[A-DF-Za-df-z_]\w* )
    | (?P<text> '(?:[^']|'')*' )
    | (?P<word> [^\W\d][\w$]* )
    | (?P<number> (?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)? )
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
#: MySQL has escapes in every text.
_ESCAPED = re.compile(
    _PIECE.pattern.replace("(?:[^']|'')*' )", r"(?:[^'\\]|''|\\.)*' )"), _PIECE.flags
)
_SLOT = re.compile(r"'~wallace(\d+)~'|\b8391(\d{3})7253\b")


def template(statement: str, *, has_escapes: bool = False) -> tuple[str, list[str]]:
    """The statement with a slot for each constant, and the constants as they were written."""
    constants: list[str] = []

    def slot(match: re.Match[str]) -> str:
        kind = match.lastgroup
        if kind not in ("text", "number") or len(constants) >= 1_000:
            return match[0]
        constants.append(match[0])
        place = len(constants) - 1
        return f"'~wallace{place}~'" if kind == "text" else f"8391{place:03}7253"

    return (_ESCAPED if has_escapes else _PIECE).sub(slot, statement), constants


def filled(text: str, constants: list[str]) -> str:
    """A text with constants in their slots."""
    return _SLOT.sub(lambda match: constants[int(match[1] or match[2])], text)
