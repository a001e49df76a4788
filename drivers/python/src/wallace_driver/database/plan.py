"""What there is to know of a statement, whatever its constants."""

from __future__ import annotations

from dataclasses import dataclass, field

Columns = dict[str, set[str]]
#: Rows that are looked at for one statement.
MOST_ROWS = 10_000


@dataclass(frozen=True)
class Probe:
    """A selection that can be asked about."""

    #: Gives the least distance and the number of rows that were looked at.
    distance: str
    #: Gives whether a row meets the condition, whatever their number.
    exact: str


@dataclass
class Plan:
    """A statement that was seen through."""

    #: Whether it has a condition on tables of the schema.
    is_asking: bool = False
    #: The questions that give its distance.
    probes: list[Probe] = field(default_factory=list)
    queried: Columns = field(default_factory=dict)
    inserted: Columns = field(default_factory=dict)
    updated: Columns = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    #: What would have to be in which table, if no row meets the condition.
    missing: Columns = field(default_factory=dict)
    #: Columns that a constant is compared with: the table and the constant, by its slot.
    equalities: list[tuple[str, str, str]] = field(default_factory=list)

    @property
    def is_changing(self) -> bool:
        """Whether rows that were there may be gone or changed."""
        return bool(self.updated or self.deleted)

    @property
    def written(self) -> set[str]:
        """The tables that it writes."""
        return {*self.inserted, *self.updated, *self.deleted}
