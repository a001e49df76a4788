"""The places of one module that have targets, in the order of the source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["line", "branch", "arms", "call"]


@dataclass(frozen=True)
class Site:
    """One place with its targets, which are numbered in the order of the table."""

    kind: Kind
    line: int
    #: Number of the branch, or of the call, on its line.
    position: int = 0
    #: Number of arms of a `match`.
    arms: int = 0

    def size(self) -> int:
        """How many targets the place has."""
        return {"line": 1, "branch": 2, "call": 2, "arms": self.arms}[self.kind]

    def target_names(self, unit: str) -> list[str]:
        """Names of the targets in the module `unit`, as the drivers of the family name them."""
        if self.kind == "line":
            return [f"Line_at_{unit}_{self.line:05}"]
        if self.kind == "call":
            stem = f"MethodReplacement_at_{unit}_{self.line:05}_{self.position}"
            return [f"{stem}_EXCEPTION_{side}" for side in ("true", "false")]
        stem = f"Branch_at_{unit}_at_line_{self.line:05}_position_{self.position}"
        if self.kind == "branch":
            return [f"{stem}_{side}" for side in ("trueBranch", "falseBranch")]
        return [f"{stem}_arm_{arm}" for arm in range(self.arms)]


class SiteTable:
    """The table of one module while it is being rewritten."""

    def __init__(self) -> None:
        """An empty table."""
        self.sites: list[Site] = []
        self._targets = 0
        self._lines: dict[int, int] = {}
        self._positions: dict[int, int] = {}
        self._calls: dict[int, int] = {}

    def line(self, line: int) -> int:
        """Number of a line among the lines of the module; the same for each of its statements."""
        if line not in self._lines:
            self._lines[line] = len(self._lines)
            self._add(Site("line", line))
        return self._lines[line]

    def branch(self, line: int) -> int:
        """First of the two targets of a condition."""
        return self._add(Site("branch", line, self._next(self._positions, line)))

    def arms(self, line: int, arms: int) -> int:
        """First of the targets of a `match`."""
        return self._add(Site("arms", line, self._next(self._positions, line), arms))

    def call(self, line: int) -> int:
        """First of the two targets of a call that can fail."""
        return self._add(Site("call", line, self._next(self._calls, line)))

    def _add(self, site: Site) -> int:
        self.sites.append(site)
        first = self._targets
        self._targets += site.size()
        return first

    @staticmethod
    def _next(used: dict[int, int], line: int) -> int:
        position = used.get(line, 0)
        used[line] = position + 1
        return position
