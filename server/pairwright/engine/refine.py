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
from pairwright.engine.proposals import PENDING, Proposal, ProposedFile, place, proposed_file
from pairwright.graph.engine import Graph
from pairwright.graph.types import Focus, History, Ranking
from pairwright.tags.flaws import Flaw
from pairwright.tags.types import Tags
from pairwright.text.document import Document
from pairwright.workspace.types import Buffer, OnDisk, Snapshot


class View:
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
    def texts(self) -> Mapping[str, Document]:
        """The documents that differ from those of `base`, by path."""
        return {
            path: Document.of(path, change.after, self._version(path))
            for path, change in self.changes.items()
            if change.after is not None
        }

    def _version(self, path: str) -> int | None:
        document = self.base.document(path)
        return document.version if document else None

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

    @property
    def revision(self) -> int:
        return self.base.revision

    @property
    def root(self) -> str:
        return self.base.root

    @property
    def buffers(self) -> Mapping[str, Buffer]:
        # A file that the proposal creates is on no disk: it counts as open.
        held = dict(self.base.buffers)
        for path, document in self.texts.items():
            was = held.get(path)
            held[path] = replace(was, document=document) if was else Buffer(document, "", "")
        return {path: held[path] for path in sorted(held)}

    def paths(self) -> tuple[str, ...]:
        return tuple(sorted({*self.base.paths(), *self.texts}))

    def ready(self) -> bool:
        return self.base.ready()

    def document(self, path: str) -> Document | None:
        return self.texts.get(path) or self.base.document(path)

    def on_disk(self, path: str) -> OnDisk | None:
        return self.base.on_disk(path)

    def tags(self, path: str) -> Tags:
        document = self.texts.get(path)
        return self.base.tags_of(path, document.data) if document else self.base.tags(path)

    def tagged(self, path: str) -> tuple[Document, Tags] | None:
        document = self.texts.get(path)
        return (document, self.tags(path)) if document else self.base.tagged(path)

    def tags_of(self, path: str, data: bytes) -> Tags:
        return self.base.tags_of(path, data)

    def flaws(self, path: str, data: bytes) -> tuple[Flaw, ...]:
        return self.base.flaws(path, data)

    def history(self) -> History:
        return self.base.history()

    def rank(self, focus: Focus) -> Ranking:
        return self.base.rank(focus)

    def graph(self) -> Graph:
        return self.base.graph()

    def referrers(self, name: str) -> tuple[tuple[str, int], ...]:
        return self.base.referrers(name)

    def definers(self, name: str) -> tuple[str, ...]:
        return self.base.definers(name)

    def allowed(self, path: str) -> str | None:
        return self.base.allowed(path)

    def ignored(self, path: str) -> bool:
        return self.base.ignored(path)


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
    return replace(proposal, files=tuple(files), missing=(*proposal.missing, *missing))


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
