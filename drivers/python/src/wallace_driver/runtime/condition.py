"""What rewritten code calls where it compares and decides.

Every helper applies the original operation once and gives its result as it is. Scores are taken
only of results that are `True` or `False` themselves: arrays and expressions of queries are none.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from . import comparison, note, taint
from .decision import Words
from .recorder import RECORDER
from .table import Table
from .truthness import FLAG

Compare = Callable[[Any, Any], Any]
Helper = Callable[[Table, int, Any, Any], Any]

#: Types whose truth may be asked once more, since nothing of the service's own is run.
_PLAIN = frozenset([bool, int, float, str, bytes, list, tuple, dict, set, frozenset, type(None)])


def _is_in(element: Any, holder: Any) -> Any:
    return element in holder


def _is_not_in(element: Any, holder: Any) -> Any:
    return element not in holder


COMPARES: dict[str, Compare] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "in": _is_in,
    "notin": _is_not_in,
}


def comparison_helper(name: str, *, decides: bool) -> Helper:
    """The helper of a comparison: its result is a value, or decides, whatever its type. Services
    spend most of their time here, so it calls nothing that it can do without.
    """
    compare, measure = COMPARES[name], comparison.MEASURES[name]
    recorder, used, shortest = RECORDER, note.used, taint.SHORTEST

    def helper(table: Table, site: int, left: Any, right: Any) -> Any:
        outcome = compare(left, right)
        # Numbers and short texts, which loops compare, are not tainted.
        may_be_tainted = (type(left) is str and (len(left) >= shortest or recorder.inputs)) or (
            type(right) is str and (len(right) >= shortest or recorder.inputs)
        )
        if not (may_be_tainted or table.is_open[site]):
            if type(left) is not str and type(right) is not str:
                table.guards[site] = False
            return outcome
        # In a loop, and from one call to the next, the same values meet the same constants.
        is_simple = type(left) is str or type(left) is int
        if is_simple and table.met.get((site, left)) is right:
            return outcome
        if may_be_tainted:
            used(name, left, right)
        if not table.is_open[site]:
            if is_simple:
                recorder.meet(table, site, left, right)
            return outcome
        if outcome is not True and outcome is not False:
            return truth(table, site, outcome) if decides else outcome
        opposite = measure(outcome, left, right)
        if recorder.decisions is not None:
            note.condition(table, site, name, outcome, opposite, left, right)
            return outcome
        scores = table.scores
        taken, missed = (site, site + 1) if outcome else (site + 1, site)
        # What is known already is no news.
        if scores[taken] < 1.0 or not opposite <= scores[missed] < 1.0:
            recorder.branch(table, site, outcome, opposite)
        if is_simple:
            recorder.meet(table, site, left, right)
        return outcome

    return helper


_VALUES = {name: comparison_helper(name, decides=False) for name in COMPARES}


def truth(table: Table, site: int, value: Any) -> bool:
    """Asks a value for its truth, once."""
    outcome = True if value else False  # noqa: SIM210 - `bool` is a name that may be replaced
    if table.is_open[site]:
        opposite = comparison.truth(outcome, value)
        if note.is_news(table, site, outcome, opposite):
            wanted = Words("something" if not outcome else "nothing")
            has_distance = type(value) is not bool and type(value) in _PLAIN
            note.condition(
                table, site, "truth", outcome, opposite, value, wanted, has_distance=has_distance
            )
    else:
        table.guards[site] = False
    return outcome


def value(table: Table, site: int, value: Any) -> Any:
    """A value that decides and may be the result as well, so that its truth is asked again."""
    if type(value) in _PLAIN:
        truth(table, site, value)
    return value


def flag(table: Table, site: int, outcome: Any) -> Any:
    """The result of `is`."""
    if table.is_open[site] and (outcome is True or outcome is False):
        wanted = Words(str(not outcome))
        note.condition(table, site, "truth", outcome, FLAG, outcome, wanted, has_distance=False)
    elif not table.is_open[site]:
        table.guards[site] = False
    return outcome


def outcome(table: Table, site: int, value: Any) -> bool:
    """The result of a call that decides: noted by the call if it was a known one."""
    if table.pending == site:
        table.pending = -1
        return True if value else False  # noqa: SIM210 - as above
    return truth(table, site, value)


def chain(table: Table, site: int, operators: tuple[str, ...], left: Any, *rest: Any) -> Any:
    """`a < b < c`: stops at the first part that does not hold."""
    result: Any = True
    last = len(operators) - 1
    for index, (name, right) in enumerate(zip(operators, rest, strict=True)):
        result = _VALUES[name](table, site + 2 * index, left, right)
        if index < last and not result:
            return result
        left = right
    return result
