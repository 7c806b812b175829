"""Values of the edit layer. A model's mistake is a Problem beside the result, never an exception."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ProblemKind = Literal["edit-format", "edit-path", "edit-match"]


@dataclass(frozen=True, slots=True)
class Block:
    """One SEARCH/REPLACE block as read. `path` as written, decoration stripped; None when the reply names
    none. `search`, `replace`: lines without line ends. `line`: of the head marker in the reply, from 1.
    `splits`: other readings (search, replace) when several dividers were possible."""

    path: str | None
    search: tuple[str, ...]
    replace: tuple[str, ...]
    line: int
    splits: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """Why something was refused. `message` is for the user and the model: what, where, and what to do.
    `block`: index of the block in the reply, or None. `path`: the file meant, where known."""

    kind: ProblemKind
    message: str
    path: str | None = None
    block: int | None = None


@dataclass(frozen=True, slots=True)
class Parsed:
    """What one reply held. `shell`: commands suggested in shell fences (never run unasked)."""

    blocks: tuple[Block, ...]
    problems: tuple[Problem, ...]
    shell: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """A file an edit may name. `data`: its text as UTF-8 without BOM, or None when it has no text (then
    `unreadable` says why). `editable`: False for read-only files."""

    path: str
    data: bytes | None
    editable: bool = True
    unreadable: str | None = None


@dataclass(frozen=True, slots=True)
class Hunk:
    """Bytes `start:end` of the text before become `new`. Hunks of a file are ascending and disjoint and
    hold whole lines. `approximate`: found by the similarity rung, never applied silently."""

    start: int
    end: int
    new: bytes
    approximate: bool = False


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file's change. `before` is None for a created file, `after` None for a deleted one; `hunks` turn
    `before` into `after` (empty for create and delete)."""

    path: str
    before: bytes | None
    after: bytes | None
    hunks: tuple[Hunk, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """All or nothing: `changes` is what the whole reply would do and is empty if there is any problem.
    `passed`: indexes of the blocks that did match, which a corrected reply need not resend."""

    changes: tuple[FileChange, ...]
    problems: tuple[Problem, ...]
    passed: tuple[int, ...] = ()
