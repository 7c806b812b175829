"""Hunks moved onto a newer text of the same file: three-way, never forced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from pairwright.edits.diff import diff
from pairwright.edits.types import Hunk


@dataclass(frozen=True, slots=True)
class Conflict:
    """`hunk`, in bytes of the base, meets bytes `start:end` of the newer text, which say something else."""

    hunk: Hunk
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Rebased:
    """`hunks` in bytes of the newer text, ascending. `moved`: for each the index of the hunk it was.
    `present`: indexes of hunks that the newer text already has. `conflicts`: the rest."""

    hunks: tuple[Hunk, ...]
    moved: tuple[int, ...]
    present: tuple[int, ...]
    conflicts: tuple[Conflict, ...]


def rebase(base: bytes, theirs: bytes, hunks: Sequence[Hunk]) -> Rebased:
    """`hunks` of `base` onto `theirs`, the text as it is now. A hunk moves only if its lines are untouched."""
    edits = diff(base, theirs)
    moved: list[Hunk] = []
    origin: list[int] = []
    present: list[int] = []
    conflicts: list[Conflict] = []
    shift = at = 0
    for index, hunk in enumerate(hunks):
        while at < len(edits) and edits[at].end <= hunk.start and not _meet(edits[at], hunk):
            shift += _growth(edits[at])
            at += 1
        met = list(takewhile(lambda edit, hunk=hunk: _meet(edit, hunk), edits[at:]))
        if met == [Hunk(hunk.start, hunk.end, hunk.new)]:
            present.append(index)
            continue
        stop = hunk.end + shift + sum(map(_growth, met))
        placed = Hunk(hunk.start + shift, stop, hunk.new, hunk.approximate)
        if met or not _keeps_lines_whole(theirs, placed):
            conflicts.append(Conflict(hunk, min(placed.start, stop), stop))
        else:
            moved.append(placed)
            origin.append(index)
    return Rebased(tuple(moved), tuple(origin), tuple(present), tuple(conflicts))


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
