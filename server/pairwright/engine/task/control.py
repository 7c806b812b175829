"""What a user does to a task beside running it: a plan, a file redone or left out, everything taken back."""

from __future__ import annotations

import asyncio

from pairwright.engine.accept import Selection, reject
from pairwright.engine.task import document
from pairwright.engine.task.plan import Plan, needed
from pairwright.engine.task.resume import reconciled
from pairwright.engine.task.run import Recorder
from pairwright.engine.task.state import Moved, Opened, Planned, State, Turned
from pairwright.engine.undo import UndoResult, undo, undo_all

_NEEDS = "it needs "
_DAY = 86_400


async def opened(desk: Recorder, ident: str, request: str, at: float) -> None:
    """A new task, at `at` in seconds since the epoch; tasks of which nothing was heard for as long as conversations
    are kept are removed. Raises OSError."""
    kept = desk.crew.tools.settings.history.keep_days * _DAY
    await asyncio.to_thread(desk.crew.journal.prune, at - kept)
    desk.state = State(id=ident)
    await desk.add(Opened(ident, request, at))


async def planned(desk: Recorder, plan: Plan, wish: str, at: float) -> bool:
    """`plan` is the newest version, if it differs from the one there is. Raises OSError."""
    if desk.state.version and plan == desk.state.plan:
        return False
    await desk.add(Planned(document.render(plan), wish, at))
    return True


async def refreshed(desk: Recorder) -> State:
    """The task with what the user chose and changed meanwhile. Raises OSError."""
    for event in await reconciled(desk.crew.desk, desk.state):
        await desk.add(event)
    state = desk.state
    if state.status == "waiting" and not state.paths("proposed", "verified"):
        await desk.add(Turned("done"))
    return desk.state


async def redone(desk: Recorder, path: str) -> str:
    """Let the next run write `path` anew; why not, empty if it will. What it was is taken back where it stands alone;
    else the next text goes on top of it. Raises OSError."""
    state = desk.state
    if state.plan.entry(path) is None:
        return f"{path} is no file of the task."
    one = state.file(path)
    if one.phase == "proposed":
        await reject(desk.crew.desk, one.proposal, Selection(files=(path,)))
    if one.phase in ("applied", "stale") and _is_alone(desk, one.proposal):
        await undo(desk.crew.desk, one.proposal)
    waiting = tuple(
        other
        for other in state.paths("skipped")
        if state.file(other).reason.startswith(_NEEDS) and path in needed(state.plan, (other,))
    )
    await desk.add(Moved((path, *waiting), "pending"))
    return ""


def _is_alone(desk: Recorder, proposal: str) -> bool:
    found = desk.crew.desk.proposals.get(proposal) if proposal else None
    return found is not None and len(found.files) == 1


async def skipped(desk: Recorder, path: str, reason: str = "left out by you") -> str:
    """Leave `path` out; why not, empty if it is. Raises OSError."""
    if desk.state.plan.entry(path) is None:
        return f"{path} is no file of the task."
    if desk.state.file(path).phase == "applied":
        return f"{path} is written already: undo or redo it."
    one = desk.state.file(path)
    if one.phase == "proposed":
        await reject(desk.crew.desk, one.proposal, Selection(files=(path,)))
    await desk.add(Moved((path,), "skipped", reason))
    return ""


async def taken_back(desk: Recorder) -> UndoResult:
    """Undo the whole task: what it brought into the workspace is taken back, all or nothing; what waits is rejected.
    Raises OSError."""
    state, engine = desk.state, desk.crew.desk
    waiting = [ident for ident in state.proposals if (p := engine.proposals.get(ident)) and p.open]
    result = await undo_all(engine, state.proposals)
    nothing = result.state == "unknown" and (waiting or state.paths("verified"))
    if result.state != "done" and not nothing:
        return result
    for ident in waiting:
        await reject(engine, ident)
    await desk.add(Moved(tuple(state.files), "pending"))
    await desk.add(Turned("undone", "taken back by you"))
    if nothing:
        return UndoResult("done", "What was written waited for your choice; it is rejected.")
    return result
