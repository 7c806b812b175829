"""How verified texts get into the workspace: by a proposal, accepted at once or by the user.

A proposal says which task and which files it is of, so that a run that was cut short between two journal entries
finds it again. Undo takes back every accept of the task that stands.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pairwright.edits.diff import diff
from pairwright.edits.types import FileChange
from pairwright.engine.accept import accept
from pairwright.engine.accept_change import Desk
from pairwright.engine.proposals import Proposal
from pairwright.engine.task.state import State, Text
from pairwright.text.hashing import digest
from pairwright.workspace.types import Snapshot


@dataclass(frozen=True, slots=True)
class Landed:
    """What became of texts on their way. `proposal`, `checkpoint`: ids. `reason`: why they are not in, for the
    user. `save`: paths that an editor should save."""

    state: Literal["applied", "proposed", "stale", "refused"]
    proposal: str = ""
    checkpoint: str = ""
    reason: str = ""
    save: tuple[str, ...] = ()


def label(state: State, paths: Sequence[str]) -> str:
    """The request of a proposal of `paths`, one line; unlike any other of the task that holds other paths."""
    title = state.plan.title or state.request.strip().partition("\n")[0][:60]
    what = paths[0] if len(paths) == 1 else f"{len(paths)} files from {paths[0]}"
    return f"Task {state.id}, {what}: {title}"


def changes(texts: Sequence[Text]) -> tuple[FileChange, ...]:
    """What `texts` do, as the planner would say it."""
    found = []
    for text in texts:
        is_whole = text.before is None or text.after is None
        hunks = () if is_whole else diff(text.before or b"", text.after or b"")
        found.append(FileChange(text.path, text.before, text.after, hunks))
    return tuple(found)


def standing(snapshot: Snapshot, text: Text) -> Literal["before", "after", "other"]:
    """Which side of `text` the workspace has. Reads the disk."""
    document = snapshot.document(text.path)
    now = document.data if document else None
    if now is None and snapshot.on_disk(text.path) is not None:
        return "other"
    if now == text.after:
        return "after"
    return "before" if now == text.before else "other"


def existing(desk: Desk, request: str, texts: Sequence[Text]) -> Proposal | None:
    """The last proposal of just these texts that was not turned down or taken back."""
    wanted = {text.path: None if text.after is None else digest(text.after) for text in texts}
    for proposal in reversed(desk.proposals.all()):
        if proposal.request != request or proposal.state in ("rejected", "undone"):
            continue
        made = {
            file.path: None
            if (data := _meant(file.kind, file.before, file.after)) is None
            else digest(data)
            for file in proposal.files
        }
        if made == wanted:
            return proposal
    return None


def _meant(kind: str, before: bytes | None, after: bytes | None) -> bytes | None:
    """The text that a file of a proposal leads to, whether or not it is there already."""
    return None if kind == "delete" else after if after is not None else before


async def offered(desk: Desk, state: State, texts: Sequence[Text]) -> Proposal:
    """The proposal of `texts`, made if it is not there."""
    request = label(state, [text.path for text in texts])
    found = existing(desk, request, texts)
    if found is not None:
        return found
    made = await asyncio.to_thread(changes, texts)
    return desk.proposals.propose(made, request, desk.snapshot(), desk.now())


async def landed(desk: Desk, state: State, texts: Sequence[Text]) -> Landed:
    """Bring `texts` into the workspace between two checkpoints, or find that they are there."""
    proposal = await offered(desk, state, texts)
    if proposal.state == "applied":
        return await arrived(desk, proposal.id, texts)
    result = await accept(desk, proposal.id, group=group(state))
    if result.state == "applied":
        end = await arrived(desk, proposal.id, texts, result.after)
        return replace(end, save=result.unsaved.clean)
    kind: Literal["stale", "refused"] = "stale" if result.state == "stale" else "refused"
    return Landed(kind, proposal.id, reason=result.message)


async def arrived(desk: Desk, proposal: str, texts: Sequence[Text], checkpoint: str = "") -> Landed:
    """Whether the workspace holds just `texts` now: what an editor says is not believed."""
    snapshot = desk.snapshot()
    other = [
        text.path for text in texts if await asyncio.to_thread(standing, snapshot, text) != "after"
    ]
    if other:
        reason = f"{', '.join(other)} does not hold the text that was accepted"
        return Landed("stale", proposal, checkpoint, reason)
    return Landed("applied", proposal, checkpoint)


def group(state: State) -> str:
    """What the checkpoints of a task share."""
    return f"task-{state.id}"
