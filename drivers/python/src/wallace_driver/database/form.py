"""Forms of texts, as patterns that the engine reads."""

from __future__ import annotations

from typing import Any

from ..runtime.pattern import anchors, portable
from .schema import Column

#: A short address of the web, and one of a network.
URL = r"https?://[a-z]{1,12}\.(?:com|org)/[a-z]{0,12}"
ADDRESS = r"10\.[1-9]\.[1-9]\.[1-9][0-9]?"
_DIGIT = "[0-9a-f]"
#: Of the kind that is made by chance, which is what most services make and some ask for.
_UUID_PARTS = [
    f"{start}{_DIGIT}{{{length}}}"
    for start, length in (("", 8), ("", 4), ("4", 3), ("[89ab]", 3), ("", 12))
]
_UUID, _PLAIN_UUID = "-".join(_UUID_PARTS), "".join(_UUID_PARTS)


def of_uuid(column: Column) -> dict[str, Any]:
    """A UUID that is kept as a text, with or without strokes."""
    if "uuid" in column.kind.lower():
        return {}
    return {"patternRegExp": _PLAIN_UUID if column.size == 32 else _UUID}


def of_pattern(pattern: str, flags: int = 0) -> dict[str, Any]:
    """What a regular expression asks of the whole text; what it leaves open may be anything."""
    written = portable(pattern, flags)
    if written is None:
        return {}
    starts, ends = anchors(pattern, flags)
    return {"patternRegExp": f"{'' if starts else '.*'}{written}{'' if ends else '.*'}"}
