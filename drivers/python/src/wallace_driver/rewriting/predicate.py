"""Questions about expressions: which are left alone, and which calls are known by their names."""

from __future__ import annotations

import ast

#: Methods that answer yes or no about a text: conditions wherever they stand.
CONDITIONS = frozenset(
    "startswith endswith isdigit isdecimal isnumeric isalpha isalnum isupper islower isspace "
    "isidentifier istitle isascii".split()
)
#: Functions that answer yes or no.
CONDITION_FUNCTIONS = frozenset(["isinstance"])
#: Methods and functions that give something, or nothing, or raise.
SEARCHES = frozenset(
    "match fullmatch search get pop index strptime fromisoformat loads UUID int float Decimal "
    "b64decode parse ip_address model_validate".split()
)
#: Methods that look for a part of a text, with an outcome of its own.
USES = frozenset(
    "find rfind count split rsplit partition rpartition removeprefix removesuffix replace sub "
    "subn findall finditer urlparse urlsplit getlist getall".split()
)
#: Nodes of an expression that may stand in the code twice.
_SHORT = 24
_NESTED = (
    ast.Lambda,
    ast.NamedExpr,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.JoinedStr,
)
_GUARDS = frozenset(["TYPE_CHECKING", "__debug__"])
_PLATFORM = frozenset([("sys", "version_info"), ("sys", "platform"), ("os", "name")])


def called_name(call: ast.Call) -> str:
    """The last name of what is called; empty where it has none."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def is_method(call: ast.Call) -> bool:
    """Whether something of something is called."""
    return isinstance(call.func, ast.Attribute)


def is_condition(call: ast.Call) -> bool:
    """Whether the call gives a truth value that the runtime knows a distance for."""
    name = called_name(call)
    return name in (CONDITIONS if is_method(call) else CONDITION_FUNCTIONS)


def is_search(call: ast.Call) -> bool:
    """Whether the call may be one that fails or finds nothing, with a known distance."""
    name = called_name(call)
    if not call.args:
        # A model that is given a dictionary.
        return name[:1].isupper() and any(keyword.arg is None for keyword in call.keywords)
    # A class with a capital that takes one value may be an enumeration.
    is_class = name[:1].isupper() and len(call.args) == 1 and not call.keywords
    return name in SEARCHES or (is_class and not isinstance(call.args[0], ast.Constant))


def is_use(call: ast.Call) -> bool:
    """Whether the call may look for a part of a text."""
    return called_name(call) in USES and bool(call.args)


def is_fixed(condition: ast.expr) -> bool:
    """Whether a condition has one side that no test can reach."""
    if isinstance(condition, ast.Constant):
        return True
    if isinstance(condition, (ast.Name, ast.Attribute)):
        return _last(condition) in _GUARDS
    if isinstance(condition, ast.Compare):
        return is_main_guard(condition) or _platform(condition.left)
    return False


def is_type_checking(condition: ast.expr) -> bool:
    """Whether what follows is read by type checkers only."""
    named = isinstance(condition, (ast.Name, ast.Attribute))
    return named and _last(condition) == "TYPE_CHECKING"


def is_main_guard(condition: ast.expr) -> bool:
    """Whether the condition is `__name__ == "__main__"`."""
    return (
        isinstance(condition, ast.Compare)
        and isinstance(condition.left, ast.Name)
        and condition.left.id == "__name__"
    )


def is_repeatable(operand: ast.expr) -> bool:
    """Whether evaluating it once more, or earlier, changes nothing."""
    return isinstance(operand, (ast.Name, ast.Constant))


def is_short(expression: ast.expr) -> bool:
    """Whether an expression may stand in the code twice: a few names, constants and operators, and
    nothing that the runtime is told of.
    """
    nodes = list(ast.walk(expression))
    return len(nodes) <= _SHORT and not any(
        isinstance(node, _NESTED) or (isinstance(node, ast.Name) and node.id.startswith("@"))
        for node in nodes
    )


def suspends(expression: ast.expr) -> bool:
    """Whether other code may run in the middle of it."""
    kinds = (ast.Await, ast.Yield, ast.YieldFrom)
    return any(isinstance(node, kinds) for node in ast.walk(expression))


def is_docstring(statement: ast.stmt) -> bool:
    """Whether the statement is a text and nothing else."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _last(expression: ast.expr) -> str:
    if isinstance(expression, ast.Name):
        return expression.id
    return expression.attr if isinstance(expression, ast.Attribute) else ""


def _platform(expression: ast.expr) -> bool:
    if isinstance(expression, ast.Subscript):
        expression = expression.value
    if not isinstance(expression, ast.Attribute) or not isinstance(expression.value, ast.Name):
        return False
    return (expression.value.id, expression.attr) in _PLATFORM
