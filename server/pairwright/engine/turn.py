"""The turn: one request to a model and what follows from its answer, by mode.

The outcome is returned; a cancelled task closes the stream at once. Only a turn that ended well gets into the
history.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

from pairwright.engine import architect, manual, narrow, rewrite
from pairwright.engine.context import Turn
from pairwright.engine.conversation import converse
from pairwright.engine.events import Done, Offered, Outcome, Status, Stop
from pairwright.engine.named import placed
from pairwright.engine.requested import offered
from pairwright.engine.tools import Propose, Tools
from pairwright.engine.work import ALL, Work
from pairwright.llm.types import Model, ModelError
from pairwright.workspace.types import Snapshot

__all__ = ["Propose", "Tools", "Turn", "run"]


async def run(turn: Turn, snapshot: Callable[[], Snapshot], tools: Tools) -> Outcome:
    """Carry out `turn`. Raises only what is our own fault, and CancelledError."""
    try:
        model = await tools.models.get("main")
        if model.info.small and model.info.grammar and not turn.elsewhere:
            turn = await asyncio.to_thread(placed, turn, snapshot())
        if turn.mode == "help":
            return await manual.explained(Work(turn, snapshot, model, tools))
        work = work_of(turn, snapshot, model, tools)
        await work.gather()
        await _offer(work)
        outcome = await _carried_out(work)
    except ModelError as error:
        return Stop("model", error.message)
    if isinstance(outcome, Done):
        tools.sessions.add(turn.session, await asyncio.to_thread(work.remembered, outcome))
    return outcome


def work_of(turn: Turn, snapshot: Callable[[], Snapshot], model: Model, tools: Tools) -> Work:
    """`turn` under way, with what its mode sees; of every mode but `help`."""
    sight = narrow.sight(model.info) if turn.mode == "context" else ALL
    return Work(replace(turn, may_look=turn.mode != "context"), snapshot, model, tools, sight)


async def _carried_out(work: Work) -> Outcome:
    turn, context = work.turn, work.context
    if turn.path and turn.path not in context.documents:
        return Stop("refused", f"{'; '.join(context.refused)}.")
    for reason in context.refused:
        work.tools.emit(Status(f"left out: {reason}"))
    if turn.mode == "edit" and work.model.info.small:
        if rewrite.wanted(work):
            return await rewrite.rewritten(work)
        if rewrite.is_too_much(work):
            return Stop("refused", rewrite.no_region(work, None))
    if turn.mode == "context":
        return await narrow.narrowed(work)
    if turn.mode == "architect":
        return await architect.designed(work)
    return await converse(work)


async def _offer(work: Work) -> None:
    """Tell which files the request names that are not in it: they are the user's to add."""
    shown = tuple(work.context.documents)
    paths = await asyncio.to_thread(offered, work.turn.instruction, work.snapshot, shown)
    if paths:
        work.tools.emit(Offered(paths))
