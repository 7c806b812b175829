"""Changes in several workspace folders that are one for the user: all of them or none.

Each folder has its own desk and store; what ties them is the `group` in their checkpoints."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from pairwright.checkpoints.types import CheckpointError
from pairwright.engine.accept import ALL, AcceptResult, accept
from pairwright.engine.change import Desk
from pairwright.engine.undo import How, UndoResult, redo, undo
from pairwright.engine.undo_text import latest


async def accept_together(
    parts: Sequence[tuple[Desk, str]], group: str, unprotected: bool = False
) -> tuple[AcceptResult, ...]:
    """Accept the proposals of `parts` whole, in order; at the first that is not applied those
    before it are taken back. One result a proposal that was tried."""
    found = [desk.proposals.get(ident) for desk, ident in parts]
    results: list[AcceptResult] = []
    for desk, ident in parts:
        results.append(await accept(desk, ident, ALL, unprotected, group))
        if results[-1].state != "applied":
            break
    else:
        return tuple(results)
    for at in reversed(range(len(results) - 1)):
        desk, before = parts[at][0], found[at]
        back = await undo(desk, results[at].after)
        if back.state != "done":
            why = f"{results[at].message} It could not be taken back: {back.message}"
            results[at] = replace(results[at], state="partly", message=why)
        elif before is not None:
            desk.proposals.put(before)
            why = "Taken back, because another folder's part was not applied."
            results[at] = replace(
                results[at], state="refused", message=why, hunks=(), unsaved=back.unsaved
            )
    return tuple(results)


async def take_back(
    desks: Sequence[Desk], kind: str, how: How
) -> tuple[tuple[Desk, UndoResult], ...]:
    """Take back the last change of `kind` (`after`: an accept; `undo`: an undo) of all `desks`: in
    the folder it was made in, or in all it was made in as one. One result a folder, with its desk;
    that of the folder in the way alone, where there is one."""
    found, group = await asyncio.to_thread(_last, desks, kind)
    if len(found) < 2:
        desk = found[0] if found else desks[0]
        return ((desk, await _take(desk, kind, how)),)
    how = replace(how, group=group)
    for desk in found:
        tried = await _take(desk, kind, replace(how, dry=True))
        if tried.state != "planned":
            return ((desk, tried),)
    done: list[tuple[Desk, UndoResult]] = []
    for desk in found:
        result = await _take(desk, kind, how)
        if result.state not in ("done", "planned"):
            for other, earlier in reversed(done):
                await undo(other, earlier.after)
            return ((desk, result),)
        done.append((desk, result))
    return tuple(done)


def as_one(results: Sequence[UndoResult]) -> UndoResult:
    """What `take_back` did in all folders, in the words of one; `unsaved` is that of the last."""
    return replace(
        results[-1],
        message=" ".join(result.message for result in results),
        warning=" ".join(result.warning for result in results if result.warning),
        plan="".join(result.plan for result in results),
        files=tuple(file for result in results for file in result.files),
    )


async def _take(desk: Desk, kind: str, how: How) -> UndoResult:
    return await (redo(desk, how) if kind == "undo" else undo(desk, None, how))


def _last(desks: Sequence[Desk], kind: str) -> tuple[list[Desk], str]:
    """The desks that the last change of `kind` was made at, and what ties them."""
    newest = []
    for desk in desks:
        try:
            change = latest(desk.store, kind)
        except CheckpointError:
            # Said when that desk is the one that is meant.
            continue
        if change is not None:
            newest.append((change, desk))
    if not newest:
        return [], ""
    last, place = max(newest, key=lambda one: one[0].time)
    together = [desk for change, desk in newest if last.group and change.group == last.group]
    return together or [place], last.group
