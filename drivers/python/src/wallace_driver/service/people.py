"""What people are told while an engine uses the service."""

from __future__ import annotations

import sys


def say(line: str) -> None:
    """Tells people something."""
    print(f"wallace_driver: {line}", file=sys.stderr, flush=True)
