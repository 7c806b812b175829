"""Accepting and rejecting hunks of a proposal.

The order that promise 1 rests on (checked, recorded, sent, verified, recorded) is in
`accept_change`; here a selection becomes a plan on the text of the moment, and the end becomes
states of hunks."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pairwright.engine.accept_change import carry_out
from pairwright.engine.accept_saved import NOTHING, Saving, Unsaved
from pairwright.engine.change import Carried, Desk, FileOutcome, Stamp, Work
from pairwright.engine.proposals import (
    Clash,
    Placed,
    Proposal,
    ProposedFile,
    Selection,
    accepted,
    chosen,
    place,
    refreshed,
    rejected,
)
from pairwright.workspace.types import Snapshot

ALL = Selection()
_GO = "Accept what is there"
_NO = "Cancel"

__all__ = ["ALL", "AcceptResult", "Desk", "Selection", "accept", "refresh", "reject"]


@dataclass(frozen=True, slots=True)
class AcceptResult:
    """`state`: `applied`; `partly` (a file failed and another could not be taken back); `stale` and
    `refused` (nothing was changed); `cancelled` by the user; `unknown` (no such proposal).
    `message`: for the user. `hunks`: ids that were applied or rejected. `rebased`: the text had
    moved and the hunks were carried over it. `before`, `after`: checkpoint ids. `warning`: what
    else the user must know. `clashes`: the hunks that stopped it, with both sides. `unsaved`: what
    the editor holds and the disk does not."""

    state: Literal["applied", "partly", "stale", "refused", "cancelled", "rejected", "unknown"]
    message: str
    proposal: Proposal | None = None
    files: tuple[FileOutcome, ...] = ()
    hunks: tuple[str, ...] = ()
    rebased: bool = False
    before: str = ""
    after: str = ""
    warning: str = ""
    clashes: tuple[Clash, ...] = ()
    unsaved: Unsaved = NOTHING


async def accept(
    desk: Desk,
    proposal_id: str,
    selection: Selection = ALL,
    unprotected: bool = False,
    group: str = "",
) -> AcceptResult:
    """Apply the selected hunks, all of them or none. `unprotected`: also where no checkpoint can be
    made, without asking. `group`: see Checkpoint."""
    async with desk.lock:
        proposal = desk.proposals.get(proposal_id)
        if proposal is None:
            return _unknown(proposal_id)
        ids = chosen(proposal, selection)
        if isinstance(ids, str):
            return AcceptResult("refused", ids, proposal)
        if proposal.missing and selection.everything and not await _go_on(desk, proposal):
            return AcceptResult("cancelled", "Nothing was changed.", proposal)
        return await _apply(desk, proposal, ids, unprotected, group)


async def reject(desk: Desk, proposal_id: str, selection: Selection = ALL) -> AcceptResult:
    """Turn the selected hunks down; no file changes."""
    async with desk.lock:
        proposal = desk.proposals.get(proposal_id)
        if proposal is None:
            return _unknown(proposal_id)
        ids = chosen(proposal, selection)
        if isinstance(ids, str):
            return AcceptResult("refused", ids, proposal)
        proposal = rejected(proposal, ids)
        desk.proposals.put(proposal)
        return AcceptResult("rejected", f"Rejected {_count(ids)}.", proposal, hunks=ids)


def clashes(proposal: Proposal, snapshot: Snapshot) -> tuple[Clash, ...]:
    """The pending hunks that the texts of `snapshot` leave no place for. Reads files."""
    return tuple(
        clash
        for file in proposal.files
        for clash in _place(snapshot, file, [hunk.id for hunk in file.pending]).clashes
    )


async def refresh(desk: Desk, proposal_id: str) -> Proposal | None:
    """The proposal held against the texts of this moment: hunks whose lines changed are stale,
    those whose lines are back are proposed again. Changes no file; stores the new states. None: no
    such proposal."""
    proposal = desk.proposals.get(proposal_id)
    if proposal is None:
        return None
    fresh = await asyncio.to_thread(_refreshed, proposal, desk.snapshot())
    if fresh != proposal and desk.proposals.get(proposal_id) == proposal:
        desk.proposals.put(fresh)
    return desk.proposals.get(proposal_id)


def _refreshed(proposal: Proposal, snapshot: Snapshot) -> Proposal:
    files = [file for file in proposal.files if file.pending]
    paths = {path for file in files for path in (file.at, file.path)}
    return refreshed(proposal, {path: _text(snapshot, path) for path in sorted(paths)})


async def _go_on(desk: Desk, proposal: Proposal) -> bool:
    missing = "\n".join(proposal.missing)
    question = f"Part of the answer could not be placed:\n{missing}\nAccept the rest?"
    return await desk.editor.ask(question, (_GO, _NO)) == _GO


async def _apply(
    desk: Desk, proposal: Proposal, ids: Sequence[str], unprotected: bool, group: str
) -> AcceptResult:
    placed: list[Placed] = []
    saving = Saving()

    def plan(snapshot: Snapshot) -> Work:
        placed[:] = [_place(snapshot, file, ids) for file in _touched(proposal, ids)]
        work = _work(placed)
        saving.plan(snapshot, work.changes)
        return work

    def settle(carried: Carried) -> None:
        done = _hunks_in(proposal, ids, carried)
        if done:
            desk.proposals.put(accepted(proposal, done, carried.before))

    stamp = Stamp("after", proposal.request, proposal.id, group=group, hunks=tuple(ids))
    carried = await carry_out(desk, plan, stamp, settle, unprotected)
    if carried.state == "stale":
        await refresh(desk, proposal.id)
    done = _hunks_in(proposal, ids, carried)
    rebased = any(one.moved for one in placed)
    saving.made(carried.standing)
    unsaved = await asyncio.to_thread(saving.unsaved, desk.snapshot())
    return AcceptResult(
        state="applied" if carried.state == "done" else carried.state,
        message=carried.message or _summary(done, carried, rebased),
        proposal=desk.proposals.get(proposal.id),
        files=carried.files,
        hunks=done,
        rebased=rebased,
        before=carried.before,
        after=carried.after,
        warning=carried.warning,
        clashes=tuple(clash for one in placed for clash in one.clashes),
        unsaved=unsaved,
    )


def _place(snapshot: Snapshot, file: ProposedFile, ids: Sequence[str]) -> Placed:
    """The hunks `ids` of `file` on the text it has in `snapshot`."""
    now = _text(snapshot, file.at)
    is_taken = file.at != file.path and _is_taken(snapshot, file.path)
    placed = place(file, now, ids, is_taken)
    if placed.change and now is None and _stands(snapshot, file.path):
        reason = f"{file.path} exists already"
        (hunk,) = file.hunks
        clash = Clash(hunk.id, file.path, reason, b"", hunk.hunk.new, None)
        return Placed(None, (), (clash,), True, reason)
    return placed


def _work(placed: Sequence[Placed]) -> Work:
    """The chosen hunks as one change; stopped if any cannot be placed."""
    conflicts = [one.reason for one in placed if one.clashes]
    if conflicts:
        stop = f"Nothing was changed. {'; '.join(conflicts)}. Reject these hunks, or ask again."
        return Work(stop=stop, stale=True)
    changes = tuple(one.change for one in placed if one.change)
    paths = dict.fromkeys(path for c in changes for path in (c.moved_from or c.path, c.path))
    return Work(changes=changes, paths=tuple(paths))


def _hunks_in(proposal: Proposal, ids: Sequence[str], carried: Carried) -> tuple[str, ...]:
    """Which of `ids` stand now. Hunks the text had already stand too once all went well."""
    files = _touched(proposal, ids)
    if carried.state != "done":
        files = [file for file in files if not {file.path, file.at}.isdisjoint(carried.standing)]
    return tuple(hunk.id for file in files for hunk in file.pending if hunk.id in ids)


def _touched(proposal: Proposal, ids: Sequence[str]) -> list[ProposedFile]:
    return [file for file in proposal.files if any(hunk.id in ids for hunk in file.pending)]


def _text(snapshot: Snapshot, path: str) -> bytes | None:
    """The text at `path`, its bytes if it has none; None for what is absent or cannot be read."""
    try:
        document = snapshot.document(path)
        disk = snapshot.on_disk(path) if document is None else None
    except OSError:
        return None
    if document is not None:
        return document.data
    return disk.raw if disk else None


def _stands(snapshot: Snapshot, path: str) -> bool:
    """Whether something without a text is in the way: a directory, a link to nowhere, a locked file."""
    return os.path.lexists(Path(snapshot.root, path))


def _is_taken(snapshot: Snapshot, path: str) -> bool:
    return path in snapshot.buffers or _stands(snapshot, path)


def _summary(done: Sequence[str], carried: Carried, rebased: bool) -> str:
    files = ", ".join(sorted(carried.standing))
    where = f" in {files}" if files else ": the text had them already"
    moved = " The text had moved; the hunks were carried over to it." if rebased and files else ""
    return f"Applied {_count(done)}{where}.{moved}"


def _count(ids: Sequence[str]) -> str:
    return "1 hunk" if len(ids) == 1 else f"{len(ids)} hunks"


def _unknown(proposal_id: str) -> AcceptResult:
    return AcceptResult("unknown", f"There is no proposal {proposal_id} any more; ask again.")
