"""The checkpoints around one change: what stands before it, and what it left."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pairwright.checkpoints.types import Checkpoint, CheckpointError, FileState
from pairwright.engine.accept_capture import Captured, changed, missing
from pairwright.engine.accept_disk import standing
from pairwright.engine.change import Desk, Stamp, Work


@dataclass(frozen=True, slots=True)
class Ready:
    """A change that may be made: what was recorded before it, and what no checkpoint can hold, with the reasons.
    `head`: commit and branch of the user's repository."""

    work: Work
    captured: Captured
    before: str
    unprotected: Mapping[str, str]
    head: tuple[str, str]


def record(
    desk: Desk,
    kind: str,
    files: Mapping[str, FileState],
    stamp: Stamp,
    head: tuple[str, str],
    base: str = "",
    moves: tuple[tuple[str, str], ...] = (),
) -> Checkpoint:
    """Record `files` as what `stamp` says. Raises CheckpointError."""
    return desk.store.record(
        files,
        kind=kind,
        note=stamp.note,
        time=desk.now(),
        proposal=stamp.proposal,
        head=head[0],
        branch=head[1],
        base=base,
        undoes=stamp.undoes if kind != "before" else "",
        group=stamp.group,
        moves=moves,
    )


async def record_after(
    desk: Desk, ready: Ready, stamp: Stamp, paths: Sequence[str]
) -> tuple[str, str]:
    """Id of the checkpoint behind the change, and a warning where there is none."""
    kept = [path for path in paths if path in ready.captured.files]
    if not ready.before or not kept:
        return "", ""

    def work() -> str:
        snapshot = desk.snapshot()
        after = {change.path: change.after for change in ready.work.changes}
        source = {c.path: c.moved_from for c in ready.work.changes if c.moved_from is not None}
        after.update(dict.fromkeys(source.values()))
        raw = {one.path: one.state for one in ready.work.raw}
        files: dict[str, FileState] = {}
        for path in kept:
            if path in after:
                was = ready.captured.files[source.get(path, path)]
                files[path] = changed(snapshot, path, was, after[path])
            elif path in raw:
                files[path] = raw[path]
            else:
                files[path] = standing(snapshot.root, path)
            if files[path].data is None:
                files.update({name: FileState(None) for name in missing(snapshot.root, path)})
        moves = tuple((old, new) for new, old in source.items() if {old, new} <= files.keys())
        return record(desk, stamp.kind, files, stamp, ready.head, ready.before, moves).id

    try:
        return await asyncio.to_thread(work), ""
    except (CheckpointError, OSError, UnicodeError) as error:
        why = f"The change was made, but no checkpoint behind it: {error}. "
        return "", f"{why}To go back, restore checkpoint {ready.before[:8]}."
