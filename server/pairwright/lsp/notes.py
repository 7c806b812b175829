"""Summaries of conversations in the background: begun behind a turn, never in the way of the next one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from pairwright.engine.roles import weak_or_main
from pairwright.engine.summary import Desk, summarise
from pairwright.llm.types import ModelError

if TYPE_CHECKING:
    from pairwright.lsp.workbench import Workbench

_QUIET = 5.0
"""Seconds without a turn before a model on this machine is given such work."""


class Notes:
    """Changed on the loop only. All of it ends with the server."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        session = bench.session
        self._desk = Desk(
            lambda: session.settings, session.models, bench.door, bench.chats, bench.snapshot
        )
        self._running: dict[str, asyncio.Task[None]] = {}
        self._local: asyncio.Task[None] | None = None
        self._was_told = False

    def begin(self, conversation: str) -> None:
        """A turn of `conversation` has ended."""
        key = self._bench.chats.key(conversation)
        if key not in self._running:
            task = self._bench.session.guard.spawn(self._summarise(key))
            self._running[key] = task
            task.add_done_callback(lambda _: self._running.pop(key, None))

    def make_way(self) -> None:
        """A turn begins: a model on this machine has one thing to do at a time."""
        if self._local is not None:
            self._local.cancel()

    async def _summarise(self, key: str) -> None:
        try:
            model = await weak_or_main(self._bench.session.models)
        except ModelError:
            # The turn said so.
            return
        if model.info.local:
            self._local = asyncio.current_task()
            await asyncio.sleep(_QUIET)
        problem = await summarise(self._desk, key)
        if problem and not self._was_told:
            self._was_told = True
            self._bench.session.show(
                "warning",
                f"Pairwright: the older part of this conversation could not be summarised ({problem}). "
                "Requests go without it until it can be; it is tried again behind each turn.",
            )
