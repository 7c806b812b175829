"""Which planned renames can be carried out: a file is renamed with its bytes and mode, a link is not.

A link's text lies elsewhere, so one that is renamed and changed would do both in two places.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pairwright.edits.types import Plan, Problem
from pairwright.workspace.types import Snapshot

_LINK = "{}: it is a link and is not renamed. Leave it where it is, or rename it in the editor."


def movable(planned: Plan, snapshot: Snapshot) -> Plan:
    """`planned`, or as a whole refused for a rename that is none of a plain file."""
    sources = [change.moved_from for change in planned.changes if change.moved_from is not None]
    problems = tuple(
        Problem("edit-path", _LINK.format(path), path)
        for path in sources
        if Path(snapshot.root, path).is_symlink()
    )
    if not problems:
        return planned
    return replace(planned, changes=(), problems=(*planned.problems, *problems), passed=())
