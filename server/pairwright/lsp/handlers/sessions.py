"""Conversations: list, go on with one, fork, export, delete.

What was said stays in `engine.session`; a client without our protocol gets lists and exports as documents.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pairwright.config.load import environment
from pairwright.config.paths import cache_dir
from pairwright.lsp.errors import InvalidParams, Refused
from pairwright.lsp.guard import Call, Route
from pairwright.lsp.handlers import requests
from pairwright.lsp.handlers.map import chosen_root
from pairwright.lsp.session import Session
from pairwright.lsp.virtual import Address, uri_of
from pairwright.lsp.workbench import Workbench, workbench
from pairwright.memory.chat import Chat, title_of
from pairwright.memory.markdown import markdown
from pairwright.memory.store import Listed

_MOST = 200


async def _sessions(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    session = call.session
    bench = workbench(session, chosen_root(session, args.get("root")))
    match args.get("action") or "list":
        case "list":
            return await _list(session, bench)
        case "new":
            bench.chats.go_on("")
            return {"session": bench.chats.key("")}
        case "resume":
            return await _resume(session, bench, args)
        case "fork":
            return await _fork(session, bench, args)
        case "export":
            return await _export(session, bench, args)
        case "delete":
            return await _delete(session, bench, args)
    raise InvalidParams("`action` is list, new, resume, fork, export or delete")


async def _list(session: Session, bench: Workbench) -> dict[str, Any]:
    found = (await bench.chats.listed())[:_MOST]
    if not session.client.protocol:
        lines = [f"- `{one.session}`: {_line(one)}" for one in found] or ["None yet."]
        text = "\n".join(("# Conversations, the last used first", "", *lines, ""))
        await _put_before(session, "conversations.md", text)
    sessions = [
        {
            "session": one.session,
            "title": title_of(one.first.request),
            "turns": one.turns,
            "created": one.created,
            "updated": one.updated,
        }
        for one in found
    ]
    return {"current": bench.chats.key(""), "sessions": sessions}


def _line(one: Listed) -> str:
    when = datetime.fromtimestamp(one.updated).strftime("%Y-%m-%d %H:%M")
    turns = "1 turn" if one.turns == 1 else f"{one.turns} turns"
    return f"{title_of(one.first.request)} ({turns}, {when})"


async def _resume(session: Session, bench: Workbench, args: Mapping[str, Any]) -> dict[str, Any]:
    """Requests that name no conversation go on with this one."""
    key, chat = await _known(bench, args)
    bench.chats.go_on(key)
    return _shown(session, key, chat, f"Going on with: {chat.title}")


async def _fork(session: Session, bench: Workbench, args: Mapping[str, Any]) -> dict[str, Any]:
    key, chat = await _known(bench, args)
    turn = args.get("turn")
    if turn is not None and (not isinstance(turn, int) or not 1 <= turn <= len(chat.exchanges)):
        raise InvalidParams(f"`turn` is a number from 1 to {len(chat.exchanges)}")
    fresh = await bench.chats.fork(key, turn)
    bench.chats.go_on(fresh)
    forked = bench.chats.chat(fresh)
    said = f"Going on from turn {len(forked.exchanges)} of: {chat.title}"
    return _shown(session, fresh, forked, said)


def _shown(session: Session, key: str, chat: Chat, said: str) -> dict[str, Any]:
    if not session.client.protocol:
        session.show("info", f"Pairwright: {said}")
    turns = [{"mode": e.mode, "request": e.request, "answer": e.answer} for e in chat.exchanges]
    return {"session": key, "title": chat.title, "turns": turns}


async def _export(session: Session, bench: Workbench, args: Mapping[str, Any]) -> dict[str, Any]:
    key, chat = await _known(bench, args)
    text = await asyncio.to_thread(markdown, chat)
    uri = uri_of(f"session/{key}.md", root=args.get("root"))
    if not session.client.protocol and not (
        session.client.virtual and await requests.show_uri(session, uri, focus=False)
    ):
        await _put_before(session, f"conversation-{chat.opened.id}.md", text)
    return {"uri": uri, "text": text}


async def document(session: Session, where: Address) -> str:
    """A conversation as a document."""
    bench = workbench(session, chosen_root(session, where.one("root")))
    _, chat = await _known(bench, {"session": where.rest.removesuffix(".md")})
    return await asyncio.to_thread(markdown, chat)


async def _delete(session: Session, bench: Workbench, args: Mapping[str, Any]) -> dict[str, Any]:
    key, chat = await _known(bench, args)
    await bench.chats.delete(key)
    if not session.client.protocol:
        session.show("info", f"Pairwright: deleted: {chat.title}")
    return {"deleted": key}


async def _known(bench: Workbench, args: Mapping[str, Any]) -> tuple[str, Chat]:
    """The conversation named, or the one in progress. Raises Refused if nothing was said in it."""
    named = args.get("session")
    key = bench.chats.key(named if isinstance(named, str) else "")
    chat = await bench.chats.opened(key)
    if not chat.exchanges:
        raise Refused(f"There is no conversation {key}.")
    return key, chat


async def _put_before(session: Session, name: str, text: str) -> None:
    path = cache_dir(environment()) / "documents" / name
    await asyncio.to_thread(requests.write, path, text)
    await requests.show(session, path, focus=False)


COMMANDS: dict[str, Route] = {"pairwright.sessions": Route("task", _sessions)}
