"""Changes to modules of others, made as they are imported."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from .finder import spec_from_behind

Patch = Callable[[ModuleType], None]


class PatchHook(MetaPathFinder):
    """Changes known modules after they have been executed."""

    def __init__(self, patches: Mapping[str, Patch]) -> None:
        """Changes by the names of modules."""
        self.patches = patches

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """The spec that another finder has, whose loader changes the module afterwards."""
        patch = self.patches.get(fullname)
        if patch is None:
            return None
        spec = spec_from_behind(self, fullname, path, target)
        if spec is not None and spec.loader is not None:
            _patch_after(spec.loader, patch)
        return spec


def _patch_after(loader: Any, patch: Patch) -> None:
    execute = loader.exec_module

    def executed(module: ModuleType) -> None:
        execute(module)
        patch(module)

    loader.exec_module = executed


def patch_modules(patches: Mapping[str, Patch]) -> None:
    """Changes modules from now on, also those that are there already."""
    for name, patch in patches.items():
        if name in sys.modules:
            patch(sys.modules[name])
    sys.meta_path.insert(0, PatchHook(patches))
