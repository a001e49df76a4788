"""How near an evaluated condition was to its other side.

Formulas and constants are those of the family of drivers, so that scores of services in different
languages compare.
"""

from __future__ import annotations

import sys

#: Score of a side whose condition met nothing, or something empty.
ABSENT = 0.05
#: Lowest score of a side whose condition met a value.
BASE = 0.1
#: Score of the missed side of a plain truth value: the distance is 1.
FLAG = 0.5
#: Distance between two texts per character that one of them has too many.
CHARACTER = 65_536.0
#: Distance where a difference is too large, or not a number.
FARTHEST = sys.float_info.max
#: Distance to a regular expression on which no edit distance is defined.
NO_MATCH = 1.0

_LEAST = sys.float_info.min
_MOST = 1.0 - sys.float_info.epsilon


def inside(score: float) -> float:
    """The score of a missed side, strictly between 0 and 1: near, and not covered."""
    return _LEAST if score < _LEAST else min(score, _MOST)


def closeness(distance: float) -> float:
    """1 at distance 0, falling without end."""
    return 1.0 / (1.0 + distance)


def closeness_above(base: float, distance: float) -> float:
    """As `closeness`, from 1 down to `base`."""
    return base + (1.0 - base) / (1.0 + distance)


def order_closeness(distance: float) -> float:
    """Score of the missed side of an ordering; below 1 at distance 0, where a step is missing."""
    return 1.0 / (1.1 + distance)
