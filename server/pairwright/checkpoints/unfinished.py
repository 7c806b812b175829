"""Notes about changes on their way, so that a start after a kill can say what became of them.

A note is on disk before the first file changes and goes when the change has its end. Its owner
holds a lock that the system drops with the process: a note whose lock is free was left behind.
Knows no editor and judges nothing. Blocking: call it from a worker thread."""

from __future__ import annotations

import contextlib
import json
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pairwright.checkpoints.place import replace

if TYPE_CHECKING:
    from filelock import FileLock

_PREFIX = "unfinished-"
_NOTE = ".json"


@dataclass(frozen=True, slots=True)
class Intent:
    """One change that is about to be made. `before`: id of the checkpoint in front of it. `kind`,
    `note`, `proposal`, `undoes`, `group`: what the one behind it is to say. `hunks`: ids of the
    proposal's hunks. `texts`, `raw`: path -> digest of the text (UTF-8) or of the bytes on disk
    when all is done, None where there will be no file."""

    before: str
    kind: str
    note: str
    proposal: str = ""
    undoes: str = ""
    group: str = ""
    hunks: tuple[str, ...] = ()
    texts: Mapping[str, str | None] = field(default_factory=dict)
    raw: Mapping[str, str | None] = field(default_factory=dict)


class Note:
    """An intent that is written down; `erase` it when the change has its end."""

    def __init__(self, path: Path, lock: FileLock, intent: Intent) -> None:
        self.intent = intent
        self._path = path
        self._lock = lock

    def erase(self) -> None:
        """The change has its end, whatever it is. Raises OSError."""
        self._path.unlink(missing_ok=True)
        self.leave()
        with contextlib.suppress(OSError):
            Path(self._lock.lock_file).unlink(missing_ok=True)

    def leave(self) -> None:
        """Let another start deal with it."""
        self._lock.release()


def write_down(folder: Path, intent: Intent) -> Note:
    """`intent`, on disk in the store's `folder` when this returns. Raises OSError."""
    path = folder / f"{_PREFIX}{secrets.token_hex(6)}{_NOTE}"
    lock = _lock_of(path)
    lock.acquire(timeout=0)
    note = Note(path, lock, intent)
    try:
        replace(path, json.dumps(asdict(intent)).encode("ascii"))
    except OSError:
        note.erase()
        raise
    return note


def has_left(folder: Path) -> bool:
    """Whether there is any note in the store's `folder`, left behind or not; loads nothing."""
    return next(folder.glob(f"{_PREFIX}*{_NOTE}"), None) is not None


def left(folder: Path) -> Iterator[Note]:
    """The notes that nobody works on, held by the caller from here on; damaged ones are removed.
    Raises OSError."""
    from filelock import Timeout

    for path in sorted(folder.glob(f"{_PREFIX}*{_NOTE}")):
        lock = _lock_of(path)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            continue
        intent = _read(path)
        note = Note(path, lock, intent or Intent("", "", ""))
        if intent is None:
            note.erase()
            continue
        yield note


def _lock_of(path: Path) -> FileLock:
    from filelock import FileLock

    # Taken in one worker thread and let go in another.
    return FileLock(path.with_suffix(".lock"), mode=0o600, thread_local=False)


def _read(path: Path) -> Intent | None:
    try:
        tree = json.loads(path.read_bytes())
        return Intent(**{**tree, "hunks": tuple(tree["hunks"])})
    except (KeyError, TypeError, ValueError, FileNotFoundError):
        return None
