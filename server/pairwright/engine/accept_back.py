"""Taking back what stands of a change of which another file failed, keeping what was typed since."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Literal

from pairwright.checkpoints.types import FileState
from pairwright.edits.diff import diff
from pairwright.edits.rebase import rebase
from pairwright.edits.types import FileChange
from pairwright.engine.accept_disk import put, remove_empty
from pairwright.engine.accept_record import Ready, record_after
from pairwright.engine.change import Carried, Desk, FileOutcome, Stamp
from pairwright.engine.proposals import carried

_CHANGED = "it was changed since"


async def take_back(
    desk: Desk, ready: Ready, stamp: Stamp, outcomes: Sequence[FileOutcome]
) -> Carried:
    """A file failed: undo those before it, or say which ones stay."""
    work = ready.work
    final = list(outcomes)
    for at in reversed(range(len(final))):
        if final[at].state != "applied":
            continue
        problem = await _invert(desk, ready, work.changes[at])
        if problem:
            final[at] = FileOutcome(final[at].path, "left", problem)
        else:
            final[at] = FileOutcome(final[at].path, "taken back", "another file failed")
    raw_problem = await asyncio.to_thread(_unwrite_raw, desk, ready)
    if work.raw:
        desk.announce([raw.path for raw in work.raw])
    left = [outcome.path for outcome in final if outcome.state == "left"]
    after, warning = await record_after(desk, ready, stamp, left) if left else ("", "")
    failed = [f"{o.path}: {o.reason}" for o in final if o.state not in ("applied", "taken back")]
    if left:
        state: Literal["partly", "stale", "refused"] = "partly"
        message = f"Only part was applied, and {', '.join(left)} could not be taken back. "
    else:
        moved = any(outcome.state == "stale" for outcome in final)
        state, message = ("stale" if moved else "refused"), "Not applied. "
    message += "; ".join(failed) + "."
    if ready.before and state != "refused":
        message += f" As it was before: checkpoint {ready.before[:8]}."
    notes = " ".join(text for text in (raw_problem, warning) if text)
    return Carried(state, message, tuple(final), ready.before, after, notes)


def _unwrite_raw(desk: Desk, ready: Ready) -> str:
    root = desk.snapshot().root
    raw = reversed(ready.work.raw)
    problems = [put(root, one.path, one.expected, one.state) for one in raw]
    remove_empty(root, [name for name in ready.captured.files if name.endswith("/")])
    return "; ".join(problem for problem in problems if problem)


async def _invert(desk: Desk, ready: Ready, change: FileChange) -> str:
    """Take one applied change back, keeping what was typed since; empty, or why not."""
    snapshot = desk.snapshot()
    if change.after is None:
        was = ready.captured.files.get(change.path)
        if was is None:
            return "the deleted file was not recorded"
        problem = await asyncio.to_thread(put, snapshot.root, change.path, was, FileState(None))
        desk.announce([change.path])
        return problem
    document = await asyncio.to_thread(snapshot.document, change.path)
    now = document.data if document else None
    if now is None:
        return "it is gone"
    back = _inverse(change, now)
    if isinstance(back, str):
        return back
    if back is None:
        return ""
    results = await desk.editor.apply("Take back", (back,))
    return "" if results and results[0].state == "applied" else "the editor refused to take it back"


def _inverse(change: FileChange, now: bytes) -> FileChange | str | None:
    """What takes `change` back from the text `now`, keeping what was typed since; None if nothing is
    left of it, or why it cannot be taken back."""
    if change.before is None or change.after is None:
        return FileChange(change.path, now, None, ()) if now == change.after else _CHANGED
    moved = rebase(change.after, now, diff(change.after, change.before))
    if moved.conflicts:
        return "the same lines were changed since"
    back = carried(change.path, now, moved)
    if change.moved_from is None:
        return back
    text, hunks = (back.after, back.hunks) if back else (now, ())
    return FileChange(change.moved_from, now, text, hunks, change.path)
