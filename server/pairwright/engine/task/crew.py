"""What a task works with: the engine's tools, the desk that changes files, the journal. Values and ports only."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pairwright.engine.accept_change import Desk
from pairwright.engine.task.journal import Journal
from pairwright.engine.task.ports import (
    Knowledge,
    Learn,
    NoKnowledge,
    NoReferences,
    References,
    nothing_learned,
)
from pairwright.engine.task.state import State
from pairwright.engine.tools import Tools
from pairwright.workspace.types import Snapshot

Decision = Literal["accepted", "rejected"]


async def _nobody(proposal: str) -> Decision | None:
    return None


@dataclass(frozen=True, slots=True)
class Crew:
    """`tools`: of one run; its sessions are not the user's conversations. `knowledge`: what is known of the files of
    a snapshot. `learn`: told of what a reply says about its file. `decided`: waits until the user has chosen about a
    proposal; None where nobody is there to choose. `changed`: told of every new state, on the loop. `saved`: told
    of the paths that a change left for the editor to save, before the new state."""

    tools: Tools
    desk: Desk
    journal: Journal
    knowledge: Callable[[Snapshot], Knowledge] = lambda snapshot: NoKnowledge()
    references: References = field(default_factory=NoReferences)
    learn: Learn = nothing_learned
    decided: Callable[[str], Awaitable[Decision | None]] = _nobody
    changed: Callable[[State], None] = lambda state: None
    saved: Callable[[Sequence[str]], None] = lambda paths: None
