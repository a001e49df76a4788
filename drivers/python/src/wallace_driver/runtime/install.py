"""Puts the runtime where rewritten code looks for it."""

from __future__ import annotations

import builtins
import gc
from functools import cache
from typing import Any

from ..rewriting.code import LAST, guards_name, hits_name, table_name
from ..rewriting.site import Site
from . import called, condition, matching
from .recorder import RECORDER
from .table import Table


def helpers() -> dict[str, Any]:
    """The helpers by the names that rewritten code uses."""
    found: dict[str, Any] = {
        "@chain": condition.chain,
        "@truth": condition.truth,
        "@value": condition.value,
        "@flag": condition.flag,
        "@outcome": condition.outcome,
        "@ask": called.ask,
        "@use": called.use,
        "@hold": called.hold,
        "@key": called.key,
        "@look": called.look,
        "@subject": matching.subject,
        "@arm": matching.arm,
    }
    for name in condition.COMPARES:
        found[f"@{name}"] = condition.comparison_helper(name, decides=False)
        found[f"@{name}?"] = condition.comparison_helper(name, decides=True)
    return found


def install() -> None:
    """Makes the helpers known to all code of the process."""
    _put({LAST: RECORDER.last, **helpers()})


def register(identity: int, unit: str, path: str, sites: list[Site]) -> Table:
    """Makes the targets of a module known; the same table whenever it is asked for again."""
    known = RECORDER.tables.get(identity)
    if known is not None and known.sites == sites:
        return known
    table = Table(identity, unit, path, sites)
    RECORDER.tables[identity] = table
    _put(
        {
            table_name(identity): table,
            hits_name(identity): table.hits,
            guards_name(identity): table.guards,
        }
    )
    return table


@cache
def _homes() -> list[dict[str, Any]]:
    """Where names are found: among the built-in ones, and among those that the interpreter puts in
    their place when it ends, while `__del__` and the like still run.
    """
    own = vars(builtins)
    referrers = gc.get_referrers(builtins.__build_class__)
    dictionaries = [one for one in referrers if type(one) is dict and one is not own]
    copies = [one for one in dictionaries if one.get("__name__") == builtins.__name__]
    return [own, *copies]


def _put(names: dict[str, Any]) -> None:
    for home in _homes():
        home.update(names)
