"""What the server needs from the service it controls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol


@dataclass(frozen=True)
class Problem:
    """Which kind of API there is, and where: the URL of its description, or the path of GraphQL."""

    kind: Literal["rest", "graphql"]
    location: str
    #: The description itself, where the service offers none at any URL.
    description: str | None = None


class Controller(Protocol):
    """The service under test."""

    @property
    def base_url(self) -> str | None:
        """Where the service answers; nothing while it does not run."""

    @property
    def problem(self) -> Problem:
        """Kind of API."""

    def start(self) -> None:
        """Waits until the service answers. Raises `RuntimeError` when it does not."""

    def stop(self) -> None:
        """Takes the service for stopped."""

    def reset(self) -> None:
        """Brings the state back to what it was after the start. Raises what the reset raises."""

    def begin_action(self, index: int, inputs: list[str]) -> None:
        """Announces an action to the recorder."""

    def settle(self) -> None:
        """Waits a little for the ends of requests whose answers have been sent."""

    def set_kill_switch(self, is_on: bool) -> None:
        """Ends what still runs of the last test."""
