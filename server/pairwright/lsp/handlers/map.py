"""`pairwright.map`: the repo map as text, for a request or for none."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from pairwright.lsp.documents import Root
from pairwright.lsp.errors import Refused
from pairwright.lsp.guard import Call, Route
from pairwright.lsp.session import Session
from pairwright.render.types import RepoMap
from pairwright.workspace.maps import focus_of, repo_map

_LARGEST = 1_000_000
_PATIENCE = 5.0
_POLL = 0.05


async def _map(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    session = call.session
    root = chosen_root(session, args.get("root"))
    budget = _budget(session, args.get("budget"))
    message = args.get("message")
    message = message if isinstance(message, str) else ""
    chat = _paths(session, root, args.get("chat"))
    await _indexed(root)
    snapshot = root.host.snapshot()

    def work() -> RepoMap:
        return repo_map(snapshot, focus_of(snapshot, message, chat, snapshot.buffers), budget)

    made = await session.pool.run(work)
    reason = made.reason
    if not snapshot.ready():
        count = len(snapshot.paths())
        reason = f"The index is still being built ({count} files so far). {reason}".rstrip()
    return {"text": made.text, "tokens": made.tokens, "budget": made.budget, "reason": reason}


async def _indexed(root: Root) -> None:
    """A small folder is indexed within moments: worth waiting for rather than a partial map."""
    end = asyncio.get_running_loop().time() + _PATIENCE
    while not root.host.snapshot().ready() and asyncio.get_running_loop().time() < end:
        await asyncio.sleep(_POLL)


def chosen_root(session: Session, name: object) -> Root:
    """The folder a command means: by URI or path, else the first one. Raises Refused."""
    if not isinstance(name, str) or not name:
        return session.documents.main()
    root = session.documents.root_at(name)
    if root is None:
        served = ", ".join(item.path for item in session.documents.roots) or "none"
        raise Refused(f"{name} is no folder of this workspace. Its folders: {served}.")
    return root


def _budget(session: Session, asked: object) -> int:
    if isinstance(asked, int) and not isinstance(asked, bool) and 0 <= asked <= _LARGEST:
        return asked
    return session.map_budget


def _paths(session: Session, root: Root, names: object) -> tuple[str, ...]:
    """Workspace paths of files named by URI or by relative path; others are left out."""
    found = []
    for name in names if isinstance(names, (list, tuple)) else ():
        if not isinstance(name, str):
            continue
        at = session.documents.locate(name) if ":" in name else None
        if at is not None and at.root is root and at.indexed:
            found.append(at.path)
        elif at is None:
            found.append(name)
    return tuple(found)


COMMANDS: dict[str, Route] = {"pairwright.map": Route("task", _map)}
