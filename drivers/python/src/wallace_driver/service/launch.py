"""Runs the command of the service in this process, as its own interpreter would."""

from __future__ import annotations

import importlib
import os
import runpy
import shutil
import sys
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

from ..loading.finder import OwnModulesFinder, load
from ..rewriting.module import identity_of
from ..runtime.recorder import RECORDER
from .command import Command


def run(command: Command, finder: OwnModulesFinder) -> None:
    """Runs the command until it ends; it may end the process."""
    if command.kind == "module":
        sys.argv = [command.target, *command.arguments]
        runpy.run_module(command.target, run_name="__main__", alter_sys=True)
    elif command.kind == "file":
        _run_file(Path(command.target), command.arguments, finder)
    else:
        _run_script(command, finder)


def _run_script(command: Command, finder: OwnModulesFinder) -> None:
    """An installed script: by its entry point, or else as the file it is."""
    location = shutil.which(command.target)
    entries = metadata.entry_points(group="console_scripts", name=command.program)
    for entry in entries:
        sys.argv = [location or command.target, *command.arguments]
        if location is not None:
            sys.path[0] = os.path.dirname(location)
        sys.exit(_loaded(entry)())
    if location is None:
        raise SystemExit(f"wallace_driver: there is no command {command.target}")
    _run_file(Path(location), command.arguments, finder)


def _loaded(entry: metadata.EntryPoint) -> Any:
    """What a script calls. It imports a part of the path, so that this may be a module."""
    try:
        return entry.load()
    except AttributeError:
        importlib.import_module(f"{entry.module}.{entry.attr.split('.')[0]}")
        return entry.load()


def _run_file(file: Path, arguments: list[str], finder: OwnModulesFinder) -> None:
    """A file as the main module. `runpy` would not ask the finder for it."""
    path = str(file.resolve())
    if not file.is_file():
        raise SystemExit(f"wallace_driver: there is no file {file}")
    sys.argv = [str(file), *arguments]
    sys.path[0] = os.path.dirname(path)
    main = ModuleType("__main__")
    main.__file__ = path
    main.__dict__["__builtins__"] = __builtins__
    sys.modules["__main__"] = main
    if finder.ownership.owns(file.stem, path):
        # The file is not a module of its own, unless somebody imports it.
        RECORDER.tables.pop(identity_of(file.stem, path), None)
        code = load(finder.cache, "__main__", path, is_main=True)
    else:
        code = compile(file.read_bytes(), path, "exec", dont_inherit=True)
    exec(code, main.__dict__)
