"""What taking a change back, or going to a checkpoint, does to one file on the texts of the moment.

Reads the snapshot and the disk; call it from a worker thread. Decides nothing about which change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from pairwright.checkpoints.types import LINK, Checkpoint, Files, FileState
from pairwright.edits.diff import diff
from pairwright.edits.lines import split
from pairwright.edits.rebase import Conflict as Meeting
from pairwright.edits.rebase import rebase
from pairwright.edits.types import FileChange
from pairwright.engine.accept_capture import text_of
from pairwright.engine.accept_disk import standing
from pairwright.engine.change import RawWrite, Work
from pairwright.engine.proposals import carried
from pairwright.engine.undo_form import is_form, with_form
from pairwright.workspace.types import Snapshot


@dataclass(frozen=True, slots=True)
class Conflict:
    """Why a file cannot be taken back. `line`: 1-based in the text of the moment, 0 where it is
    about the whole file. `now`: the lines that stand there; `wanted`: those that would have to."""

    path: str
    reason: str
    line: int = 0
    now: str = ""
    wanted: str = ""


@dataclass(frozen=True, slots=True)
class Planned:
    """All steps or none: `work` has a `stop` if there is any conflict."""

    work: Work
    conflicts: tuple[Conflict, ...] = ()


def planned_undo(
    snapshot: Snapshot, source: Files, target: Files, change: Checkpoint, saved: Files
) -> Planned:
    """Bring the paths of `change` from `source` back to `target`, keeping what was done to them
    since. `saved`: what the save right behind the change made of them, as far as that is known."""
    paths = change.paths
    steps = []
    moved: set[str] = set()
    for pair in change.moves:
        step = step_of(partial(_moved_back, pair), snapshot, pair[1], source, target, saved)
        if step != Step():
            moved.update(pair)
            steps.append(step)
    for path in (path for path in paths if path not in moved):
        steps.append(step_of(Step.undoing, snapshot, path, source, target, saved))
    return whole(steps, paths)


def planned_restore(snapshot: Snapshot, files: Files, paths: Sequence[str]) -> Planned:
    """Bring `paths` to what `files` holds, whatever stands there."""
    return whole([step_of(Step.restoring, snapshot, path, files) for path in paths], paths)


@dataclass(frozen=True, slots=True)
class Step:
    """What one file needs: at most one of `change` and `raw`; or `conflicts`, why it cannot be
    done."""

    change: FileChange | None = None
    raw: RawWrite | None = None
    mode: tuple[str, int] | None = None
    folders: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()

    @classmethod
    def against(cls, path: str, reason: str) -> Step:
        """No step, for `reason`."""
        return cls(conflicts=(Conflict(path, reason),))

    @classmethod
    def undoing(
        cls, snapshot: Snapshot, path: str, source: Files, target: Files, saved: Files
    ) -> Step:
        """From `source` back to `target`, keeping what was done to `path` since."""
        was, wanted = source[path], target[path]
        now = _now(snapshot, path)
        if wanted.data is None:
            step = _removed(snapshot, path, was, now, saved.get(path))
            return replace(step, folders=_folders(target, path))
        if was.data is None:
            return _brought_back(snapshot, path, wanted, now)
        old, new = text_of(was), text_of(wanted)
        if old is None or new is None or now is None:
            return _exchanged(snapshot, path, was, wanted)
        formed = saved.get(path)
        old = with_form(new, old, now, text_of(formed) if formed else None)
        moved = rebase(old, now, diff(old, new))
        if moved.conflicts:
            return cls(conflicts=tuple(_shown(path, now, one) for one in moved.conflicts))
        return cls(carried(path, now, moved), mode=_mode(snapshot, path, was, wanted))

    @classmethod
    def restoring(cls, snapshot: Snapshot, path: str, target: Files) -> Step:
        """To `target`, whatever stands at `path`."""
        wanted = target[path]
        now = _now(snapshot, path)
        if wanted.data is None:
            if now is None:
                return cls(raw=_raw(snapshot, path, wanted))
            return cls(FileChange(path, now, None, ()), folders=_folders(target, path))
        text = text_of(wanted)
        if now is None or text is None:
            if path in snapshot.buffers:
                return cls.against(path, "is open and has no text to go back to; close it first")
            return cls(raw=_raw(snapshot, path, wanted))
        disk = snapshot.on_disk(path)
        here = disk.mode & 0o7777 if disk else wanted.mode
        mode = (path, wanted.mode) if wanted.mode != here else None
        if now == text:
            same = path in snapshot.buffers or disk is None or disk.raw == wanted.data
            return cls(mode=mode) if same else cls(raw=_raw(snapshot, path, wanted))
        return cls(FileChange(path, now, text, diff(now, text)), mode=mode)


def step_of(make: Callable[..., Step], snapshot: Snapshot, path: str, *files: Files) -> Step:
    """`make`, where what cannot be read is a conflict."""
    try:
        return make(snapshot, path, *files)
    except OSError as error:
        return Step.against(path, f"cannot be read ({error.strerror or error})")


def _moved_back(
    pair: tuple[str, str], snapshot: Snapshot, path: str, source: Files, target: Files, saved: Files
) -> Step:
    """The file was renamed, and what was done to it since goes back with it. No step where nothing
    was: its old bytes are put back then."""
    first = pair[0]
    old, new, now = text_of(source[path]), text_of(target[first]), _now(snapshot, path)
    if old is None or new is None or now is None or now == old:
        return Step()
    if _now(snapshot, first) is not None or standing(snapshot.root, first).data is not None:
        return Step.against(first, "exists again")
    formed = saved.get(path)
    old = with_form(new, old, now, text_of(formed) if formed else None)
    moved = rebase(old, now, diff(old, new))
    if moved.conflicts:
        return Step(conflicts=tuple(_shown(path, now, one) for one in moved.conflicts))
    back = carried(path, now, moved)
    after, hunks = (back.after, back.hunks) if back else (now, ())
    return Step(FileChange(first, now, after, hunks, path), folders=_folders(target, path))


def _removed(
    snapshot: Snapshot, path: str, was: FileState, now: bytes | None, saved: FileState | None
) -> Step:
    """The file did not exist before."""
    if now is None:
        here = standing(snapshot.root, path)
        if here.data is None:
            return Step()
        return _exchanged(snapshot, path, was, FileState(None))
    made = [text_of(was), text_of(saved) if saved else None]
    if now not in made and not (made[0] and is_form(made[0], now)):
        return Step.against(path, "was changed since it was created, so it is kept")
    return Step(FileChange(path, now, None, ()))


def _brought_back(snapshot: Snapshot, path: str, wanted: FileState, now: bytes | None) -> Step:
    """The file was deleted."""
    if now is not None:
        if now == text_of(wanted):
            return Step()
        return Step.against(path, "exists again")
    return _exchanged(snapshot, path, FileState(None), wanted)


def _exchanged(snapshot: Snapshot, path: str, was: FileState, wanted: FileState) -> Step:
    """Exact bytes on disk, if they are as they were left and no editor holds the file."""
    if path in snapshot.buffers:
        return Step.against(path, "is open in the editor; close it first")
    here = standing(snapshot.root, path)
    if here.data != was.data or (here.mode == LINK) != (was.mode == LINK):
        return Step.against(path, "was changed since" if here.data is not None else "is gone")
    return Step(raw=RawWrite(path, wanted, here))


def _mode(
    snapshot: Snapshot, path: str, was: FileState, wanted: FileState
) -> tuple[str, int] | None:
    """The mode to put back, if the change altered it and nobody did since."""
    disk = snapshot.on_disk(path)
    if disk is None or was.mode == wanted.mode or disk.mode & 0o7777 != was.mode:
        return None
    return path, wanted.mode


def _raw(snapshot: Snapshot, path: str, wanted: FileState) -> RawWrite | None:
    here = standing(snapshot.root, path)
    same = here.data == wanted.data and (wanted.data is None or here.mode == wanted.mode)
    return None if same else RawWrite(path, wanted, here)


def _folders(target: Mapping[str, FileState], path: str) -> tuple[str, ...]:
    """Directories that did not exist before and hold `path`."""
    return tuple(name for name in target if name.endswith("/") and path.startswith(name))


def _now(snapshot: Snapshot, path: str) -> bytes | None:
    document = snapshot.document(path)
    return document.data if document else None


def whole(steps: Sequence[Step], paths: Sequence[str]) -> Planned:
    """All steps or none."""
    conflicts = tuple(conflict for step in steps for conflict in step.conflicts)
    if conflicts:
        reasons = dict.fromkeys(_reason(conflict) for conflict in conflicts)
        return Planned(
            Work(stop=f"Nothing was changed. {'; '.join(reasons)}.", stale=True), conflicts
        )
    work = Work(
        changes=tuple(step.change for step in steps if step.change),
        raw=tuple(step.raw for step in steps if step.raw),
        modes=tuple(step.mode for step in steps if step.mode),
        folders=tuple(sorted({name for step in steps for name in step.folders})),
        paths=tuple(paths),
    )
    return Planned(work)


def _shown(path: str, now: bytes, conflict: Meeting) -> Conflict:
    """Both sides of a place where later edits are in the way."""
    return Conflict(
        path,
        "the same lines were changed since",
        1 + len(split(now[: conflict.start])),
        now[conflict.start : conflict.end].decode("utf-8", "replace"),
        conflict.hunk.new.decode("utf-8", "replace"),
    )


def _reason(conflict: Conflict) -> str:
    if not conflict.line:
        return f"{conflict.path} {conflict.reason}"
    first = (split(conflict.now.encode()) or [b""])[0].decode().strip()
    what = f"line {conflict.line} is {first[:60]!r}" if first else f"at line {conflict.line}"
    return f"{conflict.path}: {conflict.reason} ({what})"
