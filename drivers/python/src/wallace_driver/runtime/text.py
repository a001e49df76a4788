"""Distances between texts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from operator import sub

from .truthness import ABSENT, BASE, CHARACTER, closeness, closeness_above

#: Comparisons of single characters that one search for a window may cost.
_WINDOW_BUDGET = 1 << 14
#: The same of all searches of one action: code that reads long texts asks for thousands of them.
_ACTION_BUDGET = 1 << 16
#: As many characters are looked through for a single one, for the price of one comparison.
_SINGLE = 16
#: Distances that are remembered, and the longest texts among them.
_MOST_KNOWN = 1 << 12
_SHORT = 64


_left = [_ACTION_BUDGET]


def renew() -> None:
    """An action begins."""
    _left[0] = _ACTION_BUDGET


def units(text: str | bytes) -> Sequence[int]:
    """The numbers of the characters."""
    if isinstance(text, bytes):
        return text
    return text.encode("latin-1") if text.isascii() else list(map(ord, text))


def alignment(left: Sequence[int], right: Sequence[int]) -> float:
    """Differences over the common length, and `CHARACTER` for each one that is too many."""
    surplus = abs(len(left) - len(right)) * CHARACTER
    differences: int = sum(map(abs, map(sub, left, right)))
    return surplus + differences


def equality(left: str | bytes, right: str | bytes) -> float:
    """Closeness to being equal."""
    is_short = len(left) <= _SHORT and len(right) <= _SHORT
    return _known_equality(left, right) if is_short else _equality(left, right)


def _equality(left: str | bytes, right: str | bytes) -> float:
    return closeness_above(BASE, alignment(units(left), units(right)))


# Tests differ in little, so that the same texts meet again and again.
_known_equality = lru_cache(_MOST_KNOWN)(_equality)


def nearest(wanted: str, texts: tuple[str, ...]) -> float:
    """Closeness to being equal of the nearest of some texts."""
    is_short = len(wanted) <= _SHORT and max(map(len, texts)) <= _SHORT
    return _known_nearest(wanted, texts) if is_short else _nearest(wanted, texts)


def _nearest(wanted: str, texts: tuple[str, ...]) -> float:
    best, size, own = math.inf, len(wanted), units(wanted)
    for one in texts:
        distance = abs(len(one) - size) * CHARACTER
        # The lengths alone may be worse than what is known.
        if distance < best:
            distance += sum(map(abs, map(sub, own, units(one))))
            best = min(best, distance)
    return closeness_above(BASE, best)


_known_nearest = lru_cache(_MOST_KNOWN)(_nearest)


def order(left: str | bytes, right: str | bytes) -> float:
    """Distance in lexicographic order: 0 for equal ones, at most 1.

    Only the first pair of characters that differ decides. The further behind it is, the smaller
    the distance, whatever the pair; and there it grows with the difference of the pair.
    """
    one, other = units(left), units(right)
    equal = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    if equal is None:
        equal = min(len(one), len(other))
        if len(one) == len(other):
            return 0.0
    pair = abs(_at(one, equal) - _at(other, equal))
    low, high = closeness(equal + 1), closeness(equal)
    return high - (high - low) * closeness(pair)


def _at(text: Sequence[int], index: int) -> int:
    return text[index] if index < len(text) else 0


def prefix(text: str, wanted: str) -> float:
    """Closeness of `text` to starting with `wanted`, when it does not."""
    if len(text) < len(wanted):
        return closeness((2 * len(wanted) - len(text)) * (CHARACTER - 1.0))
    return equality(text[: len(wanted)], wanted)


def suffix(text: str, wanted: str) -> float:
    """Closeness of `text` to ending with `wanted`, when it does not."""
    missing = len(wanted) - len(text)
    if missing > 0:
        return closeness((len(wanted) + 2 * missing) * (CHARACTER - 1.0))
    return equality(text[len(text) - len(wanted) :], wanted)


def containment(text: str | bytes, part: str | bytes) -> float:
    """Closeness of `text` to containing `part`, when it does not: the best window counts."""
    whole, wanted = units(text[:_WINDOW_BUDGET]), units(part[:_WINDOW_BUDGET])
    if len(whole) <= len(wanted):
        return closeness_above(BASE, alignment(whole, wanted))
    width = max(len(wanted), 1)
    starts = range(min(len(whole) - width + 1, max(_WINDOW_BUDGET // width, 1)))
    _left[0] -= len(whole) // _SINGLE if width == 1 else len(starts) * width
    if _left[0] < 0:
        # What came before in the action counts: no window is as far as this.
        return closeness(width * CHARACTER)
    if len(wanted) == 1:
        return closeness(min(abs(one - wanted[0]) for one in set(whole)))
    return closeness(min(alignment(whole[start : start + width], wanted) for start in starts))


def numeral(text: str, *, digits: int | None) -> float:
    """Closeness of `text` to a number, when it is none.

    Each character must be a digit, the first may be a minus, and one may be a point where `digits`,
    the most digits that count as near, is not given.
    """
    if not text:
        return BASE
    distance, has_point = 0.0, digits is not None
    for index, character in enumerate(map(ord, text)):
        if digits is not None and index >= digits:
            distance += CHARACTER
            continue
        best = max(48 - character, 0) + max(character - 57, 0)
        if not has_point:
            best = min(best, abs(character - ord(".")))
            has_point = character == ord(".")
        if index == 0 and len(text) > 1:
            best = min(best, abs(character - ord("-")))
        distance += best
    return closeness_above(BASE, distance)


def nearest_character(text: str, low: int, high: int) -> float:
    """Closeness of `text` to having only characters from `low` to `high`."""
    if not text:
        return ABSENT
    outside = sum(max(low - one, 0) + max(one - high, 0) for one in units(text))
    return closeness_above(BASE, outside)
