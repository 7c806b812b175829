"""What becomes of a folder's edits is told to the conversation that asked for them."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from pairwright.checkpoints.types import Checkpoint, CheckpointError
from pairwright.engine.accept import AcceptResult
from pairwright.engine.accept_capture import text_of
from pairwright.engine.facts import of_accept, of_reject, of_undo
from pairwright.memory.chat import Fact
from pairwright.text.hashing import digest as text_digest

if TYPE_CHECKING:
    from pairwright.lsp.workbench import Workbench

log = logging.getLogger(__name__)

_PATIENCE = 1.0


class Telling:
    """Works in the background, behind each change; `settled` waits for it. Changed on the loop only."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._running: list[asyncio.Task[None]] = []

    def changed(self, checkpoint: str) -> None:
        """The change behind `checkpoint` was made: an accept, an undo, a restore."""
        self._running = [task for task in self._running if not task.done()]
        self._running.append(self._bench.session.guard.spawn(self._changed(checkpoint)))

    async def rejected(self, result: AcceptResult) -> None:
        """Hunks of a proposal were rejected."""
        if result.proposal is not None:
            await self._tell(result.proposal.id, of_reject(result.proposal, result.hunks))

    async def settled(self) -> None:
        """What was changed so far is told, unless another change is waiting for its user's word."""
        if self._running:
            await asyncio.wait(self._running, timeout=_PATIENCE)

    async def _changed(self, id: str) -> None:
        # Whoever makes the change holds the lock until the states of its hunks are set.
        async with self._bench.desk.lock:
            pass
        try:
            checkpoint, facts = await asyncio.to_thread(self._facts, id)
        except CheckpointError as error:
            log.warning("what became of an edit is not told: %s", error)
            return
        await self._tell(checkpoint.proposal if checkpoint else "", facts)

    def _facts(self, id: str) -> tuple[Checkpoint | None, tuple[Fact, ...]]:
        bench = self._bench
        store = bench.desk.store
        checkpoint, states = store.get(id), store.read(id)
        if checkpoint is None or states is None:
            return None, ()

        def digest(path: str) -> str | None:
            # The user may type on before this runs, so nothing is asked of the files as they are now.
            text = text_of(states[path]) if path in states else None
            return text_digest(text) if text is not None else None

        if checkpoint.kind == "undo":
            undone = store.get(checkpoint.undoes)
            is_redo = undone is not None and undone.kind == "undo"
            return checkpoint, of_undo(checkpoint, is_redo, digest)
        proposal = bench.proposals.get(checkpoint.proposal)
        return checkpoint, of_accept(checkpoint, proposal, digest)

    async def _tell(self, proposal: str, facts: tuple[Fact, ...]) -> None:
        chats = self._bench.chats
        key = self._bench.asked_in.get(proposal) or await chats.asked_in(proposal)
        if key is None and not chats.exchanges(""):
            # Nothing was said yet that these could belong to.
            return
        for fact in facts:
            chats.tell(key or "", fact)
