"""Values of the edit layer. A model's mistake is a Problem beside the result, never an exception."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ProblemKind = Literal["edit-format", "edit-path", "edit-match"]
Operation = Literal["replace", "whole", "create", "delete", "move", "symbol"]


@dataclass(frozen=True, slots=True)
class Where:
    """What a block says about its place beside the lines it quotes. It settles which of several places is
    meant, and where a block without old lines goes.

    `scopes`: lines that stand above the place in this order. `at_end`: the place ends the file. `below`: it
    begins below the place of the block before it. `symbol`: dotted path of the definition meant; `side`: its
    text is replaced, or lines are put before or behind it. `there`: the file must be there."""

    scopes: tuple[str, ...] = ()
    at_end: bool = False
    below: bool = False
    symbol: str = ""
    side: Literal["at", "before", "after"] = "at"
    there: bool = False


ANYWHERE = Where()


@dataclass(frozen=True, slots=True)
class Block:
    """One edit as read. `path` as written, decoration stripped; None when the reply names none. `search`,
    `replace`: lines without line ends. `line`: where it begins in the reply, from 1. `splits`: other readings
    (search, replace) when several dividers were possible.

    `operation`: `replace` puts `replace` where `search` stands; `whole` makes `replace` the whole text of the
    file, there or not; `create` makes a file that must not exist; `delete` removes one; `move` renames it to
    `to`, other blocks of the reply name it by either path; `symbol` puts `replace` at the definition that
    `where` names (no lines: deletes it)."""

    path: str | None
    search: tuple[str, ...]
    replace: tuple[str, ...]
    line: int
    splits: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()
    operation: Operation = "replace"
    where: Where = ANYWHERE
    to: str | None = None


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
    """What one reply held. `shell`: commands suggested in shell fences (never run unasked). `format`: the one
    it was read as."""

    blocks: tuple[Block, ...]
    problems: tuple[Problem, ...]
    shell: tuple[str, ...] = ()
    format: str = "diff"


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
    `before` into `after` (empty for create and delete). `moved_from`: the path it had before, if it is
    renamed; `before` is the text there."""

    path: str
    before: bytes | None
    after: bytes | None
    hunks: tuple[Hunk, ...]
    moved_from: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """All or nothing: `changes` is what the whole reply would do and is empty if there is any problem.
    `passed`: indexes of the blocks that did match, which a corrected reply need not resend."""

    changes: tuple[FileChange, ...]
    problems: tuple[Problem, ...]
    passed: tuple[int, ...] = ()
