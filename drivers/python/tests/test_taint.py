"""What instrumented code tells of the tainted texts it meets."""

from __future__ import annotations

import pytest

from wallace_driver.runtime.pattern_distance import edits
from wallace_driver.runtime.recorder import RECORDER

from .running import load, uses

A = "_EM_7_XYZ_"
B = "_EM_8_XYZ_"
_HEAD = """
import base64, enum, json, re
from datetime import date, datetime, time
from uuid import UUID
class Kind(enum.Enum):
    ONE = "one"
    TWO = "two"
D = {"k1": 1, "k2": 2}
def f(a, b):
    try:
        return %s
    except (ValueError, KeyError):
        return None
"""


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("a == 'mon'", [("CONSTANT", "mon")]),
        ("'mon' != a", [("CONSTANT", "mon")]),
        ("a.lower() == 'mon'", [("CONSTANT_IGNORE_CASE", "mon")]),
        ("a == b", [("EQUAL", f"{A}___{B}"), ("EQUAL", f"{A}___{B}")]),
        ("a in ('x', 'y')", [("CONSTANT", "x"), ("CONSTANT", "y")]),
        ("a in D", [("CONSTANT", "k1"), ("CONSTANT", "k2")]),
        ("D[a]", [("CONSTANT", "k1"), ("CONSTANT", "k2")]),
        ("D.get(a)", [("CONSTANT", "k1"), ("CONSTANT", "k2")]),
        ("a.startswith('ab')", [("CONSTANT", f"ab{A}"), ("REGEX_WHOLE", "ab.*")]),
        ("a.endswith('.x')", [("CONSTANT", f"{A}.x"), ("REGEX_WHOLE", r".*\.x")]),
        ("'@' in a", [("CONSTANT", f"{A}@_EM_70_XYZ_"), ("REGEX_PARTIAL", "@")]),
        ("a.split('-')", [("CONSTANT", f"{A}-_EM_70_XYZ_"), ("REGEX_PARTIAL", r"\-")]),
        ("re.fullmatch('[ab]+', a)", [("REGEX_WHOLE", "[ab]+")]),
        ("re.match('(?P<n>a)b$', a)", [("REGEX_WHOLE", "(?:a)b")]),
        ("re.match('ab', a)", [("REGEX_WHOLE", "(?:ab).*")]),
        ("re.compile('^ab$').search(a)", [("REGEX_WHOLE", "ab")]),
        ("re.search('x y # c', a, re.X | re.I)", [("REGEX_PARTIAL", "(?i)xy")]),
        ("int(a)", [("INTEGER", None)]),
        ("float(a)", [("DOUBLE", None)]),
        ("UUID(a)", [("UUID", None)]),
        ("date.fromisoformat(a)", [("DATE_YYYY_MM_DD", None)]),
        ("datetime.fromisoformat(a)", [("ISO_LOCAL_DATE_TIME", None)]),
        ("time.fromisoformat(a)", [("ISO_LOCAL_TIME", None)]),
        ("datetime.strptime(a, '%H.%M')", [("REGEX_WHOLE", r"([01][0-9]|2[0-3])\.[0-5][0-9]")]),
        ("Kind(a)", [("CONSTANT", "one"), ("CONSTANT", "two")]),
        ("Kind[a]", [("CONSTANT", "ONE"), ("CONSTANT", "TWO")]),
        ("json.loads(a)", [("JSON_OBJECT", None)]),
    ],
)
def test_uses_become_specialisations(expression: str, wanted: list[tuple[str, str | None]]) -> None:
    _, module = load(_HEAD % expression)
    module.f(A, B)
    assert [(kind, value) for _, kind, value in uses()] == wanted


def test_literals_of_a_match_are_constants() -> None:
    _, module = load(
        "def f(a):\n    match a:\n        case {'kind': 'x' | 'y'}: return 1\n"
        "        case ['z', _]: return 2\n"
    )
    module.f({"kind": A})
    module.f([B, 1])
    assert uses() == [(A, "CONSTANT", "x"), (A, "CONSTANT", "y"), (B, "CONSTANT", "z")]


def test_announced_inputs_are_tainted() -> None:
    _, module = load("def f(a):\n    return a == 'q'\n")
    RECORDER.begin_action(0, ["abc12"])
    module.f("abc12")
    assert uses() == [("abc12", "CONSTANT", "q")]


def test_texts_that_are_not_tainted_are_not_told() -> None:
    _, module = load("def f(a):\n    return a == 'q' or a in ('x',) or a.startswith('y')\n")
    for text in ("_EM__XYZ_", "_EM_7_XYZ", "", "plain text that is long", "_EM_x_XYZ_"):
        module.f(text)
    assert uses() == []


@pytest.mark.parametrize(
    ("pattern", "mode", "text", "wanted"),
    [
        ("abc", "fullmatch", "abd", 1),
        ("abc", "fullmatch", "", 3),
        ("abc", "search", "xxabxx", 1),
        ("abc", "match", "xabc", 1),
        ("(mon|tue)[0-9]{2}", "fullmatch", "tua99", 1),
        ("(ab)*", "fullmatch", "ababa", 1),
        ("a{2,4}", "fullmatch", "aaaaaa", 2),
        ("(?i)abc", "fullmatch", "ABC", 0),
        ("^a$", "search", "xax", 2),
        (r"[^\d]\w+", "fullmatch", "1a", 1),
        ("(a{90}){90}", "fullmatch", "a", None),
    ],
)
def test_edits_to_a_pattern_are_counted(
    pattern: str, mode: str, text: str, wanted: int | None
) -> None:
    assert edits(pattern, 0, mode, text) == wanted  # type: ignore[arg-type]


def test_fields_of_models_are_read() -> None:
    pytest.importorskip("pydantic")
    _, module = load(
        "from datetime import date\nfrom typing import Annotated, Literal\n"
        "from pydantic import BaseModel, Field, ValidationError\n"
        "class Inner(BaseModel):\n    day: date | None\n"
        "class Item(BaseModel):\n    count: int\n    kind: Literal['x', 'y']\n"
        "    code: Annotated[str, Field(pattern='^[a-c]{2}$')]\n    inner: Inner\n"
        "def f(given):\n    try:\n        Item.model_validate(given)\n"
        "    except ValidationError:\n        pass\n    return Item(**given)\n"
    )
    with pytest.raises(ValueError, match="validation error"):
        module.f({"count": A, "kind": B, "code": A, "inner": {"day": A}})
    assert uses() == [
        (A, "INTEGER", None),
        (B, "CONSTANT", "x"),
        (B, "CONSTANT", "y"),
        (A, "REGEX_WHOLE", "[a-c]{2,2}"),
        (A, "DATE_YYYY_MM_DD", None),
    ]
