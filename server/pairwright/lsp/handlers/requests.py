"""Request documents: how a client without text input asks and is answered.

A request document is a Markdown file in the cache folder. It is shown to the user, read when its Send action
runs, and the answer is appended to it: by an edit where it is open, else on disk. Where a document cannot be
shown (Helix, Zed) a message says which to open, in a form that can be typed, and begins with the answer.
"""

from __future__ import annotations

import asyncio
import uuid
from pathlib import Path

from lsprotocol import types

from pairwright.config.paths import typed
from pairwright.lsp import convert
from pairwright.lsp.errors import RequestFailed
from pairwright.lsp.instructions import About, answer, compose
from pairwright.lsp.session import Session
from pairwright.lsp.uris import from_path

_SHOW = 5.0
"""Seconds a client may take to show a document."""
_BEGINNING = 200
"""Characters of an answer that a message holds."""


async def create(
    session: Session, folder: Path, about: About, excerpt: str, request: str = "", *, focus: bool
) -> Path:
    """Write a request document below `folder` and show it. With a `request` in it there is nothing to write: a client
    that cannot show it hears of it with the answer. Raises OSError if it cannot be written."""
    path = folder / f"{about.mode}-{uuid.uuid4().hex[:8]}.md"
    text = compose(about, excerpt, request)
    await asyncio.to_thread(write, path, text)
    if not await show_uri(session, from_path(str(path)), focus=focus) and not request:
        session.show(
            "info", f"Pairwright: write in {typed(path)}, then choose Pairwright: Send there"
        )
    return path


def write(path: Path, text: str) -> None:
    """Write a document for the user's eyes, in folders only the user may enter."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.write_text(text, encoding="utf-8", newline="")


async def show(session: Session, path: Path, *, focus: bool) -> bool:
    """Show a file; where the client cannot, its path goes to a message."""
    if await show_uri(session, from_path(str(path)), focus=focus):
        return True
    session.show("info", f"Pairwright: open {typed(path)}")
    return False


async def show_answer(session: Session, path: Path, said: str) -> None:
    """Show a document that an answer was put into, without taking the focus."""
    uri = from_path(str(path))
    if await show_uri(session, uri, focus=False) or session.documents.opened(uri) is not None:
        return
    lines = " ".join(said.split())
    begin = lines if len(lines) <= _BEGINNING else f"{lines[:_BEGINNING].rstrip()}…"
    session.show("info", f"Pairwright: answered in {typed(path)}: {begin}")


async def show_uri(session: Session, uri: str, *, focus: bool) -> bool:
    """Show a document; False where the client cannot."""
    if not session.client.show_document:
        return False
    params = types.ShowDocumentParams(uri=uri, take_focus=focus)
    try:
        result = await session.request(types.WINDOW_SHOW_DOCUMENT, params, timeout=_SHOW)
    except RequestFailed:
        # Neovim fails in an unnamed buffer (E348, measured); a message serves as well.
        return False
    return result is not None and bool(result.success)


async def append_answer(session: Session, uri: str, path: Path, said: str) -> None:
    """Put an answer under the last request, in the buffer if the document is open, else on disk."""
    opened = session.documents.opened(uri)
    if opened is None or not session.client.apply_edit:
        await asyncio.to_thread(_append, path, said)
        return
    document = opened.document
    position = convert.position(document, document.lines.size, session.client.encoding)
    new = answer(document.text, said)
    edit = types.TextEdit(types.Range(position, position), new)
    params = types.ApplyWorkspaceEditParams(
        edit=types.WorkspaceEdit(changes={opened.at.uri: [edit]}), label="Pairwright: answer"
    )
    try:
        result = await session.request(types.WORKSPACE_APPLY_EDIT, params, timeout=20.0)
        if result is not None and result.applied:
            return
    except RequestFailed:
        pass
    session.show("info", f"Pairwright: {said}")


def _append(path: Path, said: str) -> None:
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    with path.open("a", encoding="utf-8", newline="") as file:
        file.write(answer(text, said))
