"""The witnesses of the case studies reach what can be reached of them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

_SUITES = Path(__file__).resolve().parents[1] / "suites"

_SCRIPT = """
import json, cases
reached = cases.feasible("graphql_cases")
from wallace_driver.runtime.recorder import RECORDER
studies = [f"case_study.{name}" for name in "bessel integral numeric pattern text".split()]
tables = [table for table in RECORDER.tables.values() if table.unit in studies]
names = {name for table in tables for name in table.names if name.startswith("Branch_")}
print(json.dumps([len(tables), len(names), sorted(names - reached)]))
"""


def test_witnesses_reach_every_side_but_one() -> None:
    words = [sys.executable, "-c", _SCRIPT]
    done = subprocess.run(words, cwd=_SUITES, capture_output=True, text=True, check=True)
    studies, sides, missed = json.loads(done.stdout)
    assert studies == 5
    assert sides > 300
    # No order is so high that no step of the recursion has been taken when the sum has settled.
    assert [name.rsplit("_at_line_", 1)[0] for name in missed] == ["Branch_at_case_study.bessel"]
