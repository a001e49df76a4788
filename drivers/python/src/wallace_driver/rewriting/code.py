"""Small pieces of syntax tree that call the runtime.

Names of the runtime begin with `@`, so that no identifier of the service can be one of them. They
are found through `builtins`: the module's own names stay as they are.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

#: Holds the number of the statement that was executed last.
LAST = "@l"
#: Numbers of statements leave this many bits to the line's place in its module.
LINE_BITS = 20

Constant = str | bytes | int | float | complex | tuple["Constant", ...] | None


def table_name(identity: int) -> str:
    """Name under which the runtime's table of a module is found."""
    return f"@t{identity:x}"


def hits_name(identity: int) -> str:
    """Name under which the list of the lines hit in a module is found."""
    return f"@h{identity:x}"


def guards_name(identity: int) -> str:
    """Name under which the list of the places that still want their helpers is found."""
    return f"@g{identity:x}"


def name(text: str) -> ast.Name:
    """The value of a name."""
    return ast.Name(id=text, ctx=ast.Load())


def constant(value: Constant) -> ast.Constant:
    """A constant."""
    # The compiler takes tuples too; the types of `ast` do not know.
    return ast.Constant(value=value)  # type: ignore[arg-type]


def call(helper: str, identity: int, site: int, arguments: Sequence[ast.expr]) -> ast.Call:
    """A call of a helper of the runtime."""
    first = [name(table_name(identity)), constant(site)]
    return ast.Call(func=name(helper), args=[*first, *arguments], keywords=[])


def guarded(identity: int, site: int, helped: ast.expr, plain: ast.expr) -> ast.expr:
    """`helped if @g[site] else plain`: one of the two is evaluated, once."""
    holder = name(guards_name(identity))
    test = ast.Subscript(value=holder, slice=constant(site), ctx=ast.Load())
    return place(ast.IfExp(test=test, body=helped, orelse=plain), plain)


def place(node: ast.expr, origin: ast.expr) -> ast.expr:
    """Puts a new expression where the origin stands, so that tracebacks show the same text."""
    ast.copy_location(node, origin)
    return ast.fix_missing_locations(node)


def hit(identity: int, line: int, statement: ast.stmt) -> ast.stmt:
    """The statement that notes a line: `@l[0] = @h[line] = number`.

    It takes no room: the marks of a traceback would be under the wrong text otherwise.
    """

    def slot(holder: str, index: int) -> ast.Subscript:
        return ast.Subscript(value=name(holder), slice=constant(index), ctx=ast.Store())

    number = constant(identity << LINE_BITS | line)
    targets: list[ast.expr] = [slot(LAST, 0), slot(hits_name(identity), line)]
    note = ast.Assign(targets=targets, value=number)
    note.lineno = note.end_lineno = first_line(statement)
    note.col_offset = note.end_col_offset = statement.col_offset
    return ast.fix_missing_locations(note)


def first_line(statement: ast.stmt) -> int:
    """Line where a statement begins: that of the first decorator, if there is one."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])
