"""Refining a proposal: a turn sees the files as if the proposal were accepted, and what it changes replaces the
hunks that wait.

The hunks of the new state lie on the text of the moment again, so accepting, rejecting and undoing them is like
that of any other. Knows no model; the view reads files as its snapshot does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from pairwright.edits.diff import diff
from pairwright.edits.types import FileChange, Hunk
from pairwright.engine.overlay import Overlay
from pairwright.engine.proposals import PENDING, Proposal, ProposedFile, place, proposed_file
from pairwright.text.document import Document
from pairwright.workspace.types import Snapshot


class View(Overlay):
    """`base` with the pending hunks of `proposal` done in the texts of its files; a `Snapshot`. What cannot be
    placed is left out. Texts are made at the first question, in the thread that asks."""

    def __init__(self, base: Snapshot, proposal: Proposal) -> None:
        self.base = base
        self.proposal = proposal

    @cached_property
    def changes(self) -> Mapping[str, FileChange]:
        """By the path a text has now: what the proposal makes of it."""
        found: dict[str, FileChange] = {}
        for file in self.proposal.files:
            document = self.base.document(file.at)
            now = document.data if document else None
            change = place(file, now, [hunk.id for hunk in file.pending]).change
            if change is not None and change.after is not None:
                found[file.at] = change
        return found

    @cached_property
    def over(self) -> Mapping[str, bytes | None]:
        """What differs from `base`, by path."""
        return {path: self.changes[path].after for path in sorted(self.changes)}

    def mapped(self, path: str, span: tuple[int, int]) -> tuple[int, int]:
        """Bytes of the text of `base` at `path` as bytes of the text here; hunks they meet are taken whole."""
        change = self.changes.get(path)
        if change is None:
            return span
        return _moved(change.hunks, span[0], False), _moved(change.hunks, span[1], True)

    def span(self, file: ProposedFile, id: str) -> tuple[int, int] | None:
        """Where the new lines of the hunk `id` stand here; None if it has no place or no lines."""
        document = self.base.document(file.at)
        alone = place(file, document.data if document else None, [id]).change
        if alone is None or not alone.hunks:
            return None
        return self.mapped(file.at, (alone.hunks[0].start, alone.hunks[0].end))


def _moved(hunks: Sequence[Hunk], at: int, is_end: bool) -> int:
    """The byte `at` of the text before `hunks` in the text behind them."""
    shift = 0
    for hunk in hunks:
        growth = len(hunk.new) - (hunk.end - hunk.start)
        if hunk.end < at or (hunk.end == at and (is_end or hunk.start < hunk.end)):
            shift += growth
        elif hunk.start < at:
            return hunk.start + shift + (len(hunk.new) if is_end else 0)
    return at + shift


def refined(
    proposal: Proposal,
    changes: Sequence[FileChange],
    view: View,
    missing: Sequence[str] = (),
) -> Proposal:
    """`proposal` with the hunks that wait in the files of `changes` replaced by what these make of them; `changes`
    are planned on `view`. What is decided already stays as it is, and so do other files."""
    new = [made for change in changes if (made := _whole(change, view)) is not None]
    touched = {change.moved_from or change.path for change in changes}
    files: list[ProposedFile] = []
    for file in proposal.files:
        files += _decided(file) if file.at in touched else (file,)
    ids = [hunk.id for file in proposal.files for hunk in file.hunks]
    first = 1 + max((int(id.partition(".")[0]) for id in ids), default=-1)
    document: Callable[[str], Document | None] = view.base.document
    files += (
        proposed_file(first + at, change, document(change.moved_from or change.path))
        for at, change in enumerate(new)
    )
    # What checks had against the hunks that were replaced says nothing of the new ones.
    missing = (*proposal.missing, *missing)
    return replace(proposal, files=tuple(files), missing=missing, findings=())


def _whole(change: FileChange, view: View) -> FileChange | None:
    """`change` of a text of `view` as a change of the text below it; None if nothing is left of both."""
    was = view.changes.get(change.moved_from or change.path)
    if was is None:
        return change
    if change.after is None:
        # What was to be created is not; a file that stands is deleted.
        path = was.moved_from or was.path
        return None if was.before is None else FileChange(path, was.before, None, ())
    if was.before is None:
        return FileChange(change.path, None, change.after, ())
    source = change.moved_from or was.moved_from
    path = change.path if change.moved_from else was.path
    if source is None and was.before == change.after:
        return None
    return FileChange(path, was.before, change.after, diff(was.before, change.after), source)


def _decided(file: ProposedFile) -> tuple[ProposedFile, ...]:
    """`file` with the hunks that no longer wait; none if there are no such hunks."""
    left = tuple(hunk for hunk in file.hunks if hunk.state not in PENDING)
    if not left:
        return ()
    if file.moved_from is not None and left[0].id != file.rename:
        # The rename still waits and is proposed anew: here its file is one that stays where it is.
        return (replace(file, path=file.at, kind="modify", hunks=left, moved_from=None),)
    return (replace(file, hunks=left),)
