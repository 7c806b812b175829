"""Proposals as values: what a turn would change, hunk by hunk, and what became of each hunk.

A file's hunks lie on its `before`, the text the edit was made for, plus whatever was accepted
since. The user's own typing never moves them: it is the difference between `before` and the text of
the moment, and the hunks are carried over it three ways when they are needed. So every transition
here is arithmetic on offsets, without conflicts, and taking part now and the rest later is the same
as taking all at once.

Pure: texts in, values out. Storing is the business of `engine.proposal_store`, applying that of
`engine.accept`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pairwright.edits.diff import apply, diff
from pairwright.edits.rebase import Rebased, rebase
from pairwright.edits.types import FileChange, Hunk
from pairwright.text.document import Document
from pairwright.text.hashing import digest

Kind = Literal["modify", "create", "delete", "move"]
HunkState = Literal["proposed", "stale", "applied", "rejected", "undone"]
ProposalState = Literal["proposed", "partly accepted", "applied", "stale", "rejected", "undone"]

PENDING: tuple[HunkState, ...] = ("proposed", "stale")


@dataclass(frozen=True, slots=True)
class ProposedHunk:
    """One choice of the user. `id`: `<file index>.<hunk index>`, never reused. `hunk`: in bytes of
    the file's `before`; of an applied one, `start:end` is where its new text stands. `old`: the
    text it replaces. `accept`: of an applied or undone one, the id of the checkpoint made before it
    was applied, empty if there was none."""

    id: str
    hunk: Hunk
    state: HunkState
    old: bytes
    accept: str = ""


@dataclass(frozen=True, slots=True)
class ProposedFile:
    """One file of a proposal. `before`: the text (UTF-8, no byte order mark) the hunks lie on, None
    while the file is to be created. `base_version`, `base_digest`: the client's version (None for a
    closed file) and the digest (empty for a created file) of the text the proposal was made for. A
    created or deleted file has exactly one hunk, the whole of it. `moved_from`: of a renamed file,
    the path it had; its first hunk is the rename and changes no text."""

    path: str
    kind: Kind
    base_version: int | None
    base_digest: str
    before: bytes | None
    hunks: tuple[ProposedHunk, ...]
    moved_from: str | None = None

    @property
    def at(self) -> str:
        """Where the text is at the moment: a renamed file is at its old path until the rename is
        applied."""
        if self.moved_from is None or self.hunks[0].state == "applied":
            return self.path
        return self.moved_from

    @property
    def rename(self) -> str:
        """The id of the hunk that renames; empty if none does."""
        return self.hunks[0].id if self.moved_from is not None else ""

    @property
    def pending(self) -> tuple[ProposedHunk, ...]:
        return tuple(hunk for hunk in self.hunks if hunk.state in PENDING)

    @property
    def after(self) -> bytes | None:
        """The text if all that is still pending were accepted; None where the file would not
        exist."""
        return after(self, [hunk.id for hunk in self.pending])


@dataclass(frozen=True, slots=True)
class Proposal:
    """What one reply would do. `created`: seconds since the epoch. `request`: the user's words.
    `missing`: what the reply held beyond this and could not be placed, a line each; a proposal with
    any is incomplete. `order`: position in the list. `findings`: what checks have against it as it was proposed, a
    line each."""

    id: str
    request: str
    created: float
    files: tuple[ProposedFile, ...]
    missing: tuple[str, ...] = ()
    order: int = 0
    findings: tuple[str, ...] = ()

    @property
    def state(self) -> ProposalState:
        """Follows from the hunks' states alone."""
        states = {hunk.state for file in self.files for hunk in file.hunks}
        if "stale" in states:
            return "stale"
        if "proposed" in states:
            return "partly accepted" if "applied" in states else "proposed"
        if "applied" in states:
            return "applied"
        return "undone" if "undone" in states else "rejected"

    @property
    def open(self) -> bool:
        """Whether anything is left to choose."""
        return any(file.pending for file in self.files)


@dataclass(frozen=True, slots=True)
class Selection:
    """What the user chose: `hunks` by id, `files` by path; both empty means all that is pending."""

    files: tuple[str, ...] = ()
    hunks: tuple[str, ...] = ()

    @property
    def everything(self) -> bool:
        return not self.files and not self.hunks


@dataclass(frozen=True, slots=True)
class Clash:
    """A hunk that cannot be placed, with both sides. `old`: the lines it was made for, `new`: what it
    would make of them, `now`: what the user has there instead, None where nothing is left. `line`:
    where that begins, from 0, or -1 for the file as a whole. `reason`: for the user."""

    id: str
    path: str
    reason: str
    old: bytes
    new: bytes
    now: bytes | None
    line: int = -1


@dataclass(frozen=True, slots=True)
class Placed:
    """A file's chosen hunks on the text of the moment. `change`: None where there is nothing to
    change. `hunks`: ids in it. `clashes`: those that cannot be placed. `moved`: the text differs
    from the one the proposal lies on. `reason`: why there are clashes, for the user."""

    change: FileChange | None
    hunks: tuple[str, ...]
    clashes: tuple[Clash, ...] = ()
    moved: bool = False
    reason: str = ""

    @property
    def conflicts(self) -> tuple[str, ...]:
        """Ids of the hunks that cannot be placed."""
        return tuple(clash.id for clash in self.clashes)


def propose(
    changes: Sequence[FileChange],
    request: str,
    document: Callable[[str], Document | None],
    *,
    id: str,
    created: float,
    order: int = 0,
    missing: Sequence[str] = (),
) -> Proposal:
    """The proposal for `changes` as planned. `document` gives the text of the snapshot the plan was
    made on: its version and digest are what the proposal is held against."""
    files = tuple(
        proposed_file(index, change, document(change.moved_from or change.path))
        for index, change in enumerate(changes)
    )
    return Proposal(id, request, created, files, tuple(missing), order)


def chosen(proposal: Proposal, selection: Selection) -> tuple[str, ...] | str:
    """Ids of the pending hunks that `selection` names, or what is wrong with it, for the user."""
    pending = [hunk.id for file in proposal.files for hunk in file.pending]
    if selection.everything:
        return tuple(pending) if pending else f"Nothing is left to choose: it is {proposal.state}."
    states = {hunk.id: hunk.state for file in proposal.files for hunk in file.hunks}
    paths = [file.path for file in proposal.files]
    for path in selection.files:
        if path not in paths and all(path != file.moved_from for file in proposal.files):
            return f"{path} is not in this proposal; its files are {', '.join(paths)}."
    for id in selection.hunks:
        if id not in states:
            return f"There is no hunk {id} in this proposal; its hunks are {', '.join(states)}."
        if states[id] not in PENDING:
            return f"Hunk {id} is {states[id]} already."
    wanted = set(selection.hunks)
    for file in proposal.files:
        if file.path in selection.files or file.moved_from in selection.files:
            wanted.update(hunk.id for hunk in file.pending)
    found = tuple(id for id in pending if id in wanted)
    return found or f"Nothing is left to choose in {', '.join(selection.files)}."


def after(file: ProposedFile, ids: Collection[str]) -> bytes | None:
    """`file.before` with the pending hunks `ids` done; None where the file would not exist."""
    picked = [hunk for hunk in file.pending if hunk.id in ids]
    if file.kind == "delete":
        return None if picked else file.before
    if file.before is None:
        return picked[0].hunk.new if picked else None
    return apply(file.before, [hunk.hunk for hunk in picked])


def place(
    file: ProposedFile, now: bytes | None, ids: Collection[str], is_taken: bool = False
) -> Placed:
    """The pending hunks `ids` of `file` on the text `now` of `file.at` (None: there is no such
    file). A hunk whose lines changed since is a conflict; it is never forced. `is_taken`: something
    else stands at the path that a rename leads to."""
    picked = [hunk for hunk in file.pending if hunk.id in ids]
    names = tuple(hunk.id for hunk in picked)
    if not picked:
        return Placed(None, ())
    if file.kind == "create":
        new = picked[0].hunk.new
        if now == new:
            return Placed(None, names)
        if now:
            return _unplaced(file, picked, now, f"{file.path} exists already")
        # Editors open a file that is not there as an empty document; an empty file loses nothing either.
        hunks = diff(now, new) if now is not None else ()
        return Placed(FileChange(file.path, now, new, hunks), names)
    if now is None:
        return _unplaced(file, picked, None, f"{file.at} is gone")
    if file.kind == "delete":
        if now != file.before:
            return _unplaced(file, picked, now, f"{file.path} was changed since, so it is kept")
        return Placed(FileChange(file.path, now, None, ()), names)
    return _placed(file, now, picked, is_taken)


def _unplaced(
    file: ProposedFile, picked: Sequence[ProposedHunk], now: bytes | None, reason: str
) -> Placed:
    clashes = tuple(Clash(h.id, file.at, reason, h.old, h.hunk.new, now) for h in picked)
    return Placed(None, (), clashes, True, reason)


def _placed(file: ProposedFile, now: bytes, picked: list[ProposedHunk], is_taken: bool) -> Placed:
    assert file.before is not None
    texts = [one for one in picked if one.id != file.rename]
    moved = rebase(file.before, now, [one.hunk for one in texts])
    stuck = [
        one for at, one in enumerate(texts) if moved.hunks[at] is None and at not in moved.present
    ]
    clashes = [
        Clash(
            one.id,
            file.at,
            "its lines were changed since",
            one.old,
            one.hunk.new,
            now[met.start : met.end],
            now.count(b"\n", 0, met.start),
        )
        for one, met in zip(stuck, moved.conflicts, strict=True)
    ]
    fits = [one.id for one in texts if one not in stuck]
    reasons = []
    if stuck:
        names = _listed([one.id for one in stuck])
        reasons.append(f"{file.at}: the lines of {names} were changed since")
    change = carried(file.at, now, moved)
    if texts != picked and is_taken:
        reasons.append(f"{file.path} exists already")
        clashes.insert(0, Clash(file.rename, file.path, reasons[-1], b"", b"", None))
    elif texts != picked:
        fits.insert(0, file.rename)
        after, hunks = (change.after, change.hunks) if change else (now, ())
        change = FileChange(file.path, now, after, hunks, file.moved_from)
    return Placed(change, tuple(fits), tuple(clashes), now != file.before, "; ".join(reasons))


def carried(path: str, now: bytes, moved: Rebased) -> FileChange | None:
    """The change of `now` by those hunks that found their place on it; None if there are none."""
    hunks = tuple(hunk for hunk in moved.hunks if hunk is not None)
    return FileChange(path, now, apply(now, hunks), hunks) if hunks else None


def accepted(proposal: Proposal, ids: Collection[str], accept: str) -> Proposal:
    """After the pending hunks `ids` were applied under the checkpoint `accept`."""

    def turn(hunk: ProposedHunk) -> ProposedHunk:
        if hunk.id not in ids or hunk.state not in PENDING:
            return hunk
        return replace(hunk, state="applied", accept=accept)

    return _turned(proposal, turn)


def undone(proposal: Proposal, accept: str) -> Proposal:
    """After what was applied under the checkpoint `accept` was taken back."""

    def turn(hunk: ProposedHunk) -> ProposedHunk:
        if hunk.state != "applied" or hunk.accept != accept:
            return hunk
        return replace(hunk, state="undone")

    return _turned(proposal, turn)


def redone(proposal: Proposal, accept: str) -> Proposal:
    """After an undo of the checkpoint `accept` was itself taken back."""

    def turn(hunk: ProposedHunk) -> ProposedHunk:
        if hunk.state != "undone" or hunk.accept != accept:
            return hunk
        return replace(hunk, state="applied")

    return _turned(proposal, turn)


def rejected(proposal: Proposal, ids: Collection[str]) -> Proposal:
    """After the user turned the pending hunks `ids` down."""
    return _turned(
        proposal,
        lambda hunk: (
            replace(hunk, state="rejected") if hunk.id in ids and hunk.state in PENDING else hunk
        ),
    )


def refreshed(proposal: Proposal, texts: Mapping[str, bytes | None]) -> Proposal:
    """With each pending hunk `proposed` or `stale` by the texts of the moment, by path; a file whose
    path is not in `texts` keeps its states."""
    stale: set[str] = set()
    fresh: set[str] = set()
    for file in proposal.files:
        if file.at in texts:
            is_taken = file.at != file.path and texts.get(file.path) is not None
            ids = [hunk.id for hunk in file.pending]
            placed = place(file, texts[file.at], ids, is_taken)
            stale.update(placed.conflicts)
            fresh.update(placed.hunks)

    def turn(hunk: ProposedHunk) -> ProposedHunk:
        if hunk.id in stale:
            return replace(hunk, state="stale")
        return replace(hunk, state="proposed") if hunk.id in fresh else hunk

    return _turned(proposal, turn)


def _turned(proposal: Proposal, turn: Callable[[ProposedHunk], ProposedHunk]) -> Proposal:
    """Every hunk through `turn`, and each file's text moved along with those applied or taken
    back."""
    return replace(proposal, files=tuple(_turned_file(file, turn) for file in proposal.files))


def _turned_file(file: ProposedFile, turn: Callable[[ProposedHunk], ProposedHunk]) -> ProposedFile:
    hunks = tuple(turn(hunk) for hunk in file.hunks)
    if file.kind in ("create", "delete"):
        return _turned_whole(file, hunks)
    assert file.before is not None
    pieces: list[bytes] = []
    moved: list[ProposedHunk] = []
    at = size = 0
    for was, hunk in zip(file.hunks, hunks, strict=True):
        kept = file.before[at : was.hunk.start]
        text = file.before[was.hunk.start : was.hunk.end]
        if hunk.state == "applied" and was.state != "applied":
            text = hunk.hunk.new
        elif was.state == "applied" and hunk.state != "applied":
            text = hunk.old
        start = size + len(kept)
        size = start + len(text)
        at = was.hunk.end
        pieces += (kept, text)
        moved.append(replace(hunk, hunk=replace(hunk.hunk, start=start, end=size)))
    before = b"".join((*pieces, file.before[at:]))
    return replace(file, before=before, hunks=tuple(moved))


def _turned_whole(file: ProposedFile, hunks: tuple[ProposedHunk, ...]) -> ProposedFile:
    """A created file's text is there while it is applied, a deleted one's while it is not."""
    (hunk,) = hunks
    if file.kind == "create":
        return replace(file, before=hunk.hunk.new if hunk.state == "applied" else None, hunks=hunks)
    return replace(file, before=None if hunk.state == "applied" else hunk.old, hunks=hunks)


def proposed_file(index: int, change: FileChange, document: Document | None) -> ProposedFile:
    """`change` as the file number `index` of a proposal. `document`: the text it was planned on."""
    kind: Kind = "modify"
    hunks: Sequence[Hunk] = change.hunks
    if change.before is None:
        kind, hunks = "create", (Hunk(0, 0, change.after or b""),)
    elif change.after is None:
        kind, hunks = "delete", (Hunk(0, len(change.before), b""),)
    elif change.moved_from is not None:
        kind, hunks = "move", (Hunk(0, 0, b""), *change.hunks)
    before = change.before or b""
    return ProposedFile(
        path=change.path,
        kind=kind,
        base_version=document.version if document else None,
        base_digest="" if change.before is None else digest(change.before),
        before=change.before,
        hunks=tuple(
            ProposedHunk(f"{index}.{at}", hunk, "proposed", before[hunk.start : hunk.end])
            for at, hunk in enumerate(hunks)
        ),
        moved_from=change.moved_from,
    )


def _listed(ids: Sequence[str]) -> str:
    return ("hunk " if len(ids) == 1 else "hunks ") + ", ".join(ids)
