"""Virtual documents over the wire: by LSP's own request, and by `pairwright/document`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lsprotocol import types

from pairwright.lsp.errors import InvalidParams
from pairwright.lsp.guard import Call


async def content(
    call: Call, params: types.TextDocumentContentParams
) -> types.TextDocumentContentResult:
    """workspace/textDocumentContent."""
    return types.TextDocumentContentResult(await call.session.virtual.read(params.uri))


async def document(call: Call, params: object) -> dict[str, Any]:
    """pairwright/document: the same for a client without the request of LSP 3.18."""
    uri = params.get("uri") if isinstance(params, Mapping) else None
    if not isinstance(uri, str):
        raise InvalidParams("pairwright/document needs `uri`: a URI of the scheme pairwright")
    return {"uri": uri, "text": await call.session.virtual.read(uri)}
