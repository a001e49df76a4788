"""Whether a search opens what lies behind rows of a database that no operation writes.

    python suites/rows.py WALLACE SEEDS CALLS

Runs `wallace python` on the library of Django, with SQL and without, and counts the lines that are
marked `behind rows`, for each seed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]
_SERVICE = _ROOT / "fixtures" / "django_library.py"


def opened(wallace: str, seed: int, calls: int, sql: str) -> list[int]:
    """The marked lines that a search has reached."""
    with tempfile.TemporaryDirectory() as folder:
        service = Path(folder) / _SERVICE.name
        service.write_text(_SERVICE.read_text())
        options = ["--calls", str(calls), "--seed", str(seed), "--sql", sql, "--out", "out"]
        words = [wallace, "python", "--driver-package", str(_ROOT), "--quiet", *options]
        command = [sys.executable, service.name, "runserver", "--nothreading", "8199"]
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
        subprocess.run([*words, "--", *command], cwd=folder, env=environment, capture_output=True)
        lines = _SERVICE.read_text().splitlines()
        marked = {number for number, line in enumerate(lines, 1) if "# behind rows" in line}
        report = (Path(folder) / "out/report/lcov.info").read_text().splitlines()
        hits = [line[3:].split(",")[:2] for line in report if line.startswith("DA:")]
        return sorted(int(line) for line, count in hits if int(line) in marked and int(count))


def main(wallace: str, seeds: int, calls: int) -> None:
    for seed in range(1, seeds + 1):
        with_rows, without = (opened(wallace, seed, calls, sql) for sql in ("on", "off"))
        print(f"seed {seed}: with {with_rows}, without {without}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
