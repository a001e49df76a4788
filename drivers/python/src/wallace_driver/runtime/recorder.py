"""What the service has reached: the one recorder of the process.

The service's threads write, the driver's thread reads. Both run under the interpreter's lock, and
each write is one step; a score that is lost to a race comes back with the next hit.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ..rewriting.code import LINE_BITS
from . import text
from .decision import Decision
from .table import Table
from .taint import StringUse
from .truthness import inside

#: Uses of texts that are kept of one action.
_MOST_USES = 1_000
#: Names of headers or of query parameters that are kept of one action.
_MOST_NAMES = 100
#: Comparisons that are remembered of a module in one test, and what of.
_MOST_MET = 1_000
_SIMPLE = frozenset([str, int, float, bool, bytes, type(None)])
#: Distances to patterns that one action may cost, as in the rest of the family.
_MOST_MEASUREMENTS = 50


@dataclass
class ActionNotes:
    """What was seen while one action ran, besides targets."""

    uses: dict[StringUse, None] = field(default_factory=dict)
    last_statement: str | None = None
    #: Where an error was raised that nobody caught but to tell it.
    failed_statement: str | None = None
    query_parameters: dict[str, None] = field(default_factory=dict)
    headers: dict[str, None] = field(default_factory=dict)
    #: What was executed in databases.
    statements: list[Any] = field(default_factory=list)
    #: Whether more was executed than is kept.
    has_lost_statements: bool = False


class Recorder:
    """Scores, actions and uses of texts since the last new test."""

    def __init__(self) -> None:
        """A recorder without modules."""
        self.tables: dict[int, Table] = {}
        #: The list that rewritten code writes the number of each statement to.
        self.last = [0]
        self.inputs: list[str] = []
        self.actions = [ActionNotes()]
        #: The values that decided, where somebody wants them.
        self.decisions: dict[tuple[int, int], tuple[float, Decision]] | None = None
        #: Texts of an engine's rows, and those among them that should have been JSON.
        self.given: set[str] = set()
        self.unread: set[str] = set()
        self._touched: list[tuple[Table, int]] = []
        self._action = -1
        self._measurements = 0
        #: Tables that hold comparisons that are known.
        self._meeting: list[Table] = []
        #: Whether the last comparison met a tainted text.
        self._has_used = False

    # What rewritten code calls.

    def branch(self, table: Table, site: int, outcome: bool, opposite: float) -> None:
        """Both sides of a condition; `opposite` is the score of the missed one."""
        scores = table.scores
        taken, missed = (site, site + 1) if outcome else (site + 1, site)
        if scores[taken] < 1.0:
            self.reach(table, taken, 1.0)
        if scores[missed] >= 1.0:
            table.is_open[site] = False
        elif scores[missed] < opposite:
            self.reach(table, missed, inside(opposite))

    def meet(self, table: Table, site: int, left: object, right: object) -> None:
        """A comparison was noted that would tell the same again in this test: of two constants, or
        of a text that is not tainted.
        """
        if self._has_used:
            self._has_used = False
            return
        if table.constants.get(site) is not right or right is None:
            if type(right) is tuple:
                is_plain = _SIMPLE.issuperset(map(type, right))
            else:
                is_plain = type(right) in _SIMPLE
            if not is_plain:
                return
            table.constants[site] = right
        if len(table.met) >= _MOST_MET:
            table.met.clear()
        elif not table.met:
            self._meeting.append(table)
        table.met[site, left] = right

    def _forget_met(self) -> None:
        meeting, self._meeting = self._meeting, []
        for table in meeting:
            table.met.clear()

    def reach(self, table: Table, target: int, score: float) -> None:
        """Keeps a score that is the best of this test."""
        if table.scores[target] == 0.0:
            self._touched.append((table, target))
        table.scores[target] = score
        table.actions[target] = self._action

    def note_uses(self, uses: list[StringUse]) -> None:
        """Keeps uses of tainted texts."""
        if not uses:
            return
        self._has_used = True
        known = self.actions[-1].uses
        for use in uses:
            if len(known) < _MOST_USES:
                known[use] = None

    def note_query_parameter(self, name: str) -> None:
        """The code asked for a query parameter."""
        _note(self.actions[-1].query_parameters, name)

    def note_header(self, name: str) -> None:
        """The code asked for a header."""
        _note(self.actions[-1].headers, name)

    def take_measurement(self) -> bool:
        """Takes one of the costly distances of this action; false when they are used up."""
        self._measurements += 1
        return self._measurements <= _MOST_MEASUREMENTS

    def decide(self, table: Table, site: int, outcome: bool, score: float, why: Decision) -> None:
        """Keeps the values of the evaluation that came nearest to the missed side."""
        if self.decisions is None:
            return
        missed = site + 1 if outcome else site
        key = (table.identity, missed)
        if score >= self.decisions.get(key, (0.0, why))[0]:
            self.decisions[key] = (score, why)

    # What the driver calls.

    def begin_action(self, index: int, inputs: list[str]) -> None:
        """Announces an action. What ran before the first one, a login, belongs to the first."""
        self.collect()
        if self._action >= 0:
            self.actions.append(ActionNotes())
        self._action = index
        self._measurements = 0
        text.renew()
        if inputs:
            # Texts may be tainted that were not before. Of others there is nothing to tell again.
            self._forget_met()
            self.inputs = sorted({*self.inputs, *inputs})

    def collect(self) -> None:
        """Books the lines that were executed since the last call on the action that ran."""
        for table in list(self.tables.values()):
            for target in table.take_hits():
                if table.scores[target] == 0.0:
                    self.reach(table, target, 1.0)
        statement = self._take_last()
        if statement is not None:
            self.actions[-1].last_statement = statement

    @contextmanager
    def paused(self) -> Iterator[None]:
        """What the service's code does inside is work of the driver's, and reaches nothing."""
        self.collect()
        count, notes = len(self._touched), self.actions[-1]
        statement, uses = notes.last_statement, dict(notes.uses)
        yield
        self._take_last()
        notes.last_statement, notes.uses = statement, uses
        for table in list(self.tables.values()):
            table.take_hits()
        self._touched, new = self._touched[:count], self._touched[count:]
        for table, target in new:
            table.scores[target] = 0.0
            table.actions[target] = -1
        self._forget_met()

    def export(self) -> Any:
        """All that was recorded, for another process."""
        scores = [
            (table.identity, target, table.scores[target], table.actions[target])
            for table, target in self._touched
        ]
        return scores, self.actions, self.decisions

    def absorb(self, exported: Any) -> None:
        """Takes what another process has recorded in the same test; of two scores the best."""
        scores, self.actions, decisions = exported
        if self.decisions is not None:
            self.decisions = decisions
        for identity, target, score, action in scores:
            table = self.tables[identity]
            if score > table.scores[target]:
                self.reach(table, target, score)
                table.actions[target] = action

    def touched(self) -> list[tuple[Table, int]]:
        """The targets touched in this test."""
        return list(self._touched)

    def clear(self) -> None:
        """Forgets the test."""
        self._forget_met()
        for table in list(self.tables.values()):
            table.take_hits()
            table.held.clear()
        touched, self._touched = self._touched, []
        for table, target in touched:
            table.scores[target] = 0.0
            table.actions[target] = -1
            table.is_open[target] = True
            table.guards[target] = True
            # The place is known by its first target.
            table.is_open[max(target - 1, 0)] = True
            table.guards[max(target - 1, 0)] = True
        self.last[0] = 0
        self._action = -1
        self._measurements = 0
        text.renew()
        self.inputs = []
        self.actions = [ActionNotes()]
        if self.decisions is not None:
            self.decisions = {}

    def _take_last(self) -> str | None:
        number, self.last[0] = self.last[0], 0
        table = self.tables.get(number >> LINE_BITS)
        if table is None:
            return None
        target = table.lines[number & ((1 << LINE_BITS) - 1)]
        return f"{table.unit.replace('.', '/')}_{table.source_lines[target]}"


def _note(names: dict[str, None], name: str) -> None:
    if len(names) < _MOST_NAMES and len(name) <= 200:
        names[name] = None


#: The recorder of this process.
RECORDER = Recorder()
