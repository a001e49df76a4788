"""What caches in memory hold of rows is gone with these."""

from __future__ import annotations

import asyncio
import sys
from types import ModuleType
from typing import Any

import pytest

from wallace_driver.service import caches
from wallace_driver.service.controller import ServiceController, ServiceOptions


def _controller() -> ServiceController:
    return ServiceController(ServiceOptions(url="http://127.0.0.1:1"), driver_port=0)


def _known(monkeypatch: pytest.MonkeyPatch, name: str, source: str) -> ModuleType:
    """A library, that is there already when the driver comes."""
    module = ModuleType(name)
    exec(source, module.__dict__)
    monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(caches, "_INSTALLED", [])
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    caches.install()
    return module


_DICTIONARY = """
class Cache(dict):
    pass
class TTLCache(Cache):
    def __init__(self, size, *, ttl):
        super().__init__()
class LRUCache(Cache):
    pass
"""
_MEMORY = """
class SimpleMemoryBackend:
    def __init__(self, **options):
        self._cache, self.options = {}, options
class Own(SimpleMemoryBackend):
    def __init__(self):
        super().__init__(size=3)
"""


def test_caches_are_empty_at_the_start_of_a_test(monkeypatch: pytest.MonkeyPatch) -> None:
    timed = _known(monkeypatch, "cachetools", _DICTIONARY)
    memory = _known(monkeypatch, "aiocache.backends.memory", _MEMORY)
    cache, kept, own = timed.TTLCache(3, ttl=1), timed.LRUCache(), memory.Own()
    cache["ada"] = kept["ada"] = own._cache["ada"] = "disabled"
    _controller().reset()
    assert (cache, kept, own._cache) == ({}, {"ada": "disabled"}, {})
    assert own.options == {"size": 3}


def test_a_cache_that_is_gone_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = _known(monkeypatch, "aiocache.backends.memory", _MEMORY)
    before = len(caches._CACHES)
    own: Any = memory.Own()
    assert len(caches._CACHES) == before + 1
    del own
    assert len(caches._CACHES) == before


def test_the_hook_of_the_user_comes_after(monkeypatch: pytest.MonkeyPatch) -> None:
    timed = _known(monkeypatch, "cachetools", _DICTIONARY)
    cache = timed.TTLCache(3, ttl=1)

    async def warm() -> None:
        cache["ada"] = "enabled"
        await asyncio.sleep(0)

    controller = _controller()
    controller.options.reset = lambda: asyncio.run(warm())
    controller.reset()
    assert cache == {"ada": "enabled"}
