"""Rewritten code on disk, in a folder of its own.

Never in `__pycache__`: a plain process would load the rewritten code and die.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import marshal
import os
import sys
from pathlib import Path

from ..rewriting.module import Rewritten, rewrite_source, version
from ..rewriting.site import Site

_VERSION = version()


class CodeCache:
    """Code by the hash of everything it follows from."""

    def __init__(self, folder: Path) -> None:
        """A cache in a folder, which is made when something is written."""
        self.folder = folder

    def load(self, source: bytes, path: str, unit: str, *, is_main: bool = False) -> Rewritten:
        """The rewritten module, from the cache if it is there.

        Raises `SyntaxError` as a plain import does.
        """
        file = self.folder / f"{_key(source, path, unit, is_main)}.code"
        known = _read(file)
        if known is not None:
            return known
        rewritten = rewrite_source(source, path, unit, is_main=is_main)
        self._write(file, rewritten)
        return rewritten

    def _write(self, file: Path, rewritten: Rewritten) -> None:
        sites = [(site.kind, site.line, site.position, site.arms) for site in rewritten.sites]
        temporary = file.with_suffix(f".{os.getpid()}")
        # A folder that cannot be written to costs time at each start and nothing else.
        with contextlib.suppress(OSError):
            self._make_folder()
            temporary.write_bytes(marshal.dumps((rewritten.code, sites)))
            os.replace(temporary, file)

    def _make_folder(self) -> None:
        if not self.folder.is_dir():
            self.folder.mkdir(parents=True)
            (self.folder / ".gitignore").write_text("*\n")


def _read(file: Path) -> Rewritten | None:
    try:
        code, sites = marshal.loads(file.read_bytes())
        return Rewritten(code, [Site(*site) for site in sites])
    except (OSError, ValueError, EOFError, TypeError):
        return None


def _key(source: bytes, path: str, unit: str, is_main: bool) -> str:
    digest = hashlib.sha256(source)
    interpreter = (importlib.util.MAGIC_NUMBER.hex(), sys.flags.optimize, _VERSION)
    digest.update("\0".join(map(str, (path, unit, is_main, *interpreter))).encode())
    return digest.hexdigest()
