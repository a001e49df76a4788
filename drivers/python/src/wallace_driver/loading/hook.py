"""Sets the instrumentation up, before the service is imported."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

from ..runtime.install import install
from .cache import CodeCache
from .finder import OwnModulesFinder, load
from .ownership import Ownership

_LOG = logging.getLogger("wallace_driver")


def set_up(ownership: Ownership, folder: Path) -> OwnModulesFinder:
    """Instruments all own modules that are imported from now on, and knows their targets at once.

    The service must not have been imported yet; what has been is named in the log.
    """
    install()
    finder = OwnModulesFinder(ownership, CodeCache(folder))
    for name, file in ownership.modules():
        try:
            load(finder.cache, name, str(file))
        except (SyntaxError, ValueError, OSError) as error:
            # A module that cannot be read is no obstacle until somebody imports it.
            _LOG.info("%s is not instrumented: %s", name, error)
    files = {name: getattr(module, "__file__", None) for name, module in sys.modules.items()}
    missed = [name for name, file in files.items() if file and ownership.owns(name, file)]
    if missed:
        _LOG.warning("imported before the instrumentation, and so without targets: %s", missed)
    sys.meta_path.insert(0, finder)
    return finder
