"""The life of a recording between an engine's requests: searches, tests, results."""

from __future__ import annotations

from dataclasses import dataclass

from .decision import Decision
from .recorder import RECORDER, ActionNotes
from .table import Table

_Key = tuple[int, int]


@dataclass(frozen=True)
class Reached:
    """Best score of one target."""

    name: str
    #: Small number of the target since the search began.
    number: int
    score: float
    #: Action in which the score was first reached; -1 before the first.
    action: int
    is_first_seen: bool


class Epoch:
    """Numbers given out since the last new search, and what the start of the service reached."""

    def __init__(self) -> None:
        """The beginning: the service is starting."""
        self.boot: dict[_Key, float] = {}
        self._numbers: dict[_Key, int] = {}
        self._names: list[str] = []
        self._first_seen: set[_Key] = set()

    def finish_boot(self) -> None:
        """What was reached so far was reached by starting."""
        RECORDER.collect()
        for table, target in RECORDER.touched():
            key = (table.identity, target)
            self.boot[key] = max(self.boot.get(key, 0.0), table.scores[target])
        RECORDER.clear()

    def new_search(self) -> None:
        """Forgets numbers, first reports and the current test."""
        self._numbers, self._names = {}, []
        self.new_test()

    def new_test(self) -> None:
        """Forgets the current test; its first reports are no longer first."""
        self._first_seen = set()
        RECORDER.clear()

    def reached(self) -> list[Reached]:
        """The targets touched in this test. They get their numbers here, in the order of the code,
        so that equal runs give equal numbers.
        """
        RECORDER.collect()
        touched = sorted(RECORDER.touched(), key=lambda one: (one[0].unit, one[1]))
        reached = [self._report(table, target) for table, target in touched]
        return sorted(reached, key=lambda one: one.number)

    def name(self, number: int) -> str | None:
        """Name of a target by its number, reached in this test or not."""
        return self._names[number] if 0 <= number < len(self._names) else None

    def boot_targets(self) -> list[tuple[str, float]]:
        """What starting reached."""
        tables = RECORDER.tables
        return [(tables[one].names[target], score) for (one, target), score in self.boot.items()]

    def _report(self, table: Table, target: int) -> Reached:
        key = (table.identity, target)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._names)
            self._names.append(table.names[target])
            # What starting covers in every run is no news to a search.
            if self.boot.get(key, 0.0) < 1.0:
                self._first_seen.add(key)
        return Reached(
            table.names[target],
            number,
            table.scores[target],
            table.actions[target],
            key in self._first_seen,
        )


def actions() -> list[ActionNotes]:
    """What was seen in each action of the test."""
    return RECORDER.actions


def decisions() -> list[tuple[str, Decision]]:
    """The values that decided against each side that the test missed."""
    missed = []
    for (identity, target), (_, why) in (RECORDER.decisions or {}).items():
        table = RECORDER.tables[identity]
        if table.scores[target] < 1.0:
            missed.append((table.names[target], why))
    return missed


def keep_decisions(is_on: bool) -> None:
    """Whether the values of decisions are kept from now on, which costs time."""
    if (RECORDER.decisions is not None) != is_on:
        RECORDER.decisions = {} if is_on else None


def units() -> tuple[list[str], int, int]:
    """Names of the modules, number of lines and of sides of branches."""
    tables = sorted(RECORDER.tables.values(), key=lambda table: table.unit)
    counts = [table.count() for table in tables]
    return (
        [table.unit for table in tables],
        sum(lines for lines, _ in counts),
        sum(branches for _, branches in counts),
    )


def placed_targets() -> list[tuple[str, str, int]]:
    """Name, file and line of every target."""
    return [
        (name, table.path, line)
        for table in sorted(RECORDER.tables.values(), key=lambda table: table.unit)
        for name, line in zip(table.names, table.source_lines, strict=True)
    ]
