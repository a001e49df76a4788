"""Rewrites expressions: comparisons, conditions, calls of known names and look-ups.

Only values go into helpers, never code: nothing is put into a lambda and no name is added, so
scopes, `await` and `yield` stay what they are.
"""

from __future__ import annotations

import ast
import copy

from . import code, predicate
from .site import SiteTable

_OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.In: "in",
    ast.NotIn: "notin",
}
_GENERICS = frozenset("list dict tuple set frozenset type".split())
_SKIPPED = frozenset(["annotation", "returns", "type_params", "type_comment"])


class ExpressionRewriter(ast.NodeTransformer):
    """Rewrites expressions of one module."""

    def __init__(self, identity: int) -> None:
        """A rewriter for the module of this number."""
        self.identity = identity
        self.sites = SiteTable()

    def value(self, node: ast.expr) -> ast.expr:
        """Rewrites an expression that gives a value."""
        rewritten: ast.expr = self.visit(node)
        return rewritten

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Visits all parts but annotations, whose text and values others read."""
        for field, part in ast.iter_fields(node):
            if field in _SKIPPED:
                continue
            if isinstance(part, list):
                setattr(node, field, self.parts(part))
            elif isinstance(part, ast.AST):
                setattr(node, field, self.visit(part))
        return node

    def parts(self, parts: list[ast.AST]) -> list[ast.AST]:
        """Visits the parts of a list."""
        return [self.visit(part) if isinstance(part, ast.AST) else part for part in parts]

    def helper(self, helper: str, site: int, origin: ast.expr, *arguments: ast.expr) -> ast.expr:
        """A call of the helper in the place of the origin."""
        return code.place(code.call(helper, self.identity, site, arguments), origin)

    def guarded(self, helper: str, site: int, origin: ast.expr, value: ast.expr) -> ast.expr:
        """The helper of a value, until nothing more can be learnt there; then the value itself."""
        helped = self.helper(helper, site, origin, value)
        is_short = predicate.is_short(value)
        return code.guarded(self.identity, site, helped, value) if is_short else helped

    # Conditions: what an `if` or the like decides by.

    def condition(self, node: ast.expr) -> ast.expr:
        """Rewrites an expression whose truth decides; `and`, `or` and `not` stay operators."""
        if predicate.is_fixed(node):
            return node
        if isinstance(node, ast.BoolOp):
            node.values = [self.condition(value) for value in node.values]
            return node
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node.operand = self.condition(node.operand)
            return node
        if isinstance(node, ast.Compare):
            return self.compare(node, decides=True)
        if isinstance(node, ast.Call) and predicate.is_condition(node):
            site = self.sites.branch(node.lineno)
            return self.helper("@outcome", site, node, self.ask(node, site))
        site = self.sites.branch(node.lineno)
        return self.guarded("@truth", site, node, self.value(node))

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """`a or b` as a value: all but the last decide."""
        *deciding, last = node.values
        node.values = [*(self.operand(value) for value in deciding), self.value(last)]
        return node

    def operand(self, node: ast.expr) -> ast.expr:
        """Rewrites what decides and is perhaps the value as well."""
        if isinstance(node, (ast.Compare, ast.BoolOp, ast.Constant)) or self.is_not(node):
            return self.value(node)
        if isinstance(node, ast.Call) and predicate.is_condition(node):
            return self.value(node)
        site = self.sites.branch(node.lineno)
        return self.helper("@value", site, node, self.value(node))

    @staticmethod
    def is_not(node: ast.expr) -> bool:
        """Whether the expression is a negation."""
        return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        """`not a` decides wherever it stands."""
        if isinstance(node.op, ast.Not):
            return self.condition(node)
        node.operand = self.value(node.operand)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        """`a if b else c`."""
        node.test = self.condition(node.test)
        node.body = self.value(node.body)
        node.orelse = self.value(node.orelse)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        """`for a in b if c`."""
        node.iter = self.value(node.iter)
        node.ifs = [self.condition(condition) for condition in node.ifs]
        return node

    # Comparisons.

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """A comparison whose result is a value."""
        return node if predicate.is_fixed(node) else self.compare(node, decides=False)

    def compare(self, node: ast.Compare, *, decides: bool) -> ast.expr:
        """Rewrites a comparison; a chain falls into its parts where no operand would run twice."""
        node.left = self.value(node.left)
        node.comparators = [self.value(operand) for operand in node.comparators]
        if len(node.ops) == 1:
            return self.single(node, decides=decides)
        if all(map(predicate.is_repeatable, node.comparators[:-1])):
            return self.split(node, decides=decides)
        if all(map(predicate.is_repeatable, node.comparators[1:])):
            return self.chain(node, decides=decides)
        return self.flag(node, "@truth") if decides else node

    def single(self, node: ast.Compare, *, decides: bool) -> ast.expr:
        """One comparison of two values."""
        operator = _OPERATORS.get(type(node.ops[0]))
        if operator is None:
            return self.flag(node, "@flag") if decides else node
        site = self.sites.branch(node.lineno)
        helper = f"@{operator}?" if decides else f"@{operator}"
        helped = self.helper(helper, site, node, node.left, node.comparators[0])
        is_short = predicate.is_short(node)
        return code.guarded(self.identity, site, helped, node) if is_short else helped

    def flag(self, node: ast.expr, helper: str) -> ast.expr:
        """A truth value without distance."""
        return self.guarded(helper, self.sites.branch(node.lineno), node, node)

    def split(self, node: ast.Compare, *, decides: bool) -> ast.expr:
        """`a < b < c` as `a < b and b < c`."""
        operands = [node.left, *node.comparators]
        parts: list[ast.expr] = []
        for operator, left, right in zip(node.ops, operands, operands[1:], strict=False):
            part = ast.Compare(copy.copy(left), [operator], [copy.copy(right)])
            parts.append(self.single(ast.copy_location(part, node), decides=decides))
        return ast.copy_location(ast.BoolOp(ast.And(), parts), node)

    def chain(self, node: ast.Compare, *, decides: bool) -> ast.expr:
        """`a < f() < c`, compared inside one helper: only the ends can be evaluated early."""
        operators = tuple(_OPERATORS.get(type(operator), "") for operator in node.ops)
        if "" in operators:
            return self.flag(node, "@truth") if decides else node
        sites = [self.sites.branch(node.lineno) for _ in operators]
        arguments = [code.constant(operators), node.left, *node.comparators]
        chained = self.helper("@chain", sites[0], node, *arguments)
        return ast.copy_location(chained, node)

    # Calls and look-ups.

    def ask(self, node: ast.Call, site: int) -> ast.Call:
        """The same call, of what the runtime makes of the callee."""
        helper = "@use" if site < 0 else "@ask"
        self.generic_visit(node)
        node.func = self.helper(helper, max(site, 0), node.func, node.func)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """A call: the callee is wrapped, since it is evaluated before the arguments."""
        if predicate.is_condition(node):
            return self.ask(node, self.sites.branch(node.lineno))
        if predicate.is_search(node):
            return self.ask(node, self.sites.call(node.lineno))
        if predicate.is_use(node):
            return self.ask(node, -1)
        self.generic_visit(node)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """`a[b]`: both are shown to the runtime, and looked up where they always were."""
        self.generic_visit(node)
        if not self.is_look_up(node):
            return node
        site = self.sites.call(node.lineno)
        if isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Name):
            holder = copy.copy(node.value)
            node.slice = self.helper("@look", site, node.slice, node.slice, holder)
            return node
        node.value = self.helper("@hold", site, node.value, node.value)
        node.slice = self.helper("@key", site, node.slice, node.slice)
        return node

    @staticmethod
    def is_look_up(node: ast.Subscript) -> bool:
        """Whether the subscript may be a key from outside: no index and no type."""
        key, holder = node.slice, node.value
        if not isinstance(node.ctx, ast.Load) or predicate.suspends(key):
            return False
        if isinstance(holder, ast.Name) and holder.id in _GENERICS:
            return False
        if isinstance(key, ast.Name):
            return not key.id[:1].isupper()
        return isinstance(key, (ast.Attribute, ast.Call))
