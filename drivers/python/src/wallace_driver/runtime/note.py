"""Notes one evaluated condition: its score, its values, and the tainted texts it met."""

from __future__ import annotations

from itertools import islice

from . import comparison, taint
from .decision import decision
from .recorder import RECORDER
from .table import Table

_ORDERS = frozenset("lt le gt ge".split())


def is_news(table: Table, site: int, outcome: bool, opposite: float) -> bool:
    """Whether `condition` would tell anything that is not known of this test: most of what loops
    decide is not.
    """
    taken, missed = (site, site + 1) if outcome else (site + 1, site)
    scores = table.scores
    is_known = scores[taken] >= 1.0 and opposite <= scores[missed] < 1.0
    return not is_known or RECORDER.decisions is not None


def condition(
    table: Table,
    site: int,
    kind: str,
    outcome: bool,
    opposite: float,
    left: object,
    right: object,
    *,
    has_distance: bool = True,
) -> None:
    """A condition, the score of its missed side, and the two values that decided."""
    RECORDER.branch(table, site, outcome, opposite)
    if RECORDER.decisions is not None:
        why = decision(kind, outcome, left, right, has_distance=has_distance)
        RECORDER.decide(table, site, outcome, opposite, why)


def used(operator: str, left: object, right: object) -> None:
    """The texts of a comparison, which may be tainted."""
    inputs = RECORDER.inputs
    if operator not in ("in", "notin"):
        is_order = operator in _ORDERS
        uses = taint.in_comparison(left, right, inputs, is_order=is_order)
    elif type(right) is str:
        uses = taint.in_part("part", right, left, inputs)
    elif type(right) in comparison.COLLECTIONS:
        uses = look_up(left, right)
    else:
        return
    if uses:
        RECORDER.note_uses(uses)


def look_up(key: object, holder: object) -> list[taint.StringUse]:
    """Uses of a key in a collection of a built-in type."""
    if taint.find(key, RECORDER.inputs) is None:
        # Most keys are not tainted, and collections are large.
        return []
    elements = islice(holder, comparison.MOST_ELEMENTS)  # type: ignore[call-overload]
    return taint.in_look_up(key, list(elements), RECORDER.inputs)
