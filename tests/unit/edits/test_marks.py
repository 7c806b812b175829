"""A byte order mark at the start of a text stays, whatever an edit does to the lines behind it."""

from __future__ import annotations

import pytest

from pairwright.edits.formats.registry import read
from pairwright.edits.plan import plan
from pairwright.edits.types import Target

MARK = b"\xef\xbb\xbf"
BLOCK = "a.cs\n```\n<<<<<<< SEARCH\n{}\n=======\n{}\n>>>>>>> REPLACE\n```\n"


def check(before: bytes, reply: str, after: bytes, form: str = "diff") -> None:
    parsed = read(reply, form, ["a.cs"])
    planned = plan(parsed.blocks, {"a.cs": Target("a.cs", before)}, chat=("a.cs",))
    assert planned.problems == ()
    (change,) = planned.changes
    assert (change.before, change.after) == (before, after)
    text, at = b"", 0
    for hunk in change.hunks:
        assert hunk.start == 0 or before[: hunk.start].endswith((b"\n", b"\r")), "whole lines"
        text, at = text + before[at : hunk.start] + hunk.new, hunk.end
    assert text + before[at:] == after


@pytest.mark.parametrize("typed", ["x = 1;", "\ufeffx = 1;"])
def test_the_first_line_is_replaced(typed: str) -> None:
    check(MARK + b"x = 1;\ny\n", BLOCK.format(typed, "x = 2;"), MARK + b"x = 2;\ny\n")


def test_a_later_line_is_replaced() -> None:
    check(MARK + b"x\r\ny\r\n", BLOCK.format("y", "z"), MARK + b"x\r\nz\r\n")


def test_lines_go_in_front_of_the_first() -> None:
    check(MARK + b"x\ny\n", BLOCK.format("x", "w\nx"), MARK + b"w\nx\ny\n")
    check(MARK + b"x", BLOCK.format("x", "w\nx"), MARK + b"w\nx")


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_whole_file_is_written(mark: str) -> None:
    check(MARK + b"x\ny\n", f"a.cs\n```\n{mark}w\ny\n```\n", MARK + b"w\ny\n", "whole")


def test_a_file_is_renamed() -> None:
    reply = "*** Begin Patch\n*** Update File: a.cs\n*** Move to: b.cs\n@@\n-x\n+z\n*** End Patch\n"
    check(MARK + b"x\n", reply, MARK + b"z\n", "patch")
