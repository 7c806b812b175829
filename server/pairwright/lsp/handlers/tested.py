"""Tests behind an accept: run on a yes or by a setting, with a progress that can be cancelled.

A failure that the edit brought in opens a further turn, whose proposal is accepted or not like any other.
"""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Mapping, Sequence

from pairwright.engine.accept import AcceptResult
from pairwright.engine.checks import RUN, SKIP
from pairwright.engine.events import Event, Status
from pairwright.engine.findings import Finding, asked_again
from pairwright.engine.lint import Tests, is_unsaved
from pairwright.engine.proposals import Proposal
from pairwright.lsp.session import Session
from pairwright.lsp.workbench import Asked, Workbench
from pairwright.workspace.types import Snapshot

_SAVING = 2.0
"""Seconds in which a client that is asked to save does so."""


Texts = Mapping[str, bytes | None]


async def before(session: Session, bench: Workbench, ident: str) -> Texts:
    """The files of a proposal as they are before something of it is accepted, by path; None: no such file. Empty
    where nothing is tested."""
    proposal = bench.proposals.get(ident)
    if proposal is None or not _wanted(session):
        return {}
    snapshot = bench.snapshot()
    paths = {path for file in proposal.files for path in (file.at, file.path)}
    return await asyncio.to_thread(_texts, snapshot, sorted(paths))


def _texts(snapshot: Snapshot, paths: Sequence[str]) -> Texts:
    found = {path: snapshot.document(path) for path in paths}
    return {path: document.data if document else None for path, document in found.items()}


def _wanted(session: Session) -> bool:
    settings = session.settings.checks
    return bool(settings.test) and settings.test_when == "after" and settings.run_test != "off"


def follow(session: Session, bench: Workbench, result: AcceptResult, old: Texts) -> None:
    """Something was accepted: test it behind the answer, if the settings say so. `old`: see before."""
    proposal = result.proposal
    if result.state == "applied" and proposal is not None and old and _wanted(session):
        kind = f"test {bench.root.path}"
        session.ops.request(kind, lambda: _tested(session, bench, proposal, old))


async def _tested(session: Session, bench: Workbench, proposal: Proposal, old: Texts) -> None:
    settings = session.settings.checks
    name = shlex.join(settings.test)
    if not session.settings.trusted:
        session.show("info", f"Pairwright: {name} did not run: this workspace is not trusted.")
        return
    if settings.run_test == "ask":
        question = f"Pairwright: run {name} on what was accepted?"
        if await bench.editor.ask(question, (RUN, SKIP)) != RUN:
            return
    await _saved(bench, tuple(old))
    finding, words = await _under_way(session, bench, old, name)
    if finding is None:
        if words:
            session.show("info", f"Pairwright: {words}.")
        return
    tries = bench.tested.get(proposal.id, 0)
    if tries >= session.settings.turn.reflections:
        how = f"still fails after {tries} corrections" if tries else "fails with the edit"
        text = f"{name} {how}. `pairwright.undo` takes it back."
        session.show("warning", f"Pairwright: {text}")
        return
    session.show("info", f"Pairwright: {name} fails with the edit; a correction is asked for.")
    _correct(session, bench, proposal, finding, tries + 1)


def _correct(
    session: Session, bench: Workbench, proposal: Proposal, finding: Finding, tries: int
) -> None:
    from pairwright.lsp.handlers.running import start

    paths = tuple(file.path for file in proposal.files if file.kind != "delete")
    chat = bench.asked_in.get(proposal.id, "")
    words = asked_again(finding, proposal.request)
    asked = Asked("edit", words, bench.root.path, chat=paths, session=chat, tests=tries)
    start(session, bench.root, asked)


async def _under_way(
    session: Session, bench: Workbench, old: Texts, name: str
) -> tuple[Finding | None, str]:
    """What failed because of the edit, and what the user is told where nothing did."""
    checks = bench.checks()
    if checks.runner is None:
        return None, ""
    said: list[str] = []

    def stop() -> None:
        task.cancel()

    async with session.progress(f"Pairwright: {name}", on_cancel=stop) as report:

        def heard(event: Event) -> None:
            if isinstance(event, Status):
                said.append(event.text)
                report.report(event.text, None)

        tests = Tests(checks.settings, checks.runner, bench.snapshot(), heard)
        task = asyncio.ensure_future(tests.accepted(old))
        try:
            return await task, said[-1] if said else ""
        except asyncio.CancelledError:
            if not task.cancelled():
                # The connection ends: the command goes with it.
                task.cancel()
                await asyncio.wait({task}, timeout=_SAVING)
                raise
            return None, f"{name} was cancelled"


async def _saved(bench: Workbench, paths: Sequence[str]) -> None:
    """Wait a little until the editor has saved what it was asked to save."""
    for _ in range(int(_SAVING / 0.1)):
        if not await asyncio.to_thread(_any_unsaved, bench.snapshot(), paths):
            return
        await asyncio.sleep(0.1)


def _any_unsaved(snapshot: Snapshot, paths: Sequence[str]) -> bool:
    return any(is_unsaved(snapshot, path) for path in paths)
