"""Taking back what an accept did, taking that back again, and going to any checkpoint.

The unit is one accept: the pair of checkpoints around it says exactly what it did. What was done to
the same files since stays, three ways; where both touch the same lines nothing is changed and the
reason is told. Every undo and restore is a pair of checkpoints itself, so it can be taken back too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pairwright.checkpoints.types import LINK, Checkpoint, CheckpointError, Files, FileState
from pairwright.edits.diff import diff
from pairwright.edits.rebase import rebase
from pairwright.edits.types import FileChange
from pairwright.engine.accept_capture import text_of
from pairwright.engine.accept_change import (
    Carried,
    Desk,
    FileOutcome,
    RawWrite,
    Stamp,
    Work,
    carry_out,
)
from pairwright.engine.accept_disk import standing
from pairwright.engine.proposals import carried, redone, undone
from pairwright.workspace.types import Snapshot

# How far back an undo looks; a store is pruned to fewer than that.
_DEPTH = 10_000


@dataclass(frozen=True, slots=True)
class UndoResult:
    """`state`: `done`; `partly` (a file failed and another could not be put back); `stale` and
    `refused` (nothing was changed); `cancelled` by the user; `unknown` (there is nothing like that
    to take back). `message`: for the user. `target`: what was taken back or restored. `before`,
    `after`: ids of this change's own checkpoints; taking back `after` is the redo."""

    state: Literal["done", "partly", "stale", "refused", "cancelled", "unknown"]
    message: str
    target: Checkpoint | None = None
    files: tuple[FileOutcome, ...] = ()
    before: str = ""
    after: str = ""
    warning: str = ""


@dataclass(frozen=True, slots=True)
class History:
    """Checkpoints, newest first, and which of them are taken back at the moment."""

    found: tuple[Checkpoint, ...]
    gone: frozenset[str]

    @classmethod
    def of(cls, found: Sequence[Checkpoint]) -> History:
        gone: set[str] = set()
        # Newest first: whatever took an undo back is seen before that undo.
        for checkpoint in found:
            if checkpoint.undoes and checkpoint.id not in gone:
                gone.add(checkpoint.undoes)
        return cls(tuple(found), frozenset(gone))

    def get(self, id: str) -> Checkpoint | None:
        return next((checkpoint for checkpoint in self.found if checkpoint.id == id), None)

    def follower(self, id: str) -> Checkpoint | None:
        """The checkpoint behind the change that `id` was recorded before."""
        return next((checkpoint for checkpoint in self.found if checkpoint.base == id), None)

    def standing(self, kind: str) -> list[Checkpoint]:
        """Changes of `kind` that are not taken back, newest first."""
        return [one for one in self.found if one.kind == kind and one.id not in self.gone]


async def undo(desk: Desk, target: str | None = None) -> UndoResult:
    """Take back one change: the last accept that stands; or the last one of the proposal `target`;
    or the one of the checkpoint `target` (the one before a change means that change). Taking back
    an undo is a redo."""
    async with desk.lock:
        try:
            history = await asyncio.to_thread(_history, desk)
        except CheckpointError as error:
            return UndoResult("refused", f"Nothing was changed: {error}.")
        found = _find(history, target)
        if isinstance(found, str):
            return UndoResult("unknown", found)
        return await _undo(desk, history, found)


async def redo(desk: Desk) -> UndoResult:
    """Take the last undo back."""
    async with desk.lock:
        try:
            history = await asyncio.to_thread(_history, desk)
        except CheckpointError as error:
            return UndoResult("refused", f"Nothing was changed: {error}.")
        undos = [one for one in history.standing("undo") if not _is_redo(history, one)]
        if not undos:
            return UndoResult("unknown", "There is no undo to take back.")
        return await _undo(desk, history, undos[0])


async def restore(desk: Desk, checkpoint_id: str, paths: Sequence[str] = ()) -> UndoResult:
    """Bring `paths` (all of the checkpoint's if empty) to exactly what the checkpoint holds,
    whatever stands there now; what stands is recorded first."""
    async with desk.lock:
        try:
            target = await asyncio.to_thread(desk.store.get, checkpoint_id)
            files = await asyncio.to_thread(desk.store.read, checkpoint_id)
        except CheckpointError as error:
            return UndoResult("refused", f"Nothing was changed: {error}.")
        if target is None or files is None:
            return UndoResult("unknown", f"There is no checkpoint {checkpoint_id} any more.")
        strange = [path for path in paths if path not in target.paths]
        if strange:
            held = ", ".join(target.paths)
            return UndoResult(
                "unknown", f"{strange[0]} is not in this checkpoint; it holds {held}."
            )
        wanted = tuple(paths) or target.paths

        def plan(snapshot: Snapshot) -> Work:
            return _whole(
                [_step(_Step.restoring, snapshot, path, files) for path in wanted], wanted
            )

        note = f"restore {target.id[:8]} {target.note}".rstrip()
        end = await carry_out(desk, plan, Stamp("after", note), lambda end: None)
        return _result(end, target, f"Restored {', '.join(wanted)}.")


async def _undo(desk: Desk, history: History, target: Checkpoint) -> UndoResult:
    if target.id in history.gone:
        return UndoResult("unknown", f"{_named(target)} is taken back already.", target)
    try:
        before = await asyncio.to_thread(desk.store.read, target.base)
        after = await asyncio.to_thread(desk.store.read, target.id)
    except CheckpointError as error:
        return UndoResult("refused", f"Nothing was changed: {error}.", target)
    if before is None or after is None:
        return UndoResult("refused", f"The checkpoints of {_named(target)} are gone.", target)

    def plan(snapshot: Snapshot) -> Work:
        steps = [_step(_Step.undoing, snapshot, path, after, before) for path in target.paths]
        return _whole(steps, target.paths)

    def settle(end: Carried) -> None:
        if end.state == "done":
            _settle(desk, history, target)

    note = target.note if target.kind == "undo" else f"undo {target.note}".rstrip()
    stamp = Stamp("undo", note, target.proposal, target.id)
    end = await carry_out(desk, plan, stamp, settle)
    return _result(end, target, f"Took back {_named(target)} in {', '.join(target.paths)}.")


def _settle(desk: Desk, history: History, target: Checkpoint) -> None:
    """The proposal's hunks follow: taken back, or applied again."""
    origin, again = target, False
    while origin.undoes:
        below = history.get(origin.undoes)
        if below is None:
            return
        origin, again = below, not again
    proposal = desk.proposals.get(origin.proposal)
    if proposal is not None:
        turn = redone if again else undone
        desk.proposals.put(turn(proposal, origin.base))


def _history(desk: Desk) -> History:
    return History.of(desk.store.list(_DEPTH))


def _find(history: History, target: str | None) -> Checkpoint | str:
    """The change that `target` means, or why there is none."""
    accepts = history.standing("after")
    if target is None:
        return accepts[0] if accepts else "There is nothing to undo."
    own = [one for one in history.found if one.proposal == target and one.kind == "after"]
    if own:
        standing = [one for one in own if one.id not in history.gone]
        return standing[0] if standing else f"All of proposal {target} is taken back already."
    found = history.get(target)
    if found is not None and not found.base:
        found = history.follower(found.id)
    return found or f"There is no accept and no checkpoint {target} to undo."


def _is_redo(history: History, undo: Checkpoint) -> bool:
    below = history.get(undo.undoes)
    return below is not None and below.kind == "undo"


def _named(target: Checkpoint) -> str:
    return f'"{target.note}"' if target.note else f"checkpoint {target.id[:8]}"


def _result(end: Carried, target: Checkpoint, done: str) -> UndoResult:
    return UndoResult(
        state=end.state,
        message=end.message or done,
        target=target,
        files=end.files,
        before=end.before,
        after=end.after,
        warning=end.warning,
    )


@dataclass(frozen=True, slots=True)
class _Step:
    """What one file needs: at most one of `change` and `raw`; or `conflict`, why it cannot be
    done."""

    change: FileChange | None = None
    raw: RawWrite | None = None
    mode: tuple[str, int] | None = None
    folders: tuple[str, ...] = ()
    conflict: str = ""

    @classmethod
    def undoing(cls, snapshot: Snapshot, path: str, source: Files, target: Files) -> _Step:
        """From `source` back to `target`, keeping what was done to `path` since."""
        was, wanted = source[path], target[path]
        now = _now(snapshot, path)
        if wanted.data is None:
            return replace(_removed(snapshot, path, was, now), folders=_folders(target, path))
        if was.data is None:
            return _brought_back(snapshot, path, wanted, now)
        old, new = text_of(was), text_of(wanted)
        if old is None or new is None or now is None:
            return _exchanged(snapshot, path, was, wanted)
        moved = rebase(old, now, diff(old, new))
        if moved.conflicts:
            return cls(conflict=f"{path}: the same lines were changed since")
        return cls(carried(path, now, moved), mode=_mode(snapshot, path, was, wanted))

    @classmethod
    def restoring(cls, snapshot: Snapshot, path: str, target: Files) -> _Step:
        """To `target`, whatever stands at `path`."""
        wanted = target[path]
        now = _now(snapshot, path)
        if wanted.data is None:
            if now is None:
                return cls(raw=_raw(snapshot, path, wanted))
            return cls(FileChange(path, now, None, ()), folders=_folders(target, path))
        text = text_of(wanted)
        if now is None or text is None:
            if path in snapshot.buffers:
                return cls(conflict=f"{path} is open and has no text to go back to; close it first")
            return cls(raw=_raw(snapshot, path, wanted))
        disk = snapshot.on_disk(path)
        here = disk.mode & 0o7777 if disk else wanted.mode
        mode = (path, wanted.mode) if wanted.mode != here else None
        if now == text:
            same = path in snapshot.buffers or disk is None or disk.raw == wanted.data
            return cls(mode=mode) if same else cls(raw=_raw(snapshot, path, wanted))
        return cls(FileChange(path, now, text, diff(now, text)), mode=mode)


def _step(make: Callable[..., _Step], snapshot: Snapshot, path: str, *files: Files) -> _Step:
    """`make`, where what cannot be read is a conflict."""
    try:
        return make(snapshot, path, *files)
    except OSError as error:
        return _Step(conflict=f"{path} cannot be read ({error.strerror or error})")


def _removed(snapshot: Snapshot, path: str, was: FileState, now: bytes | None) -> _Step:
    """The file did not exist before."""
    if now is None:
        here = standing(snapshot.root, path)
        if here.data is None:
            return _Step()
        return _exchanged(snapshot, path, was, FileState(None))
    if now != text_of(was):
        return _Step(conflict=f"{path} was changed since it was created, so it is kept")
    return _Step(FileChange(path, now, None, ()))


def _brought_back(snapshot: Snapshot, path: str, wanted: FileState, now: bytes | None) -> _Step:
    """The file was deleted."""
    if now is not None:
        if now == text_of(wanted):
            return _Step()
        return _Step(conflict=f"{path} exists again")
    return _exchanged(snapshot, path, FileState(None), wanted)


def _exchanged(snapshot: Snapshot, path: str, was: FileState, wanted: FileState) -> _Step:
    """Exact bytes on disk, if they are as they were left and no editor holds the file."""
    if path in snapshot.buffers:
        return _Step(conflict=f"{path} is open in the editor; close it first")
    here = standing(snapshot.root, path)
    if here.data != was.data or (here.mode == LINK) != (was.mode == LINK):
        return _Step(conflict=f"{path} was changed since" if here.data else f"{path} is gone")
    return _Step(raw=RawWrite(path, wanted, here))


def _mode(
    snapshot: Snapshot, path: str, was: FileState, wanted: FileState
) -> tuple[str, int] | None:
    """The mode to put back, if the change altered it and nobody did since."""
    disk = snapshot.on_disk(path)
    if disk is None or was.mode == wanted.mode or disk.mode & 0o7777 != was.mode:
        return None
    return path, wanted.mode


def _raw(snapshot: Snapshot, path: str, wanted: FileState) -> RawWrite | None:
    here = standing(snapshot.root, path)
    same = here.data == wanted.data and (wanted.data is None or here.mode == wanted.mode)
    return None if same else RawWrite(path, wanted, here)


def _folders(target: Mapping[str, FileState], path: str) -> tuple[str, ...]:
    """Directories that did not exist before and hold `path`."""
    return tuple(name for name in target if name.endswith("/") and path.startswith(name))


def _now(snapshot: Snapshot, path: str) -> bytes | None:
    document = snapshot.document(path)
    return document.data if document else None


def _whole(steps: Sequence[_Step], paths: Sequence[str]) -> Work:
    """All steps or none."""
    conflicts = [step.conflict for step in steps if step.conflict]
    if conflicts:
        return Work(stop=f"Nothing was changed. {'; '.join(conflicts)}.", stale=True)
    return Work(
        changes=tuple(step.change for step in steps if step.change),
        raw=tuple(step.raw for step in steps if step.raw),
        modes=tuple(step.mode for step in steps if step.mode),
        folders=tuple(sorted({name for step in steps for name in step.folders})),
        paths=tuple(paths),
    )
