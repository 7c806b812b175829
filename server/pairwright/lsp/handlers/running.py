"""A turn from its start to what the client is told of its end: by notifications where it has our protocol, elsewhere
by messages and in a request document."""

from __future__ import annotations

import asyncio
import uuid
from pathlib import Path
from typing import Any

from pairwright.engine.accept import Selection
from pairwright.engine.events import Done, Event, Outcome, Planned, Stop
from pairwright.lsp.documents import Root
from pairwright.lsp.handlers import requests, shell
from pairwright.lsp.handlers.proposals import accepted
from pairwright.lsp.session import Session
from pairwright.lsp.uris import from_path
from pairwright.lsp.workbench import Asked, Running, Workbench, workbench


def start(session: Session, root: Root, asked: Asked, document: Path | None = None) -> str:
    """Run a turn in the background; its id. `document`: the request document that gets the answer."""
    bench = workbench(session, root)
    ident = uuid.uuid4().hex[:12]
    task = session.guard.spawn(_run(session, bench, ident, asked, document))
    bench.running[ident] = Running(ident, asked.mode, asked.instruction, task)
    return ident


async def _run(
    session: Session, bench: Workbench, ident: str, asked: Asked, document: Path | None
) -> None:
    outcome: Outcome = Stop("failed", "Pairwright failed inside; its log has the details.")
    taken: dict[str, Any] | None = None
    plans: list[str] = []

    def stop() -> None:
        bench.running[ident].task.cancel()

    def heard(event: Event) -> None:
        if isinstance(event, Planned) and document is not None:
            plans.append(event.text)
            session.guard.spawn(_answered(session, document, event.text))

    try:
        title = f"Pairwright: {_TITLES.get(asked.mode, 'Editing')}"
        async with session.progress(title, on_cancel=stop) as report:
            outcome = await bench.turn(ident, asked, report.report, heard)
            report.message = _summary(outcome)
        shell.remember(bench, asked.session, outcome)
        taken = await _at_once(session, bench, outcome)
    except asyncio.CancelledError:
        outcome = Stop("cancelled", "Cancelled.")
        raise
    finally:
        bench.running.pop(ident, None)
        _tell_end(session, ident, outcome, taken)
    if not session.client.protocol:
        # A plan was put into the document before the question about it.
        place = None if plans else document
        await _tell_plain(session, bench, asked, outcome, place, taken)
        await shell.offer(session, bench, outcome)


_TITLES = {
    "ask": "Asking",
    "architect": "Planning",
    "context": "Choosing files",
    "help": "Reading the manual",
}


async def _answered(session: Session, document: Path, said: str) -> None:
    """Put an answer into a request document and show it."""
    await requests.append_answer(session, from_path(str(document)), document, said)
    await requests.show_answer(session, document, said)


async def _at_once(session: Session, bench: Workbench, outcome: Outcome) -> dict[str, Any] | None:
    """Accept what a turn proposed if the user wants edits at once; what came of it. A guess and a part of an
    answer wait for a look all the same."""
    if session.settings.apply.mode != "at-once" or not isinstance(outcome, Done):
        return None
    proposal = bench.proposals.get(outcome.proposal or "")
    if proposal is None or proposal.missing or outcome.findings:
        return None
    if any(hunk.hunk.approximate for file in proposal.files for hunk in file.pending):
        return None
    return await accepted(session, bench, proposal.id, Selection())


def _summary(outcome: Outcome) -> str:
    if isinstance(outcome, Stop):
        return outcome.message.splitlines()[0] if outcome.message else outcome.reason
    return "proposal ready" if outcome.proposal else "done"


def _tell_end(session: Session, ident: str, outcome: Outcome, taken: dict[str, Any] | None) -> None:
    if not session.client.protocol:
        return
    params: dict[str, Any] = {"id": ident, "text": outcome.text}
    if isinstance(outcome, Done):
        params |= {
            "outcome": "done",
            "proposal": outcome.proposal,
            "shell": list(outcome.shell),
            "missing": list(outcome.missing),
            "findings": list(outcome.findings),
            "refine": outcome.refine,
            "accepted": taken,
        }
    else:
        params |= {"outcome": "stop", "reason": outcome.reason, "message": outcome.message}
    session.notify("pairwright/turn/end", params)


def _faults(outcome: Done) -> tuple[str, ...]:
    return (f"Checks: {'; '.join(outcome.findings)}.",) if outcome.findings else ()


async def _tell_plain(
    session: Session,
    bench: Workbench,
    asked: Asked,
    outcome: Outcome,
    document: Path | None,
    taken: dict[str, Any] | None,
) -> None:
    """The end of a turn for a client that knows standard LSP only. `taken`: what came of an accept at once, which
    was told already."""
    if isinstance(outcome, Stop):
        if outcome.reason != "cancelled":
            session.show("warning", f"Pairwright: {outcome.message}")
        said = outcome.message
    elif taken is not None:
        said = taken["message"]
    elif outcome.proposal:
        said = " ".join((bench.summary(outcome.proposal), *_faults(outcome)))
        session.show("info", f"Pairwright: {said}")
    else:
        said = outcome.text
        if asked.mode == "edit" and document is None:
            session.show("info", f"Pairwright: no edit in the answer. {said[:500]}")
    if document is not None:
        await _answered(session, document, outcome.text or said)
