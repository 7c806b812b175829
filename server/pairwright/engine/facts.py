"""What became of edits, in the words that the next request tells them with. Works on values only."""

from __future__ import annotations

from collections.abc import Callable, Collection

from pairwright.checkpoints.types import Checkpoint
from pairwright.engine.proposals import Proposal, ProposedFile
from pairwright.memory.chat import Fact

Digest = Callable[[str], str | None]
"""Of the text of a file as a change left it, None if there is none."""


def of_accept(
    checkpoint: Checkpoint, proposal: Proposal | None, digest: Digest
) -> tuple[Fact, ...]:
    """A fact a file that the change behind `checkpoint` touched. `proposal`: as it stands behind that change."""
    files = {file.path: file for file in proposal.files} if proposal else {}
    gone = {file.moved_from for file in files.values() if file.moved_from}
    return tuple(
        Fact(
            _accepted(files[path]) if path in files else "brought back to an earlier text",
            path,
            checkpoint.id,
            checkpoint.proposal,
            digest(path) or "",
        )
        for path in checkpoint.paths
        if path not in gone and not path.endswith("/")
    )


def of_undo(checkpoint: Checkpoint, is_redo: bool, digest: Digest) -> tuple[Fact, ...]:
    """A fact a file of which the change behind `checkpoint` took an edit back, or an undo."""
    what = "accepted again" if is_redo else "undone"
    return tuple(
        Fact(what, path, checkpoint.id, checkpoint.proposal, digest(path) or "")
        for path in checkpoint.paths
        if not path.endswith("/")
    )


def of_reject(proposal: Proposal, hunks: Collection[str]) -> tuple[Fact, ...]:
    """A fact a file of which `hunks` were rejected."""
    found = []
    for file in proposal.files:
        rejected = sum(hunk.id in hunks for hunk in file.hunks)
        if rejected:
            what = _part("rejected", rejected, len(file.hunks))
            found.append(Fact(what, file.path, proposal=proposal.id))
    return tuple(found)


def _accepted(file: ProposedFile) -> str:
    states = [hunk.state for hunk in file.hunks]
    words = _part("accepted", states.count("applied"), len(states))
    refused = states.count("rejected")
    return f"{words}, {refused} rejected" if refused else words


def _part(word: str, some: int, all_: int) -> str:
    return word if some >= all_ else f"{some} of {all_} hunks {word}"
