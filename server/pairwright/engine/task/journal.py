"""The journal of a task on disk: one file a task, events only added to its end, each flushed before what follows it.

A line begins and ends with a line end of its own, so that a kill in the middle of one costs that line alone; the
event it would have told has then not happened, and what stands in the workspace says the rest. One server works at a
task at a time, by a lock that dies with its process. Blocking: not for the event loop.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from pairwright.engine.task.state import (
    Event,
    Made,
    Moved,
    Opened,
    Planned,
    State,
    Text,
    Tried,
    Turned,
    folded,
)

SCHEMA = 1
_SUFFIX = ".jsonl"
_PLAIN = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_KINDS: dict[str, type[Event]] = {
    "opened": Opened,
    "planned": Planned,
    "tried": Tried,
    "made": Made,
    "moved": Moved,
    "turned": Turned,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)


class Busy(Exception):
    """Another process works at the task."""


class Journal:
    """The tasks below `folder`, which is made when there is something to write."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def append(self, task: str, event: Event) -> None:
        """Add to the task, on disk when this returns. Raises OSError."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._path(task)
        handle = os.open(path, _APPEND, 0o600)
        try:
            is_new = os.fstat(handle).st_size == 0
            left = memoryview(b"\n" + encode(event) + b"\n")
            while left:
                left = left[os.write(handle, left) :]
            os.fsync(handle)
        finally:
            os.close(handle)
        if is_new:
            _flush_folder(self.folder)

    def read(self, task: str) -> State | None:
        """The task as its journal tells it; None if there is none. Raises OSError."""
        try:
            data = self._path(task).read_bytes()
        except FileNotFoundError:
            return None
        state = folded(_events(data))
        return state if state.id else None

    def listed(self) -> tuple[State, ...]:
        """Every task, the newest first; what cannot be read is left out."""
        found: list[State] = []
        for path in sorted(self.folder.glob(f"*{_SUFFIX}")) if self.folder.is_dir() else ():
            with contextlib.suppress(OSError):
                state = folded(_events(path.read_bytes()))
                found += [state] if state.id else []
        return tuple(sorted(found, key=lambda state: (-state.at, state.id)))

    def prune(self, before: float) -> int:
        """Remove the tasks of which nothing was written since `before`, in seconds since the epoch; how many. One
        that a process works at stays, and so does what cannot be removed."""
        removed = 0
        for path in sorted(self.folder.glob(f"*{_SUFFIX}")) if self.folder.is_dir() else ():
            with contextlib.suppress(OSError, Busy):
                if path.stat().st_mtime >= before:
                    continue
                with self.held(path.stem):
                    path.unlink()
                    removed += 1
                    # While it is held: one that somebody else took meanwhile must keep its name.
                    path.with_suffix(".lock").unlink(missing_ok=True)
        return removed

    @contextlib.contextmanager
    def held(self, task: str) -> Iterator[None]:
        """Work at the task. Raises Busy where another process does, and OSError."""
        from filelock import FileLock, Timeout

        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = FileLock(self._path(task).with_suffix(".lock"), mode=0o600, thread_local=False)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise Busy from None
        try:
            yield
        finally:
            lock.release()

    def _path(self, task: str) -> Path:
        if not _PLAIN.fullmatch(task):
            raise FileNotFoundError(f"there is no task {task}")
        return self.folder / f"{task}{_SUFFIX}"


def _flush_folder(folder: Path) -> None:
    """The name of a new file is on disk too."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _events(data: bytes) -> list[Event]:
    found: list[Event] = []
    for line in data.split(b"\n"):
        if line.strip():
            # What is damaged did not happen.
            with contextlib.suppress(ValueError, KeyError, TypeError):
                found.append(decode(line))
    return found


def encode(event: Event) -> bytes:
    """One line without its end."""
    row = {field.name: _wire(getattr(event, field.name)) for field in fields(event)}
    return json.dumps(
        {"event": _NAMES[type(event)], "schema": SCHEMA, **row}, ensure_ascii=True
    ).encode()


def decode(line: bytes) -> Event:
    """The inverse of `encode`. Raises ValueError, KeyError or TypeError on anything else."""
    row: dict[str, Any] = json.loads(line)
    if row.pop("schema") != SCHEMA:
        raise ValueError("written by another version")
    kind = _KINDS[row.pop("event")]
    if kind is Made:
        row["texts"] = tuple(_text(one) for one in row["texts"])
    names = {field.name for field in fields(kind)}
    return kind(**{name: _back(value) for name, value in row.items() if name in names})


def _wire(value: Any) -> Any:
    if isinstance(value, Text):
        return [value.path, _coded(value.before), _coded(value.after)]
    if isinstance(value, tuple):
        return [_wire(one) for one in value]
    return value


def _back(value: Any) -> Any:
    return tuple(_back(one) for one in value) if isinstance(value, list) else value


def _coded(data: bytes | None) -> str | None:
    return None if data is None else base64.b64encode(data).decode("ascii")


def _text(row: Sequence[Any]) -> Text:
    path, before, after = row
    return Text(path, _decoded(before), _decoded(after))


def _decoded(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text)
