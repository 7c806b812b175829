"""The disk beside the buffers: watched files, saves, renames, and our own watching where the client
does not.

Linux Neovim and several others do not watch for a server. Then a watcher of ours tells what
changes; where the system does not let it, every save and every half minute of quiet compare the
stat of all files. A slow comparison stays beside a watcher that works: network drives tell nobody
what others change.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lsprotocol import types

from pairwright.lsp.documents import Root
from pairwright.lsp.errors import RequestFailed
from pairwright.lsp.guard import Call, Route
from pairwright.lsp.handlers.checkpoints import keep_form
from pairwright.lsp.handlers.instructed import saved
from pairwright.lsp.schedule import Ticker
from pairwright.lsp.session import Session

log = logging.getLogger(__name__)

_ID = "pairwright-watch"
_RESCAN = 30.0
# With a watcher at work only each tenth of them.
_SELDOM = 10
# A branch switch announces thousands: finding each by itself would hold the loop.
_MANY = 50


async def watch(session: Session) -> None:
    """Have the client watch all files, or watch ourselves."""
    if session.client.watching:
        options = {"watchers": [{"globPattern": "**/*"}]}
        try:
            await session.register(_ID, types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options, 10.0)
        except RequestFailed as error:
            log.info("the client does not watch files: %s", error)
        else:
            return
    from pairwright.lsp.watchers import Watchers

    session.watchers = watchers = Watchers(lambda root, paths: _changed(session, root, paths))
    watchers.fit(session.documents.roots)
    session.closing.append(watchers.stop)
    ticks = 0

    def tick() -> None:
        nonlocal ticks
        ticks += 1
        if not watchers.cover_all or ticks % _SELDOM == 0:
            rescan(session)

    ticker = Ticker(_RESCAN, tick)
    session.closing.append(ticker.stop)
    ticker.start()


def follow(session: Session) -> None:
    """Folders came or went: watch those there are."""
    if session.watchers is not None:
        session.watchers.fit(session.documents.roots)


def rescan(session: Session) -> None:
    """Compare every folder with the disk in the background."""
    for root in session.documents.roots:
        _rescan_one(session, root)


def _rescan_one(session: Session, root: Root) -> None:
    session.ops.request(f"rescan {root.path}", root.host.rescan)


def _changed(session: Session, root: Root, paths: Sequence[str]) -> None:
    """What a watcher of ours saw."""
    if root not in session.documents.roots:
        return
    if len(paths) > _MANY or not all(paths):
        _rescan_one(session, root)
    else:
        root.host.disk(paths)
        session.touched()


def did_change_watched(call: Call, params: object) -> None:
    """Files changed on disk. `params` as they came: a branch switch announces thousands, and to
    structure them would hold the loop longer than a frame."""
    changes = params.get("changes") if isinstance(params, Mapping) else None
    uris = [
        item["uri"]
        for item in (changes if isinstance(changes, list) else ())
        if isinstance(item, Mapping) and isinstance(item.get("uri"), str)
    ]
    if len(uris) > _MANY:
        rescan(call.session)
    else:
        _disk(call.session, uris)


def did_save(call: Call, params: types.DidSaveTextDocumentParams) -> None:
    """A save: the disk moved, and it is a good moment to parse from scratch."""
    session = call.session
    _disk(session, [params.text_document.uri])
    keep_form(session, params.text_document.uri)
    saved(session, params.text_document.uri)
    if session.watchers is not None and not session.watchers.cover_all:
        # Formatters and generators run at a save, and nobody tells what they write.
        rescan(session)
    session.refresh()


def did_create(call: Call, params: types.CreateFilesParams) -> None:
    """Files the user created in the editor."""
    _disk(call.session, (item.uri for item in params.files))


def did_rename(call: Call, params: types.RenameFilesParams) -> None:
    """Files the user renamed in the editor: both names are looked at."""
    _disk(call.session, (uri for item in params.files for uri in (item.old_uri, item.new_uri)))


def did_delete(call: Call, params: types.DeleteFilesParams) -> None:
    """Files the user deleted in the editor."""
    _disk(call.session, (item.uri for item in params.files))


def _disk(session: Session, uris: Iterable[str]) -> None:
    changed: dict[str, set[str]] = {}
    for uri in uris:
        at = session.documents.locate(uri)
        if at is not None and at.indexed:
            changed.setdefault(at.root.path, set()).add(at.path)
    for root in session.documents.roots:
        if paths := changed.get(root.path):
            root.host.disk(sorted(paths))
            session.touched()


def _rescan(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    rescan(call.session)
    return {"roots": [root.path for root in call.session.documents.roots]}


COMMANDS: dict[str, Route] = {"pairwright.rescan": Route("loop", _rescan)}
