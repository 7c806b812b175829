"""A strict client in one process: its own buffers over a real folder, and the Editor port over
them.

It stands for an editor, so it believes nothing: every change must start from the text it has, hunks
are applied here and must give the text that was promised. `style` is what real clients do with
files that are not open and with new ones: `saving` writes them to disk, `unsaved` opens a buffer
and leaves it so (and makes new files empty on disk first). `faults` and `meanwhile` make it fail or
change texts at the worst moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from pairwright.config.schema import Index
from pairwright.edits.types import FileChange
from pairwright.engine.ports import Applied
from pairwright.text.document import Document
from pairwright.text.encoding import Decoded, decode, encode
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host
from pairwright.workspace.types import Snapshot

Fault = Literal["refuse", "skip", "race", "silent", "silent-applied"]


@dataclass
class FakeEditor:
    """Implements the Editor port; the test is its user."""

    root: Path
    style: Literal["saving", "unsaved"] = "saving"
    buffers: dict[str, Document] = field(default_factory=dict)
    faults: dict[str, list[Fault]] = field(default_factory=dict)
    """By path: what goes wrong with the next changes of it, one each."""
    meanwhile: list[Callable[[], None]] = field(default_factory=list)
    """What happens between the check and the edit, once each."""
    answers: list[str | None] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    applied: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    """Label and paths of every edit that came."""

    def __post_init__(self) -> None:
        self.host = Host(str(self.root), Index(), Cache(None))

    # --- the user

    def open(self, path: str, text: bytes | None = None) -> None:
        if text is None:
            decoded = decode((self.root / path).read_bytes())
            assert isinstance(decoded, Decoded)
            text = decoded.data
        self._set(path, text)

    def type(self, path: str, old: bytes, new: bytes) -> None:
        document = self.buffers[path]
        at = document.data.index(old)
        self._set(path, document.data[:at] + new + document.data[at + len(old) :])

    def save(self, path: str) -> None:
        place = self.root / path
        decoded = decode(place.read_bytes()) if place.exists() else Decoded(b"", "utf-8", b"")
        assert isinstance(decoded, Decoded)
        place.write_bytes(encode(self.buffers[path].data, decoded.codec, decoded.bom))

    def save_all(self) -> None:
        for path in sorted(self.buffers):
            self.save(path)

    def text(self, path: str) -> bytes | None:
        """What the user sees at `path`."""
        document = self.snapshot().document(path)
        return document.data if document else None

    def close(self, path: str) -> None:
        del self.buffers[path]
        self.host.close(path)

    def snapshot(self) -> Snapshot:
        return self.host.snapshot()

    # --- the port

    async def apply(self, label: str, changes: Sequence[FileChange]) -> tuple[Applied, ...]:
        self.applied.append((label, tuple(change.path for change in changes)))
        stale = [
            change.path
            for change in changes
            if self._now(change.moved_from or change.path) != change.before
            or (change.moved_from and self._now(change.path) is not None)
        ]
        if stale:
            return tuple(
                Applied(c.path, "stale", "the text moved")
                if c.path in stale
                else Applied(c.path, "refused", "not tried")
                for c in changes
            )
        results: list[Applied] = []
        for change in changes:
            await asyncio.sleep(0)
            if results and results[-1].state != "applied":
                results.append(Applied(change.path, "refused", "not tried"))
                continue
            results.append(self._one(change))
        if self.meanwhile:
            self.meanwhile.pop(0)()
        return tuple(results)

    async def ask(self, question: str, options: Sequence[str]) -> str | None:
        self.questions.append(question)
        answer = self.answers.pop(0) if self.answers else None
        assert answer is None or answer in options
        return answer

    async def message(self, level: Literal["info", "warning", "error"], text: str) -> None:
        raise AssertionError("outcomes are return values")

    def _one(self, change: FileChange) -> Applied:
        queue = self.faults.get(change.path, [])
        fault = queue.pop(0) if queue else None
        if fault == "refuse":
            return Applied(change.path, "refused", "the editor refused the edit: read-only buffer")
        if fault == "skip":
            return Applied(change.path, "refused", "the editor did not change the file")
        if fault == "race":
            self._set(change.path, (self._now(change.path) or b"") + b"raced\n")
            return Applied(change.path, "stale", "the text was changed at the same moment")
        if fault == "silent":
            return Applied(change.path, "unverified", "no text came back")
        self._do(change)
        if fault == "silent-applied":
            return Applied(change.path, "unverified", "no text came back")
        return Applied(change.path, "applied")

    def _do(self, change: FileChange) -> None:
        place = self.root / change.path
        now = self._now(change.moved_from or change.path)
        assert now == change.before
        if change.moved_from is not None:
            self._move(change, change.moved_from)
        elif change.after is None:
            if change.path in self.buffers:
                self.close(change.path)
            place.unlink()
        elif change.before is None:
            place.parent.mkdir(parents=True, exist_ok=True)
            assert not place.exists()
            place.write_bytes(change.after if self.style == "saving" else b"")
            if self.style == "unsaved":
                self._set(change.path, change.after)
        else:
            self._edit(change, place)

    def _move(self, change: FileChange, old: str) -> None:
        """The text where it is, then the rename, as real clients are asked to."""
        if change.hunks:
            self._edit(replace(change, path=old, moved_from=None), self.root / old)
        (self.root / change.path).parent.mkdir(parents=True, exist_ok=True)
        assert not (self.root / change.path).exists()
        (self.root / old).rename(self.root / change.path)
        if old in self.buffers:
            text = self.buffers[old].data
            self.close(old)
            self._set(change.path, text)

    def _edit(self, change: FileChange, place: Path) -> None:
        assert change.before is not None and change.hunks
        pieces, at = [], 0
        for hunk in change.hunks:
            assert at <= hunk.start <= hunk.end <= len(change.before)
            pieces += [change.before[at : hunk.start], hunk.new]
            at = hunk.end
        text = b"".join([*pieces, change.before[at:]])
        assert text == change.after, "the hunks do not give the promised text"
        if change.path in self.buffers or self.style == "unsaved":
            self._set(change.path, text)
            return
        decoded = decode(place.read_bytes())
        assert isinstance(decoded, Decoded)
        place.write_bytes(encode(text, decoded.codec, decoded.bom))

    def _set(self, path: str, text: bytes) -> None:
        old = self.buffers.get(path)
        if old is None:
            self.buffers[path] = self.host.open(path, f"file://{self.root}/{path}", 1, "text", text)
            return
        document, edit = old.splice(0, old.lines.size, text, (old.version or 0) + 1)
        self.buffers[path] = document
        self.host.change(path, document, [edit])

    def _now(self, path: str) -> bytes | None:
        return self.text(path)
