"""Findings: which of them are new, and how they are told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.edits.diff import diff
from pairwright.edits.types import FileChange
from pairwright.engine.findings import Finding, broken, fresh, line_map, retry
from pairwright.tags.flaws import flaws_of


def change(old: str, new: str, path: str = "a.py") -> FileChange:
    before, after = old.encode(), new.encode()
    return FileChange(path, before, after, diff(before, after))


def found(old: str, new: str) -> list[str]:
    flaws = (flaws_of("a.py", text.encode()) for text in (old, new))
    return [finding.told for finding in broken(change(old, new), *flaws)]


def test_a_flaw_is_told_with_its_line_and_a_mark() -> None:
    old = "import os\n\n\ndef f():\n    return 1\n"
    new = old.replace("f():", "f(:")
    edit = change(old, new)
    (one,) = broken(edit, (), flaws_of("a.py", new.encode()))
    assert one.told == "a.py, line 4: `)` is missing"
    assert one.excerpt == "  2 |\n  3 |\n> 4 | def f(:\n  5 |     return 1"
    again = retry([one])
    assert again.reason == "lint" and one.excerpt in again.feedback
    assert "do not send it again" in again.feedback
    assert "Traceback" not in again.feedback


def test_only_new_flaws_are_told() -> None:
    old = "def a(:\n    pass\n\n\ndef b():\n    pass\n"
    assert found(old, old.replace("b():", "b(x):")) == []
    assert found(old, old.replace("b():", "b(:")) == ["a.py, line 5: `)` is missing"]


def test_the_same_fault_elsewhere_is_the_same_fault() -> None:
    one = Finding("lint", "a.py", 3, "`)` is missing")
    other = Finding("lint", "a.py", 9, "`)` is missing")
    assert retry([one]).signature == retry([other]).signature
    assert retry([one]).signature != retry([Finding("lint", "b.py", 3, "`)` is missing")]).signature


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "a.py:1:2: F821 x\n", ["a.py:1:2: F821 x"]),
        ("a.py:1:2: F821 x\n", "a.py:9:2: F821 x\n", []),
        ("a.py:1:2: F821 x\n", "a.py:1:2: F821 x\na.py:5:1: F821 x\n", ["a.py:5:1: F821 x"]),
        ("a.py:1:2: F821 x\n", "a.py:1:2: F821 y\n", ["a.py:1:2: F821 y"]),
        ("Found 1 error.\n", "Found 2 errors.\nnew\n", ["Found 2 errors.", "new"]),
        ("1 failed in 0.13s\n\n", "1 failed in 2.01s\n", []),
    ],
)
def test_only_what_a_command_did_not_say_before_is_new(
    before: str, after: str, expected: list[str]
) -> None:
    assert list(fresh(before, after)) == expected


def test_of_two_that_read_alike_the_one_at_the_old_place_is_old() -> None:
    old = "x\na\n"
    new = "new\nx\na\n"
    said = "a.py:1:1: bad\na.py:2:1: bad\n"
    assert fresh("a.py:1:1: bad\n", said, line_map(change(old, new))) == ("a.py:1:1: bad",)


@given(
    st.lists(st.sampled_from(["a", "b", "", "c = 1"]), max_size=6),
    st.lists(st.sampled_from(["a", "b", "", "d"]), max_size=6),
)
def test_the_law_of_the_line_map(old: list[str], new: list[str]) -> None:
    """Lines that are mapped read alike, in order, and an unchanged text is mapped to itself."""
    before, after = ("".join(f"{row}\n" for row in rows) for rows in (old, new))
    mapped = line_map(change(before, after))
    rows, olds = after.split("\n"), before.split("\n")
    assert all(rows[to - 1] == olds[at - 1] for to, at in mapped.items())
    assert sorted(mapped.values()) == [mapped[to] for to in sorted(mapped)]
    same = line_map(change(before, before))
    assert same == {row: row for row in range(1, len(olds) + 1)}


def test_long_words_of_a_command_keep_their_ends() -> None:
    text = retry([Finding("test", "", 0, "`t` failed", f"begin{'x' * 20_000}end")]).feedback
    assert "begin" in text and "end" in text and len(text) < 7_000
