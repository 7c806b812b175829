"""The Editor port over one client: versions checked, the negotiated form sent, only the text believed.

Clients answer `applied: true` for edits they skipped (Neovim 0.11, measured) and a keystroke may slip in while
an edit travels (VS Code). So the answer of `workspace/applyEdit` is never trusted: a change counts as applied
when the text that comes back, or the file on disk, is the text that was meant.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from lsprotocol import types

from pairwright.edits.diff import diff
from pairwright.edits.types import FileChange
from pairwright.engine.ports import Applied
from pairwright.lsp.errors import RequestFailed
from pairwright.lsp.guard import answer_now
from pairwright.lsp.links import followed
from pairwright.lsp.workspace_edit import (
    Place,
    groups,
    needs_confirmation,
    needs_direct_write,
    source,
    steps,
    workspace_edit,
)
from pairwright.text.encoding import Decoded, decode, encode
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
_HELD = 0.5
"""Seconds after which a client seems to hold it back until its command is answered, as eglot does."""
_IDLE = 5.0
"""Seconds such a client may take from there: eglot waits for a pause of the user's."""


class ClientEditor:
    """Implements `engine.ports.Editor` for one workspace folder."""

    def __init__(self, session: Session, root: Root) -> None:
        self._session = session
        self._root = root

    def _snapshot(self) -> Snapshot:
        return self._root.host.snapshot()

    async def apply(self, label: str, changes: Sequence[FileChange]) -> tuple[Applied, ...]:
        """See `engine.ports.Editor.apply`."""
        real = await asyncio.to_thread(lambda: [followed(self._root.path, c) for c in changes])
        results = await self._apply(label, real)
        return tuple(replace(r, path=c.path) for r, c in zip(results, changes, strict=True))

    async def _apply(self, label: str, changes: Sequence[FileChange]) -> tuple[Applied, ...]:
        """As `apply`, for changes under the real names of their files."""
        refused = self._precheck(changes)
        if refused:
            return refused
        results: list[Applied] = []
        for group in groups(self._session.client, changes):
            if results and results[-1].state != "applied":
                results += [
                    Applied(c.path, "refused", "not tried: an earlier file failed") for c in group
                ]
            elif len(group) == 1 and self._takes_steps(group[0]):
                results.append(await self._in_steps(label, group[0]))
            else:
                results += await self._apply_group(label, group)
        return tuple(results)

    def _takes_steps(self, change: FileChange) -> bool:
        return not self._is_direct(change) and len(steps(change)) > 1

    def _is_direct(self, change: FileChange) -> bool:
        """Whether the file is written on disk: the client cannot make the change, or the file is closed and
        not in UTF-8, which the client might open as something else and save so."""
        if needs_direct_write(self._session.client, change):
            return True
        snapshot, path = self._snapshot(), source(change)
        disk = None if path in snapshot.buffers else snapshot.on_disk(path)
        return disk is not None and disk.codec not in (None, "utf-8")

    async def _in_steps(self, label: str, change: FileChange) -> Applied:
        """A rename with new text: the text first, where its version is checked; put back if the
        rename fails."""
        text, rename = steps(change)
        (first,) = await self._apply_group(label, [text])
        if first.state != "applied":
            return replace(first, path=change.path)
        (second,) = await self._apply_group(label, [rename])
        if second.state != "applied" and text.before is not None and text.after is not None:
            hunks = diff(text.after, text.before)
            await self._apply_group(label, [FileChange(text.path, text.after, text.before, hunks)])
        return second

    def _precheck(self, changes: Sequence[FileChange]) -> tuple[Applied, ...]:
        """All versions are checked before anything is sent; any failure refuses the whole."""
        snapshot = self._snapshot()
        moved = {
            c.path: "the text changed since the edit was made"
            for c in changes
            if current(snapshot, source(c)) != c.before
        }
        for change in changes:
            if change.moved_from is not None and current(snapshot, change.path) is not None:
                moved[change.path] = "a file of that name exists already"
        names = [change.path for change in changes]
        if len(set(names)) < len(names):
            reason = "two paths of the edit lead to the same file"
            return tuple(Applied(name, "refused", reason) for name in names)
        if moved:
            return tuple(
                Applied(c.path, "stale", moved[c.path])
                if c.path in moved
                else Applied(c.path, "refused", "not tried: another file of the edit changed")
                for c in changes
            )
        if self._session.client.saves_renamed and (unsaved := _unsaved_moves(snapshot, changes)):
            reason = f"{unsaved[0]} has unsaved text, which this editor saves with a rename: save it first"
            return tuple(Applied(name, "refused", reason) for name in names)
        if not self._session.client.apply_edit:
            reason = "this editor cannot apply edits for a server (no workspace/applyEdit)"
            return tuple(Applied(c.path, "refused", reason) for c in changes)
        return ()

    async def _apply_group(self, label: str, group: list[FileChange]) -> list[Applied]:
        direct = [c for c in group if self._is_direct(c)]
        if direct:
            problem = self._held(direct) or await asyncio.to_thread(self._write, direct)
            self.announce([path for c in direct for path in (source(c), c.path)])
            if problem:
                return [Applied(c.path, "refused", problem) for c in group]
        rest = [c for c in group if c not in direct]
        # While an earlier document was on its way the user may have typed in this one.
        snapshot = self._snapshot()
        if any(current(snapshot, source(c)) != c.before for c in rest):
            return [
                Applied(c.path, "stale", "the text changed since the edit was made") for c in group
            ]
        reason = await self._send(label, rest) if rest else ""
        return [await self._verified(change, reason) for change in group]

    def _held(self, changes: Sequence[FileChange]) -> str:
        """Why a file cannot be moved or removed behind the editor's back; empty if it can."""
        buffers = self._snapshot().buffers
        held = [source(c) for c in changes if c.before is not None and source(c) in buffers]
        if not held:
            return ""
        names = ", ".join(held)
        return f"{names} is open, and this editor cannot move or delete files for a server: close it first"

    def _write(self, changes: Sequence[FileChange]) -> str:
        """Make `changes` on disk; why not, empty when done."""
        snapshot = self._snapshot()
        writes: list[Write] = []
        for change in changes:
            disk = snapshot.on_disk(source(change))
            raw, after = disk.raw if disk else None, change.after
            if disk is not None and after is not None:
                try:
                    same = after == change.before
                    after = disk.raw if same else encode(after, disk.codec or "utf-8", disk.bom)
                except UnicodeError:
                    return f"{change.path}: its encoding, {disk.codec}, lacks a character of the new text"
            if change.moved_from is None or raw is None:
                writes.append(Write(change.path, raw, after))
                continue
            writes.append(Write(change.path, None, after, change.moved_from))
            writes.append(Write(change.moved_from, raw, None))
        return "; ".join(write_all(Path(self._root.path), writes))

    async def _send(self, label: str, changes: Sequence[FileChange]) -> str:
        """Why the client said no; empty when it said yes, which proves nothing yet."""
        buffers = self._snapshot().buffers
        places = {}
        for change in changes:
            path = source(change)
            version = buffers[path].document.version if path in buffers else None
            places[path] = Place(self._uri(path), version, self._uri(change.path))
        edit = workspace_edit(self._session.client, changes, places, label)
        params = {"label": label, "edit": edit}
        timeout = _QUESTION if needs_confirmation(edit) else _ANSWER
        try:
            answer = await self._session.request(
                types.WORKSPACE_APPLY_EDIT, params, timeout=timeout
            )
        except RequestFailed as error:
            return str(error)
        if answer is not None and answer.applied:
            return ""
        why = getattr(answer, "failure_reason", None)
        return f"the editor refused the edit{f': {why}' if why else ''}"

    def _uri(self, path: str) -> str:
        return self._session.documents.uri_of(self._root, path)

    async def _verified(self, change: FileChange, reason: str) -> Applied:
        clock = asyncio.get_running_loop().time
        end = clock() + (_TEXT if not reason else 0.2)
        held = clock() + _HELD
        paths = list(dict.fromkeys((source(change), change.path)))
        while True:
            snapshot = self._snapshot()
            text = current(snapshot, change.path)
            origin = current(snapshot, source(change))
            if text == change.after and (change.moved_from is None or origin is None):
                return Applied(change.path, "applied")
            if self._session.client.waits and clock() > held and answer_now():
                end = clock() + _IDLE
            left = end - clock()
            if left <= 0:
                break
            # A client that opens a file for the edit reports it; one that writes to disk does not.
            if not await self._session.next_change(min(left, 0.1)):
                self.announce(paths)
        if origin == change.before:
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


def _unsaved_moves(snapshot: Snapshot, changes: Sequence[FileChange]) -> list[str]:
    """Files to be renamed whose buffers hold what the disk does not."""
    found = []
    for change in changes:
        path = change.moved_from
        if path is not None and path in snapshot.buffers:
            disk = snapshot.on_disk(path)
            decoded = decode(disk.raw) if disk is not None else None
            saved = decoded.data if isinstance(decoded, Decoded) else None
            if snapshot.buffers[path].document.data != saved:
                found.append(path)
    return found


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
