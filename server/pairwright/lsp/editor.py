"""The Editor port over one client: versions checked, the negotiated form sent, only the text believed.

Clients answer `applied: true` for edits they skipped (Neovim 0.11, measured) and a keystroke may slip in while
an edit travels (VS Code). So the answer of `workspace/applyEdit` is never trusted: a change counts as applied
when the text that comes back, or the file on disk, is the text that was meant.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from lsprotocol import types

from pairwright.edits.types import FileChange
from pairwright.engine.ports import Applied
from pairwright.lsp.errors import RequestFailed
from pairwright.lsp.workspace_edit import Place, groups, needs_direct_write, workspace_edit
from pairwright.text.encoding import Decoded, decode
from pairwright.workspace.types import Snapshot
from pairwright.workspace.write import Write, write_all

if TYPE_CHECKING:
    from pairwright.lsp.documents import Root
    from pairwright.lsp.session import Session

_ANSWER = 20.0
"""Seconds a client may take for applyEdit: it may ask the user first."""
_QUESTION = 600.0
"""Seconds a question may stay open; then it counts as dismissed."""
_TEXT = 3.0
"""Seconds after the answer within which the new text must come back."""


class ClientEditor:
    """Implements `engine.ports.Editor` for one workspace folder."""

    def __init__(self, session: Session, root: Root) -> None:
        self._session = session
        self._root = root

    def _snapshot(self) -> Snapshot:
        return self._root.host.snapshot()

    async def apply(self, label: str, changes: Sequence[FileChange]) -> tuple[Applied, ...]:
        """See `engine.ports.Editor.apply`."""
        refused = self._precheck(changes)
        if refused:
            return refused
        results: list[Applied] = []
        for group in groups(self._session.client, changes):
            if results and results[-1].state != "applied":
                results += [
                    Applied(c.path, "refused", "not tried: an earlier file failed") for c in group
                ]
                continue
            results += await self._apply_group(label, group)
        return tuple(results)

    def _precheck(self, changes: Sequence[FileChange]) -> tuple[Applied, ...]:
        """All versions are checked before anything is sent; any failure refuses the whole."""
        moved = {
            c.path: "the text changed since the edit was made"
            for c in changes
            if current(self._snapshot(), c.path) != c.before
        }
        if moved:
            return tuple(
                Applied(c.path, "stale", moved[c.path])
                if c.path in moved
                else Applied(c.path, "refused", "not tried: another file of the edit changed")
                for c in changes
            )
        if not self._session.client.apply_edit:
            reason = "this editor cannot apply edits for a server (no workspace/applyEdit)"
            return tuple(Applied(c.path, "refused", reason) for c in changes)
        return ()

    async def _apply_group(self, label: str, group: list[FileChange]) -> list[Applied]:
        direct = [c for c in group if needs_direct_write(self._session.client, c)]
        if direct:
            problem = await asyncio.to_thread(self._write, direct)
            self.announce([c.path for c in direct])
            if problem:
                return [Applied(c.path, "refused", problem) for c in group]
        rest = [c for c in group if c not in direct]
        reason = await self._send(label, rest) if rest else ""
        return [await self._verified(change, reason) for change in group]

    def _write(self, changes: Sequence[FileChange]) -> str:
        """Create and delete on disk, for a client that cannot; why not, empty when done."""
        snapshot = self._snapshot()
        writes = []
        for change in changes:
            disk = snapshot.on_disk(change.path)
            writes.append(Write(change.path, disk.raw if disk else None, change.after))
        return "; ".join(write_all(Path(self._root.path), writes))

    async def _send(self, label: str, changes: Sequence[FileChange]) -> str:
        """Why the client said no; empty when it said yes, which proves nothing yet."""
        buffers = self._snapshot().buffers
        places = {
            c.path: Place(
                self._session.documents.uri_of(self._root, c.path),
                buffers[c.path].document.version if c.path in buffers else None,
            )
            for c in changes
        }
        params = {"label": label, "edit": workspace_edit(self._session.client, changes, places)}
        try:
            answer = await self._session.request(
                types.WORKSPACE_APPLY_EDIT, params, timeout=_ANSWER
            )
        except RequestFailed as error:
            return str(error)
        if answer is not None and answer.applied:
            return ""
        why = getattr(answer, "failure_reason", None)
        return f"the editor refused the edit{f': {why}' if why else ''}"

    async def _verified(self, change: FileChange, reason: str) -> Applied:
        end = asyncio.get_running_loop().time() + (_TEXT if not reason else 0.2)
        while True:
            text = current(self._snapshot(), change.path)
            if text == change.after:
                return Applied(change.path, "applied")
            left = end - asyncio.get_running_loop().time()
            if left <= 0:
                break
            # A client that opens a file for the edit reports it; one that writes to disk does not.
            if not await self._session.next_change(min(left, 0.1)):
                self.announce([change.path])
        if text == change.before:
            return Applied(change.path, "refused", reason or "the editor did not change the file")
        return Applied(
            change.path, "stale", "the text was changed at the same moment: look at the file"
        )

    async def ask(self, question: str, options: Sequence[str]) -> str | None:
        """The chosen option; None when dismissed or when the client shows no questions."""
        params = types.ShowMessageRequestParams(
            type=types.MessageType.Info,
            message=question,
            actions=[types.MessageActionItem(title=option) for option in options],
        )
        try:
            answer = await self._session.request(
                types.WINDOW_SHOW_MESSAGE_REQUEST, params, timeout=_QUESTION
            )
        except RequestFailed:
            return None
        title = getattr(answer, "title", None)
        return title if title in options else None

    async def message(self, level: Literal["info", "warning", "error"], text: str) -> None:
        self._session.show(level, text)

    def announce(self, paths: Sequence[str]) -> None:
        """Files may have changed on disk: the index reads them again."""
        self._root.host.disk(list(paths))
        self._session.touched()


def current(snapshot: Snapshot, path: str) -> bytes | None:
    """The text of `path` right now as UTF-8: the buffer if open, else the bytes on disk; None if absent."""
    buffer = snapshot.buffers.get(path)
    if buffer:
        return buffer.document.data
    disk = snapshot.on_disk(path)
    if disk is None:
        return None
    decoded = decode(disk.raw)
    return decoded.data if isinstance(decoded, Decoded) else disk.raw
