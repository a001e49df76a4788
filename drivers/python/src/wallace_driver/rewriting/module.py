"""From the source of a module to code that tells what it does."""

from __future__ import annotations

import ast
import hashlib
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

from .rewriter import rewrite
from .site import Site

_IDENTITY_BITS = 40


@dataclass(frozen=True)
class Rewritten:
    """Code of a module, and the places of its targets."""

    code: CodeType
    sites: list[Site]


def identity_of(unit: str, path: str) -> int:
    """A number for a module that is the same in every process."""
    digest = hashlib.sha256(f"{unit}\0{path}".encode()).digest()
    return int.from_bytes(digest, "big") >> (256 - _IDENTITY_BITS)


def rewrite_source(source: bytes, path: str, unit: str, *, is_main: bool = False) -> Rewritten:
    """Rewrites and compiles a module; one that is nested too deeply comes without targets.

    Raises `SyntaxError` as a plain import does.
    """
    tree = _parse(source, path)
    try:
        rewritten, sites = rewrite(tree, identity_of(unit, path), is_main=is_main)
        code = compile(rewritten, path, "exec", dont_inherit=True)
    except RecursionError:
        code, sites = compile(source, path, "exec", dont_inherit=True), []
    return Rewritten(code, sites)


def version() -> str:
    """Changes with every change of the rewriter, so that old code is not used any more."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _parse(source: bytes, path: str) -> ast.Module:
    # `compile` and not `ast.parse`: this module's own future statements must not leak in.
    tree = compile(source, path, "exec", flags=ast.PyCF_ONLY_AST, dont_inherit=True)
    assert isinstance(tree, ast.Module)
    return tree
