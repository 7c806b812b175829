"""Values of the checkpoint store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

LINK = 0o120000
"""`FileState.mode` of a symbolic link."""


@dataclass(frozen=True, slots=True)
class FileState:
    """A file at one moment. `data`: its bytes as they stood on disk or would be saved, None = did
    not exist. `mode`: permission bits (0o644, 0o755), or 0o120000 for a link (`data` is then its
    target)."""

    data: bytes | None
    mode: int = 0o644


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """One recorded moment. `id`: commit id (40 hex). `time`: whole seconds since the epoch. `note`:
    first line of the request. `kind`: before, after, undo, recovered (half a change put back after a
    kill) or saved (what the save behind a change made of it). `paths`: the files it holds, sorted.
    `proposal`: id of the proposal it belongs to, empty if none. `base`: of an after or an undo, the
    id of its before. `undoes`: of an undo, the id of what it took back. `head`, `branch`: the
    user's commit and branch at that moment, empty where there is none. `group`: shared by changes
    of several workspace folders that were made as one, empty if there is no other. `moves`: old and
    new path of what the change renamed."""

    id: str
    time: float
    kind: str
    note: str
    paths: tuple[str, ...]
    proposal: str = ""
    base: str = ""
    undoes: str = ""
    head: str = ""
    branch: str = ""
    group: str = ""
    moves: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Limits:
    """What a store may keep: checkpoints of so many `days`, at most `count` of them, in about
    `size` bytes."""

    days: float
    count: int
    size: int


Files = Mapping[str, FileState]
"""Workspace-relative path with `/` -> state. A path that ends with `/` and has no data is a
directory that did not exist."""


class CheckpointError(Exception):
    """The store cannot be written or read; the text says why and what to do."""
