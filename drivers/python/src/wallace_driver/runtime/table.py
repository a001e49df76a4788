"""The targets of one module at run time."""

from __future__ import annotations

from functools import cached_property

from ..rewriting.site import Site


class Table:
    """Scores of the targets of one module in the current test.

    The lists keep their identity: rewritten code holds on to them.
    """

    def __init__(self, identity: int, unit: str, path: str, sites: list[Site]) -> None:
        """A table of a module, with nothing reached."""
        self.identity = identity
        self.unit = unit
        self.path = path
        self.sites = sites
        size = sum(site.size() for site in sites)
        self.scores = [0.0] * size
        self.actions = [-1] * size
        #: Whether something may still be learnt at the place whose first target this is.
        self.is_open = [True] * size
        #: Whether the helper is still wanted at the place whose first target this is: something may
        #: be learnt, or texts are met, which may be tainted.
        self.guards = [True] * size
        #: Dictionaries between being fetched and being asked, by place.
        self.held: dict[int, object] = {}
        #: Of comparisons that are known with all that they tell: place and left value, and the very
        #: object on the right. Holds nothing of the service's own classes.
        self.met: dict[tuple[int, object], object] = {}
        #: What was on the right of such a place last, and is known to hold nothing of that kind.
        self.constants: dict[int, object] = {}
        #: First target of the condition that a call has decided just now.
        self.pending = -1
        #: Number of arms of each `match`, by its first target.
        self.arms = self._match_arms()
        #: First target of each line.
        self.lines = self._line_targets()
        #: Truthy for each line that was executed since the last collection.
        self.hits = [0] * len(self.lines)
        self._no_hits = tuple(self.hits)

    def take_hits(self) -> list[int]:
        """First targets of the lines that were executed since the last call."""
        if not any(self.hits):
            return []
        lines = [line for line, is_hit in enumerate(self.hits) if is_hit]
        self.hits[:] = self._no_hits
        return [self.lines[line] for line in lines]

    @cached_property
    def names(self) -> list[str]:
        """Names of the targets."""
        return [name for site in self.sites for name in site.target_names(self.unit)]

    @cached_property
    def source_lines(self) -> list[int]:
        """Lines of the targets."""
        return [site.line for site in self.sites for _ in range(site.size())]

    def count(self) -> tuple[int, int]:
        """How many lines and how many sides of branches there are."""
        branches = sum(site.size() for site in self.sites if site.kind in ("branch", "arms"))
        return (len(self.lines), branches)

    def _match_arms(self) -> dict[int, int]:
        arms, first = {}, 0
        for site in self.sites:
            if site.kind == "arms":
                arms[first] = site.arms
            first += site.size()
        return arms

    def _line_targets(self) -> list[int]:
        targets, first = [], 0
        for site in self.sites:
            if site.kind == "line":
                targets.append(first)
            first += site.size()
        return targets
