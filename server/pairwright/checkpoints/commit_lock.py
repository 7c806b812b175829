"""Holding the index of a repository as git holds it: by an `index.lock` that is made
once or not at all.

While it is held no other git command changes the index or commits in this work tree. Our lock names
its owner and what is about to be done, so that one left by a killed process is known and its work
brought to an end; anybody else's is respected.
Blocking."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import socket
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pairwright.checkpoints.commit_git import GitFailed

# A git command at a terminal holds the lock for milliseconds.
_PATIENCE = 2.0
_NAME = "pairwright"


@dataclass(frozen=True, slots=True)
class Held:
    """The lock of `index`. `handle`: while it or a copy of it is open the owner is alive; for the
    commands that go on after a kill."""

    index: Path
    handle: int = -1

    def note(self, plan: Mapping[str, Any]) -> None:
        """Write into the lock what is about to be done, for who finds it after a kill."""
        with lock_of(self.index).open("ab") as file:
            file.write(json.dumps(plan).encode())
            file.flush()
            os.fsync(file.fileno())

    def publish(self, made: Path) -> None:
        """Make a copy of `made` the index, whole or not at all, with the time it was made."""
        fresh = self.index.with_name(f"{self.index.name}.{_NAME}-{os.getpid()}")
        try:
            shutil.copy2(made, fresh)
            with fresh.open("rb") as file:
                os.fsync(file.fileno())
            fresh.chmod(self.index.stat().st_mode & 0o7777 if self.index.exists() else 0o644)
            # Not by way of the lock, which says whose it is until it is gone.
            fresh.replace(self.index)
        finally:
            fresh.unlink(missing_ok=True)


@contextlib.contextmanager
def holding(index: Path) -> Iterator[Held]:
    """Hold `index.lock` beside `index`. Raises GitFailed where somebody else holds it, OSError where
    it cannot be written."""
    lock = lock_of(index)
    handle = _taken(lock)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.write(handle, f"{_NAME} {os.getpid()} {socket.gethostname()}\n".encode())
        yield Held(index, handle)
    finally:
        lock.unlink(missing_ok=True)
        os.close(handle)


def left_behind(index: Path) -> Mapping[str, Any] | None:
    """What a killed process of ours noted in the lock it left; empty if it had not begun; None if
    there is no such lock, or if it or a git command it ran is alive."""
    try:
        with lock_of(index).open("rb") as file:
            first, _, rest = file.read().partition(b"\n")
            if not _is_ours(first):
                return None
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        found = json.loads(rest) if rest.strip() else {}
        return found if isinstance(found, dict) else {}
    except OSError:
        return None
    except ValueError:
        # Killed while it wrote the note, which comes before anything else.
        return {}


def clear(index: Path) -> None:
    """Remove what `left_behind` spoke of."""
    for fresh in index.parent.glob(f"{index.name}.{_NAME}-*"):
        fresh.unlink(missing_ok=True)
    lock_of(index).unlink(missing_ok=True)


def lock_of(index: Path) -> Path:
    return index.with_name(f"{index.name}.lock")


def _taken(lock: Path) -> int:
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            return os.open(lock, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o666)
        except FileExistsError:
            if time.monotonic() > until:
                text = f"another git command holds {lock}; if none is running, remove that file"
                raise GitFailed(text) from None
            time.sleep(0.05)


def _is_ours(line: bytes) -> bool:
    """Whether `line` was written by a process of ours on this machine."""
    words = line.decode("utf-8", "replace").split()
    return len(words) == 3 and (words[0], words[2]) == (_NAME, socket.gethostname())
