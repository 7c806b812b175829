"""The files of a chat: add, show for reference, drop, list."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from pairwright.engine.chatfiles import ChatFiles, changed, told
from pairwright.lsp.given import names_of
from pairwright.lsp.guard import Call, Route
from pairwright.lsp.handlers.map import chosen_root, indexed
from pairwright.lsp.workbench import workbench


async def _chat(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    """The set after the change; without names the set as it is."""
    session = call.session
    root = chosen_root(session, args.get("root"))
    # Without the index no folder or glob stands for anything, and no ignore rule is known.
    await indexed(root)
    chats, snapshot = workbench(session, root).chats, root.host.snapshot()
    name = str(args.get("session") or "")
    kept = (await chats.opened(name)).files
    before = ChatFiles(kept.editable, kept.read_only)
    add, read, drop = (names_of(session, root, args.get(key)) for key in ("add", "read", "drop"))
    change = await asyncio.to_thread(changed, before, snapshot, add, read, drop)
    if change.files != before:
        chats.set_files(name, change.files.editable, change.files.read_only)
    text = told(change, before) if add or read or drop else _listed(before)
    if not session.client.protocol:
        session.show("warning" if change.problems else "info", f"Pairwright: {text}")
    return {
        "session": chats.key(name),
        "editable": list(change.files.editable),
        "read": list(change.files.read_only),
        "refused": list(change.problems),
        "text": text,
    }


def _listed(files: ChatFiles) -> str:
    if files == ChatFiles():
        return "No file is in the chat."
    lines = (
        ("To be edited", files.editable),
        ("For reference", files.read_only),
    )
    return "\n".join(f"{verb}: {', '.join(paths)}." for verb, paths in lines if paths)


COMMANDS: dict[str, Route] = {"pairwright.chat": Route("task", _chat)}
