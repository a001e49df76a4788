"""Runs the own test suite of a package, plain or instrumented, and compares both by test name.

    python suites/run.py compare MODULE FOLDER [pytest arguments]

FOLDER is the unpacked source distribution; its tests must run with what is installed.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

#: Names of tests may have the time of the run among their parameters.
_TIME = re.compile(r"\d\d:\d\d:\d\d")
#: What a package lacks to run all of its tests hinders only those that need it.
_OPTIONS = "-q -p no:cacheprovider --tb=no -W ignore --continue-on-collection-errors".split()
_SOURCE = Path(__file__).resolve().parents[1] / "src"


class Outcomes:
    """A plug-in of pytest that keeps the outcome of every test."""

    def __init__(self) -> None:
        self.outcomes: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call" or report.outcome != "passed":
            self.outcomes[_TIME.sub("<time>", report.nodeid)] = report.outcome

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.outcomes[_TIME.sub("<time>", report.nodeid)] = "not collected"


def run(module: str, output: Path, arguments: list[str], *, instrumented: bool) -> None:
    """Runs the suite in this process and writes the outcomes."""
    if instrumented:
        sys.path.insert(0, str(_SOURCE))
        from wallace_driver.loading.hook import set_up
        from wallace_driver.loading.ownership import Ownership
        from wallace_driver.runtime.epoch import units

        set_up(Ownership(patterns=module.split(",")), Path(".wallace/cache").resolve())
        names, lines, branches = units()
        print(f"{len(names)} modules, {lines} lines, {branches} branches")
    import pytest

    kept, touched = Outcomes(), 0
    pytest.main([*arguments, *_OPTIONS], [kept])
    if instrumented:
        from wallace_driver.runtime.recorder import RECORDER

        RECORDER.collect()
        touched = len(RECORDER.touched())
    output.write_text(json.dumps([kept.outcomes, touched]))


def compare(module: str, folder: Path, arguments: list[str]) -> int:
    """Runs the suite twice and tells the tests whose outcomes differ."""
    outcomes = []
    for kind in ("plain", "instrumented"):
        output = folder / f"outcomes-{kind}.json"
        command = [sys.executable, __file__, kind, module, str(output), *arguments]
        # Parameters of tests that are kept in a set have numbers by its order.
        same = {**os.environ, "PYTHONHASHSEED": "0"}
        subprocess.run(command, cwd=folder, check=False, stdout=subprocess.DEVNULL, env=same)
        outcomes.append(json.loads(output.read_text()))
    (plain, _), (instrumented, touched) = outcomes
    names = sorted({*plain, *instrumented})
    differing = [name for name in names if plain.get(name) != instrumented.get(name)]
    counts = {one: list(plain.values()).count(one) for one in sorted({*plain.values()})}
    print(
        f"{module}: {counts} plain, {len(differing)} of {len(names)} differ instrumented, "
        f"{touched} targets touched"
    )
    for name in differing[:20]:
        print(f"  {name}: {plain.get(name)} -> {instrumented.get(name)}")
    return len(differing)


def main() -> None:
    kind, module, place, *arguments = sys.argv[1:]
    if kind == "compare":
        sys.exit(1 if compare(module, Path(place).resolve(), arguments) else 0)
    run(module, Path(place), arguments, instrumented=kind == "instrumented")


if __name__ == "__main__":
    main()
