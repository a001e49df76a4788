"""Makes modules white-box in a run of pytest: `wallace_include` in its settings names them."""

from __future__ import annotations

from pathlib import Path

import pytest

_CACHE = ".wallace/cache/python"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The setting that names the modules of the application."""
    about = "modules of the application, with all below them, that `wallace.fuzz` is to see"
    parser.addini("wallace_include", about, type="args", default=[])


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Instruments them before any test can import them."""
    patterns = early_config.getini("wallace_include")
    if not patterns:
        return
    # Loaded only now: most runs of pytest have nothing to do with this.
    import sys

    from .database import install as databases
    from .loading.hook import set_up
    from .loading.ownership import Ownership

    for folder in early_config.getini("pythonpath"):
        sys.path.insert(0, str(folder))
    databases.install()
    set_up(Ownership(patterns=patterns), Path(early_config.rootpath) / _CACHE)
