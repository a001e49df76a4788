"""What a run of pytest needs: own modules made white-box before a test imports them, and the
service that a generated suite tests.
"""

from __future__ import annotations

import os
import shlex
from contextlib import ExitStack
from pathlib import Path

import pytest

_CACHE = ".wallace/cache/python"
#: Where generated suites look for the driver of the service.
_DRIVER = "WALLACE_DRIVER"
_STARTED = pytest.StashKey[ExitStack]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The settings that name the modules of the application, and the command of the service."""
    about = "modules of the application, with all below them, that `wallace.fuzz` is to see"
    parser.addini("wallace_include", about, type="args", default=[])
    about = "starts a service by its command under its driver, for a suite that Wallace wrote"
    parser.addini("wallace_start", about, default="")
    parser.addoption("--wallace-start", metavar="COMMAND", default="", help=about)


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


def pytest_sessionstart(session: pytest.Session) -> None:
    """Starts the service, unless somebody says that it runs, or the suite is only listed."""
    config = session.config
    command = config.getoption("--wallace-start") or config.getini("wallace_start")
    if not command or os.environ.get(_DRIVER) or config.option.collectonly:
        return
    from .starting import NotStartedError, started

    named = config.getini("wallace_include")
    options = [word for one in named for word in ("--include", one)]
    stack = config.stash[_STARTED] = ExitStack()
    try:
        os.environ[_DRIVER] = stack.enter_context(started(shlex.split(command), options))
    except NotStartedError as error:
        raise pytest.UsageError(str(error)) from None


def pytest_unconfigure(config: pytest.Config) -> None:
    """Ends it."""
    stack = config.stash.get(_STARTED, None)
    if stack is not None:
        os.environ.pop(_DRIVER, None)
        stack.close()
