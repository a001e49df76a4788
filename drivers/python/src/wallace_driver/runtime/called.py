"""What rewritten code calls around callees that are known by their names.

The callee is looked at when it is fetched: only built-in functions and methods of built-in types
are replaced, everything else is called as it is, without a frame in between.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import EnumMeta
from functools import partial
from itertools import islice
from types import BuiltinFunctionType, FunctionType, MethodType, WrapperDescriptorType
from typing import Any

from . import comparison, model, note, parsing, taint, text
from .decision import Words
from .pattern import anchors, portable
from .pattern_distance import Mode, edits
from .recorder import RECORDER
from .table import Table
from .truthness import ABSENT, BASE, NO_MATCH, closeness, closeness_above

#: Query parameter that an engine sends to learn which ones are asked for.
_PROBE = "EMextraParam123"
_HEADERS = frozenset("Headers MutableHeaders EnvironHeaders HttpHeaders CIMultiDictProxy".split())
_PARAMETERS = frozenset("QueryParams ImmutableMultiDict MultiDict QueryDict MultiDictProxy".split())
#: Types of methods that are written in C; some know the class that defines them.
_C_METHODS = frozenset([BuiltinFunctionType, type(re.compile("").search)])
_NAMED = _HEADERS | _PARAMETERS
_PARTS = frozenset(
    "find rfind index rindex count split rsplit partition rpartition replace".split()
)
_EDGES = {
    "startswith": "prefix",
    "removeprefix": "prefix",
    "endswith": "suffix",
    "removesuffix": "suffix",
}
_MODES: dict[str, Mode] = {"match": "match", "fullmatch": "fullmatch"}
_FUNCTIONS = {
    getattr(re, name): name
    for name in "match fullmatch search sub subn split findall finditer".split()
}
_CLASS_NAME = type.__dict__["__name__"]
_RANGES = {"isdigit": (48, 57), "isdecimal": (48, 57), "isnumeric": (48, 57), "isupper": (65, 90)}


def ask(table: Table, site: int, callee: Any) -> Any:
    """What is called instead of a callee whose name is known."""
    kind = type(callee)
    if kind in _C_METHODS:
        return _builtin(table, site, callee) or callee
    if kind is FunctionType:
        name = _FUNCTIONS.get(callee)
        if name is not None:
            return partial(_function, table, site, callee, name)
        return parsing.reader(table, site, callee) or callee
    if kind is type or issubclass(kind, EnumMeta):
        return parsing.reader(table, site, callee) or callee
    return model.validating(callee) or _named(callee)


def use(table: Table, site: int, callee: Any) -> Any:
    """As `ask`, for calls without targets: only uses of tainted texts are noted."""
    kind = type(callee)
    if kind in _C_METHODS:
        holder = callee.__self__
        if type(holder) is str and callee.__name__ in _PARTS:
            return partial(_part, callee, holder)
        if type(holder) is re.Pattern:
            return partial(_pattern_use, callee, holder)
    if kind is FunctionType and callee in _FUNCTIONS:
        return partial(_function_use, callee)
    return _named(callee)


def hold(table: Table, site: int, holder: Any) -> Any:
    """A value of which something is asked next: kept until the key is there."""
    kind = type(holder)
    if kind is dict or issubclass(kind, EnumMeta) or kind.__name__ in _NAMED:
        table.held[site] = holder
    return holder


def key(table: Table, site: int, key: Any) -> Any:
    """The key that is asked for."""
    if not table.held:
        return key
    holder = table.held.pop(site, None)
    return key if holder is None else look(table, site, key, holder)


def look(table: Table, site: int, key: Any, holder: Any) -> Any:
    """The key that is asked for, and a value of which it is asked: nothing has to be kept."""
    kind = type(holder)
    if kind is dict:
        _note_dictionary(table, site, holder, key)
    elif issubclass(kind, EnumMeta):
        parsing.note_key(table, site, key, list(holder._member_map_))
    elif kind.__name__ in _NAMED:
        _note_name(holder, key)
    return key


def _builtin(table: Table, site: int, callee: Any) -> Callable[..., Any] | None:
    holder, name = callee.__self__, callee.__name__
    kind = type(holder)
    if kind is str:
        return partial(_text, table, site, callee, holder, name)
    if kind is dict:
        return partial(_dictionary, table, site, callee, holder)
    if kind is re.Pattern:
        return partial(_pattern, table, site, callee, holder, name)
    if callee is isinstance:
        return partial(_isinstance, table, site)
    return parsing.reader(table, site, callee)


def _text(
    table: Table,
    site: int,
    callee: Any,
    holder: str,
    name: str,
    *arguments: Any,
    **options: Any,
) -> Any:
    outcome = callee(*arguments, **options)
    part = arguments[0] if arguments else None
    # A short text is not tainted, unless inputs were announced.
    is_search = name in _EDGES or name in _PARTS
    if is_search and (len(holder) >= taint.SHORTEST or _may_be_tainted(part)):
        _note_parts(_EDGES.get(name, "part"), holder, part)
    if outcome is not True and outcome is not False:
        return outcome
    table.pending = site
    if table.is_open[site]:
        opposite = BASE if outcome else _text_closeness(name, holder, part)
        if note.is_news(table, site, outcome, opposite):
            kind = _EDGES.get(name, "truth")
            wanted = Words(name) if part is None else part
            note.condition(table, site, kind, outcome, opposite, holder, wanted)
    return outcome


def _text_closeness(name: str, holder: str, part: Any) -> float:
    if type(part) is tuple:
        return max([BASE, *(_text_closeness(name, holder, one) for one in part)])
    if name in _RANGES:
        return text.nearest_character(holder, *_RANGES[name])
    if type(part) is not str:
        return BASE if holder else ABSENT
    return text.prefix(holder, part) if name == "startswith" else text.suffix(holder, part)


def _may_be_tainted(part: Any) -> bool:
    """Whether a part may be tainted itself, or one of several."""
    return type(part) is not str or len(part) >= taint.SHORTEST or bool(RECORDER.inputs)


def _note_parts(kind: str, holder: str, part: Any) -> None:
    for one in part if type(part) is tuple else (part,):
        uses = taint.in_part(kind, holder, one, RECORDER.inputs)
        if uses:
            RECORDER.note_uses(uses)


def _part(callee: Any, holder: str, *arguments: Any, **options: Any) -> Any:
    _note_parts("part", holder, arguments[0] if arguments else " ")
    return callee(*arguments, **options)


def _dictionary(
    table: Table, site: int, callee: Any, holder: Any, *arguments: Any, **options: Any
) -> Any:
    if arguments:
        _note_dictionary(table, site, holder, arguments[0])
    return callee(*arguments, **options)


def _note_dictionary(table: Table, site: int, holder: Any, key: Any) -> None:
    """Only among keys that the service does not compare itself: its `__eq__` would be called once
    more.
    """
    if type(key) not in (str, int):
        return
    if type(key) is str and _may_be_tainted(key):
        RECORDER.note_uses(note.look_up(key, holder))
    if table.is_open[site] and all(map(_is_compared_by_itself, {*map(type, _first(holder))})):
        outcome = key in holder
        opposite = comparison.membership(outcome, key, holder)
        note.condition(table, site, "key", outcome, opposite, key, holder)


def _first(holder: Any) -> Iterator[Any]:
    return islice(holder, comparison.MOST_ELEMENTS)


def _is_compared_by_itself(kind: Any) -> bool:
    """Whether values of a class are compared by what is built in."""
    return type(kind.__eq__) is WrapperDescriptorType


def _isinstance(table: Table, site: int, *arguments: Any, **options: Any) -> bool:
    outcome = isinstance(*arguments, **options)
    value, kinds = arguments
    table.pending = site
    if table.is_open[site]:
        opposite = closeness_above(BASE, 1.0) if type(value) in (str, int, float) else BASE
        if note.is_news(table, site, outcome, opposite):
            # A class of the service may be asked for its name in its own way, and so may what is
            # none.
            is_class = issubclass(type(kinds), type)
            wanted = Words(_CLASS_NAME.__get__(kinds) if is_class else "one of several types")
            note.condition(
                table, site, "isinstance", outcome, opposite, value, wanted, has_distance=False
            )
    return outcome


def _function(
    table: Table, site: int, callee: Any, name: str, *arguments: Any, **options: Any
) -> Any:
    result = callee(*arguments, **options)
    if len(arguments) >= 2 and type(arguments[0]) is str and type(arguments[1]) is str:
        flags = int(arguments[2]) if len(arguments) > 2 else int(options.get("flags", 0))
        _note_match(table, site, (arguments[0], flags), name, arguments[1], result is not None)
    return result


def _pattern(
    table: Table,
    site: int,
    callee: Any,
    holder: re.Pattern[Any],
    name: str,
    *arguments: Any,
    **options: Any,
) -> Any:
    result = callee(*arguments, **options)
    if arguments and type(arguments[0]) is str and isinstance(holder.pattern, str):
        pattern = (holder.pattern, holder.flags)
        _note_match(table, site, pattern, name, arguments[0], result is not None)
    return result


def _note_match(
    table: Table, site: int, pattern: tuple[str, int], name: str, subject: str, outcome: bool
) -> None:
    _note_pattern_use(pattern, name, subject)
    if not table.is_open[site]:
        return
    opposite = BASE
    if not outcome:
        distance = None
        if RECORDER.take_measurement():
            distance = edits(*pattern, _MODES.get(name, "search"), subject)
        opposite = closeness(NO_MATCH if distance is None else distance)
    note.condition(table, site, "pattern", outcome, opposite, subject, Words(f"/{pattern[0]}/"))


def _note_pattern_use(pattern: tuple[str, int], name: str, subject: object) -> None:
    found = taint.find(subject, RECORDER.inputs)
    written = portable(*pattern) if found is not None else None
    if found is None or written is None:
        return
    starts, ends = anchors(*pattern)
    is_whole = name == "fullmatch" or (ends and (starts or name == "match"))
    if name == "match" and not is_whole:
        # From the start on, and anything may follow.
        is_whole, written = True, f"(?:{written}).*"
    RECORDER.note_uses([found.report("REGEX_WHOLE" if is_whole else "REGEX_PARTIAL", written)])


def _pattern_use(callee: Any, holder: re.Pattern[Any], *arguments: Any, **options: Any) -> Any:
    if isinstance(holder.pattern, str):
        for one in arguments:
            _note_pattern_use((holder.pattern, holder.flags), "search", one)
    return callee(*arguments, **options)


def _function_use(callee: Any, *arguments: Any, **options: Any) -> Any:
    if len(arguments) >= 2 and type(arguments[0]) is str:
        _note_pattern_use((arguments[0], 0), "search", arguments[-1])
    return callee(*arguments, **options)


def _named(callee: Any) -> Any:
    """`headers.get` and the like: which names are asked for."""
    # Nothing is asked of other objects: their attributes may run the service's code.
    holder = callee.__self__ if type(callee) is MethodType else None
    if not (_is_headers(holder) or _is_parameters(holder)):
        return callee

    def call(*arguments: Any, **options: Any) -> Any:
        if arguments:
            _note_name(holder, arguments[0])
        return callee(*arguments, **options)

    return call


def _note_name(holder: Any, name: object) -> None:
    if type(name) is not str:
        return
    if _is_headers(holder):
        RECORDER.note_header(name)
    elif _PROBE in holder:
        RECORDER.note_query_parameter(name)


def _is_headers(holder: Any) -> bool:
    return type(holder).__name__ in _HEADERS


def _is_parameters(holder: Any) -> bool:
    return type(holder).__name__ in _PARAMETERS
