"""An edit by a small model: it rewrites the selected lines, the host fixes what is replaced."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from pairwright.engine import selection
from pairwright.engine.answer import Cut
from pairwright.engine.checks import Examiner
from pairwright.engine.context import SMALL_FILE, language
from pairwright.engine.door import Manifest
from pairwright.engine.events import Outcome, Stop
from pairwright.engine.reply import Scope, plan_shown
from pairwright.engine.selection import Region
from pairwright.engine.work import Work
from pairwright.text.estimate import estimate


def wanted(work: Work) -> bool:
    """Whether this edit is a rewrite of selected lines."""
    turn = work.turn
    return bool(turn.selection and work.model.info.grammar and not turn.elsewhere)


def is_too_much(work: Work) -> bool:
    """Whether the files are more than a small model can be asked to edit freely."""
    context = work.context
    sizes = (len(context.documents[path].data) for path in context.editable)
    return context.region is None and sum(sizes) > SMALL_FILE


async def rewritten(work: Work) -> Outcome:
    """The selected lines rewritten: SEARCH is ours, the model writes the new lines."""
    turn, chosen, name = work.turn, work.context.region, work.model.info.name
    if chosen is None or turn.path is None or turn.path not in work.context.editable:
        return Stop("refused", no_region(work, chosen))
    chunks = replace(
        work.context.chunks,
        mode="rewrite",
        history=(),
        facts=(),
        focus="",
        begun=selection.begun(chosen, language(turn.path)),
    )
    parcel = replace(
        work.parcel(chunks),
        grammar=selection.grammar(chosen),
        output=2 * estimate(chosen.text) + 256,
    )
    work.tells_nothing()
    sent = await work.send(parcel)
    if isinstance(sent, Stop):
        return sent
    answer, manifest = sent
    text = answer.text if isinstance(answer, Cut) else answer
    block = selection.block(turn.path, chosen, text)
    if isinstance(answer, Cut) or block is None:
        return Stop("truncated", _CUT, text)
    if block.replace == block.search:
        message = f"{name} wrote the lines back unchanged. Say more exactly what to change."
        return Stop("refused", message, text)
    planned = await asyncio.to_thread(plan_shown, (block,), _scope(work, manifest, chosen))
    if planned.problems:
        reasons = "\n".join(problem.message for problem in planned.problems)
        return Stop("refused", reasons, text)
    examiner = Examiner(work.tools.checks, work.tools.ask, work.tools.emit)
    findings = await examiner.examine(planned.changes, work.snapshot)
    done = work.proposed(planned.changes, selection.shown(block))
    return replace(done, findings=tuple(finding.told for finding in findings))


_CUT = "The new lines were cut off before their end; nothing was changed. Select less."


def no_region(work: Work, chosen: Region | None) -> str:
    """Why the lines cannot be rewritten, with what to do."""
    name, path = work.model.info.name, work.turn.path
    if chosen is not None:
        return f"{path} is in the chat read-only, so it is not changed."
    what = "fewer lines" if work.turn.selection else "the lines to change"
    return (
        f"{name} rewrites at most {selection.MOST_LINES} lines or {selection.MOST_BYTES:,} "
        f"bytes at once: select {what}, or choose a larger model."
    )


def _scope(work: Work, manifest: Manifest, chosen: Region) -> Scope:
    within = {work.turn.path or "": (chosen.start, chosen.end)}
    return replace(work.scope(manifest), within=within)
