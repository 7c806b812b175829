"""A byte order mark in front of a text: some editors keep it in their buffers. No edit sees or moves it.

Pure; knows targets and plans.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Mapping
from dataclasses import replace

from pairwright.edits.types import FileChange, Hunk, Plan, Target
from pairwright.text.lines import LineIndex

_LONG = len(BOM_UTF8)
Range = tuple[int, int]


def marked(targets: Mapping[str, Target]) -> frozenset[str]:
    """The paths whose text begins with the mark."""
    return frozenset(p for p, t in targets.items() if t.data and t.data.startswith(BOM_UTF8))


def bare(targets: Mapping[str, Target], paths: frozenset[str]) -> Mapping[str, Target]:
    """`targets`, those of `paths` without their mark."""
    if not paths:
        return targets
    return {
        path: replace(target, data=target.data[_LONG:]) if path in paths and target.data else target
        for path, target in targets.items()
    }


def moved(within: Mapping[str, Range], paths: frozenset[str]) -> Mapping[str, Range]:
    """Ranges of the texts as ranges of the texts without their mark."""
    return {
        path: (max(0, start - _LONG), max(0, end - _LONG)) if path in paths else (start, end)
        for path, (start, end) in within.items()
    }


def restored(planned: Plan, paths: frozenset[str]) -> Plan:
    """`planned` with the marks in front again."""
    if not paths:
        return planned
    changes = tuple(
        _marked(change) if (change.moved_from or change.path) in paths else change
        for change in planned.changes
    )
    return replace(planned, changes=changes)


def _marked(change: FileChange) -> FileChange:
    before, after = change.before, change.after
    return replace(
        change,
        before=None if before is None else BOM_UTF8 + before,
        after=None if after is None else BOM_UTF8 + after.removeprefix(BOM_UTF8),
        hunks=tuple(_behind(hunk, before or b"") for hunk in change.hunks),
    )


def _behind(hunk: Hunk, before: bytes) -> Hunk:
    """`hunk` of the text `before` as one of the text with its mark, which belongs to the first line."""
    if hunk.start > 0:
        return replace(hunk, start=hunk.start + _LONG, end=hunk.end + _LONG)
    # A listing repeats the mark it was shown.
    new, end = hunk.new.removeprefix(BOM_UTF8), hunk.end
    if end == 0:
        end = LineIndex.of(before).start(1)
        new += before[:end]
    return replace(hunk, start=0, end=end + _LONG, new=BOM_UTF8 + new)
