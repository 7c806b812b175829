"""Holding the index of a repository as git holds it: by an `index.lock` that is made
once or not at all.

While it is held no other git command changes the index or commits in this work tree. Our lock names
its owner, so that one left by a killed process is known and broken; anybody else's is respected.
Blocking."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pairwright.checkpoints.commit_git import GitFailed

# A git command at a terminal holds the lock for milliseconds.
_PATIENCE = 2.0
_NAME = "pairwright"


@dataclass(frozen=True, slots=True)
class Held:
    """The lock of `index`."""

    index: Path

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
    lock = index.with_name(f"{index.name}.lock")
    handle = _taken(lock)
    try:
        os.write(handle, f"{_NAME} {os.getpid()} {socket.gethostname()}\n".encode())
        os.close(handle)
        yield Held(index)
    finally:
        lock.unlink(missing_ok=True)


def _taken(lock: Path) -> int:
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            return os.open(lock, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o666)
        except FileExistsError:
            if _is_left_behind(lock):
                lock.unlink(missing_ok=True)
            elif time.monotonic() > until:
                text = f"another git command holds {lock}; if none is running, remove that file"
                raise GitFailed(text) from None
            else:
                time.sleep(0.05)


def _is_left_behind(lock: Path) -> bool:
    """Whether the lock is ours and its process on this machine is dead."""
    try:
        with lock.open("rb") as file:
            words = file.read(200).decode("ascii").split()
        if len(words) != 3 or words[0] != _NAME or words[2] != socket.gethostname():
            return False
        os.kill(int(words[1]), 0)
    except ProcessLookupError:
        return True
    except (OSError, ValueError):
        return False
    return False
