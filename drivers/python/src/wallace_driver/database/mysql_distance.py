"""Distances of single comparisons as expressions of MySQL and MariaDB.

Both know no functions of a session, so that each formula is written out where it is needed; texts
are compared in their first characters only.
"""

from __future__ import annotations

#: Characters of texts that are compared.
_CHARACTERS = 16
#: Those that decide the order.
_FIRST = 4
#: Longest operand that is written so often.
_LONGEST = 400
_NUMBER = "'^[-+]?[0-9]+([.][0-9]+)?$'"
_DATE = "'^[0-9]{4}-[0-9]{2}-[0-9]{2}'"


def comparison(operator: str, one: str, other: str) -> str:
    """The distance of a comparison that does not hold; each operand is an expression."""
    if max(len(one), len(other)) > _LONGEST:
        return f"CASE WHEN ({one}) IS NULL OR ({other}) IS NULL THEN 1.0 ELSE 0.99 END"
    left, right = (f"CAST(({text}) AS CHAR)" for text in (one, other))
    # As numbers without a sign, a difference below 0 would be an error.
    gap = f"ABS(({one}) * 1e0 - ({other}) * 1e0)" + (" + 1.0" if operator in ("<", ">") else "")
    days = f"ABS(TIMESTAMPDIFF(SECOND, {left}, {right})) / 86400.0"
    number = "0.99" if operator == "<>" else _near(gap)
    return (
        f"CASE WHEN ({one}) IS NULL OR ({other}) IS NULL THEN 1.0 "
        f"WHEN {left} REGEXP {_NUMBER} AND {right} REGEXP {_NUMBER} THEN {number} "
        f"WHEN {left} REGEXP {_DATE} AND {right} REGEXP {_DATE} AND '{operator}' <> '<>' "
        f"THEN coalesce({_near(days)}, 0.99) ELSE {_texts(operator, left, right)} END"
    )


def like(text: str, pattern: str) -> str:
    """The distance of a text from a pattern, as from what is plain in it."""
    if max(len(text), len(pattern)) > _LONGEST:
        return "1.0"
    left, right = f"LOWER({text})", f"LOWER(REPLACE({pattern}, '%', ''))"
    return f"coalesce({_texts('=', left, right)}, 1.0)"


def _texts(operator: str, one: str, other: str) -> str:
    if operator == "<>":
        return _near("0.5")
    if operator == "=":
        gaps = [_gap(one, other, place) for place in range(1, _CHARACTERS + 1)]
        lengths = f"65536.0 * ABS(CHAR_LENGTH({one}) - CHAR_LENGTH({other}))"
        return _near(f"({' + '.join([lengths, *gaps])}) / 128.0")
    parts = [f"{_gap(one, other, place)} / {128**place}.0" for place in range(1, _FIRST + 1)]
    return _near(" + ".join(parts))


def _gap(one: str, other: str, place: int) -> str:
    return f"ABS(ORD(SUBSTR({one}, {place}, 1)) - ORD(SUBSTR({other}, {place}, 1)))"


def _near(distance: str) -> str:
    """From `[0, ..)` to `(0, 1)`: what is not so is never at distance 0."""
    return f"LEAST(GREATEST(1.0 - 1.0 / ({distance} + 1.0), 1e-9), 1.0 - 1e-9)"
