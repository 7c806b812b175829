"""`pairwright.map`: the repo map, for a request or for none, as an answer and as a document."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pairwright.config.load import environment
from pairwright.config.paths import cache_dir
from pairwright.graph.focus import focus_words
from pairwright.lsp.documents import Root
from pairwright.lsp.errors import Refused
from pairwright.lsp.guard import Call, Route
from pairwright.lsp.handlers import requests
from pairwright.lsp.session import Session
from pairwright.lsp.virtual import Address, uri_of
from pairwright.render.types import RepoMap
from pairwright.workspace.maps import focus_of, repo_map
from pairwright.workspace.types import Snapshot

_LARGEST = 1_000_000
_PATIENCE = 5.0
_POLL = 0.05


@dataclass(frozen=True, slots=True)
class Wanted:
    """A map that is asked for. `budget`: None for that of the settings. `focus`: paths and names it
    is about. `chat`: files that are sent whole."""

    root: Root
    budget: int | None
    message: str
    chat: tuple[str, ...]
    focus: tuple[str, ...]


async def _map(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    session = call.session
    wanted = _wanted(session, args)
    uri = _uri(session, wanted)
    if args.get("show") is True:
        await _show(session, uri, wanted)
    made, snapshot = await _made(session, wanted)
    reason = made.reason
    if not snapshot.ready():
        count = len(snapshot.paths())
        reason = f"The index is still being built ({count} files so far). {reason}".rstrip()
    return {
        "text": made.text,
        "tokens": made.tokens,
        "budget": made.budget,
        "reason": reason,
        "uri": uri,
    }


async def document(session: Session, where: Address) -> str:
    """The map as a document: the text, or why there is none."""
    args: dict[str, Any] = {key: where.one(key) for key in ("root", "message")}
    args |= {key: list(where.args.get(key, ())) for key in ("chat", "focus")}
    budget = where.one("budget")
    args["budget"] = int(budget) if budget.isascii() and budget.isdigit() else None
    made, _ = await _made(session, _wanted(session, args))
    return made.text or f"{made.reason}\n"


async def _show(session: Session, uri: str, wanted: Wanted) -> None:
    """Put the map before the user: the living document where the client has them, else a file."""
    if session.client.virtual and await requests.show_uri(session, uri, focus=False):
        return
    made, _ = await _made(session, wanted)
    path = cache_dir(environment()) / "documents" / "map.txt"
    await asyncio.to_thread(requests.write, path, made.text or f"{made.reason}\n")
    await requests.show(session, path, focus=False)


async def _made(session: Session, wanted: Wanted) -> tuple[RepoMap, Snapshot]:
    await indexed(wanted.root)
    snapshot = wanted.root.host.snapshot()
    budget = session.map_budget if wanted.budget is None else wanted.budget

    def work() -> RepoMap:
        focus = focus_of(snapshot, wanted.message, wanted.chat, snapshot.buffers)
        names = {word for item in wanted.focus for word in focus_words(item)}
        focus = replace(
            focus,
            names=tuple(sorted(names.union(focus.names))),
            paths=tuple(sorted({*focus.paths, *wanted.focus}.intersection(snapshot.paths()))),
        )
        return repo_map(snapshot, focus, budget)

    return await session.pool.run(work), snapshot


async def indexed(root: Root) -> None:
    """A small folder is indexed within moments: worth waiting for rather than a partial map."""
    end = asyncio.get_running_loop().time() + _PATIENCE
    while not root.host.snapshot().ready() and asyncio.get_running_loop().time() < end:
        await asyncio.sleep(_POLL)


def _wanted(session: Session, args: Mapping[str, Any]) -> Wanted:
    """What `args` ask for. Raises Refused for a folder that is not served."""
    root = chosen_root(session, args.get("root"))
    message = args.get("message")
    return Wanted(
        root,
        _budget(args.get("budget")),
        message if isinstance(message, str) else "",
        _paths(session, root, args.get("chat")),
        _paths(session, root, args.get("focus")),
    )


def _uri(session: Session, wanted: Wanted) -> str:
    """The document of the same map; what is by default is left out."""
    is_first = wanted.root is session.documents.main()
    return uri_of(
        "map",
        root="" if is_first else wanted.root.uri,
        budget=wanted.budget,
        message=wanted.message,
        chat=wanted.chat,
        focus=wanted.focus,
    )


def chosen_root(session: Session, name: object) -> Root:
    """The folder a command means: by URI or path, else the first one. Raises Refused."""
    if not isinstance(name, str) or not name:
        return session.documents.main()
    root = session.documents.root_at(name)
    if root is None:
        served = ", ".join(item.path for item in session.documents.roots) or "none"
        raise Refused(f"{name} is no folder of this workspace. Its folders: {served}.")
    return root


def _budget(asked: object) -> int | None:
    if isinstance(asked, int) and not isinstance(asked, bool) and 0 <= asked <= _LARGEST:
        return asked
    return None


def _paths(session: Session, root: Root, names: object) -> tuple[str, ...]:
    """Workspace paths of files named by URI or by relative path; URIs of other places are left
    out."""
    found = []
    for name in _words(names):
        at = session.documents.locate(name) if ":" in name else None
        if at is not None and at.root is root and at.indexed:
            found.append(at.path)
        elif at is None:
            found.append(name)
    return tuple(found)


def _words(names: object) -> Iterable[str]:
    items = names if isinstance(names, (list, tuple)) else [names]
    return (name for name in items if isinstance(name, str) and name)


COMMANDS: dict[str, Route] = {"pairwright.map": Route("task", _map)}
