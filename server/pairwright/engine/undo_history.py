"""Which changes a list of checkpoints stands for, and which of them are taken back. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pairwright.checkpoints.types import Checkpoint


@dataclass(frozen=True, slots=True)
class History:
    """Checkpoints, newest first, and which of them are taken back at the moment."""

    found: tuple[Checkpoint, ...]
    gone: frozenset[str]

    @classmethod
    def of(cls, found: Sequence[Checkpoint]) -> History:
        gone: set[str] = set()
        # Newest first: whatever took an undo back is seen before that undo.
        for checkpoint in found:
            if checkpoint.undoes and checkpoint.id not in gone:
                gone.add(checkpoint.undoes)
        return cls(tuple(found), frozenset(gone))

    def get(self, id: str) -> Checkpoint | None:
        """The checkpoint with that id, or the only one that begins with it (7 hex or more)."""
        alike = [one for one in self.found if len(id) >= 7 and one.id.startswith(id)]
        return alike[0] if len(alike) == 1 else None

    def follower(self, id: str) -> Checkpoint | None:
        """The checkpoint behind the change that `id` was recorded before."""
        return next((checkpoint for checkpoint in self.found if checkpoint.base == id), None)

    def saved(self, id: str) -> list[Checkpoint]:
        """What saves made of the files right behind the change `id`, oldest first."""
        return [one for one in reversed(self.found) if one.base == id and one.kind == "saved"]

    def standing(self, kind: str) -> list[Checkpoint]:
        """Changes of `kind` that are not taken back, newest first."""
        return [one for one in self.found if one.kind == kind and one.id not in self.gone]
