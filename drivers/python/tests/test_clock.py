"""A busy machine is told from a request that hangs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from wallace_driver.service import clock
from wallace_driver.service.clock import Clock

from .test_hangs import ask, service


class Machine:
    """What a clock sees: the time, and how long the threads of a process waited to run."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        self.folder = folder
        monkeypatch.setattr(clock, "monotonic", lambda: self.now)

    def passed(self, one: Clock, seconds: float, **delays: float) -> float:
        self.delay(seconds, **delays)
        one._tasks = self.folder
        return one.passed()

    def delay(self, seconds: float, **delays: float) -> None:
        self.now += seconds
        for thread, delay in delays.items():
            (self.folder / thread).mkdir(exist_ok=True)
            (self.folder / thread / "schedstat").write_text(f"7 {int(delay * 1e9)} 3\n")


def test_waiting_for_a_processor_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine, one = Machine(tmp_path, monkeypatch), Clock()
    assert machine.passed(one, 3, main=2, idle=0) == 0, "the first look"
    assert machine.passed(one, 1, main=2) == 1, "it works, or waits for something else"
    assert machine.passed(one, 1, main=2.75) == 0.25
    assert machine.passed(one, 1, main=3, new=0.5) == 0.25, "one after the other"
    assert machine.passed(one, 1, main=5, new=1) == 0
    one.rest()
    assert machine.passed(one, 10, main=9) == 0


def test_where_the_system_does_not_tell_late_looks_do_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine, one = Machine(tmp_path / "nowhere", monkeypatch), Clock()
    assert [machine.passed(one, seconds) for seconds in (1, 0.0625, 7)] == [0, 0.0625, 0.1]


def test_what_never_ends_is_given_up_on_the_busiest_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(tmp_path, monkeypatch)
    patience = clock.Patience(5)
    assert machine.passed(patience._clock, 1, main=0) == 0
    machine.delay(90, main=90)
    assert not patience.is_over()
    machine.delay(11, main=101)
    assert patience.is_over()


def pin(process: int, processor: int) -> None:
    """Has all threads of a process run on one processor."""
    for thread in os.listdir(f"/proc/{process}/task"):
        os.sched_setaffinity(int(thread), {processor})


def test_a_request_that_works_on_a_busy_machine_is_not_ended(tmp_path: Path) -> None:
    if not hasattr(os, "sched_setaffinity") or not Path("/proc/self/schedstat").exists():
        pytest.skip("the system does not tell how long threads wait for a processor")
    processor = min(os.sched_getaffinity(0))
    with service(tmp_path, "--hang 1") as session:
        assert ask(session, "/work/0") == 200
        pin(session.process.pid, processor)
        rivals = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(9)]
        try:
            for rival in rivals:
                pin(rival.pid, processor)
            began = time.monotonic()
            status = ask(session, "/work/0.15", 1)
            elapsed = time.monotonic() - began
            if elapsed > clock.MOST:
                pytest.skip("the machine is busier than any time that is given")
            assert elapsed > 1, "the machine was not busy"
            assert status == 200
            assert "was ended" not in "".join(session.said)
        finally:
            for rival in rivals:
                rival.kill()
                rival.wait()
