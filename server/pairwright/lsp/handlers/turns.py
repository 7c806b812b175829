"""Requests to a model: ask, edit, apply a pasted reply, send a request document, cancel.

Every command answers `{id}` at once; what follows comes as progress, as notifications (`lsp.stream`) and
`pairwright/turn/end` where the client has our protocol, and as a request document elsewhere.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pairwright.config.load import environment
from pairwright.config.paths import cache_dir
from pairwright.engine.proposals import Proposal
from pairwright.lsp import convert
from pairwright.lsp.errors import InvalidParams, Refused
from pairwright.lsp.guard import Call, Route
from pairwright.lsp.handlers import requests, tasks
from pairwright.lsp.handlers.map import chosen_root
from pairwright.lsp.handlers.running import start
from pairwright.lsp.handlers.subjects import (
    Subject,
    about_of,
    asked_for,
    commented,
    excerpt,
    remembered,
    subject_of,
    talk,
)
from pairwright.lsp.instructions import About, Mode, read
from pairwright.lsp.presets import wish
from pairwright.lsp.session import Session
from pairwright.lsp.uris import place
from pairwright.lsp.workbench import Asked, Workbench, workbench


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
    subject = await commented(session, subject_of(session, args))
    text = args.get("text")
    words = text.strip() if isinstance(text, str) else ""
    preset = str(args.get("preset") or "")
    if not words and preset:
        mode, words, args = await _wished(session, preset, subject, args)
    if not words:
        words = " ".join(comment.text for comment in subject.comments)
    if not words:
        about = about_of(mode, subject, talk(session, subject, str(args.get("session") or "")))
        path = await requests.create(session, _folder(), about, excerpt(subject), focus=True)
        return {"id": None, "document": str(path)}
    return await put(session, mode, words, subject, args)


async def put(
    session: Session, mode: Mode, words: str, subject: Subject, args: Mapping[str, Any]
) -> dict[str, Any]:
    """Start the turn of a request whose words are known; an answer that no client of ours shows gets a document."""
    asked = asked_for(session, mode, words, subject, args)
    document = None
    if mode != "edit" and not session.client.protocol:
        about = about_of(mode, subject, talk(session, subject, asked.session))
        document = await requests.create(
            session, _folder(), about, excerpt(subject), words, focus=False
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
    subject = remembered(session, about)
    asked = asked_for(session, about.mode, words, subject, {"session": about.session})
    if about.refines:
        _waiting(session, about.refines)
        asked = replace(asked, refines=about.refines, hunk=about.hunk)
    where = place(opened.at.uri)
    document = Path(where.path) if where is not None else None
    return {"id": start(session, subject.root, asked, document)}


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
