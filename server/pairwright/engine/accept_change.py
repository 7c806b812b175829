"""One change of files from plan to checkpoint: the transaction that accept, undo and restore share.

Plan on a snapshot; record "before"; look again; send to the editor; believe the states it reports;
take back what stands if a later file failed; record "after". Plans, checkpoints and disk run in
worker threads. What it does not know: proposals, and where a plan came from."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from pairwright.checkpoints.head import head_of
from pairwright.checkpoints.message import one_line
from pairwright.checkpoints.types import CheckpointError
from pairwright.checkpoints.unfinished import Intent, Note, write_down
from pairwright.edits.rebase import rebase
from pairwright.edits.types import FileChange
from pairwright.engine.accept_back import take_back
from pairwright.engine.accept_capture import Captured, capture
from pairwright.engine.accept_disk import put, remove_empty, set_mode
from pairwright.engine.accept_record import Ready, record, record_after
from pairwright.engine.change import Carried, FileOutcome, RawWrite, Stamp, Work
from pairwright.engine.change import Desk as Desk
from pairwright.engine.ports import Applied
from pairwright.text.hashing import digest
from pairwright.workspace.types import Snapshot

# A keystroke may fall between plan and edit; after that many the user is typing in these very
# files.
_TRIES = 3
_YES = "Go on without a checkpoint"
_NO = "Cancel"


async def carry_out(
    desk: Desk,
    plan: Callable[[Snapshot], Work],
    stamp: Stamp,
    settle: Callable[[Carried], None],
    unprotected: bool = False,
) -> Carried:
    """Do what `plan` makes of the snapshot of the moment. `settle` is told the end even when the
    caller is cancelled meanwhile: once the edit is sent it is seen through. `unprotected`: the user
    agreed beforehand that what no checkpoint can hold is changed too. The caller holds
    `desk.lock`."""
    agreed = unprotected
    for _ in range(_TRIES):
        snapshot = desk.snapshot()
        ready = await asyncio.to_thread(_prepare, desk, snapshot, plan, stamp)
        if ready.work.stop:
            state: Literal["stale", "refused"] = "stale" if ready.work.stale else "refused"
            return _told(settle, Carried(state, ready.work.stop))
        if ready.unprotected and not agreed:
            agreed = await desk.editor.ask(_question(ready.unprotected), (_YES, _NO)) == _YES
            if not agreed:
                message = f"Nothing was changed. {_question(ready.unprotected)}"
                return _told(settle, Carried("cancelled", message, before=ready.before))
        if not _moved(desk.snapshot(), ready.work.changes):
            task = asyncio.ensure_future(_noted(desk, ready, stamp, settle))
            try:
                return await asyncio.shield(task)
            except asyncio.CancelledError:
                await task
                raise
    message = "The text keeps changing. Nothing was changed; try again when typing has paused."
    return _told(settle, Carried("stale", message))


def _told(settle: Callable[[Carried], None], end: Carried) -> Carried:
    settle(end)
    return end


def _prepare(
    desk: Desk, snapshot: Snapshot, plan: Callable[[Snapshot], Work], stamp: Stamp
) -> Ready:
    """Plan, judge the paths, and record what stands now."""
    work = plan(snapshot)
    nothing = Captured({}, {})
    if work.stop:
        return Ready(work, nothing, "", {}, ("", ""))
    for path in work.paths:
        refusal = snapshot.allowed(path)
        if refusal:
            stop = f"{path} {refusal}. Nothing was changed."
            return Ready(replace(work, stop=stop), nothing, "", {}, ("", ""))
    whole = [c.path for c in work.changes if c.before is None or c.after is None or c.moved_from]
    captured = capture(snapshot, work.paths, (*whole, *(raw.path for raw in work.raw)))
    head = head_of(snapshot.root)
    unprotected = dict(captured.unprotected)
    before = ""
    try:
        before = record(desk, "before", captured.files, stamp, head).id
    except CheckpointError as error:
        unprotected = {path: str(error) for path in work.paths}
    return Ready(work, captured, before, unprotected, head)


def _question(unprotected: Mapping[str, str]) -> str:
    reasons = sorted(set(unprotected.values()))
    names = ", ".join(sorted(unprotected))
    return f"No checkpoint can be made of {names}: {'; '.join(reasons)}. It could not be undone."


def _moved(snapshot: Snapshot, changes: Sequence[FileChange]) -> bool:
    """Whether an open text is another than planned for; closed files are checked by the editor
    port."""
    buffers = snapshot.buffers
    return any(
        buffers[path].document.data != change.before
        for change in changes
        if (path := change.moved_from or change.path) in buffers
    )


async def _noted(
    desk: Desk, ready: Ready, stamp: Stamp, settle: Callable[[Carried], None]
) -> Carried:
    """The change, under a note that tells the next start of it should this process be killed."""
    note: Note | None = None
    if ready.before:
        try:
            intent = _intent(ready, stamp)
            note = await asyncio.to_thread(write_down, desk.store.path, intent)
        except OSError as error:
            why = f"Nothing was changed: the change cannot be noted ({error.strerror or error})."
            return _told(settle, Carried("refused", why, before=ready.before))
    end = await _send(desk, ready, stamp, settle)
    if note is not None:
        await asyncio.to_thread(note.erase)
    return end


def _intent(ready: Ready, stamp: Stamp) -> Intent:
    work = ready.work
    sources = {c.moved_from: None for c in work.changes if c.moved_from is not None}
    texts = {c.path: None if c.after is None else digest(c.after) for c in work.changes}
    raw = {r.path: None if r.state.data is None else digest(r.state.data) for r in work.raw}
    return Intent(
        before=ready.before,
        kind=stamp.kind,
        note=one_line(stamp.note),
        proposal=stamp.proposal,
        undoes=stamp.undoes,
        group=stamp.group,
        hunks=stamp.hunks,
        texts={**sources, **texts},
        raw=raw,
    )


async def _send(
    desk: Desk, ready: Ready, stamp: Stamp, settle: Callable[[Carried], None]
) -> Carried:
    """The part that is never left half way."""
    work = ready.work
    refusal = await asyncio.to_thread(_write_raw, desk, work.raw)
    if refusal:
        return _told(settle, Carried("refused", refusal, before=ready.before))
    results: tuple[Applied, ...] = ()
    if work.changes:
        results = await desk.editor.apply(one_line(stamp.note) or stamp.kind, work.changes)
    outcomes = await asyncio.to_thread(_judged, desk.snapshot(), work.changes, results)
    if all(outcome.state == "applied" for outcome in outcomes):
        end = await _finish(desk, ready, stamp, outcomes)
    else:
        end = await take_back(desk, ready, stamp, outcomes)
    return _told(settle, end)


def _judged(
    snapshot: Snapshot, changes: Sequence[FileChange], results: Sequence[Applied]
) -> list[FileOutcome]:
    """What the editor reported; where it was not sure, what the text says."""
    outcomes = []
    for at, change in enumerate(changes):
        if at >= len(results):
            outcomes.append(FileOutcome(change.path, "refused", "the editor did not answer for it"))
            continue
        state, reason = results[at].state, results[at].reason
        if state in ("stale", "unverified"):
            now, source = _texts(snapshot, change)
            if _landed(change, now) and (change.moved_from is None or source is None):
                state, reason = "applied", ""
            elif state == "unverified" and source == change.before:
                state = "refused"
        outcomes.append(FileOutcome(change.path, state, reason))
    return outcomes


def _texts(snapshot: Snapshot, change: FileChange) -> tuple[bytes | None, bytes | None]:
    """What stands now where `change` leads, and where it comes from."""
    paths = (change.path, change.moved_from or change.path)
    found = [snapshot.document(path) for path in paths]
    now, source = (document.data if document else None for document in found)
    return now, source


def _landed(change: FileChange, now: bytes | None) -> bool:
    """Whether the text `now` has the whole change, with or without typing beside it."""
    if now == change.after:
        return True
    if now is None or change.before is None or change.after is None:
        return False
    return len(rebase(change.before, now, change.hunks).present) == len(change.hunks)


def _write_raw(desk: Desk, raw: Sequence[RawWrite]) -> str:
    """All of `raw` or none of it; empty, or why none."""
    root = desk.snapshot().root
    for at, one in enumerate(raw):
        refusal = put(root, one.path, one.state, one.expected)
        if refusal:
            for done in reversed(raw[:at]):
                put(root, done.path, done.expected, done.state)
            return f"{refusal}. Nothing was changed."
    return ""


async def _finish(
    desk: Desk, ready: Ready, stamp: Stamp, outcomes: Sequence[FileOutcome]
) -> Carried:
    work = ready.work
    outcomes = (*outcomes, *(FileOutcome(raw.path, "applied") for raw in work.raw))
    warning = await asyncio.to_thread(_tidy, desk, work)
    written = [*(raw.path for raw in work.raw), *(path for path, _ in work.modes)]
    if written:
        desk.announce(written)
    after, problem = await record_after(desk, ready, stamp, work.paths)
    if after:
        desk.recorded(after, work.paths)
    files = tuple(sorted(outcomes, key=lambda outcome: outcome.path))
    notes = " ".join(text for text in (warning, problem) if text)
    return Carried("done", "", files, ready.before, after, notes)


def _tidy(desk: Desk, work: Work) -> str:
    """Modes and empty directories; what did not work."""
    root = desk.snapshot().root
    problems = [set_mode(root, path, mode) for path, mode in work.modes]
    remove_empty(root, work.folders)
    return "; ".join(problem for problem in problems if problem)
