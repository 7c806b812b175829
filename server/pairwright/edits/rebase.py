"""Hunks moved onto a newer text of the same file: three-way, never forced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pairwright.edits.diff import diff
from pairwright.edits.types import Hunk


@dataclass(frozen=True, slots=True)
class Conflict:
    """`hunk`, in bytes of the base, meets bytes `start:end` of the newer text, which say something
    else."""

    hunk: Hunk
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Rebased:
    """`hunks`: one for each given, in bytes of the newer text, None where it cannot be placed.
    `present`: indexes of those that the newer text already has. `conflicts`: one for each of the
    rest."""

    hunks: tuple[Hunk | None, ...]
    present: tuple[int, ...]
    conflicts: tuple[Conflict, ...]


def rebase(base: bytes, theirs: bytes, hunks: Sequence[Hunk]) -> Rebased:
    """`hunks` of `base` onto `theirs`, the text as it is now.

    A hunk moves only if its lines are untouched; it may stand right beside lines that changed.
    """
    edits = diff(base, theirs)
    moved: list[Hunk | None] = []
    present: list[int] = []
    conflicts: list[Conflict] = []
    shift = at = 0
    for index, hunk in enumerate(hunks):
        while at < len(edits) and edits[at].end <= hunk.start and not _meet(edits[at], hunk):
            shift += _growth(edits[at])
            at += 1
        met = _met(edits, at, hunk)
        start = hunk.start + shift
        stop = max(start, hunk.end + shift + sum(map(_growth, met)))
        placed = Hunk(start, stop, hunk.new, hunk.approximate)
        if not met and _keeps_lines_whole(theirs, placed):
            moved.append(placed)
            continue
        moved.append(None)
        if met == [Hunk(hunk.start, hunk.end, hunk.new)]:
            present.append(index)
        else:
            conflicts.append(Conflict(hunk, start, stop))
    return Rebased(tuple(moved), tuple(present), tuple(conflicts))


def _met(edits: Sequence[Hunk], at: int, hunk: Hunk) -> list[Hunk]:
    met: list[Hunk] = []
    while at < len(edits) and _meet(edits[at], hunk):
        met.append(edits[at])
        at += 1
    return met


def _growth(edit: Hunk) -> int:
    return len(edit.new) - (edit.end - edit.start)


def _meet(edit: Hunk, hunk: Hunk) -> bool:
    """Whether both touch the same lines, or insert at the same point."""
    if edit.start == edit.end and hunk.start == hunk.end:
        return edit.start == hunk.start
    if edit.start == edit.end:
        return hunk.start < edit.start < hunk.end
    if hunk.start == hunk.end:
        return edit.start < hunk.start < edit.end
    return edit.start < hunk.end and hunk.start < edit.end


def _keeps_lines_whole(text: bytes, hunk: Hunk) -> bool:
    """Whether `hunk` begins at a line's start in `text` and runs into no line behind it."""
    before, behind = text[hunk.start - 1 : hunk.start], text[hunk.end : hunk.end + 1]
    if hunk.start and before not in (b"\n", b"\r"):
        return False
    if before == b"\r" and text[hunk.start : hunk.start + 1] == b"\n":
        return False
    return not behind or not hunk.new or hunk.new[-1:] in (b"\n", b"\r")
