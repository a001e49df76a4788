"""Which modules are the service's own."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache, cached_property
from importlib import metadata
from pathlib import Path
from urllib.parse import unquote, urlparse

_LEFT_OUT_PARTS = frozenset(["tests", "test", "testing", "migrations", "wallace_driver"])
_LEFT_OUT_NAMES = ("test_*", "*_test", "conftest", "*_pb2", "*_pb2_grpc", "setup", "noxfile")
_PACKAGE_FOLDERS = frozenset(["site-packages", "dist-packages", "node_modules", "__pycache__"])
#: Folders of scripts in an environment.
_SCRIPTS = frozenset(["bin", "Scripts"])
_IMPORT = re.compile(
    rb"^[ \t]*(?:from|import)[ \t]+([\w.]+)(?:[ \t]+import[ \t(]+([\w, \t]+))?"
    # Settings name modules in texts.
    rb"|[\"']((?:\w+\.)+\w+)[\"']",
    re.MULTILINE,
)


@dataclass
class Ownership:
    """Modules named by patterns, and all below some folders."""

    patterns: list[str] = field(default_factory=list)
    roots: list[Path] = field(default_factory=list)
    #: Modules that the command names, and so perhaps nobody imports.
    named: list[str] = field(default_factory=list)

    def owns(self, name: str, path: str) -> bool:
        """Whether a module is one of the service's own, by whatever name it is imported."""
        if self._is_meant(name, path):
            return True
        return not is_left_out(name) and Path(path).resolve() in self._names

    def unit(self, name: str, path: str) -> str:
        """The name under which a module is known: products that put a folder of their own on the
        path import what is in it by shorter names.
        """
        return self._names.get(Path(path).resolve(), name)

    @cached_property
    def _names(self) -> dict[Path, str]:
        return {file.resolve(): name for name, file in self.modules()}

    def _is_meant(self, name: str, path: str) -> bool:
        if is_left_out(name):
            return False
        if any(_is_below(name, pattern) for pattern in self.patterns):
            return True
        file = Path(path).resolve()
        return any(_lies_below(file, root) for root in self.roots)

    def has(self, top: str) -> bool:
        """Whether a folder of this name lies below one of the roots, package or not."""
        return any((root / top).is_dir() for root in self.roots)

    def modules(self) -> list[tuple[str, Path]]:
        """Names and files of all own modules found on disk, in their order."""
        found: dict[str, Path] = {}
        files: set[Path] = set()
        for name, file in self._candidates():
            # A folder of the path may lie in another one.
            if self._is_meant(name, str(file)) and file.resolve() not in files:
                files.add(file.resolve())
                found.setdefault(name, file)
        return sorted(found.items())

    def _candidates(self) -> Iterator[tuple[str, Path]]:
        for root in self.roots:
            yield from _all_below(root, "", self.named)
        for top in {pattern.split(".")[0] for pattern in self.patterns}:
            yield from _of_package(top)


def under(folder: Path, others: Iterable[Path] = (), named: Iterable[str] = ()) -> Ownership:
    """All modules of a project: its folder, `src` in it, what is installed editably, and the other
    folders that the command imports from.
    """
    source = folder / "src"
    is_on_path = source.is_dir() and not (source / "__init__.py").exists()
    roots = [*others, *([source] if is_on_path else []), folder, *_editable_roots()]
    unique = dict.fromkeys(root.resolve() for root in roots)
    return Ownership(roots=list(unique), named=list(named))


def of_distribution(script: str, application: str) -> list[str]:
    """Top-level packages of the distribution that a command or `MODULE:app` belongs to, and of
    those that it is made of.
    """
    owners = metadata.packages_distributions()
    top = application.split(":")[0].split(".")[0]
    names = set(owners.get(top, ()))
    if not names:
        for entry in metadata.entry_points(group="console_scripts", name=script):
            names |= set(owners.get(entry.module.split(".")[0], ()))
    for name in list(names):
        names |= _parts(name)
    plain = {_plain(name) for name in names}
    return sorted(top for top, of in owners.items() if plain & {_plain(one) for one in of})


def _parts(name: str) -> set[str]:
    """The distributions that one needs and that have its first word in their names."""
    word = _plain(name).split("-")[0]
    found, new = {name}, [name]
    while new:
        try:
            needed = metadata.requires(new.pop()) or []
        except metadata.PackageNotFoundError:
            continue
        for text in needed:
            one = re.split(r"[^\w.-]", text, maxsplit=1)[0]
            is_part = _plain(one) == word or _plain(one).startswith(f"{word}-")
            if is_part and "extra ==" not in text and one not in found:
                found.add(one)
                new.append(one)
    return found


def _plain(name: str) -> str:
    """The name of a distribution as it is compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def is_left_out(name: str) -> bool:
    """Whether a module is none of the service's, wherever it lies: tests, migrations, generated."""
    parts = name.split(".")
    if any(part in _LEFT_OUT_PARTS for part in parts):
        return True
    return any(fnmatchcase(part, pattern) for part in parts for pattern in _LEFT_OUT_NAMES)


def _is_below(name: str, pattern: str) -> bool:
    return fnmatchcase(name, pattern) or fnmatchcase(name, f"{pattern}.*")


def _lies_below(file: Path, root: Path) -> bool:
    try:
        parts = file.relative_to(root).parts
    except ValueError:
        return False
    folders, folder = parts[:-1], root
    # An environment may be made in the folder of the project itself.
    if folders and folders[0] in _SCRIPTS and (root / "pyvenv.cfg").exists():
        return False
    for part in folders:
        folder = folder / part
        if part in _PACKAGE_FOLDERS or part.startswith(".") or (folder / "pyvenv.cfg").exists():
            return False
    return True


def _all_below(folder: Path, prefix: str, named: Iterable[str] = ()) -> list[tuple[str, Path]]:
    """Modules of a folder and of the packages in it. A folder without `__init__.py` is a package
    where a module or the command imports or names something of its name.
    """
    words = {word for name in named for word in name.split(".")}
    while True:
        found = list(_below(folder, prefix, words))
        known = words.union(*(_imported(file) for _, file in found))
        if known == words:
            return found
        words = known


def _below(folder: Path, prefix: str, words: set[str]) -> Iterator[tuple[str, Path]]:
    for entry in sorted(folder.iterdir()):
        name = prefix + entry.stem
        if entry.suffix == ".py" and entry.stem.isidentifier():
            yield (name.removesuffix(".__init__"), entry) if prefix else (name, entry)
        elif entry.name.isidentifier() and _is_package(entry, words):
            yield from _below(entry, f"{name}.", words)


def _is_package(folder: Path, words: set[str]) -> bool:
    if (folder / "__init__.py").is_file():
        return True
    is_own = folder.name in words and folder.name not in _PACKAGE_FOLDERS
    return is_own and folder.is_dir() and not folder.is_symlink()


@cache
def _imported(file: Path) -> frozenset[str]:
    """The words of all names that a module imports, or has as texts."""
    try:
        imports = _IMPORT.findall(file.read_bytes())
    except OSError:
        return frozenset()
    return frozenset(re.findall(r"\w+", " ".join(b" ".join(one).decode() for one in imports)))


def _of_package(top: str) -> Iterator[tuple[str, Path]]:
    try:
        spec = importlib.util.find_spec(top) if "*" not in top else None
    except (ImportError, ValueError):
        spec = None
    if spec is None:
        for path in dict.fromkeys(sys.path):
            folder = Path(path or ".")
            if "*" in top and folder.is_dir() and folder.name not in _PACKAGE_FOLDERS:
                yield from _all_below(folder, "")
    elif spec.submodule_search_locations:
        for location in spec.submodule_search_locations:
            yield from _all_below(Path(location), f"{top}.")
    elif spec.origin:
        yield top, Path(spec.origin)


def _editable_roots() -> Iterable[Path]:
    for distribution in metadata.distributions():
        text = distribution.read_text("direct_url.json")
        if text and '"editable"' in text and distribution.metadata["Name"] != "wallace-driver":
            url = urlparse(json.loads(text).get("url", ""))
            root = Path(unquote(url.path))
            yield root / "src" if (root / "src").is_dir() else root
