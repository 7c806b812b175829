"""textDocument/documentSymbol from the tags: off unless `symbols.document` says otherwise.

Advertised in the answer to initialize when the setting is known by then; switched later, it is
registered dynamically where the client can do that.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from lsprotocol import types

from pairwright.lsp import convert
from pairwright.lsp.errors import RequestFailed
from pairwright.lsp.guard import Call, Job
from pairwright.lsp.schedule import CancelToken
from pairwright.lsp.session import Session
from pairwright.tags.types import Tags, parents
from pairwright.text.columns import Unit
from pairwright.text.document import Document

log = logging.getLogger(__name__)

_ID = "pairwright-document-symbol"
_KINDS = {
    "class": types.SymbolKind.Class,
    "function": types.SymbolKind.Function,
    "method": types.SymbolKind.Method,
    "interface": types.SymbolKind.Interface,
    "trait": types.SymbolKind.Interface,
    "struct": types.SymbolKind.Struct,
    "union": types.SymbolKind.Struct,
    "enum": types.SymbolKind.Enum,
    "module": types.SymbolKind.Module,
    "namespace": types.SymbolKind.Namespace,
    "type": types.SymbolKind.Class,
    "constant": types.SymbolKind.Constant,
    "macro": types.SymbolKind.Constant,
    "variable": types.SymbolKind.Variable,
    "field": types.SymbolKind.Field,
    "property": types.SymbolKind.Property,
}


def document_symbol(call: Call, params: types.DocumentSymbolParams) -> Job | None:
    """The definitions of an open or closed document as a tree, or as a list for an older client."""
    session = call.session
    if not session.settings.symbols.document:
        return None
    at = session.documents.locate(params.text_document.uri)
    if at is None:
        return None
    snapshot, unit = at.host.snapshot(), session.client.encoding
    tree, uri = session.client.symbols_tree, at.uri

    def run(token: CancelToken) -> list[Any]:
        document = snapshot.document(at.path)
        if document is None:
            return []
        tags = snapshot.tags(at.path)
        token.check()
        return nested(document, tags, unit) if tree else flat(document, tags, unit, uri)

    return Job(run, _unchanged(session, uri))


def _unchanged(session: Session, uri: str) -> Callable[[], bool]:
    before = session.documents.opened(uri)
    version = before.document.version if before else None

    def check() -> bool:
        now = session.documents.opened(uri)
        return (now.document.version if now else None) == version

    return check


def nested(document: Document, tags: Tags, unit: Unit) -> list[types.DocumentSymbol]:
    """Definitions as a tree, each below the innermost definition around it."""
    made: list[types.DocumentSymbol] = []
    inside: list[list[types.DocumentSymbol]] = []
    top: list[types.DocumentSymbol] = []
    for item, parent in zip(tags.defs, parents(tags.defs), strict=True):
        name_end = item.name_start + len(item.name.encode("utf-8", "surrogatepass"))
        symbol = types.DocumentSymbol(
            name=item.name or "?",
            kind=_KINDS.get(item.kind, types.SymbolKind.Variable),
            range=convert.range_of(document, item.start, max(item.end, name_end), unit),
            selection_range=convert.range_of(document, item.name_start, name_end, unit),
        )
        made.append(symbol)
        inside.append([])
        (inside[parent] if parent >= 0 else top).append(symbol)
    for symbol, children in zip(made, inside, strict=True):
        symbol.children = children or None
    return top


def flat(document: Document, tags: Tags, unit: Unit, uri: str) -> list[types.SymbolInformation]:
    """Definitions as a list, for a client without hierarchical symbols."""
    outer = parents(tags.defs)
    found = []
    for item, parent in zip(tags.defs, outer, strict=True):
        range_ = convert.range_of(document, item.name_start, item.end, unit)
        found.append(
            types.SymbolInformation(
                name=item.name or "?",
                kind=_KINDS.get(item.kind, types.SymbolKind.Variable),
                location=types.Location(uri, range_),
                container_name=tags.defs[parent].name if parent >= 0 else None,
            )
        )
    return found


async def register(session: Session) -> None:
    """Tell the client that the setting was switched after initialize."""
    wanted = session.settings.symbols.document
    if not session.client.symbols_dynamic or wanted == (_ID in session.registered):
        return
    try:
        if wanted:
            await session.register(
                _ID, types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, {"documentSelector": None}
            )
        else:
            await session.unregister(_ID, types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    except RequestFailed as error:
        log.info("document symbols could not be switched: %s", error)
