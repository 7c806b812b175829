"""Line differences, their application, and hunks moved onto a newer text."""

from __future__ import annotations

import itertools
import time
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.edits.diff import apply, diff, select
from pairwright.edits.lines import split
from pairwright.edits.rebase import rebase
from pairwright.edits.types import FileChange, Hunk
from pairwright.edits.unified import unified

PIECES = st.sampled_from(
    [b"a", b"b", b"c", b"\n", b"\r\n", b"\r", b"\n", b"x\x0cy", "\u2028".encode(), b"\xff"]
)
TEXTS = st.lists(PIECES, max_size=30).map(b"".join)


def check(before: str, after: str, expected: list[tuple[str, str]]) -> None:
    """The hunks between two texts as (old, new)."""
    old, new = before.encode(), after.encode()
    hunks = diff(old, new)
    assert [(old[h.start : h.end].decode(), h.new.decode()) for h in hunks] == expected
    assert apply(old, hunks) == new


def test_hunks_hold_whole_lines_and_only_changes() -> None:
    check("a\nb\nc\n", "a\nB\nc\n", [("b\n", "B\n")])
    check("a\nb\nc\nd\n", "A\nb\nc\nD\n", [("a\n", "A\n"), ("d\n", "D\n")])
    check("a\nb\n", "a\nb\nc\n", [("", "c\n")])
    check("a\nb\n", "b\n", [("a\n", "")])
    check("a\nb", "a\nb\nc", [("b", "b\nc")])
    check("a\r\nb\n", "a\nb\n", [("a\r\n", "a\n")])
    check("", "a", [("", "a")])
    check("a", "", [("a", "")])
    check("a\n", "a\n", [])


def test_neighbours_are_one_hunk_and_a_line_between_parts_them() -> None:
    check("a\nb\nc\n", "A\nB\nc\n", [("a\nb\n", "A\nB\n")])
    check("a\nb\nc\n", "A\nb\nC\n", [("a\n", "A\n"), ("c\n", "C\n")])


@given(TEXTS, TEXTS)
def test_applying_the_difference_gives_the_other_text(before: bytes, after: bytes) -> None:
    hunks = diff(before, after)
    assert apply(before, hunks) == after
    starts = {0, len(before)}
    at = 0
    for line in split(before):
        starts.add(at)
        at += len(line)
    for first, second in itertools.pairwise(hunks):
        assert first.end < second.start
    for hunk in hunks:
        assert before[hunk.start : hunk.end] != hunk.new
        assert {hunk.start, hunk.end} <= starts


@given(TEXTS)
def test_split_keeps_every_byte(data: bytes) -> None:
    lines = split(data)
    assert b"".join(lines) == data
    for line in lines:
        body = line.removesuffix(b"\n").removesuffix(b"\r") if line.endswith(b"\r\n") else line[:-1]
        assert b"\n" not in body and b"\r" not in body
        assert line


@given(TEXTS, TEXTS, st.sets(st.integers(0, 6)))
def test_chosen_hunks_leave_the_rest_as_it_was(
    before: bytes, after: bytes, chosen: set[int]
) -> None:
    hunks = diff(before, after)
    chosen = {index for index in chosen if index < len(hunks)}
    text = select(before, hunks, chosen)
    # What was left out, moved onto the result, gives the whole.
    rest = [hunk for index, hunk in enumerate(hunks) if index not in chosen]
    moved = rebase(before, text, rest)
    if all(hunk is not None for hunk in moved.hunks):
        assert apply(text, [hunk for hunk in moved.hunks if hunk is not None]) == after
    if not chosen:
        assert text == before
    if len(chosen) == len(hunks):
        assert text == after


def test_hunks_that_overlap_are_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="overlaps"):
        apply(b"abc", (Hunk(0, 2, b""), Hunk(1, 3, b"")))
    with pytest.raises(ValueError, match="outside"):
        apply(b"abc", (Hunk(2, 9, b""),))


@pytest.mark.parametrize("kind", ["same lines", "shuffled", "all new", "two ends", "moved"])
def test_the_cost_stays_near_linear(kind: str) -> None:
    old = [b"line %d\n" % n for n in range(60_000)]
    new = {
        "same lines": [b"}\n"] * 50_000,
        "shuffled": old[::-1],
        "all new": [b"other %d\n" % n for n in range(60_000)],
        "two ends": [b"x\n", *old[1:-1], b"y\n"],
        "moved": old[30_000:] + old[:30_000],
    }[kind]
    if kind == "same lines":
        old = [b"}\n", b"{\n"] * 30_000
    begun = time.process_time()
    hunks = diff(b"".join(old), b"".join(new))
    assert time.process_time() - begun < 5
    assert apply(b"".join(old), hunks) == b"".join(new)
    if kind == "two ends":
        assert len(hunks) == 2


@given(
    st.lists(st.sampled_from("abcd"), max_size=12), st.lists(st.sampled_from("abcd"), max_size=12)
)
def test_small_differences_are_the_shortest(old: list[str], new: list[str]) -> None:
    """Lines taken out and put in, against the longest common subsequence by its textbook recurrence."""
    common = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i, j in product(range(len(old)), range(len(new))):
        same = common[i][j] + 1 if old[i] == new[j] else 0
        common[i + 1][j + 1] = max(same, common[i][j + 1], common[i + 1][j])
    before, after = "".join(f"{c}\n" for c in old), "".join(f"{c}\n" for c in new)
    hunks = diff(before.encode(), after.encode())
    changed = sum(len(split(h.new)) + (h.end - h.start) // 2 for h in hunks)
    assert changed == len(old) + len(new) - 2 * common[-1][-1]


def _rebased(base: str, theirs: str, ours: str) -> tuple[str, int, int]:
    hunks = diff(base.encode(), ours.encode())
    moved = rebase(base.encode(), theirs.encode(), hunks)
    assert len(moved.hunks) == len(hunks)
    text = apply(theirs.encode(), [hunk for hunk in moved.hunks if hunk is not None])
    return text.decode(), len(moved.present), len(moved.conflicts)


@pytest.mark.parametrize(
    ("base", "theirs", "ours", "expected"),
    [
        ("a\nb\nc\n", "x\na\nb\nc\n", "a\nB\nc\n", ("x\na\nB\nc\n", 0, 0)),
        ("a\nb\nc\n", "a\nb\nC\n", "A\nb\nc\n", ("A\nb\nC\n", 0, 0)),
        ("a\nb\nc\n", "a\nx\nb\nc\n", "a\nB\nc\n", ("a\nx\nB\nc\n", 0, 0)),
        ("a\nb\nc\n", "a\nX\nc\n", "a\nB\nc\n", ("a\nX\nc\n", 0, 1)),
        ("a\nb\nc\n", "a\nc\n", "a\nB\nc\n", ("a\nc\n", 0, 1)),
        ("a\nb\nc\n", "a\nB\nc\n", "a\nB\nC\n", ("a\nB\nc\n", 0, 1)),
        ("a\nb\nc\n", "A\nB\nC\n", "A\nb\nC\n", ("A\nB\nC\n", 0, 2)),
        ("a\nb\nc\nd\n", "A\nb\nc\nd\n", "A\nb\nc\nD\n", ("A\nb\nc\nD\n", 1, 0)),
        # Both insert at one point: nobody can say which comes first.
        ("a\nb\n", "a\nx\nb\n", "a\ny\nb\n", ("a\nx\nb\n", 0, 1)),
        # The user took the final line end away: an appended line would run into the last one.
        ("a\nb\n", "a\nb", "a\nb\nc\n", ("a\nb", 0, 1)),
        # Ours takes it away, the user appended.
        ("a\nb\n", "a\nb\nc\n", "a\nb", ("a\nb\nc\n", 0, 1)),
        ("", "x\n", "y\n", ("x\n", 0, 1)),
    ],
)
def test_rebase(base: str, theirs: str, ours: str, expected: tuple[str, int, int]) -> None:
    assert _rebased(base, theirs, ours) == expected


@given(TEXTS, TEXTS, TEXTS)
def test_rebase_never_touches_what_the_user_typed(base: bytes, theirs: bytes, ours: bytes) -> None:
    hunks = diff(base, ours)
    moved = rebase(base, theirs, hunks)
    assert rebase(base, base, hunks).hunks == hunks
    placed = [hunk for hunk in moved.hunks if hunk is not None]
    apply(theirs, placed)
    for was, now in zip(hunks, moved.hunks, strict=True):
        if now is not None:
            assert theirs[now.start : now.end] == base[was.start : was.end]
            assert now.new == was.new
    assert len(placed) + len(moved.present) + len(moved.conflicts) == len(hunks)


def test_unified_has_headers_context_and_numbers() -> None:
    before = "".join(f"{n}\n" for n in range(1, 21))
    after = before.replace("3\n", "three\n", 1).replace("18\n", "").replace("20\n", "20\nend")
    change = FileChange(
        "a.txt", before.encode(), after.encode(), diff(before.encode(), after.encode())
    )
    assert unified(change) == (
        "--- a/a.txt\n+++ b/a.txt\n@@ -1,6 +1,6 @@\n 1\n 2\n-3\n+three\n 4\n 5\n 6\n"
        "@@ -15,6 +15,6 @@\n 15\n 16\n 17\n-18\n 19\n 20\n+end\n\\ No newline at end of file\n"
    )


def test_unified_shows_line_ends_only_where_they_differ() -> None:
    same = FileChange("a", b"x\r\ny\r\n", b"x\r\nz\r\n", diff(b"x\r\ny\r\n", b"x\r\nz\r\n"))
    assert unified(same) == "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n"
    mixed = FileChange("a", b"x\r\n", b"x\n", diff(b"x\r\n", b"x\n"))
    assert unified(mixed) == "--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-x␍␊\n+x␊\n"


def test_unified_of_created_and_deleted_files() -> None:
    assert (
        unified(FileChange("n", None, b"x\n", ()))
        == "--- /dev/null\n+++ b/n\n@@ -0,0 +1,1 @@\n+x\n"
    )
    assert unified(FileChange("n", b"x", None, ())) == (
        "--- a/n\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n\\ No newline at end of file\n"
    )
    assert unified(FileChange("n", None, b"", ())) == "--- /dev/null\n+++ b/n\n"
