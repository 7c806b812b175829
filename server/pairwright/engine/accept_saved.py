"""What an accept leaves unsaved, and which of it an editor may save for the user.

A document may be saved only if it was clean before: then all that its saving writes is the change itself, never
the user's own unsaved text. Reads the disk; call it from a worker thread.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pairwright.edits.types import FileChange
from pairwright.text.encoding import Decoded, decode
from pairwright.workspace.types import Snapshot


@dataclass(frozen=True, slots=True)
class Unsaved:
    """Paths whose text the disk does not hold, sorted. `clean`: those whose text it held before the accept, or that
    did not exist; `mixed`: those that hold the user's own unsaved text too."""

    clean: tuple[str, ...] = ()
    mixed: tuple[str, ...] = ()


NOTHING = Unsaved()


def clean_before(snapshot: Snapshot, changes: Sequence[FileChange]) -> frozenset[str]:
    """The paths of `changes` that hold no unsaved text in `snapshot`, which they are planned on."""
    return frozenset(c.path for c in changes if _is_clean(snapshot, c.moved_from or c.path))


def left_unsaved(
    snapshot: Snapshot, made: Sequence[FileChange], were_clean: Collection[str]
) -> Unsaved:
    """Which of the changes `made` are unsaved in `snapshot`. `were_clean`: by `clean_before`."""
    clean: list[str] = []
    mixed: list[str] = []
    for change in sorted(made, key=lambda change: change.path):
        if change.after is None or _is_clean(snapshot, change.path):
            continue
        # What was typed beside the change since is the user's own as well.
        is_ours = snapshot.buffers[change.path].document.data == change.after
        (clean if is_ours and change.path in were_clean else mixed).append(change.path)
    return Unsaved(tuple(clean), tuple(mixed))


def _is_clean(snapshot: Snapshot, path: str) -> bool:
    buffer = snapshot.buffers.get(path)
    if buffer is None:
        return True
    disk = snapshot.on_disk(path)
    decoded = decode(disk.raw) if disk else None
    return isinstance(decoded, Decoded) and decoded.data == buffer.document.data
