"""textDocument/documentSymbol from the tags, and the switching of all methods of the index.

Each is off unless its setting under `symbols` says otherwise. Advertised in the answer to
initialize when the setting is known by then; switched later, it is registered dynamically where the
client can do that.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from lsprotocol import types

from pairwright.lsp import convert
from pairwright.lsp.capabilities import switched_on
from pairwright.lsp.errors import RequestFailed
from pairwright.lsp.guard import Call, Job
from pairwright.lsp.schedule import CancelToken
from pairwright.lsp.session import Session
from pairwright.tags.types import Tags, parents
from pairwright.text.columns import Unit
from pairwright.text.document import Document

log = logging.getLogger(__name__)

KINDS = {
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

    return Job(run, unchanged(session, uri))


def unchanged(session: Session, uri: str) -> Callable[[], bool]:
    """Whether the document still has the version it has now, for the end of a job."""
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
            kind=KINDS.get(item.kind, types.SymbolKind.Variable),
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
                kind=KINDS.get(item.kind, types.SymbolKind.Variable),
                location=types.Location(uri, range_),
                container_name=tags.defs[parent].name if parent >= 0 else None,
            )
        )
    return found


async def register(session: Session) -> None:
    """Tell the client which methods were switched on or off after `initialize`. What was advertised
    there stays, and is answered with null while it is off."""
    wanted = switched_on(session.settings.symbols)
    for method in sorted(session.client.dynamic - session.advertised):
        ident = f"pairwright-{method}"
        try:
            if method in wanted and ident not in session.registered:
                in_documents = method.startswith("textDocument/")
                options = {"documentSelector": None} if in_documents else {}
                await session.register(ident, method, options)
            elif method not in wanted and ident in session.registered:
                await session.unregister(ident, method)
        except RequestFailed as error:
            log.info("%s could not be switched: %s", method, error)
