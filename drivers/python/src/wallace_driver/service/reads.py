"""What the source of a handler reads from a request: parameters of the query, fields of the body.

Of services without a description the routes are all that is known otherwise. Read is what handlers
of Flask, Starlette, aiohttp, Bottle, Falcon, Django and its REST framework ask `request` for
themselves, by names that are constants. What is told of it are hints and no rules: nothing is
required, and all other types are fine, so that nobody takes it for a promise of the service that it
does not keep.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

QUERY, FORM, JSON, VALUES = "query", "form", "json", "values"
#: Attributes of a request; some are called, and some awaited.
_PLACES = {
    "args": QUERY,
    "query_params": QUERY,
    "GET": QUERY,
    "query": QUERY,
    "params": QUERY,
    "form": FORM,
    "forms": FORM,
    "POST": FORM,
    "post": FORM,
    "json": JSON,
    "get_json": JSON,
    "data": JSON,
    "json_body": JSON,
    "media": JSON,
    "get_media": JSON,
    "values": VALUES,
}
#: What Falcon's requests are asked for one parameter, and its type.
_PARAMETERS: dict[str, dict[str, Any]] = {
    "get_param": {},
    "get_param_as_int": {"type": "integer"},
    "get_param_as_float": {"type": "number"},
    "get_param_as_bool": {"type": "boolean"},
    "get_param_as_list": {"type": "array", "items": {"type": "string"}},
    "get_param_as_uuid": {"type": "string", "format": "uuid"},
    "get_param_as_date": {"type": "string", "format": "date"},
    "get_param_as_datetime": {"type": "string", "format": "date-time"},
}
#: Attributes that hold the text of a body, which `json.loads` reads.
_TEXTS = ("body", "data", "get_data", "text", "read")
_REQUESTS = ("request", "req", "_request")
#: What gives the same things again.
_SAME = ("to_dict", "copy", "dict")
_LISTS = ("getlist", "getall", "get_list")
_ONE = ("get", "pop", "getone", "getunicode", "setdefault", *_LISTS)
_NUMBERS = {"int": "integer", "float": "number", "Decimal": "number"}
_KINDS = {bool: "boolean", int: "integer", float: "number", str: "string"}


@dataclass
class Reads:
    """What a handler reads, by the place and by name; each with what is known of its type."""

    places: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)

    def note(self, place: str, name: str, schema: dict[str, Any], *, is_sure: bool = False) -> None:
        """One is read. What it is turned into says more of it than its default."""
        fields = self.places.setdefault(place, {})
        known = fields.get(name, {})
        fields[name] = {**known, **schema} if is_sure else {**schema, **known}

    def parameters(self) -> list[dict[str, Any]]:
        """Those of the query, as OpenAPI has them."""
        return [
            {
                "name": name,
                "in": "query",
                "schema": _hint(schema, {"type": "string"}),
            }
            for place in (QUERY, VALUES)
            for name, schema in self.places.get(place, {}).items()
        ]

    def body(self) -> dict[str, Any] | None:
        """The body as OpenAPI has it; nothing where none is read."""
        content = {}
        for place, kind in (
            (JSON, "application/json"),
            (FORM, "application/x-www-form-urlencoded"),
        ):
            fields = self.places.get(place)
            if fields is not None:
                usual = {"type": "string"} if place == FORM else {}
                known = {name: _hint(one, usual) for name, one in fields.items()}
                content[kind] = {"schema": {"properties": known} if known else {}}
        return {"content": content} if content else None


def _hint(schema: dict[str, Any], usual: dict[str, Any]) -> dict[str, Any]:
    """A type that is likely, or any that can be."""
    return {"anyOf": [schema, usual]} if schema and schema != usual else usual


def reads_of(handler: Any, method: str) -> Reads:
    """What a handler reads: a function, or a class with one for each method."""
    function: Any = getattr(handler, method, None) if inspect.isclass(handler) else handler
    reads = Reads()
    try:
        source = textwrap.dedent(inspect.getsource(inspect.unwrap(function)))
        tree = ast.parse(source)
    except Exception:
        # Others' objects may be anything, and not all have a source.
        return reads
    _Handler(reads).read(tree)
    return reads


class _Handler:
    """A handler, while it is read."""

    def __init__(self, reads: Reads) -> None:
        self._reads = reads
        #: Names of variables that hold a place, or one value of it.
        self._places: dict[str, str] = {}
        self._values: dict[str, tuple[str, str]] = {}

    def read(self, tree: ast.AST) -> None:
        for node in _in_order(tree):
            for target, value in _assigned(node):
                self._assign(target, value)
        # What is done with a value may stand before or behind.
        for node in _in_order(tree):
            if isinstance(node, ast.expr):
                self._note(node)
            self._note_type(node)

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if not isinstance(target, ast.Name):
            return
        place, one = self._place(value), self._value(value)
        if place is not None:
            self._places[target.id] = place
        elif one is not None:
            self._values[target.id] = one[:2]

    def _note(self, node: ast.expr) -> None:
        place = self._place(node)
        if place in (JSON, FORM) and not isinstance(node, ast.Name):
            self._reads.places.setdefault(place, {})
        found = self._value(node)
        if found is not None and not isinstance(node, ast.Name):
            self._reads.note(*found)

    def _note_type(self, node: ast.AST) -> None:
        """What is known of a value by what is done with it."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
            found = self._value(node.args[0])
            kind = _NUMBERS.get(node.func.id)
            if found is not None and kind is not None:
                self._reads.note(*found[:2], {"type": kind}, is_sure=True)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            sides = (node.left, node.comparators[0])
            for one, other in (sides, sides[::-1]):
                found = self._value(one)
                # A query has texts, whatever they are compared with.
                if found is not None and found[0] == JSON and isinstance(other, ast.Constant):
                    self._reads.note(*found[:2], _of_constant(other.value))

    def _place(self, node: ast.expr) -> str | None:
        """The place of which this holds everything."""
        if isinstance(node, ast.Await):
            return self._place(node.value)
        if isinstance(node, ast.Name):
            return self._places.get(node.id)
        if isinstance(node, ast.BoolOp):
            return self._place(node.values[0])
        if isinstance(node, ast.NamedExpr):
            return self._place(node.value)
        if isinstance(node, ast.Attribute):
            return _PLACES.get(node.attr) if _is_request(node.value) else None
        if not isinstance(node, ast.Call):
            return None
        called = node.func
        is_loads = getattr(called, "attr", getattr(called, "id", "")) in ("loads", "dict")
        if is_loads and node.args:
            return JSON if _is_text(node.args[0]) else self._place(node.args[0])
        if isinstance(called, ast.Attribute) and called.attr in _SAME:
            return self._place(called.value)
        return self._place(called)

    def _value(self, node: ast.expr) -> tuple[str, str, dict[str, Any]] | None:
        """The place and the name of one value, and what is known of it."""
        if isinstance(node, ast.Await):
            return self._value(node.value)
        if isinstance(node, ast.Name) and node.id in self._values:
            return *self._values[node.id], {}
        if isinstance(node, ast.Subscript):
            place, name = self._place(node.value), _text(node.slice)
            return (place, name, {}) if place is not None and name is not None else None
        if isinstance(node, ast.Compare):
            is_in = isinstance(node.ops[0], (ast.In, ast.NotIn)) and len(node.ops) == 1
            place = self._place(node.comparators[0]) if is_in else None
            name = _text(node.left)
            return (place, name, {}) if place is not None and name is not None else None
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            return None
        name, attribute = _text(node.args[0]), node.func.attr
        if name is not None and attribute in _PARAMETERS and _is_request(node.func.value):
            return QUERY, name, _PARAMETERS[attribute]
        place = self._place(node.func.value)
        if place is None or name is None or attribute not in _ONE:
            return None
        return place, name, _of_call(node, attribute, place)


def _of_call(node: ast.Call, attribute: str, place: str) -> dict[str, Any]:
    """What a call says of the type: its default, or a type that Flask is given."""
    if attribute in _LISTS:
        return {"type": "array", "items": {"type": "string"}}
    given = {one.arg: one.value for one in node.keywords}
    kind = given.get("type")
    if isinstance(kind, ast.Name) and kind.id in _NUMBERS:
        return {"type": _NUMBERS[kind.id]}
    default = node.args[1] if len(node.args) > 1 else given.get("default")
    if isinstance(default, ast.Constant) and (place == JSON or type(default.value) is not str):
        return _of_constant(default.value)
    if place == JSON and isinstance(default, ast.List):
        return {"type": "array", "items": {}}
    return {"type": "object"} if place == JSON and isinstance(default, ast.Dict) else {}


def _of_constant(value: object) -> dict[str, Any]:
    kind = _KINDS.get(type(value))
    return {} if kind is None else {"type": kind}


def _is_request(node: ast.expr) -> bool:
    """Whether this is the request, or its address in aiohttp."""
    name = getattr(node, "attr", getattr(node, "id", ""))
    if name in ("rel_url", "url") and isinstance(node, ast.Attribute):
        return _is_request(node.value)
    return name in _REQUESTS


def _is_text(node: ast.expr) -> bool:
    while isinstance(node, (ast.Await, ast.Call)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "decode":
                node = node.func.value
                continue
            node = node.func
            break
        node = node.value if isinstance(node, ast.Await) else node.func
    return isinstance(node, ast.Attribute) and node.attr in _TEXTS and _is_request(node.value)


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _assigned(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    if isinstance(node, ast.Assign):
        yield from ((target, node.value) for target in node.targets)
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
        yield node.target, node.value


def _in_order(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes as they stand in the source."""
    yield tree
    for child in ast.iter_child_nodes(tree):
        yield from _in_order(child)
