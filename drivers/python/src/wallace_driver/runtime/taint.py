"""Uses of tainted texts: what the code wants an input to be.

An engine sends texts like `_EM_7_XYZ_`. Where such a text is compared with a constant, a pattern or
another such text, that is noted, and the engine knows what to send instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

#: Length of the shortest tainted text, `_EM_0_XYZ_`.
SHORTEST = 10
#: Longest text that is looked at and reported; longer ones come from no gene.
_LONGEST = 2_048
#: Elements of a collection that are reported for a look-up, as in the rest of the family.
_MOST_ELEMENTS = 10
#: Shortest announced input that counts when it is only a part of a text.
_SHORTEST_PART = 6
_TOKEN = re.compile(r"_EM_(\d+)_XYZ_", re.IGNORECASE)


@dataclass(frozen=True)
class StringUse:
    """How the code used a tainted text."""

    tainted: str
    #: Name of the specialisation in the protocol.
    specialisation: str
    value: str | None
    is_full_match: bool


@dataclass(frozen=True)
class Taint:
    """A tainted text, and the tainted value inside it."""

    text: str
    token: str

    def report(self, specialisation: str, value: str | None = None) -> StringUse:
        """A use of the text."""
        return StringUse(self.text, specialisation, value, len(self.token) == len(self.text))

    def constant(self, value: str) -> StringUse:
        """The text should be this one; in any case where the code changed the case."""
        is_lowered = _TOKEN.fullmatch(self.token) is not None and self.token != self.token.upper()
        return self.report("CONSTANT_IGNORE_CASE" if is_lowered else "CONSTANT", value)

    def sibling(self) -> str:
        """Another tainted value, for the other side of a separator."""
        end = len(self.token) - len("_XYZ_")
        is_token = _TOKEN.fullmatch(self.token) is not None
        return f"{self.token[:end]}0{self.token[end:]}" if is_token else self.token


def find(text: object, inputs: list[str]) -> Taint | None:
    """The first tainted value in a text: of the known shape, or among the announced inputs."""
    if type(text) is not str or len(text) > _LONGEST:
        return None
    if len(text) >= SHORTEST and "_" in text:
        token = _TOKEN.search(text)
        if token is not None:
            return Taint(text, token.group())
    if not inputs or not text:
        return None
    if text in inputs:
        return Taint(text, text)
    parts = (one for one in inputs if len(one) >= _SHORTEST_PART and one in text)
    part = next(parts, None)
    return None if part is None else Taint(text, part)


def in_comparison(
    left: object, right: object, inputs: list[str], *, is_order: bool
) -> list[StringUse]:
    """Uses in a comparison. The bound of an ordering is told too: it is where the order turns."""
    if type(left) is not str or type(right) is not str:
        return []
    one, other = find(left, inputs), find(right, inputs)
    if one and other:
        return [] if is_order else _equal(one, other)
    if one:
        return [one.constant(right)] if len(right) <= _LONGEST else []
    if other:
        return [other.constant(left)] if len(left) <= _LONGEST else []
    return []


def _equal(left: Taint, right: Taint) -> list[StringUse]:
    """Two inputs must be equal: the value joins both, as the protocol wants it."""
    if left.token.lower() == right.token.lower():
        return []
    value = f"{left.text}___{right.text}"
    return [taint.report("EQUAL", value) for taint in (left, right)]


def in_look_up(key: object, elements: Iterable[object], inputs: list[str]) -> list[StringUse]:
    """Uses in a look-up of `key`: one constant for each element that could have been asked for."""
    taint = find(key, inputs)
    if taint is None:
        return []
    texts = {one for one in elements if type(one) is str and len(one) <= _LONGEST}
    # The order of sets differs from run to run.
    return [taint.constant(text) for text in sorted(texts)[:_MOST_ELEMENTS]]


def in_part(kind: str, text: object, part: object, inputs: list[str]) -> list[StringUse]:
    """Uses in a search for a part: `prefix`, `suffix` or `part`."""
    if type(text) is not str or type(part) is not str:
        return []
    taint, other = find(text, inputs), find(part, inputs)
    if taint is None:
        return [] if other is None else [other.constant(text)]
    if other is not None:
        return in_comparison(text, part, inputs, is_order=False)
    return _part_uses(kind, taint, part)


def _part_uses(kind: str, taint: Taint, part: str) -> list[StringUse]:
    """A constant that has the part and keeps the taint, so that what is done with the rest shows
    next; and the pattern of all texts with the part.
    """
    text, quoted = taint.text, re.escape(part)
    if kind == "prefix" and not text.startswith(part):
        return [taint.constant(part + text), taint.report("REGEX_WHOLE", f"{quoted}.*")]
    if kind == "suffix" and not text.endswith(part):
        return [taint.constant(text + part), taint.report("REGEX_WHOLE", f".*{quoted}")]
    if kind == "part" and part not in text:
        both = f"{text}{part}{taint.sibling()}"
        return [taint.constant(both), taint.report("REGEX_PARTIAL", quoted)]
    return []


def in_parse(
    text: object, specialisation: str, value: str | None, inputs: list[str]
) -> list[StringUse]:
    """The use of a text that is read as a value of some type."""
    taint = find(text, inputs)
    return [] if taint is None else [taint.report(specialisation, value)]
