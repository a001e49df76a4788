"""Comparisons that tell the same again are noted once, and no later one is lost for it."""

from __future__ import annotations

import pytest

from wallace_driver.runtime import note
from wallace_driver.runtime.recorder import RECORDER
from wallace_driver.runtime.taint import StringUse

from .running import load

_SOURCE = """
def is_red(text):
    return text == "red" or text in ("ruby", "rose")

def is_less(one, other):
    if one < other:
        return True
    return False
"""


def test_the_same_values_are_looked_at_once() -> None:
    table, module = load(_SOURCE)
    for _ in range(3):
        assert not module.is_red("blue")
    assert len(table.met) == 2
    assert module.is_red("red"), "another value of the same place"
    RECORDER.begin_action(0, [])
    assert table.met, "there is nothing to tell again"
    RECORDER.begin_action(1, ["blue"])
    assert not table.met, "it may be tainted now"


def test_a_look_up_of_a_text_that_is_not_tainted_does_not_hide_what_follows() -> None:
    source = 'def f(kinds, text):\n    kinds[text]\n    return 1 if text == "red" else 2\n'
    table, module = load(source)
    assert module.f({"blue": 1}, "blue") == 2
    assert len(table.met) == 1


def test_tainted_texts_are_told_of_each_action() -> None:
    _, module = load(_SOURCE)
    wanted = StringUse("_EM_7_XYZ_", "CONSTANT", "red", True)
    for index in range(2):
        RECORDER.begin_action(index, [])
        for _ in range(2):
            module.is_red("_EM_7_XYZ_")
        assert wanted in RECORDER.actions[-1].uses
    RECORDER.begin_action(2, ["blue"])
    module.is_red("blue")
    assert [use.tainted for use in RECORDER.actions[-1].uses] == ["blue"] * 3


def test_a_test_is_forgotten_with_what_it_met() -> None:
    table, module = load(_SOURCE)
    module.is_less(1, 5)
    scores = list(table.scores)
    RECORDER.clear()
    assert not any(table.scores)
    module.is_less(1, 5)
    assert table.scores == scores


class _Own:
    """A class of the service's."""


def test_nothing_of_the_service_is_kept() -> None:
    table, module = load(_SOURCE)
    module.is_less(1, 5.5)
    module.is_less("a", "b")
    assert sorted(map(str, table.met.values())) == ["5.5", "b"]
    table, other = load("def f(a, b):\n    return 1 if a in b else 2\n")
    assert other.f("a", (_Own(), "b")) == 2
    assert not table.met
    assert other.f("a", ("c", "b")) == 2
    assert table.met


def test_what_tells_nothing_new_is_not_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    source = """
def f(text):
    return bool(isinstance(text, str) and text.startswith("a") and text and 1)
"""
    _, module = load(source)
    assert module.f("az")
    noted: list[object] = []
    monkeypatch.setattr(note, "condition", lambda *values, **_: noted.append(values))
    assert module.f("ay")
    assert not noted
    RECORDER.decisions = {}
    assert module.f("ax")
    assert len(noted) == 3, "somebody wants the values"
