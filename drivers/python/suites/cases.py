"""How many of the sides of branches that can be reached a search reaches, in the case studies.

    python suites/cases.py WALLACE SERVICE CALLS SEEDS [options of the search]

SERVICE is `ncs`, `scs` (both FastAPI), `flask_scs` or `graphql_cases` (Strawberry, both studies).
What can be reached is what the witnesses reach.
"""

from __future__ import annotations

import csv
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]
_FIXTURES = _ROOT / "fixtures"
_STUDIES = {"ncs": ["NUMERIC"], "graphql_cases": ["NUMERIC", "TEXTS"]}
_PORT = 8197


def feasible(service: str) -> set[str]:
    """Names of the sides that the witnesses reach."""
    sys.path[:0] = [str(_FIXTURES), str(_ROOT / "src")]
    from wallace_driver.loading.hook import set_up
    from wallace_driver.loading.ownership import Ownership
    from wallace_driver.runtime.recorder import RECORDER

    with tempfile.TemporaryDirectory() as folder:
        set_up(Ownership(patterns=["case_study"]), Path(folder))
        from case_study import witness

        RECORDER.collect()
        RECORDER.clear()
        for study in _STUDIES.get(service, ["TEXTS"]):
            witness.run(getattr(witness, study))
    names = {table.names[at] for table, at in RECORDER.touched() if table.scores[at] == 1.0}
    return {name for name in names if name.startswith("Branch_")}


def covered(wallace: str, service: str, calls: int, seed: int, options: list[str]) -> set[str]:
    """Names of the sides that a search reaches."""
    with tempfile.TemporaryDirectory() as folder:
        given = ["--calls", str(calls), "--seed", str(seed), "--quiet", "--out", "out"]
        words = [wallace, "python", "--driver-package", str(_ROOT), "--include", "case_study"]
        server = [sys.executable, "-m", "uvicorn", "--log-level", "warning", "--port", str(_PORT)]
        if service.startswith("flask"):
            server = [sys.executable, "-m", "flask", "--app", f"case_study.{service}", "run"]
            server += ["--port", str(_PORT)]
        else:
            server.append(f"case_study.{service}:app")
        environment = {**os.environ, "PYTHONPATH": str(_FIXTURES)}
        command = [*words, *given, *options, "--", *server]
        subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
        with (Path(folder) / "out/report/targets.csv").open() as file:
            return {row["name"] for row in csv.DictReader(file) if row["score"] == "1"}


def main(wallace: str, service: str, calls: str, seeds: str, *options: str) -> None:
    """Prints the share of each seed, and the median."""
    wanted = feasible(service)
    shares = []
    for seed in range(1, int(seeds) + 1):
        found = covered(wallace, service, int(calls), seed, list(options))
        shares.append(len(found & wanted) / len(wanted))
        lacking = sorted(wanted - found) if len(wanted - found) < 6 else len(wanted - found)
        print(f"seed {seed}: {shares[-1]:.3f} of {len(wanted)}, without {lacking}", flush=True)
    print(f"{service}, {calls} calls, {' '.join(options)}: median {statistics.median(shares):.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
