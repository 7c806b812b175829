"""Mode architect: one model plans, another makes the edits from the plan alone.

The planner sees what every request sees. The editor gets the plan as its whole request, with the same files: nothing
said before, no map, no look-ups, and its commands are not passed on. The conversation keeps the request and the plan;
what becomes of the edit is told like that of any other.
"""

from __future__ import annotations

from dataclasses import replace

from pairwright.engine import rewrite
from pairwright.engine.context import Turn
from pairwright.engine.conversation import converse
from pairwright.engine.events import Done, Outcome, Planned, Status, Stop
from pairwright.engine.work import NOTHING_ELSE, Work

EDIT, REFINE, CANCEL = "Edit", "Refine", "Cancel"


async def designed(work: Work) -> Outcome:
    """A plan, and the edits by it if the user wants them. Raises ModelError."""
    plan = await converse(work)
    if isinstance(plan, Stop) or not plan.text.strip():
        return plan
    tools = work.tools
    work.answer = plan.text
    tools.emit(Planned(plan.text))
    editor = await tools.models.get("editor")
    if tools.settings.turn.accept_plan == "ask":
        question = f"Have {editor.info.name} carry out this plan?"
        chosen = await tools.ask(question, (EDIT, REFINE, CANCEL))
        if chosen != EDIT:
            return replace(plan, refine=chosen == REFINE)
    tools.emit(Status(f"{editor.info.name} edits by the plan"))
    editing = Work(_turn(work), work.now, editor, tools, NOTHING_ELSE)
    outcome = await _edited(work, replace(plan, shell=()), editing)
    if isinstance(outcome, Stop):
        # The plan stays, so that the next request can go on from it.
        tools.sessions.add(work.turn.session, work.remembered(plan))
    return outcome


def _turn(work: Work) -> Turn:
    """The request that the editor gets. The plan says where; a selection would keep the edit inside."""
    return replace(
        work.turn,
        mode="edit",
        instruction=work.answer,
        selection=None,
        may_look=False,
        diagnostics=(),
        urls=(),
    )


async def _edited(work: Work, plan: Done, editing: Work) -> Outcome:
    await editing.gather()
    if editing.model.info.small and rewrite.is_too_much(editing):
        return Stop("refused", rewrite.no_region(editing, None), plan.text)
    outcome = await converse(editing)
    if isinstance(outcome, Stop):
        return replace(outcome, text=plan.text)
    work.adopt(editing)
    if outcome.proposal is None:
        return replace(plan, text=f"{plan.text}\n\n{outcome.text}".strip())
    return replace(plan, proposal=outcome.proposal, missing=outcome.missing)
