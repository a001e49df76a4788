"""The command that starts the service: one worker, and no reloading."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePath
from typing import Literal

_PYTHON = re.compile(r"python(\d+(\.\d+)?)?(\.exe)?")
#: Options of the servers that take a value, and are replaced or dropped.
_WORKERS = {
    "uvicorn": (("--workers",), ["--workers", "1"]),
    "gunicorn": (("-w", "--workers"), ["--workers", "1"]),
    "granian": (("--workers",), ["--workers", "1"]),
    # Without workers of its own it serves in this process.
    "hypercorn": (("-w", "--workers"), ["--workers", "0"]),
    "litestar": (("-W", "--wc", "--web-concurrency"), []),
    # `fastapi dev` reloads unless it is told otherwise.
    "fastapi": (("--workers",), ["--no-reload"]),
}
#: Commands that serve what others wrote, and no product by themselves.
_SERVERS = frozenset(
    "aiohttp cherryd daphne django django-admin fastapi flask litestar pserve quart sanic "
    "waitress-serve waitress".split()
)
#: Options of the servers that name a folder to import from.
_FOLDERS = frozenset(["--app-dir", "--chdir", "--pythonpath", "--working-dir"])
#: Programs that run a command in the environment of a project.
_RUNNERS = frozenset("hatch pdm pipenv poetry rye uv".split())
#: Options of Python that the driver's own Python can do without, and those with a value.
_PLAIN_OPTIONS = re.compile(r"-[uBq]+|-[WX].+")
_VALUE_OPTIONS = ("-W", "-X")
_RELOADING = frozenset(["--reload", "--debug", "--preload"])
_RELOAD_VALUES = ("--reload-dir", "--reload-include", "--reload-exclude", "--reload-delay")


@dataclass(frozen=True)
class Command:
    """What is run in this process, in place of the command given."""

    kind: Literal["file", "module", "script"]
    #: Path of the file, or name of the module or of the installed script.
    target: str
    arguments: list[str]

    @property
    def program(self) -> str:
        """The name that says which server it is."""
        return PurePath(self.target).name if self.kind != "module" else self.target.split(".")[0]

    @property
    def is_server(self) -> bool:
        """Whether the command serves what others wrote, and is not the service itself."""
        return self.kind == "file" or self.is_known_server

    @property
    def is_known_server(self) -> bool:
        """Whether the command is that of a server or of a framework."""
        return self.program in _SERVERS or self.program in _WORKERS

    @property
    def forks(self) -> bool:
        """Whether a child of this process serves, and not the process itself."""
        return self.program in ("gunicorn", "granian")

    @property
    def application(self) -> str:
        """The `MODULE:app` among the arguments; empty without one."""
        named = (one for one in self.arguments if re.fullmatch(r"[\w.]+:[\w.()]+", one))
        return next(named, "")

    @property
    def named(self) -> list[str]:
        """The modules that the command names."""
        module = self.target if self.kind == "module" else ""
        return [name for name in (module, self.application.split(":")[0]) if name]

    @property
    def folders(self) -> list[Path]:
        """The folders that the command imports from, besides the one it is started in."""
        found = [Path(self.target).parent] if self.target.endswith(".py") else []
        found += [_place(Path(one)) for one in self.arguments if one.endswith(".py")]
        words = [part for word in self.arguments for part in word.split("=", 1)]
        found += [Path(value) for option, value in pairwise(words) if option in _FOLDERS]
        return [folder for folder in found if folder.is_dir()]


def _place(file: Path) -> Path:
    """The folder that a file is imported from: the one that its package lies in."""
    folder = file.parent
    while (folder / "__init__.py").is_file():
        folder = folder.parent
    return folder


def parse(words: list[str]) -> Command:
    """Reads a command. Raises `ValueError` for one that does not run Python."""
    if not words:
        raise ValueError("say how the service is started, for example: -- uvicorn app:app")
    if PurePath(words[0]).name in _RUNNERS and words[1:2] == ["run"]:
        return parse(_behind_options(words[2:], re.compile("-.*")))
    first, rest = words[0], words[1:]
    if _PYTHON.fullmatch(PurePath(first).name):
        rest = _behind_options(rest, _PLAIN_OPTIONS, _VALUE_OPTIONS)
        if rest[:1] == ["-m"] and len(rest) > 1:
            return Command("module", rest[1], rest[2:])
        if not rest or rest[0].startswith("-"):
            raise ValueError(f"of {first} only `-m MODULE` and a file can be run")
        return Command("file", rest[0], rest[1:])
    if first.endswith(".py"):
        return Command("file", first, rest)
    return Command("script", first, rest)


def _behind_options(
    words: list[str], options: re.Pattern[str], with_value: tuple[str, ...] = ()
) -> list[str]:
    """What stands behind some options."""
    while words and (words[0] in with_value or options.fullmatch(words[0])):
        words = words[2:] if words[0] in with_value else words[1:]
    return words


def adapted(command: Command) -> Command:
    """The command with one worker and without reloading."""
    arguments, program = command.arguments, command.program
    if program in _WORKERS:
        names, replacement = _WORKERS[program]
        arguments = _without(arguments, (*names, *_RELOAD_VALUES))
        short = ["-r"] if program == "litestar" else []
        reloading = _RELOADING.union(short)
        arguments = [*(one for one in arguments if one not in reloading), *replacement]
    elif program == "flask" and "run" in arguments:
        arguments = [one for one in arguments if one not in ("--debug", "--reload")]
        arguments = [*arguments, "--no-reload"]
    elif "runserver" in arguments and "--noreload" not in arguments:
        arguments = [*arguments, "--noreload"]
    return Command(command.kind, command.target, arguments)


def _without(arguments: list[str], options: tuple[str, ...]) -> list[str]:
    kept: list[str] = []
    words = iter(arguments)
    for word in words:
        if word in options:
            next(words, None)
        elif word.split("=")[0] not in options:
            kept.append(word)
    return kept
