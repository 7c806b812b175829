"""A change of files as a value: what it takes, what is planned, what its checkpoints say, how it ended."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pairwright.checkpoints.repo import Store
from pairwright.checkpoints.types import FileState
from pairwright.edits.types import FileChange
from pairwright.engine.ports import Editor
from pairwright.engine.proposals_store import Proposals
from pairwright.workspace.types import Snapshot


@dataclass(frozen=True, slots=True)
class Desk:
    """What changing the files of one workspace takes. `now`: seconds since the epoch. `announce`:
    told of paths that were written on disk directly, on the event loop. `recorded`: told there of the
    checkpoint behind every change that was made, and of its paths. `lock`: one change at a
    time."""

    proposals: Proposals
    snapshot: Callable[[], Snapshot]
    editor: Editor
    store: Store
    now: Callable[[], float]
    announce: Callable[[Sequence[str]], None] = lambda paths: None
    recorded: Callable[[str, Sequence[str]], None] = lambda checkpoint, paths: None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(frozen=True, slots=True)
class RawWrite:
    """Exact bytes for a file that no editor holds."""

    path: str
    state: FileState
    expected: FileState


@dataclass(frozen=True, slots=True)
class Work:
    """A plan on one snapshot. `changes` go through the editor, `raw` to disk, then `modes` are set
    and empty `folders` removed. `paths`: what checkpoints hold. `stop`: why nothing may be done;
    `stale` says that it is because the text moved."""

    changes: tuple[FileChange, ...] = ()
    raw: tuple[RawWrite, ...] = ()
    modes: tuple[tuple[str, int], ...] = ()
    folders: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    stop: str = ""
    stale: bool = False


@dataclass(frozen=True, slots=True)
class Stamp:
    """What the checkpoints say: `kind` of the one behind the change, `note`, and what it belongs
    to. `hunks`: ids of the proposal's hunks in it."""

    kind: str
    note: str
    proposal: str = ""
    undoes: str = ""
    group: str = ""
    hunks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """What became of one file. `state`: as the editor reported it, or `taken back` (it was applied,
    and undone because another file failed), or `left` (applied, and could not be taken back)."""

    path: str
    state: Literal["applied", "stale", "refused", "unverified", "taken back", "left"]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Carried:
    """How it ended. `state`: `done`; `partly` (some files stay changed, see `files`); `stale` and
    `refused` (nothing is changed); `cancelled` by the user. `before`, `after`: checkpoint ids,
    empty if not made. `warning`: what else the user must know."""

    state: Literal["done", "partly", "stale", "refused", "cancelled"]
    message: str = ""
    files: tuple[FileOutcome, ...] = ()
    before: str = ""
    after: str = ""
    warning: str = ""

    @property
    def standing(self) -> tuple[str, ...]:
        """Paths whose change stands."""
        return tuple(f.path for f in self.files if f.state in ("applied", "left"))
