"""One change of files from plan to checkpoint: the transaction that accept, undo and restore share.

Plan on a snapshot; record "before"; look again; send to the editor; believe the states it reports;
take back what stands if a later file failed; record "after". Plans, checkpoints and disk run in
worker threads. What it does not know: proposals, and where a plan came from."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from pairwright.checkpoints.head import head_of
from pairwright.checkpoints.message import one_line
from pairwright.checkpoints.repo import Store
from pairwright.checkpoints.types import Checkpoint, CheckpointError, FileState
from pairwright.checkpoints.unfinished import Intent, Note, write_down
from pairwright.edits.diff import diff
from pairwright.edits.rebase import rebase
from pairwright.edits.types import FileChange
from pairwright.engine.accept_capture import Captured, capture, changed, missing
from pairwright.engine.accept_disk import put, remove_empty, set_mode, standing
from pairwright.engine.ports import Applied, Editor
from pairwright.engine.proposals import carried
from pairwright.engine.proposals_store import Proposals
from pairwright.text.hashing import digest
from pairwright.workspace.types import Snapshot

# A keystroke may fall between plan and edit; after that many the user is typing in these very
# files.
_TRIES = 3
_CHANGED = "it was changed since"
_YES = "Go on without a checkpoint"
_NO = "Cancel"


@dataclass(frozen=True, slots=True)
class Desk:
    """What changing the files of one workspace takes. `now`: seconds since the epoch. `announce`:
    told of paths that were written on disk directly, on the event loop. `recorded`: told there of the
    checkpoint behind every change that was made, and of its paths. `lock`: one change at a
    time."""

    proposals: Proposals
    snapshot: Callable[[], Snapshot]
    editor: Editor
    store: Store
    now: Callable[[], float]
    announce: Callable[[Sequence[str]], None] = lambda paths: None
    recorded: Callable[[str, Sequence[str]], None] = lambda checkpoint, paths: None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(frozen=True, slots=True)
class RawWrite:
    """Exact bytes for a file that no editor holds."""

    path: str
    state: FileState
    expected: FileState


@dataclass(frozen=True, slots=True)
class Work:
    """A plan on one snapshot. `changes` go through the editor, `raw` to disk, then `modes` are set
    and empty `folders` removed. `paths`: what checkpoints hold. `stop`: why nothing may be done;
    `stale` says that it is because the text moved."""

    changes: tuple[FileChange, ...] = ()
    raw: tuple[RawWrite, ...] = ()
    modes: tuple[tuple[str, int], ...] = ()
    folders: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    stop: str = ""
    stale: bool = False


@dataclass(frozen=True, slots=True)
class Stamp:
    """What the checkpoints say: `kind` of the one behind the change, `note`, and what it belongs
    to. `hunks`: ids of the proposal's hunks in it."""

    kind: str
    note: str
    proposal: str = ""
    undoes: str = ""
    group: str = ""
    hunks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """What became of one file. `state`: as the editor reported it, or `taken back` (it was applied,
    and undone because another file failed), or `left` (applied, and could not be taken back)."""

    path: str
    state: Literal["applied", "stale", "refused", "unverified", "taken back", "left"]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Carried:
    """How it ended. `state`: `done`; `partly` (some files stay changed, see `files`); `stale` and
    `refused` (nothing is changed); `cancelled` by the user. `before`, `after`: checkpoint ids,
    empty if not made. `warning`: what else the user must know."""

    state: Literal["done", "partly", "stale", "refused", "cancelled"]
    message: str = ""
    files: tuple[FileOutcome, ...] = ()
    before: str = ""
    after: str = ""
    warning: str = ""

    @property
    def standing(self) -> tuple[str, ...]:
        """Paths whose change stands."""
        return tuple(f.path for f in self.files if f.state in ("applied", "left"))


@dataclass(frozen=True, slots=True)
class _Ready:
    work: Work
    captured: Captured
    before: str
    unprotected: Mapping[str, str]
    head: tuple[str, str]


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
) -> _Ready:
    """Plan, judge the paths, and record what stands now."""
    work = plan(snapshot)
    nothing = Captured({}, {})
    if work.stop:
        return _Ready(work, nothing, "", {}, ("", ""))
    for path in work.paths:
        refusal = snapshot.allowed(path)
        if refusal:
            stop = f"{path} {refusal}. Nothing was changed."
            return _Ready(replace(work, stop=stop), nothing, "", {}, ("", ""))
    whole = [c.path for c in work.changes if c.before is None or c.after is None or c.moved_from]
    captured = capture(snapshot, work.paths, (*whole, *(raw.path for raw in work.raw)))
    head = head_of(snapshot.root)
    unprotected = dict(captured.unprotected)
    before = ""
    try:
        before = _record(desk, "before", captured.files, stamp, head).id
    except CheckpointError as error:
        unprotected = {path: str(error) for path in work.paths}
    return _Ready(work, captured, before, unprotected, head)


def _record(
    desk: Desk,
    kind: str,
    files: Mapping[str, FileState],
    stamp: Stamp,
    head: tuple[str, str],
    base: str = "",
    moves: tuple[tuple[str, str], ...] = (),
) -> Checkpoint:
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
    desk: Desk, ready: _Ready, stamp: Stamp, settle: Callable[[Carried], None]
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


def _intent(ready: _Ready, stamp: Stamp) -> Intent:
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
    desk: Desk, ready: _Ready, stamp: Stamp, settle: Callable[[Carried], None]
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
        end = await _take_back(desk, ready, stamp, outcomes)
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
    desk: Desk, ready: _Ready, stamp: Stamp, outcomes: Sequence[FileOutcome]
) -> Carried:
    work = ready.work
    outcomes = (*outcomes, *(FileOutcome(raw.path, "applied") for raw in work.raw))
    warning = await asyncio.to_thread(_tidy, desk, work)
    written = [*(raw.path for raw in work.raw), *(path for path, _ in work.modes)]
    if written:
        desk.announce(written)
    after, problem = await _record_after(desk, ready, stamp, work.paths)
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


async def _record_after(
    desk: Desk, ready: _Ready, stamp: Stamp, paths: Sequence[str]
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
        return _record(desk, stamp.kind, files, stamp, ready.head, ready.before, moves).id

    try:
        return await asyncio.to_thread(work), ""
    except (CheckpointError, OSError, UnicodeError) as error:
        why = f"The change was made, but no checkpoint behind it: {error}. "
        return "", f"{why}To go back, restore checkpoint {ready.before[:8]}."


async def _take_back(
    desk: Desk, ready: _Ready, stamp: Stamp, outcomes: Sequence[FileOutcome]
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
    after, warning = await _record_after(desk, ready, stamp, left) if left else ("", "")
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


def _unwrite_raw(desk: Desk, ready: _Ready) -> str:
    root = desk.snapshot().root
    raw = reversed(ready.work.raw)
    problems = [put(root, one.path, one.expected, one.state) for one in raw]
    remove_empty(root, [name for name in ready.captured.files if name.endswith("/")])
    return "; ".join(problem for problem in problems if problem)


async def _invert(desk: Desk, ready: _Ready, change: FileChange) -> str:
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
