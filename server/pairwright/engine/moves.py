"""Renames as what every editor can do: the new file is created, the old one deleted, together.

A file that would lose something by it (executable bits, an encoding other than UTF-8) is not renamed; the reason
says what to do instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pairwright.edits.types import FileChange, Plan, Problem
from pairwright.workspace.types import Snapshot

_EXECUTABLE = 0o111
_BITS = "{}: it is executable and would not be under its new name {}. Rename it in the editor, then ask for the rest."
_CODEC = "{}: it is not UTF-8 and would be under its new name {}. Rename it in the editor, then ask for the rest."


def parted(planned: Plan, snapshot: Snapshot) -> Plan:
    """`planned` with each rename as a creation and a deletion, or refused as a whole."""
    changes: list[FileChange] = []
    problems: list[Problem] = []
    for change in planned.changes:
        if change.moved_from is None:
            changes.append(change)
        elif reason := _loses(change, change.moved_from, snapshot):
            problems.append(Problem("edit-path", reason, change.moved_from))
        else:
            changes += _two(change, change.moved_from)
    if problems:
        return replace(planned, changes=(), problems=(*planned.problems, *problems), passed=())
    return replace(planned, changes=tuple(changes))


def _two(change: FileChange, old: str) -> Sequence[FileChange]:
    return (
        FileChange(change.path, None, change.after, ()),
        FileChange(old, change.before, None, ()),
    )


def _loses(change: FileChange, old: str, snapshot: Snapshot) -> str:
    disk = snapshot.on_disk(old)
    if disk is None:
        return ""
    if disk.mode & _EXECUTABLE:
        return _BITS.format(old, change.path)
    return _CODEC.format(old, change.path) if disk.codec != "utf-8" or disk.bom else ""
