"""Where the waiting hunks of a proposal stand in the text of the moment. Knows no wire and no proposals' list."""

from __future__ import annotations

from typing import NamedTuple

from pairwright.edits.rebase import rebase
from pairwright.engine.proposals import ProposedFile, place


class Standing(NamedTuple):
    """Bytes `start:end` of the text now, which the hunk replaces; `is_stale`: its lines were changed since, and
    `start:end` is where they were."""

    start: int
    end: int
    is_stale: bool = False


def standing(file: ProposedFile, now: bytes) -> dict[str, Standing]:
    """Each pending hunk of `file`, by id, on the text `now`. A file that comes or goes stands at its beginning."""
    pending = file.pending
    if file.kind in ("create", "delete") or file.before is None:
        stale = place(file, now, [hunk.id for hunk in pending]).conflicts
        end = len(now) if file.kind == "delete" else 0
        return {hunk.id: Standing(0, end, hunk.id in stale) for hunk in pending}
    texts = [hunk for hunk in pending if hunk.id != file.rename]
    moved = rebase(file.before, now, [hunk.hunk for hunk in texts])
    conflicts = iter(moved.conflicts)
    # A rename changes no line, so nothing typed is in its way.
    found = {file.rename: Standing(0, 0)} if texts != list(pending) else {}
    for at, hunk in enumerate(texts):
        placed = moved.hunks[at]
        if placed is not None:
            found[hunk.id] = Standing(placed.start, placed.end)
        elif at in moved.present:
            found[hunk.id] = Standing(0, 0)
        else:
            met = next(conflicts)
            found[hunk.id] = Standing(met.start, met.end, True)
    return found
