"""The disk beside the buffers: watched files, saves, renames, and a slow rescan where nobody
watches.

Linux Neovim and several others do not watch for a server, so a save looks at that file, and every
half minute of quiet the host compares the stat of all its files.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from lsprotocol import types

from pairwright.lsp.errors import RequestFailed
from pairwright.lsp.guard import Call, Route
from pairwright.lsp.schedule import Ticker
from pairwright.lsp.session import Session

log = logging.getLogger(__name__)

_ID = "pairwright-watch"
_RESCAN = 30.0
# A branch switch announces thousands: finding each by itself would hold the loop.
_MANY = 200


async def watch(session: Session) -> None:
    """Have the client watch all files, or look ourselves from time to time."""
    if session.client.watching:
        options = {"watchers": [{"globPattern": "**/*"}]}
        try:
            await session.register(_ID, types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options, 10.0)
        except RequestFailed as error:
            log.info("the client does not watch files: %s", error)
        else:
            return
    ticker = Ticker(_RESCAN, lambda: rescan(session))
    session.closing.append(ticker.stop)
    ticker.start()


def rescan(session: Session) -> None:
    """Compare every folder with the disk in the background."""
    for root in session.documents.roots:
        session.ops.request(f"rescan {root.path}", root.host.rescan)


def did_change_watched(call: Call, params: types.DidChangeWatchedFilesParams) -> None:
    """Files changed on disk."""
    if len(params.changes) > _MANY:
        rescan(call.session)
    else:
        _disk(call.session, (event.uri for event in params.changes))


def did_save(call: Call, params: types.DidSaveTextDocumentParams) -> None:
    """A save: the disk moved, and it is a good moment to parse from scratch."""
    _disk(call.session, [params.text_document.uri])
    call.session.refresh()


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
