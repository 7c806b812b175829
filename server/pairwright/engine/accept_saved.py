"""What a change leaves unsaved, and which of it an editor may save for the user.

A document may be saved only if it was clean before: then all that its saving writes is the change itself, never
the user's own unsaved text. Reads the disk; call it from a worker thread.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from pairwright.edits.types import FileChange
from pairwright.text.encoding import Decoded, decode
from pairwright.workspace.types import Snapshot


@dataclass(frozen=True, slots=True)
class Unsaved:
    """Paths whose text the disk does not hold, sorted. `clean`: those whose text it held before, or that did not
    exist; `mixed`: those that hold the user's own unsaved text too."""

    clean: tuple[str, ...] = ()
    mixed: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """All of them, sorted."""
        return tuple(sorted((*self.clean, *self.mixed)))


NOTHING = Unsaved()


@dataclass(slots=True)
class Saving:
    """Follows one change, or several behind each other that are one for the user: what an earlier one left in a
    document that was clean is not the user's own text for a later one."""

    _planned: tuple[tuple[FileChange, bool], ...] = ()
    """The last plan, and whether each of its documents holds nothing of the user's own."""
    _left: dict[str, tuple[bytes, bool]] = field(default_factory=dict)

    def plan(self, snapshot: Snapshot, changes: Sequence[FileChange]) -> None:
        """`changes` are planned on `snapshot`; takes the place of a plan that was not carried out."""
        self._planned = tuple(
            (change, self._is_clean(snapshot, change.moved_from or change.path))
            for change in changes
        )

    def made(self, paths: Collection[str]) -> None:
        """The changes of the last plan that lead to `paths` stand."""
        for change, was_clean in self._planned:
            if change.path not in paths:
                continue
            self._left.pop(change.moved_from or change.path, None)
            if change.after is not None:
                self._left[change.path] = (change.after, was_clean)
        self._planned = ()

    def unsaved(self, snapshot: Snapshot) -> Unsaved:
        """What is unsaved in `snapshot` of all that was made."""
        clean: list[str] = []
        mixed: list[str] = []
        for path in sorted(self._left):
            if _is_saved(snapshot, path):
                continue
            after, was_clean = self._left[path]
            # What was typed beside the change since is the user's own as well.
            is_ours = was_clean and snapshot.buffers[path].document.data == after
            (clean if is_ours else mixed).append(path)
        return Unsaved(tuple(clean), tuple(mixed))

    def _is_clean(self, snapshot: Snapshot, path: str) -> bool:
        if _is_saved(snapshot, path):
            return True
        return self._left.get(path) == (snapshot.buffers[path].document.data, True)


def _is_saved(snapshot: Snapshot, path: str) -> bool:
    buffer = snapshot.buffers.get(path)
    if buffer is None:
        return True
    disk = snapshot.on_disk(path)
    decoded = decode(disk.raw) if disk else None
    return isinstance(decoded, Decoded) and decoded.data == buffer.document.data
