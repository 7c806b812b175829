"""Taking back what an accept did, taking that back again, and going to any checkpoint.

The unit is one accept: the pair of checkpoints around it says exactly what it did. What was done to
the same files since stays, three ways; where both touch the same lines nothing is changed and both
sides are shown. Every undo and restore is a pair of checkpoints itself, so it can be taken back
too."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pairwright.checkpoints.types import Checkpoint, CheckpointError, Files, FileState
from pairwright.engine.accept_capture import capture
from pairwright.engine.accept_change import carry_out
from pairwright.engine.accept_saved import NOTHING, Saving, Unsaved
from pairwright.engine.change import Carried, Desk, FileOutcome, Stamp, Work
from pairwright.engine.overlay import Overlay
from pairwright.engine.proposals import redone, undone
from pairwright.engine.undo_history import History
from pairwright.engine.undo_steps import Conflict, Planned, planned_restore, planned_undo
from pairwright.engine.undo_text import work_as_text
from pairwright.workspace.types import Snapshot

# How far back an undo looks; a store is pruned to fewer than that.
_DEPTH = 10_000

State = Literal["done", "planned", "partly", "stale", "refused", "cancelled", "unknown"]


@dataclass(frozen=True, slots=True)
class UndoResult:
    """`state`: `done`; `planned` (a dry run: `plan` is what would change, as text); `partly` (a file
    failed and another could not be put back); `stale` and `refused` (nothing was changed);
    `cancelled` by the user; `unknown` (there is nothing like that to take back). `message`: for the
    user. `target`: what was taken back or restored. `before`, `after`: ids of this change's own
    checkpoints; taking back `after` is the redo. `conflicts`: where later edits are in the way;
    restoring their paths from the checkpoint `way_out` brings those files back whole. `unsaved`: what
    the editor holds and the disk does not."""

    state: State
    message: str
    target: Checkpoint | None = None
    files: tuple[FileOutcome, ...] = ()
    before: str = ""
    after: str = ""
    warning: str = ""
    conflicts: tuple[Conflict, ...] = ()
    way_out: str = ""
    plan: str = ""
    unsaved: Unsaved = NOTHING


@dataclass(frozen=True, slots=True)
class How:
    """`turn`: the other accepts of the same proposal too. `dry`: change nothing, say what would
    change. `unprotected`: go on where no checkpoint can be made. `group`: see Checkpoint."""

    turn: bool = False
    dry: bool = False
    unprotected: bool = False
    group: str = ""


async def undo(desk: Desk, target: str | None = None, how: How = How()) -> UndoResult:
    """Take back one change: the last accept that stands; or the last one of the proposal `target`;
    or the one of the checkpoint `target` (the one before a change means that change). Taking back
    an undo is a redo. Of a whole turn either all is taken back or nothing."""
    async with desk.lock:
        history = await _history(desk)
        if isinstance(history, UndoResult):
            return history
        found = _find(history, target)
        if isinstance(found, str):
            return UndoResult("unknown", found)
        return await _all(desk, history, _turn_of(history, found) if how.turn else [found], how)


async def redo(desk: Desk, how: How = How()) -> UndoResult:
    """Take the last undo back, of a whole turn if it was one."""
    async with desk.lock:
        history = await _history(desk)
        if isinstance(history, UndoResult):
            return history
        undos = [one for one in history.standing("undo") if not _is_redo(history, one)]
        if not undos:
            return UndoResult("unknown", "There is no undo to take back.")
        group = undos[0].group
        together = [one for one in undos if group and one.group == group]
        return await _all(desk, history, together or undos[:1], how)


async def undo_all(desk: Desk, proposals: Sequence[str], how: How = How()) -> UndoResult:
    """Take back every accept of `proposals` that stands, newest first, all or none."""
    async with desk.lock:
        history = await _history(desk)
        if isinstance(history, UndoResult):
            return history
        wanted = frozenset(proposals)
        targets = [one for one in history.standing("after") if one.proposal in wanted]
        if not targets:
            return UndoResult("unknown", "Nothing of it stands that could be taken back.")
        return await _all(desk, history, targets, how)


async def restore(
    desk: Desk,
    checkpoint_id: str,
    paths: Sequence[str] = (),
    how: How = How(),
) -> UndoResult:
    """Bring `paths` (all of the checkpoint's if empty) to exactly what the checkpoint holds,
    whatever stands there now; what stands is recorded first. `checkpoint_id`: 40 hex."""
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

        def plan(snapshot: Snapshot) -> Planned:
            return planned_restore(snapshot, files, wanted)

        stamp = Stamp("after", f"restore {target.id[:8]} {target.note}".rstrip(), group=how.group)
        done = f"Restored {', '.join(wanted)}."
        return await _carried(desk, _Change(target, plan, stamp, done), how, Saving())


async def follow(desk: Desk, undone_id: str) -> None:
    """The proposal follows an undo of the checkpoint `undone_id` that was made already. Raises
    CheckpointError."""
    history = History.of(await asyncio.to_thread(desk.store.list, _DEPTH))
    target = history.get(undone_id)
    if target is not None:
        _settle(desk, history, target)


def record_form(desk: Desk, snapshot: Snapshot, accept: str, path: str) -> None:
    """Record what the save right behind the change `accept` left at `path`. Raises
    CheckpointError. Blocking."""
    change = desk.store.get(accept)
    files = capture(snapshot, [path]).files
    if change is None or path not in change.paths or path not in files:
        return
    desk.store.record(
        files,
        kind="saved",
        note=change.note,
        time=desk.now(),
        proposal=change.proposal,
        head=change.head,
        branch=change.branch,
        base=accept,
    )


async def put_back(desk: Desk, files: Files, paths: Sequence[str], note: str) -> str:
    """Bring `paths` to what `files` holds, whatever stands there; empty, or why not. The caller
    holds `desk.lock`."""

    def plan(snapshot: Snapshot) -> Work:
        return planned_restore(snapshot, files, paths).work

    end = await carry_out(desk, plan, Stamp("recovered", note), lambda end: None)
    return "" if end.state == "done" else end.message


@dataclass(frozen=True, slots=True)
class _Change:
    """One thing to take back or to restore. `done`: what to say when it is."""

    target: Checkpoint
    plan: Callable[[Snapshot], Planned]
    stamp: Stamp
    done: str
    settle: Callable[[Carried], None] = lambda end: None


async def _all(desk: Desk, history: History, targets: Sequence[Checkpoint], how: How) -> UndoResult:
    """Take `targets` back, newest first, all or none."""
    if len(targets) > 1 and not how.group:
        how = replace(how, group=f"{targets[0].id[:12]}-{int(desk.now() * 1000):x}")
    changes = []
    for target in targets:
        change = await _change(desk, history, target, how)
        if isinstance(change, UndoResult):
            return change
        changes.append(change)
    # What is in the way of a later one is told before the first is touched.
    plans: list[Planned | None] = []
    if len(changes) > 1 or how.dry:
        plans = await asyncio.to_thread(_in_turn, desk.snapshot(), changes)
    for change, planned in zip(changes, plans, strict=False):
        if planned and planned.work.stop:
            return _stopped(change.target, planned)
    if how.dry:
        known = [planned for planned in plans if planned]
        text = "".join(work_as_text(planned.work) for planned in known)
        names = ", ".join(sorted({path for one in known for path in one.work.paths}))
        return UndoResult("planned", f"Would change {names}.", targets[0], plan=text)
    results: list[UndoResult] = []
    saving = Saving()
    for change in changes:
        result = await _carried(desk, change, how, saving)
        if result.state != "done":
            return await _again(desk, results, result)
        results.append(result)
    return _summed(results)


def _in_turn(snapshot: Snapshot, changes: Sequence[_Change]) -> list[Planned | None]:
    """The plan of each on what the ones before it leave: a file that was changed twice shows its older text only
    then. None where only doing it would tell."""
    texts: dict[str, bytes | None] = {}
    unknown: set[str] = set()
    plans: list[Planned | None] = []
    for change in changes:
        paths = change.target.paths
        if not unknown.isdisjoint(paths):
            plans.append(None)
            continue
        planned = change.plan(Overlay(snapshot, texts) if texts else snapshot)
        plans.append(planned)
        plain = [
            one for one in planned.work.changes if one.after is not None and not one.moved_from
        ]
        texts.update((one.path, one.after) for one in plain)
        unknown.update({*paths, *planned.work.paths} - {one.path for one in plain})
    return plans


async def _again(desk: Desk, done: Sequence[UndoResult], failed: UndoResult) -> UndoResult:
    """One of several failed: those before it are made again."""
    for one in reversed(done):
        history = History.of(await asyncio.to_thread(desk.store.list, _DEPTH))
        target = history.get(one.after)
        change = await _change(desk, history, target, How()) if target else None
        if not isinstance(change, _Change):
            return replace(failed, state="partly")
        if (await _carried(desk, change, How(), Saving())).state != "done":
            return replace(failed, state="partly")
    return failed


async def _change(
    desk: Desk, history: History, target: Checkpoint, how: How
) -> _Change | UndoResult:
    if target.id in history.gone:
        return UndoResult("unknown", f"{_named(target)} is taken back already.", target)
    try:
        before = await asyncio.to_thread(desk.store.read, target.base)
        after = await asyncio.to_thread(desk.store.read, target.id)
        form: dict[str, FileState] = {}
        for saved in history.saved(target.id):
            held = await asyncio.to_thread(desk.store.read, saved.id)
            form.update(held or {})
    except CheckpointError as error:
        return UndoResult("refused", f"Nothing was changed: {error}.", target)
    if before is None or after is None:
        return UndoResult("refused", f"The checkpoints of {_named(target)} are gone.", target)
    source, goal = after, before

    def plan(snapshot: Snapshot) -> Planned:
        return planned_undo(snapshot, source, goal, target, form)

    def settle(end: Carried) -> None:
        if end.state == "done":
            _settle(desk, history, target)

    note = target.note if target.kind == "undo" else f"undo {target.note}".rstrip()
    stamp = Stamp("undo", note, target.proposal, target.id, how.group)
    done = f"Took back {_named(target)} in {', '.join(target.paths)}."
    return _Change(target, plan, stamp, done, settle)


async def _carried(desk: Desk, change: _Change, how: How, saving: Saving) -> UndoResult:
    seen: list[Planned] = []

    def plan(snapshot: Snapshot) -> Work:
        seen.append(change.plan(snapshot))
        saving.plan(snapshot, seen[-1].work.changes)
        return seen[-1].work

    if how.dry:
        planned = await asyncio.to_thread(change.plan, desk.snapshot())
        if planned.work.stop:
            return _stopped(change.target, planned)
        names = ", ".join(planned.work.paths)
        text = work_as_text(planned.work)
        return UndoResult("planned", f"Would change {names}.", change.target, plan=text)
    end = await carry_out(desk, plan, change.stamp, change.settle, how.unprotected)
    if seen and seen[-1].work.stop and end.state in ("stale", "refused"):
        return _stopped(change.target, seen[-1])
    saving.made(end.standing)
    return UndoResult(
        state=end.state,
        message=end.message or change.done,
        target=change.target,
        files=end.files,
        before=end.before,
        after=end.after,
        warning=end.warning,
        unsaved=await asyncio.to_thread(saving.unsaved, desk.snapshot()),
    )


def _stopped(target: Checkpoint, planned: Planned) -> UndoResult:
    way_out = target.base or target.id
    return UndoResult(
        "stale", planned.work.stop, target, conflicts=planned.conflicts, way_out=way_out
    )


def _summed(results: Sequence[UndoResult]) -> UndoResult:
    if len(results) == 1:
        return results[0]
    return replace(
        results[-1],
        message=" ".join(result.message for result in results),
        files=tuple(file for result in results for file in result.files),
        warning=" ".join(result.warning for result in results if result.warning),
    )


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


async def _history(desk: Desk) -> History | UndoResult:
    try:
        return History.of(await asyncio.to_thread(desk.store.list, _DEPTH))
    except CheckpointError as error:
        return UndoResult("refused", f"Nothing was changed: {error}.")


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
    if found is not None and found.kind == "saved":
        found = history.get(found.base)
    return found or f"There is no accept and no checkpoint {target} to undo."


def _turn_of(history: History, target: Checkpoint) -> list[Checkpoint]:
    """`target` and the other accepts of its proposal that stand, newest first."""
    accepts = history.standing("after")
    own = [one for one in accepts if one.proposal and one.proposal == target.proposal]
    return own if target in own else [target]


def _is_redo(history: History, undo: Checkpoint) -> bool:
    below = history.get(undo.undoes)
    return below is not None and below.kind == "undo"


def _named(target: Checkpoint) -> str:
    return f'"{target.note}"' if target.note else f"checkpoint {target.id[:8]}"
