"""Checkpoints as text for people: the list, and what a change did as a diff.

`changes_of` reads the store, so call it from a worker thread; the rest is pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo

from pairwright.checkpoints.repo import Store
from pairwright.checkpoints.types import LINK, Checkpoint, Files, FileState
from pairwright.edits.diff import diff
from pairwright.edits.types import FileChange
from pairwright.edits.unified import unified
from pairwright.engine.accept_capture import text_of
from pairwright.engine.change import Work
from pairwright.engine.undo_history import History

_SHOWN_PATHS = 3


@dataclass(frozen=True, slots=True)
class Entry:
    """One change in the list. `undone`: it is taken back at the moment. `text`: one line for the
    user."""

    checkpoint: Checkpoint
    undone: bool
    text: str


def entries(store: Store, limit: int = 50, zone: tzinfo | None = None) -> tuple[Entry, ...]:
    """The newest changes, newest first; a checkpoint before a change is shown only when nothing
    followed it. `zone`: None for the machine's own. Raises CheckpointError."""
    # Pairs, and the undo of one may lie anywhere above it.
    history = History.of(store.list(2 * limit + 2))
    followed = {checkpoint.base for checkpoint in history.found if checkpoint.base}
    shown = [
        one for one in history.found if one.kind != "saved" and (one.base or one.id not in followed)
    ]
    return tuple(
        Entry(one, one.id in history.gone, _line(one, one.id in history.gone, zone))
        for one in shown[:limit]
    )


def latest(store: Store, kind: str) -> Checkpoint | None:
    """The last change of `kind` that stands; of undos, the last that is no redo. Raises
    CheckpointError."""
    history = History.of(store.list(10_000))
    undos = {one.id for one in history.found if one.kind == "undo"}
    standing = [one for one in history.standing(kind) if one.undoes not in undos]
    return standing[0] if standing else None


def whole_id(store: Store, id: str) -> str:
    """The id that begins with `id` (7 hex or more), empty if there is not exactly one. Raises
    CheckpointError."""
    if len(id) == 40:
        return id if store.get(id) is not None else ""
    found = [one.id for one in store.list(10_000) if len(id) >= 7 and one.id.startswith(id)]
    return found[0] if len(found) == 1 else ""


def changes_of(store: Store, id: str) -> str | None:
    """What the change at checkpoint `id` did, as a unified diff; None if there is no such
    checkpoint. Of a checkpoint that nothing followed, what it holds. Raises CheckpointError."""
    checkpoint = store.get(id)
    if checkpoint is None:
        return None
    if not checkpoint.base:
        checkpoint = History.of(store.list(10_000)).follower(id) or checkpoint
    after = store.read(checkpoint.id)
    before = store.read(checkpoint.base) if checkpoint.base else {}
    if after is None or before is None:
        return None
    return "\n".join(_diffs(before, after))


def work_as_text(work: Work) -> str:
    """What a plan would change, for reading."""
    pieces = [unified(change) for change in work.changes]
    for raw in work.raw:
        what = "removed" if raw.state.data is None else f"written, {_size(raw.state)}"
        pieces.append(f"{raw.path}: {what}\n")
    pieces += [f"{path}: mode set to {mode:o}\n" for path, mode in work.modes]
    return "".join(pieces) or "nothing\n"


def _line(checkpoint: Checkpoint, undone: bool, zone: tzinfo | None) -> str:
    when = datetime.fromtimestamp(checkpoint.time, zone).strftime("%Y-%m-%d %H:%M:%S")
    names = ", ".join(checkpoint.paths[:_SHOWN_PATHS])
    more = len(checkpoint.paths) - _SHOWN_PATHS
    files = f"{names} and {more} more" if more > 0 else names
    what = checkpoint.note or "(no request)"
    state = "  (undone)" if undone else ""
    if checkpoint.kind == "before":
        state = "  (nothing followed)"
    return f"{checkpoint.id[:8]}  {when}  {what}  [{files}]{state}"


def _diffs(before: Files, after: Files) -> Iterator[str]:
    for path in sorted(after):
        if path.endswith("/"):
            continue
        old, new = before.get(path, FileState(None)), after[path]
        if old.data is not None and new.data is not None and old.mode != new.mode:
            yield f"{path}: mode {old.mode:o} became {new.mode:o}"
        if old.data == new.data:
            continue
        texts = _shown(old), _shown(new)
        if (texts[0] is None and old.data is not None) or (
            texts[1] is None and new.data is not None
        ):
            yield f"{path}: binary, {_size(old)} became {_size(new)}"
            continue
        whole = texts[0] is None or texts[1] is None
        hunks = () if whole else diff(texts[0] or b"", texts[1] or b"")
        yield unified(FileChange(path, texts[0], texts[1], hunks))


def _shown(state: FileState) -> bytes | None:
    """The text of a state for reading; of a link, where it leads."""
    if state.mode == LINK and state.data is not None:
        return b"link to " + state.data
    return text_of(state)


def _size(state: FileState) -> str:
    return "nothing" if state.data is None else f"{len(state.data)} bytes"
