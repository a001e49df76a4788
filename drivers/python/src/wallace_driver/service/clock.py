"""A clock that stands still while a process waits for a processor: a busy machine is no hang."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from time import monotonic

#: Time between two looks, in seconds.
LOOK = 0.05
#: How often the time that something may take can pass by the wall's clock: what never ends is ended
#: on the busiest machine.
MOST = 20


class Clock:
    """Counts the time that a process had to work or to wait for others."""

    def __init__(self, process: int | None = None) -> None:
        """A clock of a process, of this one by default, that has not been looked at."""
        self._tasks = Path(f"/proc/{process or 'self'}/task")
        #: When it was looked at last, and how long each thread had waited for a processor then.
        self._last: tuple[float, dict[str, float]] | None = None

    def rest(self) -> None:
        """What passes until the next look does not count."""
        self._last = None

    def passed(self) -> float:
        """Seconds that count since the last look; none at the first."""
        now, delays = monotonic(), self._delays()
        last, self._last = self._last, (now, delays)
        if last is None:
            return 0.0
        elapsed = now - last[0]
        if not delays:
            # Whether the threads could run is not known; this one could not where its look is late.
            return min(elapsed, 2 * LOOK)
        # Threads of Python wait one after the other: one runs at a time, and idle ones do not wait.
        delayed = sum(delay - last[1].get(thread, 0.0) for thread, delay in delays.items())
        return max(elapsed - delayed, 0.0)

    def _delays(self) -> dict[str, float]:
        """How long each thread of the process was ready and did not run, where the system tells."""
        delays: dict[str, float] = {}
        # Other systems tell nothing of the kind.
        for task in self._tasks.iterdir() if self._tasks.is_dir() else ():
            # A thread may have ended meanwhile.
            with suppress(OSError):
                told = (task / "schedstat").read_text().split()
                delays[task.name] = int(told[1]) / 1e9
        return delays


class Patience:
    """How long something may take: so many seconds that a process has to work or to wait."""

    def __init__(self, seconds: float, process: int | None = None) -> None:
        """From now on; the process is this one by default."""
        self._clock = Clock(process)
        self._left = seconds
        self._deadline = monotonic() + seconds * MOST

    def is_over(self) -> bool:
        """Whether that time has passed; asked again and again."""
        self._left -= self._clock.passed()
        return self._left < 0 or monotonic() > self._deadline
