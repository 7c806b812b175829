"""The door through which files on disk are written: inside the root, all of a change or nothing.

Each file is written beside itself and renamed into place; mode bits stay, a link is followed to its
file. What was written is taken back when a later file fails. Knows bytes, no texts and no edits.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pairwright.edits.paths import unsafe

_TEMPORARY = ".pairwright-"


@dataclass(frozen=True, slots=True)
class Write:
    """The file `path` (relative, with `/`) goes from the bytes `before` to `after`; None: no such
    file. `like`: a file whose mode a new one takes over."""

    path: str
    before: bytes | None
    after: bytes | None
    like: str | None = None


def refusal(root: Path, path: str) -> str | None:
    """Why `path` may not be written below `root`, or None. Links are resolved, existing parents are
    judged."""
    if reason := unsafe(path):
        return reason
    base = root.resolve()
    try:
        real = (base / path).resolve()
        if not real.is_relative_to(base):
            return "it is a link that leads outside the workspace, which is not allowed."
        inner = real.relative_to(base).as_posix()
        if reason := unsafe(inner):
            return reason
        return _unfit(real, base)
    except (OSError, RuntimeError, ValueError) as error:
        return f"it cannot be reached: {error}."


def write_all(root: Path, writes: Sequence[Write]) -> tuple[str, ...]:
    """Do all `writes` or none; the reasons why not, each with its path, empty when all is done.

    A file that no longer holds `before` is stale and stops everything before anything is written.
    """
    base = root.resolve()
    reasons = [
        f"{w.path}: {why}" for w in writes if (why := refusal(base, w.path) or _stale(base, w))
    ]
    if reasons:
        return tuple(reasons)
    real = [(base / write.path).resolve() for write in writes]
    if len(set(real)) < len(real):
        listed = ", ".join(write.path for write in writes)
        return (f"Two of the paths lead to the same file: {listed}.",)
    job = _Job(base)
    for write, target in zip(writes, real, strict=True):
        try:
            job.stage(write, target)
        except OSError as error:
            return (f"{write.path}: {error.strerror or error}.", *job.back_out())
    for write, target in zip(writes, real, strict=True):
        try:
            job.commit(write, target)
        except OSError as error:
            return (f"{write.path}: {error.strerror or error}.", *job.back_out())
    return ()


class _Job:
    """One `write_all`: what is staged, what is done, and how to take it back."""

    def __init__(self, base: Path) -> None:
        self._base = base
        self._staged: dict[Path, Path] = {}
        self._folders: list[Path] = []
        self._done: list[tuple[Write, Path, os.stat_result | None]] = []

    def stage(self, write: Write, target: Path) -> None:
        """Put the new bytes beside `target`, with its mode."""
        if write.after is None:
            return
        self._make_folders(target.parent)
        staged = target.parent / f"{_TEMPORARY}{secrets.token_hex(8)}"
        with staged.open("xb") as file:
            self._staged[target] = staged
            file.write(write.after)
            file.flush()
            os.fsync(file.fileno())
        model = target if write.before is not None else self._base / (write.like or "")
        if write.before is not None or write.like is not None:
            shutil.copystat(model, staged)
            os.utime(staged)

    def commit(self, write: Write, target: Path) -> None:
        """Put the staged file in place, or remove `target`."""
        if write.before is None:
            _put_new(self._staged[target], target)
            self._done.append((write, target, None))
            self._staged.pop(target).unlink(missing_ok=True)
            return
        state = target.stat()
        if target.read_bytes() != write.before:
            raise OSError(errno.EBUSY, "the file has changed meanwhile: try again")
        # From here on a failure may leave the file half written: it must be put back.
        self._done.append((write, target, state))
        if write.after is None:
            target.unlink()
        elif state.st_nlink > 1 or not _same_owner(self._staged[target], state):
            # A rename would part hard links or change the owner.
            target.write_bytes(write.after)
            self._staged.pop(target).unlink()
        else:
            self._staged.pop(target).replace(target)

    def back_out(self) -> tuple[str, ...]:
        """Undo what is done; what could not be undone, for the user."""
        lost: list[str] = []
        for write, target, state in reversed(self._done):
            try:
                _restore(write, target, state)
            except OSError as error:
                lost.append(f"{write.path}: could not be put back: {error.strerror or error}.")
        for staged in self._staged.values():
            with contextlib.suppress(OSError):
                staged.unlink()
        for folder in reversed(self._folders):
            with contextlib.suppress(OSError):
                folder.rmdir()
        return tuple(lost)

    def _make_folders(self, folder: Path) -> None:
        missing: list[Path] = []
        while not folder.exists():
            missing.append(folder)
            folder = folder.parent
        for one in reversed(missing):
            one.mkdir()
            self._folders.append(one)


def _put_new(staged: Path, target: Path) -> None:
    """Give `staged` the name `target`, which must not exist."""
    try:
        # A link fails where a file has appeared meanwhile; a rename would replace it.
        os.link(staged, target)
    except FileExistsError:
        raise
    except OSError:
        if os.path.lexists(target):
            raise
        staged.rename(target)


def _restore(write: Write, target: Path, state: os.stat_result | None) -> None:
    if write.before is None:
        target.unlink()
        return
    target.write_bytes(write.before)
    if state is not None:
        target.chmod(stat.S_IMODE(state.st_mode))


def _unfit(real: Path, base: Path) -> str | None:
    """Why the file or directory that `real` is may not be written."""
    if real.exists():
        mode = real.stat().st_mode
        if stat.S_ISDIR(mode):
            return "this names a directory, not a file."
        if not stat.S_ISREG(mode):
            return "it is no regular file."
        if not mode & 0o222 or not os.access(real, os.W_OK):
            return "it is read-only on disk."
        return None
    parent = real.parent
    while parent != base and not parent.exists():
        parent = parent.parent
    return None if parent.is_dir() else f"{parent.relative_to(base).as_posix()} is a file."


def _stale(base: Path, write: Write) -> str | None:
    real = (base / write.path).resolve()
    try:
        now = real.read_bytes()
    except FileNotFoundError:
        return None if write.before is None else "the file is gone."
    except OSError as error:
        return f"{error.strerror or error}."
    if write.before is None:
        return "the file exists already."
    return None if now == write.before else "the file has changed since it was read: try again."


def _same_owner(staged: Path, state: os.stat_result) -> bool:
    mine = staged.stat()
    return (mine.st_uid, mine.st_gid) == (state.st_uid, state.st_gid)
