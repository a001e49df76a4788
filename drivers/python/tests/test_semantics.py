"""Snippets that would show any difference between plain and instrumented code."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .running import seen

_HEAD = re.compile(r"^--- (.+?)(?: \[3\.(\d+)\])?$")


def _snippets() -> Iterator[tuple[str, str, int]]:
    for file in sorted((Path(__file__).parent / "snippets").glob("*.txt")):
        for part in re.split(r"(?m)^(?=--- )", file.read_text())[1:]:
            head, _, source = part.partition("\n")
            found = _HEAD.match(head)
            assert found, head
            yield f"{file.stem}: {found[1]}", source, int(found[2] or 0)


@pytest.mark.parametrize(("name", "source", "version"), list(_snippets()))
def test_nothing_can_be_told_apart(name: str, source: str, version: int) -> None:
    if sys.version_info < (3, version):
        pytest.skip(f"needs Python 3.{version}")
    plain = seen(source, instrumented=False)
    assert plain, "a snippet that shows nothing tests nothing"
    assert seen(source, instrumented=True) == plain
    # Once more, as if all sides were known, so that helpers are passed by.
    assert seen(source, instrumented=True, is_learnt=True) == plain


def test_names_are_unique() -> None:
    names = [name for name, _, _ in _snippets()]
    assert len(names) == len(set(names))
