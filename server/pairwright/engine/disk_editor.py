"""The Editor port where there is no editor: changes are written to the files themselves.

For the command line. All of a call or nothing; questions are never answered with yes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from pairwright.edits.types import FileChange
from pairwright.engine.ports import Applied
from pairwright.text.encoding import Decoded, decode, encode
from pairwright.workspace.types import Snapshot
from pairwright.workspace.write import Write, write_all


class DiskEditor:
    """Implements `engine.ports.Editor` over the files of one folder. `snapshot`: the folder without
    buffers. `say`: where messages go."""

    def __init__(
        self, snapshot: Callable[[], Snapshot], say: Callable[[str], None] = lambda text: None
    ) -> None:
        self._snapshot = snapshot
        self._say = say

    async def apply(self, label: str, changes: Sequence[FileChange]) -> tuple[Applied, ...]:
        """See `engine.ports.Editor.apply`."""
        return await asyncio.to_thread(self._apply, changes)

    async def ask(self, question: str, options: Sequence[str]) -> str | None:
        """Nobody is there to answer."""
        return None

    async def message(self, level: Literal["info", "warning", "error"], text: str) -> None:
        self._say(text)

    def _apply(self, changes: Sequence[FileChange]) -> tuple[Applied, ...]:
        snapshot = self._snapshot()
        writes: list[Write] = []
        reasons: list[str] = []
        for change in changes:
            try:
                writes += _writes(snapshot, change)
            except ValueError as error:
                # A character the file's encoding lacks is a ValueError too.
                reasons.append(f"{change.path}: {error}")
        reasons += () if reasons else write_all(Path(snapshot.root), writes)
        if not reasons:
            return tuple(Applied(change.path, "applied") for change in changes)
        return tuple(Applied(change.path, "refused", " ".join(reasons)) for change in changes)


def _writes(snapshot: Snapshot, change: FileChange) -> list[Write]:
    """What `change` does to bytes on disk. Raises ValueError."""
    source = change.moved_from or change.path
    disk = snapshot.on_disk(source)
    raw = disk.raw if disk else None
    old = decode(raw) if raw is not None else None
    if (old.data if isinstance(old, Decoded) else raw) != change.before:
        raise ValueError("the file has changed since it was read: try again.")
    after = change.after
    if after is not None:
        codec, bom = (old.codec, old.bom) if isinstance(old, Decoded) else ("utf-8", b"")
        after = encode(after, codec, bom)
    if change.moved_from is None:
        return [Write(change.path, raw, after)]
    return [Write(change.path, None, after, source), Write(source, raw, None)]
