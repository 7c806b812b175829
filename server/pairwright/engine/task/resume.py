"""What became of a task's texts while nobody worked at it, by the workspace and the proposals of this moment.

What arrived is applied, what was turned down is left out, and what somebody else changed is stale: it is never
written over and never redone unasked. Changes nothing; the events say what is to be noted.
"""

from __future__ import annotations

import asyncio

from pairwright.engine.accept_change import Desk
from pairwright.engine.proposals import PENDING, Proposal
from pairwright.engine.task import review
from pairwright.engine.task.state import Event, FileState, Moved, State

_CHANGED = "it was changed since by somebody else; redo writes it anew"
_REJECTED = "you rejected it"


async def reconciled(desk: Desk, state: State) -> tuple[Event, ...]:
    """What there is to note, one event a file."""
    found: list[Event] = []
    for path, one in state.files.items():
        if one.text is not None and one.phase in ("verified", "proposed", "applied"):
            event = await asyncio.to_thread(_of_file, desk, state, path, one)
            found += [event] if event else []
    return tuple(found)


def _of_file(desk: Desk, state: State, path: str, one: FileState) -> Event | None:
    assert one.text is not None
    stands = review.standing(desk.snapshot(), one.text)
    if one.phase == "applied":
        return None if stands == "after" else Moved((path,), "stale", _CHANGED)
    if one.phase == "proposed":
        return _chosen(desk.proposals.get(one.proposal), path, is_in=stands == "after")
    if stands == "after" and one.text.before != one.text.after:
        # A run that was cut short behind its edit and before it could say so.
        made = review.existing(desk, review.label(state, [path]), [one.text])
        return Moved((path,), "applied", "", made.id if made else "")
    return Moved((path,), "stale", _CHANGED) if stands == "other" else None


def _chosen(proposal: Proposal | None, path: str, *, is_in: bool) -> Event | None:
    """What the user chose about a file; None while they have not."""
    file = next((one for one in proposal.files if one.path == path), None) if proposal else None
    states = {hunk.state for hunk in file.hunks} if file else set()
    if not states.isdisjoint(PENDING):
        return None
    if is_in or "applied" in states:
        return Moved((path,), "applied")
    return Moved((path,), "skipped", _REJECTED)
