"""The values that decided against a target, for people who ask why it is not covered."""

from __future__ import annotations

from dataclasses import dataclass

_LONGEST = 200
_ORDER = "should be on the other side of"
_RELATIONS = {
    "eq": ("should differ from", "should equal"),
    "ne": ("should equal", "should differ from"),
    "in": ("should not be in", "should be in"),
    "notin": ("should be in", "should not be in"),
    "prefix": ("should not start with", "should start with"),
    "suffix": ("should not end with", "should end with"),
    "pattern": ("should not match", "should match"),
    "parse": ("should not be read as", "should be read as"),
    "key": ("should not be a key of", "should be a key of"),
    "isinstance": ("should not be a", "should be a"),
    "truth": ("should be", "should be"),
    "arm": ("was taken, not", "was taken, not"),
}


@dataclass(frozen=True)
class Decision:
    """Two values and how they should relate for the missed side to be reached."""

    left: str
    relation: str
    right: str
    has_distance: bool


def decision(
    kind: str, outcome: bool, left: object, right: object, *, has_distance: bool
) -> Decision:
    """Why the other side of a condition was missed."""
    relation = _RELATIONS.get(kind, (_ORDER, _ORDER))[0 if outcome else 1]
    return Decision(shown(left), relation, shown(right), has_distance)


def shown(value: object) -> str:
    """A value in few characters. Only of built-in types: others would run the service's code."""
    if isinstance(value, Words):
        return value.text
    if value is None or type(value) in (int, float, bool, complex, str, bytes):
        return _cut(repr(value))
    if type(value) in (list, tuple, set, frozenset, dict):
        return f"a {type(value).__name__} of {len(value)}"  # type: ignore[arg-type]
    return f"a {type(value).__name__}"


@dataclass(frozen=True)
class Words:
    """Text that is shown as it is."""

    text: str


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."
