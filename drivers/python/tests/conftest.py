"""What tests share: a recorder of their own each time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from wallace_driver.runtime.install import install
from wallace_driver.runtime.recorder import RECORDER, Recorder


@pytest.fixture(autouse=True)
def recorder() -> Iterator[Recorder]:
    install()
    RECORDER.tables.clear()
    RECORDER.clear()
    RECORDER.decisions = None
    yield RECORDER
    RECORDER.clear()
