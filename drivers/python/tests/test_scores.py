"""Targets and distances of instrumented code."""

from __future__ import annotations

from time import process_time

import pytest

from wallace_driver.runtime import text
from wallace_driver.runtime.recorder import RECORDER

from .running import load, scores

BRANCH = "Branch_at_snippet_at_line_{:05}_position_{}_{}"


def branch(line: int, position: int, side: bool) -> str:
    return BRANCH.format(line, position, "trueBranch" if side else "falseBranch")


def missed(condition: str, **values: object) -> float:
    """Score of the side that `condition` misses."""
    source = f"def f({', '.join(values)}):\n    if {condition}:\n        return 1\n    return 0\n"
    _, module = load(source)
    outcome = module.f(**values)
    found = scores()
    assert found[branch(2, 0, bool(outcome))] == 1.0
    return found[branch(2, 0, not outcome)]


# The vectors that the family of drivers agrees on.
@pytest.mark.parametrize(
    ("condition", "values", "score"),
    [
        ("a == b", {"a": 5, "b": 10}, 1 / 6),
        ("a < b", {"a": 5, "b": 10}, 1 / 6.1),
        ("a > b", {"a": 3, "b": 0}, 1 / 4.1),
        ("a != b", {"a": 4, "b": 4}, 0.5),
        ("a == b", {"a": "foo", "b": "bar"}, 0.1 + 0.9 / 22),
        ("a == b", {"a": "", "b": "a"}, 0.1 + 0.9 / 65_537),
        ("a in b", {"a": "xy", "b": "hello"}, 1 / 23),
        ("a", {"a": None}, 0.05),
        ("a", {"a": [1, 2, 3]}, 0.25),
        ("a", {"a": True}, 0.5),
        ("a is b", {"a": 1, "b": None}, 0.5),
        ("a == b", {"a": None, "b": 3}, 0.05),
        ("a == b", {"a": float("nan"), "b": 3}, 5.6e-309),
        ("a in b", {"a": 3, "b": []}, 0.05),
        ("a in b", {"a": 3, "b": [9, 5]}, 0.1 + 0.9 / 3),
        ("a in b", {"a": 12, "b": range(10)}, 0.1 + 0.9 / 4),
        ("a.startswith(b)", {"a": "usex", "b": "user"}, 0.1 + 0.9 / 7),
        ("a.isdigit()", {"a": "a1"}, 0.1 + 0.9 / 41),
    ],
)
def test_missed_sides_have_the_scores_of_the_family(
    condition: str, values: dict[str, object], score: float
) -> None:
    assert missed(condition, **values) == pytest.approx(score, rel=1e-3)


_NEARER = """import re
from datetime import date, timedelta
def f(a):
    if type(a) is str and a.startswith("2"):
        a = date.fromisoformat(a)
    if type(a) is int:
        a = timedelta(0, a)
    if {}:
        return 1
    return 0
"""


@pytest.mark.parametrize(
    ("condition", "far", "near"),
    [
        ("a < 'm'", "zz", "n"),
        ("a == (1, 5)", (1, 90), (1, 7)),
        ("a.endswith('.txt')", "a.pdf", "a.tzt"),
        ("a == date(2026, 5, 3)", "2026-01-01", "2026-05-01"),
        ("a > timedelta(hours=1)", 3, 100),
        ("re.fullmatch('[0-9]{3}-x', a)", "zzz", "12-x"),
    ],
)
def test_nearer_values_have_higher_scores(condition: str, far: object, near: object) -> None:
    def score(value: object) -> float:
        RECORDER.clear()
        _, module = load(_NEARER.format(condition))
        assert module.f(value) == 0
        call = "MethodReplacement_at_snippet_00008_0_EXCEPTION_true"
        found = scores()
        return found.get(call, found[branch(8, 0, True)])

    assert score(near) > score(far)


@pytest.mark.parametrize(
    ("call", "text", "score"),
    [
        ("int", "a1", 0.121951),
        ("date.fromisoformat", "2026-1x-01", 0.5),
        ("UUID", "x", 0.0270),
        ("json.loads", "{", 0.1),
    ],
)
def test_calls_that_read_texts_fail_with_a_distance(call: str, text: str, score: float) -> None:
    source = (
        "import json\nfrom datetime import date\nfrom uuid import UUID\n"
        f"def f(a):\n    return {call}(a)\n"
    )
    _, module = load(source)
    with pytest.raises(ValueError, match=r".*"):
        module.f(text)
    found = scores()
    assert found["MethodReplacement_at_snippet_00005_0_EXCEPTION_false"] == 1.0
    assert found["MethodReplacement_at_snippet_00005_0_EXCEPTION_true"] == pytest.approx(
        score, abs=1e-3
    )


def test_chains_are_two_conditions() -> None:
    _, module = load("def f(a):\n    return 1 if 0 < a() < 10 else 0\n")
    assert module.f(lambda: 12) == 0
    found = scores()
    assert found[branch(2, 0, True)] == 1.0
    assert found[branch(2, 1, False)] == 1.0
    assert found[branch(2, 1, True)] == pytest.approx(1 / 3.1)


def test_arms_have_distances() -> None:
    source = (
        "def f(a):\n    match a:\n        case 'mon': return 1\n        case 'tue': return 2\n"
        "        case {'kind': 'x'}: return 3\n"
    )
    _, module = load(source)
    assert module.f("moo") is None
    found = scores()
    arms = [found[f"Branch_at_snippet_at_line_00002_position_0_arm_{arm}"] for arm in range(4)]
    assert arms[3] == 1.0
    assert arms[0] > arms[1] > 0.1
    assert module.f("tue") == 2
    assert scores()["Branch_at_snippet_at_line_00002_position_0_arm_1"] == 1.0


def test_lines_belong_to_the_action_that_ran() -> None:
    table, module = load("def f(a):\n    if a:\n        return 1\n    return 0\n")
    RECORDER.clear()
    RECORDER.begin_action(0, [])
    module.f(0)
    RECORDER.begin_action(1, [])
    module.f(1)
    RECORDER.collect()
    actions = {table.names[one]: table.actions[one] for _, one in RECORDER.touched()}
    assert actions["Line_at_snippet_00004"] == 0
    assert actions["Line_at_snippet_00003"] == 1
    assert actions[branch(2, 0, True)] == 1
    assert [one.last_statement for one in RECORDER.actions] == ["snippet_4", "snippet_3"]


def test_what_no_test_can_reach_is_no_target() -> None:
    source = (
        "import sys\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import nowhere\n"
        "if sys.version_info >= (3, 0):\n    x = 1\nwhile True:\n    break\n"
        "if __name__ == '__main__':\n    x = 2\n"
    )
    table, _ = load(source)
    assert not [name for name in table.names if name.startswith("Branch")]
    assert "Line_at_snippet_00004" not in table.names
    assert "Line_at_snippet_00010" not in table.names


def test_values_of_decisions_are_kept_on_demand() -> None:
    RECORDER.decisions = {}
    _, module = load("def f(a):\n    if a == 'abc':\n        return 1\n")
    module.f("abd")
    ((_, why),) = RECORDER.decisions.values()
    assert (why.left, why.relation, why.right, why.has_distance) == (
        "'abd'",
        "should equal",
        "'abc'",
        True,
    )


def test_long_texts_cost_little() -> None:
    _, module = load(
        "def run(text, part):\n    return sum(1 for _ in range(300) if part in text)\n"
    )
    for part in ("\t", "xy", "abcdefgh"):
        RECORDER.begin_action(0, [])
        start = process_time()
        assert module.run("- item " * 2_000, part) == 0
        # Each search alone would take 20 to 50 milliseconds.
        assert process_time() - start < 2.0
        (score,) = (one for name, one in scores().items() if name.endswith("trueBranch"))
        RECORDER.clear()
        assert score == pytest.approx(text.containment("- item " * 2_000, part))
