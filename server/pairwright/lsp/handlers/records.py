"""Records of files: what they define, import and are used by, and what models said of them, as a document."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from pairwright.config.load import environment
from pairwright.config.paths import cache_dir
from pairwright.engine.record_page import Page, page
from pairwright.lsp.documents import Root
from pairwright.lsp.guard import Call, Route
from pairwright.lsp.handlers import requests
from pairwright.lsp.handlers.map import chosen_root, indexed
from pairwright.lsp.session import Session
from pairwright.lsp.uris import from_path
from pairwright.lsp.virtual import Address, uri_of
from pairwright.lsp.workbench import workbench


async def _show(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    """The document; shown where the client has no protocol of ours."""
    session, root = call.session, chosen_root(call.session, args.get("root"))
    names = _names(session, root, args.get("files"))
    made = await _made(session, root, names)
    uri = uri_of("records.md", root=args.get("root"), file=tuple(names))
    if not session.client.protocol and not (
        session.client.virtual and await requests.show_uri(session, uri, focus=False)
    ):
        path = cache_dir(environment()) / "documents" / "records.md"
        await asyncio.to_thread(requests.write, path, made.text)
        await requests.show(session, path, focus=False)
    return {
        "uri": uri,
        "text": made.text,
        "files": [from_path(f"{root.path}/{path}") for path in made.paths],
        "problems": list(made.problems),
    }


async def document(session: Session, where: Address) -> str:
    """The same as a document that follows the texts."""
    root = chosen_root(session, where.one("root"))
    return (await _made(session, root, where.args.get("file", ()))).text


async def _made(session: Session, root: Root, names: Sequence[str]) -> Page:
    await indexed(root)
    bench = workbench(session, root)
    records = bench.notebook.at(root.host.snapshot())
    return await asyncio.to_thread(page, records, names, await bench.carried())


def _names(session: Session, root: Root, names: object) -> list[str]:
    """Files as the user or the client names them; URIs become paths."""
    found = []
    for name in names if isinstance(names, list) else [names]:
        if not isinstance(name, str) or not name.strip():
            continue
        at = session.documents.locate(name) if ":" in name else None
        found.append(at.path if at is not None and at.root is root else name)
    return found


COMMANDS: dict[str, Route] = {"pairwright.records.show": Route("task", _show)}
