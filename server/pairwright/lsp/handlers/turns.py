"""Requests to a model: ask, edit, apply a pasted reply, send a request document, cancel.

Every command answers `{id}` at once; what follows comes as progress, as notifications (`lsp.stream`) and
`pairwright/turn/end` where the client has our protocol, and as a request document elsewhere.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cattrs
from lsprotocol import types

from pairwright.config.load import environment
from pairwright.config.paths import cache_dir
from pairwright.engine.accept import Selection
from pairwright.engine.events import Done, Event, Outcome, Planned, Stop
from pairwright.engine.proposals import Proposal
from pairwright.lsp import convert
from pairwright.lsp.ai_comments import Comment, find, near
from pairwright.lsp.client import Folder
from pairwright.lsp.documents import Located, Root
from pairwright.lsp.errors import InvalidParams, Refused
from pairwright.lsp.given import diagnostics_of, names_of, urls_of
from pairwright.lsp.guard import Call, Route
from pairwright.lsp.handlers import requests, shell, tasks
from pairwright.lsp.handlers.map import chosen_root
from pairwright.lsp.handlers.proposals import accepted
from pairwright.lsp.handlers.status import start_scan
from pairwright.lsp.instructions import About, Mode, read
from pairwright.lsp.presets import wish
from pairwright.lsp.session import Session
from pairwright.lsp.uris import from_path, place
from pairwright.lsp.workbench import Asked, Running, Workbench, workbench
from pairwright.text.document import Document


@dataclass(frozen=True, slots=True)
class Subject:
    """What a request is about. `at`: None for the whole workspace. `start:end`: the selection in bytes, equal
    for a cursor; `placed` says that there is one. `comments`: the AI comments that ask, which an edit takes out."""

    root: Root
    at: Located | None
    document: Document | None
    start: int
    end: int
    comments: tuple[Comment, ...] = ()
    placed: bool = False


async def _ask(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    return await begin(call.session, "ask", args)


async def _edit(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    return await begin(call.session, "edit", args)


async def _refine(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    """A further turn about a proposal: what it changes replaces the hunks that wait. Without an instruction a
    request document is shown to write it in."""
    session = call.session
    ident = args.get("proposal")
    bench, proposal = _waiting(session, ident if isinstance(ident, str) else None)
    words = str(args.get("instruction") or args.get("text") or "").strip()
    hunks = args.get("hunks")
    hunk = str(hunks[0]) if isinstance(hunks, list) and hunks else ""
    chat = bench.asked_in.get(proposal.id, "")
    if not words:
        picked = [(f.at, h) for f in proposal.files for h in f.pending if h.id == hunk]
        subject = f"{picked[0][0]}, hunk {hunk}" if picked else f"proposal {proposal.id}"
        excerpt = convert.decode(picked[0][1].hunk.new) if picked else ""
        about = About(
            "edit", bench.root.path, path=subject, session=chat, refines=proposal.id, hunk=hunk
        )
        path = await requests.create(session, _folder(), about, excerpt, focus=True)
        return {"id": None, "document": str(path)}
    asked = Asked("edit", words, bench.root.path, session=chat, refines=proposal.id, hunk=hunk)
    return {"id": start(session, bench.root, asked)}


def _waiting(session: Session, ident: str | None) -> tuple[Workbench, Proposal]:
    """The proposal `ident`, or the last one of any folder, with something left to choose."""
    for root in session.documents.roots:
        bench = workbench(session, root)
        found = bench.proposals.get(ident) if ident else bench.proposals.last()
        if found is not None and found.open:
            return bench, found
    raise Refused("There is no such proposal to refine any more: ask for the edit again.")


async def begin(session: Session, mode: Mode, args: Mapping[str, Any]) -> dict[str, Any]:
    """Start a turn if there are words to send, else open a request document to write them in."""
    subject = await _commented(session, _subject(session, args))
    text = args.get("text")
    words = text.strip() if isinstance(text, str) else ""
    preset = str(args.get("preset") or "")
    if not words and preset:
        mode, words, args = await _wished(session, preset, subject, args)
    if not words:
        words = " ".join(comment.text for comment in subject.comments)
    if not words:
        about = _about(mode, subject, _talk(session, subject, str(args.get("session") or "")))
        path = await requests.create(session, _folder(), about, _excerpt(subject), focus=True)
        return {"id": None, "document": str(path)}
    return await put(session, mode, words, subject, args)


async def put(
    session: Session, mode: Mode, words: str, subject: Subject, args: Mapping[str, Any]
) -> dict[str, Any]:
    """Start the turn of a request whose words are known; an answer that no client of ours shows gets a document."""
    asked = _asked(session, mode, words, subject, args)
    document = None
    if mode != "edit" and not session.client.protocol:
        about = _about(mode, subject, _talk(session, subject, asked.session))
        document = await requests.create(
            session, _folder(), about, _excerpt(subject), words, focus=False
        )
    return {"id": start(session, subject.root, asked, document)}


async def _wished(
    session: Session, name: str, subject: Subject, args: Mapping[str, Any]
) -> tuple[Mode, str, Mapping[str, Any]]:
    """What the preset `name` asks for here, and the arguments with the files it needs."""
    path = subject.at.path if subject.at else ""
    own, snapshot = session.settings.presets, subject.root.host.snapshot()
    found = await asyncio.to_thread(lambda: wish(name, path, snapshot.paths(), own))
    if found is None:
        raise Refused(f"There is no preset {name!r}: see pairwright.presets in the settings.")
    chat = args.get("chat")
    files = [*(chat if isinstance(chat, list) else ()), *found.chat]
    return found.mode, found.words, {**args, "chat": files}


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


async def _send(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    """Send a request document: `uri` names it."""
    session = call.session
    uri = args.get("uri")
    opened = session.documents.opened(uri) if isinstance(uri, str) else None
    if opened is None:
        raise Refused("Open the request document first, then run Pairwright: Send in it.")
    found = read(opened.document.text)
    if found is None:
        raise Refused("This is no request document: start with the action Pairwright: Ask or Edit.")
    about, words = found
    if not words:
        raise Refused("Nothing to send: write below the last '## Request', then Send again.")
    if about.mode == "plan":
        return await tasks.plan(session, about.root, words, about.session)
    subject = _remembered(session, about)
    asked = _asked(session, about.mode, words, subject, {"session": about.session})
    if about.refines:
        _waiting(session, about.refines)
        asked = replace(asked, refines=about.refines, hunk=about.hunk)
    where = place(opened.at.uri)
    document = Path(where.path) if where is not None else None
    return {"id": start(session, subject.root, asked, document)}


def _remembered(session: Session, about: About) -> Subject:
    """The subject of a request document, found again in today's text. Raises Refused if it moved."""
    root = session.documents.root_at(about.root)
    if root is None:
        # Some clients start one more server for a document without a root: it serves the folder too.
        added = session.documents.add((Folder(from_path(about.root), ""),))
        root = added[0] if added else session.documents.main()
        start_scan(session)
    at = session.documents.locate(about.uri) if about.uri else None
    if at is None:
        return Subject(root, None, None, 0, 0)
    document = _text(session, at)
    if document is None:
        raise Refused(f"{about.path} is gone: ask again from a file that exists.")
    if document.digest == about.digest or about.start == about.end:
        return Subject(at.root, at, document, about.start, about.end, placed=True)
    raise Refused(
        f"{about.path} changed since this request was begun: select the code again and choose "
        "Pairwright: Ask or Edit."
    )


async def _apply(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    """A reply pasted from anywhere becomes a proposal: `text` is the reply."""
    text = args.get("text")
    if not isinstance(text, str) or not text.strip():
        raise InvalidParams(
            "pairwright.apply needs `text`: the reply with its SEARCH/REPLACE blocks"
        )
    root = chosen_root(call.session, args.get("root"))
    asked = Asked("apply", text, root.path)
    return {"id": start(call.session, root, asked)}


def _cancel(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    """Stop the turn `id`, or every turn when there is none."""
    wanted = args.get("id")
    cancelled = []
    for bench in call.session.benches.values():
        for ident in sorted(bench.running):
            if wanted in (None, ident):
                bench.running[ident].task.cancel()
                cancelled.append(ident)
    return {"cancelled": cancelled}


# --- subjects


def _subject(session: Session, args: Mapping[str, Any]) -> Subject:
    uri = args.get("uri")
    if not isinstance(uri, str) or not uri:
        return Subject(chosen_root(session, args.get("root")), None, None, 0, 0)
    at = session.documents.locate(uri)
    document = _text(session, at) if at else None
    if at is None or document is None:
        raise Refused(f"{uri} is no file of this workspace that can be read.")
    start, end = selection(session, document, args.get("range"))
    return Subject(at.root, at, document, start, end, placed=args.get("range") is not None)


async def _commented(session: Session, subject: Subject) -> Subject:
    """`subject` with the AI comments in its selection or right above; it begins below them."""
    document = subject.document
    if document is None or subject.at is None or not subject.placed:
        return subject
    opened = session.documents.opened(subject.at.uri)
    language = opened.language if opened else ""
    found = await session.pool.run(lambda: find(document, language))
    comments = near(found, document, subject.start, subject.end)
    if not comments:
        return subject
    start, behind = subject.start, comments[-1].end
    if comments[0].start <= start < behind:
        start = min(behind, subject.end)
    return replace(subject, start=start, comments=comments)


def selection(session: Session, document: Document, raw: object) -> tuple[int, int]:
    """The bytes of `document` that an LSP range means; nothing is its beginning. Raises InvalidParams."""
    if raw is None:
        return 0, 0
    try:
        where = session.converter.structure(raw, types.Range)
    except cattrs.BaseValidationError as error:
        raise InvalidParams(f"`range` is no LSP range: {error}") from error
    return convert.span(document, where, session.client.encoding)


def _text(session: Session, at: Located) -> Document | None:
    opened = session.documents.opened(at.uri)
    return opened.document if opened else at.host.snapshot().document(at.path)


def _talk(session: Session, subject: Subject, named: str) -> str:
    """The conversation a request document belongs to, also after a restart."""
    return workbench(session, subject.root).chats.key(named)


def _about(mode: Mode, subject: Subject, chat: str) -> About:
    if subject.at is None or subject.document is None:
        return About(mode, subject.root.path, session=chat)
    return About(
        mode,
        subject.root.path,
        subject.at.uri,
        subject.at.path,
        subject.start,
        subject.end,
        subject.document.digest,
        chat,
    )


def _excerpt(subject: Subject) -> str:
    if subject.document is None:
        return ""
    return convert.decode(subject.document.data[subject.start : subject.end])


def understood(session: Session, mode: Mode, args: Mapping[str, Any]) -> tuple[Root, Asked]:
    """The request that `args` would make, and the folder it is for. Raises Refused, InvalidParams."""
    subject = _subject(session, args)
    words = str(args.get("text") or "")
    return subject.root, _asked(session, mode, words, subject, args)


def _asked(
    session: Session, mode: Mode, words: str, subject: Subject, args: Mapping[str, Any]
) -> Asked:
    chat = [subject.at.path] if subject.at and subject.at.indexed else []
    chat += names_of(session, subject.root, args.get("chat"))
    return Asked(
        mode,
        words,
        subject.root.path,
        subject.at.path if subject.at else None,
        (subject.start, subject.end) if subject.placed else None,
        tuple(dict.fromkeys(chat)),
        names_of(session, subject.root, args.get("read")),
        str(args.get("session") or ""),
        subject.comments,
        fresh=args.get("freshMap") is True,
        diagnostics=diagnostics_of(args.get("diagnostics")),
        urls=urls_of(args.get("urls")),
        # Tests go into a file of their own.
        elsewhere=args.get("preset") == "tests",
    )


def _folder() -> Path:
    return cache_dir(environment()) / "requests"


COMMANDS: dict[str, Route] = {
    "pairwright.ask": Route("task", _ask),
    "pairwright.edit": Route("task", _edit),
    "pairwright.refine": Route("task", _refine),
    "pairwright.apply": Route("task", _apply),
    "pairwright.send": Route("task", _send),
    "pairwright.cancel": Route("loop", _cancel),
}
