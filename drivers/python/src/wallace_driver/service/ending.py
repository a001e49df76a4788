"""Has rows come back before the process of the service ends."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable
from types import FrameType

#: What ends a process without a word to it. Ctrl-C is an exception, and passes `end`.
_SIGNALS = (signal.SIGTERM, signal.SIGHUP)
#: How long a signal waits for that at most, in seconds.
_PATIENCE = 10.0


class Ending:
    """The end of one process, and what is done before."""

    def __init__(self, leave: Callable[[], None]) -> None:
        """Nothing is watched yet; `leave` will be called once, in any thread."""
        self._leave = leave
        self._process: int | None = None
        self._lock = threading.Lock()
        self._has_left = False
        self._is_over = False

    def begin(self) -> None:
        """From now on signals that end this process wait. Servers that handle them by themselves
        return in the end, or send themselves the signal again.
        """
        self._process = os.getpid()
        for number in _SIGNALS:
            # Only the main thread may ask for signals.
            with contextlib.suppress(ValueError):
                if signal.getsignal(number) is signal.SIG_DFL:
                    signal.signal(number, self._receive)

    def end(self) -> None:
        """The service ends. Whoever comes second waits for the first."""
        with self._lock:
            # Forked processes come here as well, and the service is not theirs.
            if not self._has_left and self._process == os.getpid():
                self._has_left = True
                self._leave()

    def forget(self) -> None:
        """The process goes on without the service: signals do what they did."""
        for number in _SIGNALS:
            with contextlib.suppress(ValueError):
                if signal.getsignal(number) == self._receive:
                    signal.signal(number, signal.SIG_DFL)

    def _receive(self, number: int, _: FrameType | None) -> None:
        if self._is_over or self._process != os.getpid():
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        else:
            # The main thread goes on: it may be in the middle of a request, and in a transaction.
            threading.Thread(target=self._end_by, args=(number,), daemon=True).start()

    def _end_by(self, number: int) -> None:
        leaving = threading.Thread(target=self.end, daemon=True)
        leaving.start()
        leaving.join(_PATIENCE)
        self._is_over = True
        os.kill(os.getpid(), number)
