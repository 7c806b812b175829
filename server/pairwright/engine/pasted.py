"""A reply that a user pasted, planned against the texts of this moment.

Unlike the reply of a turn it may change every text of the workspace: the user saw it and chose it. Reads texts, so
run it in a thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pairwright.edits.formats.registry import read
from pairwright.edits.paths import normal, unsafe
from pairwright.edits.plan import plan
from pairwright.edits.types import Block, FileChange, Target
from pairwright.engine.moves import movable
from pairwright.engine.redaction import placeholders
from pairwright.workspace.types import Snapshot


@dataclass(frozen=True, slots=True)
class Pasted:
    """`changes`: what the reply does, empty where `reasons` say why it does nothing. `shell`: commands it
    suggests."""

    changes: tuple[FileChange, ...]
    reasons: tuple[str, ...]
    shell: tuple[str, ...] = ()


def pasted(text: str, snapshot: Snapshot) -> Pasted:
    """What the reply `text` would change."""
    parsed = read(text, "diff", snapshot.paths())
    targets = {path: _target(snapshot, path) for path in _named(parsed.blocks, snapshot)}
    planned = plan(
        parsed.blocks,
        targets,
        allowed=snapshot.allowed,
        chat=tuple(targets),
        tags=snapshot.tags_of,
    )
    planned = movable(planned, snapshot)
    reasons = tuple(problem.message for problem in (*parsed.problems, *planned.problems))
    reasons += placeholders(planned.changes)
    if reasons or not planned.changes:
        return Pasted((), reasons or ("the reply holds no edit",), parsed.shell)
    return Pasted(planned.changes, (), parsed.shell)


def _named(blocks: Sequence[Block], snapshot: Snapshot) -> list[str]:
    """Files a reply may mean: those it names, indexed yet or not, and those of the index that end alike."""
    written = [path for block in blocks for path in (block.path, block.to) if path]
    exact = {path for path in map(normal, written) if not unsafe(path)}
    exact = {p for p in exact if p in snapshot.buffers or snapshot.on_disk(p) is not None}
    wanted = {path.replace("\\", "/").rpartition("/")[2].casefold() for path in written}
    alike = (p for p in snapshot.paths() if p.rpartition("/")[2].casefold() in wanted)
    return sorted({*exact, *alike})


def _target(snapshot: Snapshot, path: str) -> Target:
    document = snapshot.document(path)
    if document is not None:
        return Target(path, document.data)
    disk = snapshot.on_disk(path)
    return Target(path, None, unreadable=disk.reason if disk else "does not exist")
