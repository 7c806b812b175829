"""Documents and folders as the client has them.

Every function here is plain and runs to its end before the next message: a request sent right
behind a change must see it.
"""

from __future__ import annotations

import logging

from lsprotocol import types

from pairwright.lsp.client import Folder
from pairwright.lsp.guard import Call
from pairwright.lsp.handlers.status import start_scan
from pairwright.lsp.handlers.watch import follow

log = logging.getLogger(__name__)


def did_open(call: Call, params: types.DidOpenTextDocumentParams) -> None:
    """A buffer now holds this document's text; a second one replaces the first."""
    opened = call.session.documents.open(params.text_document)
    if opened is not None:
        call.session.marks.opened(opened.at.uri, opened.document.data)
        call.session.touched()


def did_change(call: Call, params: types.DidChangeTextDocumentParams) -> None:
    """Changes, each against the text the one before it left."""
    ident = params.text_document
    changed = call.session.documents.change(ident, params.content_changes)
    if changed is None:
        log.debug("a change of a document that is not open was ignored")
        return
    bench = call.session.benches.get(changed.at.root.path)
    if bench is not None:
        bench.saves.changed(changed.at.path)
    call.session.touched()


def did_close(call: Call, params: types.DidCloseTextDocumentParams) -> None:
    """The disk counts again."""
    closed = call.session.documents.close(params.text_document.uri)
    if closed is not None:
        call.session.marks.closed(closed.at.uri)
        call.session.touched()


def did_change_folders(call: Call, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Folders came or went; open documents move to the folder that is theirs now."""
    documents = call.session.documents
    gone = documents.remove([folder.uri for folder in params.event.removed])
    for root in gone:
        root.host.stop()
    documents.add(Folder(folder.uri, folder.name) for folder in params.event.added)
    call.session.touched()
    follow(call.session)
    start_scan(call.session)
