"""Rewrites the statements of a module."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from . import code, matching, predicate
from .expression import ExpressionRewriter
from .site import Site

#: Depth of nesting that is still rewritten; what is deeper is loaded as it is.
_DEPTH = 6_000
#: Every name of the runtime, for the bodies of classes.
HELPERS = (
    *(f"@{one}{end}" for one in "eq ne lt le gt ge in notin".split() for end in ("", "?")),
    *"@chain @truth @value @flag @ask @use @outcome @hold @key @look @subject @arm".split(),
)

_Block = TypeVar("_Block", bound=ast.stmt)
_Function = TypeVar("_Function", ast.FunctionDef, ast.AsyncFunctionDef)


def rewrite(tree: ast.Module, identity: int, *, is_main: bool) -> tuple[ast.Module, list[Site]]:
    """Rewrites the tree in place, and tells the places of the targets.

    Raises `RecursionError` where the tree is too deep.
    """
    rewriter = _StatementRewriter(identity, is_main=is_main)
    with _deep():
        tree.body = rewriter.body(tree.body, has_docstring=True)
    return tree, rewriter.sites.sites


@contextmanager
def _deep() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEPTH))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


class _StatementRewriter(ExpressionRewriter):
    def __init__(self, identity: int, *, is_main: bool) -> None:
        super().__init__(identity)
        self.is_main = is_main

    def parts(self, parts: list[Any]) -> list[Any]:
        if parts and all(isinstance(part, ast.stmt) for part in parts):
            return self.body(parts)
        return super().parts(parts)

    def body(self, statements: list[ast.stmt], *, has_docstring: bool = False) -> list[ast.stmt]:
        """Rewrites a list of statements and notes the lines they begin on."""
        rewritten: list[ast.stmt] = []
        last_line = 0
        for index, statement in enumerate(statements):
            is_docstring = index == 0 and has_docstring and predicate.is_docstring(statement)
            if is_docstring or _is_silent(statement):
                rewritten.append(statement)
                continue
            line = code.first_line(statement)
            if line != last_line:
                rewritten.append(code.hit(self.identity, self.sites.line(line), statement))
                last_line = line
            rewritten.append(self.visit(statement))
        return rewritten

    def visit_If(self, node: ast.If) -> ast.stmt:
        is_main_guard = predicate.is_main_guard(node.test) and not self.is_main
        if not (predicate.is_type_checking(node.test) or is_main_guard):
            node.test = self.condition(node.test)
            node.body = self.body(node.body)
        node.orelse = self.body(node.orelse)
        return node

    def visit_While(self, node: ast.While) -> ast.stmt:
        node.test = self.condition(node.test)
        node.body = self.body(node.body)
        node.orelse = self.body(node.orelse)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        node.test = self.condition(node.test)
        if node.msg is not None:
            node.msg = self.value(node.msg)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        return self.function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.stmt:
        return self.function(node)

    def function(self, node: _Function) -> _Function:
        node.decorator_list = [self.value(decorator) for decorator in node.decorator_list]
        node.args = self.visit(node.args)
        node.body = self.body(node.body, has_docstring=True)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        node.decorator_list = [self.value(decorator) for decorator in node.decorator_list]
        node.bases = [self.value(base) for base in node.bases]
        node.keywords = [self.visit(keyword) for keyword in node.keywords]
        has_docstring = predicate.is_docstring(node.body[0])
        node.body = self.body(node.body, has_docstring=True)
        # Without this, every look-up of a helper would ask the namespace that a metaclass made.
        numbered = (code.table_name, code.hits_name, code.guards_name)
        own = (code.LAST, *(named(self.identity) for named in numbered))
        names = ast.copy_location(ast.Global(names=[*own, *HELPERS]), node.body[0])
        node.body.insert(1 if has_docstring else 0, names)
        return node

    def visit_TypeAlias(self, node: _Block) -> _Block:
        return node

    def visit_TemplateStr(self, node: ast.expr) -> ast.expr:
        # Its parts carry their own text.
        return node

    def visit_Match(self, node: ast.Match) -> ast.stmt:
        is_complete = any(map(matching.is_irrefutable, node.cases))
        shapes = tuple(matching.shape(case.pattern) for case in node.cases)
        site = self.sites.arms(node.lineno, len(shapes) + (0 if is_complete else 1))
        subject = self.value(node.subject)
        node.subject = self.helper("@subject", site, subject, code.constant(shapes), subject)
        for arm, case in enumerate(node.cases):
            if case.guard is not None:
                case.guard = self.condition(case.guard)
            case.body = [self.arm(site, arm, case.body[0]), *self.body(case.body)]
        if not is_complete:
            body = [self.arm(site, len(shapes), node)]
            node.cases.append(ast.match_case(_wildcard(node.cases[-1].pattern), None, body))
        return node

    def arm(self, site: int, arm: int, statement: ast.stmt) -> ast.stmt:
        """The statement that notes which arm is taken."""
        call = code.call("@arm", self.identity, site, [code.constant(arm)])
        note = ast.Expr(value=call)
        note.lineno = note.end_lineno = statement.lineno
        note.col_offset = note.end_col_offset = statement.col_offset
        return ast.fix_missing_locations(note)


def _wildcard(origin: ast.pattern) -> ast.pattern:
    return ast.copy_location(ast.MatchAs(), origin)


def _is_silent(statement: ast.stmt) -> bool:
    """Statements that are not executed, or before which nothing may stand."""
    if isinstance(statement, (ast.Global, ast.Nonlocal)):
        return True
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
