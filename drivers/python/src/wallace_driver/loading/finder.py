"""The import hook: own modules are loaded rewritten, all others as ever."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType

from ..rewriting.module import identity_of
from ..runtime.install import register
from ..service.people import say
from .cache import CodeCache
from .ownership import Ownership


class RewritingLoader(SourceFileLoader):
    """Loads a module rewritten. Source and path stay those of the file."""

    def __init__(self, name: str, path: str, cache: CodeCache, unit: str) -> None:
        """A loader of one module, which is known as a unit of this name."""
        super().__init__(name, path)
        self.cache = cache
        self.unit = unit

    def get_code(self, fullname: str) -> CodeType:
        """The rewritten code. The inherited method would write it to `__pycache__`."""
        return load(self.cache, self.unit, self.path)


def load(cache: CodeCache, name: str, path: str, *, is_main: bool = False) -> CodeType:
    """The rewritten code of a file; its targets are known to the runtime afterwards."""
    with open(path, "rb") as file:
        source = file.read()
    rewritten = cache.load(source, path, name, is_main=is_main)
    register(identity_of(name, path), name, path, rewritten.sites)
    return rewritten.code


def spec_from_behind(
    finder: MetaPathFinder, name: str, path: Sequence[str] | None, target: ModuleType | None
) -> ModuleSpec | None:
    """The spec that the finders behind this one have."""
    place = sys.meta_path.index(finder) + 1 if finder in sys.meta_path else 0
    for other in sys.meta_path[place:]:
        find = getattr(other, "find_spec", None)
        spec: ModuleSpec | None = None if find is None else find(name, path, target)
        if spec is not None:
            return spec
    return None


class OwnModulesFinder(MetaPathFinder):
    """First of the finders: asks the others, and takes over what is the service's own."""

    def __init__(self, ownership: Ownership, cache: CodeCache) -> None:
        """A finder that takes over the modules of an ownership."""
        self.ownership = ownership
        self.cache = cache
        self._told: set[str] = set()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec that another finder has, with the loader replaced."""
        spec = spec_from_behind(self, fullname, path, target)
        # Loaders of another kind, such as that of a test runner, have their own way.
        if spec is None or not isinstance(spec.loader, SourceFileLoader):
            return spec
        location = spec.loader.path
        if self.ownership.owns(fullname, location):
            self._tell_loss(type(spec.loader))
            unit = self.ownership.unit(fullname, location)
            spec.loader = RewritingLoader(fullname, location, self.cache, unit)
        return spec

    def _tell_loss(self, loader: type[SourceFileLoader]) -> None:
        """What checkers of types add to modules is left out: two cannot write the same code."""
        adder = loader.__module__.split(".")[0]
        if loader is not SourceFileLoader and adder not in self._told:
            self._told.add(adder)
            say(f"what {adder} adds to modules of the service is left out")
