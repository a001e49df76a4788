"""Caches in memory: what they hold of rows that are brought back is of an earlier test.

A cache may be emptied at any time, that is what it promises. So those of well-known libraries are
emptied before each test.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from types import ModuleType
from typing import Any

from ..loading.patch import patch_modules

#: Classes by module, each with the attributes that hold what is kept; without any, the cache itself
#: is a dictionary.
_KINDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "aiocache.backends.memory": ("SimpleMemoryBackend", ("_cache",)),
    "cachelib.simple": ("SimpleCache", ("_cache",)),
    "cachetools": ("TTLCache", ()),
    "django.core.cache.backends.locmem": ("LocMemCache", ("_cache", "_expire_info")),
    "fastapi_cache.backends.inmemory": ("InMemoryBackend", ("_store",)),
}
_INSTALLED: list[bool] = []
#: The caches that there are, by identity: a dictionary has no hash.
_CACHES: dict[int, tuple[weakref.ref[Any], tuple[str, ...]]] = {}


def install() -> None:
    """Remembers the caches that are made from now on."""
    if _INSTALLED:
        return
    _INSTALLED.append(True)
    patch_modules({module: _remembering(*kind) for module, kind in _KINDS.items()})


def _remembering(name: str, attributes: tuple[str, ...]) -> Callable[[ModuleType], None]:
    def patch(module: ModuleType) -> None:
        kind: Any = getattr(module, name, None)
        if kind is None:
            return
        construct = kind.__init__

        @wraps(construct)
        def constructed(self: Any, *arguments: Any, **options: Any) -> None:
            construct(self, *arguments, **options)
            number = id(self)
            forget = weakref.ref(self, lambda _: _CACHES.pop(number, None))
            _CACHES[number] = (forget, attributes)

        kind.__init__ = constructed

    return patch


def clear() -> None:
    """Empties all of them. No request runs meanwhile."""
    for reference, attributes in list(_CACHES.values()):
        cache = reference()
        # One that is made otherwise in some release is left as it is.
        with suppress(Exception):
            for kept in [getattr(cache, one) for one in attributes] or [cache]:
                kept.clear()
