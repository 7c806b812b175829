"""Conversations of one workspace on disk: one file each, lines only ever added to its end.

A line is written by one call, under a lock that dies with its process, so servers share a file; a kill in the middle
of one costs that line, since each begins with a line end of its own. The folder is open to the user alone. Calls wait
for the disk and for other servers: the event loop must not make them.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pairwright.memory.chat import Exchange, Opened, Record
from pairwright.memory.records import TURN, Newer, decode, encode
from pairwright.text.hashing import digest

_SUFFIX = ".jsonl"
_PLAIN = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_WAIT_SECONDS = 5.0
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True, slots=True)
class Read:
    """`records` after the place asked for, in order; `end`: the place behind them. `opened`: whose file it is,
    None if there is no such conversation. `damaged`: how many lines are no record and were left out."""

    opened: Opened | None
    records: tuple[Record, ...] = ()
    end: int = 0
    damaged: int = 0


@dataclass(frozen=True, slots=True)
class Listed:
    """A conversation in a list. `first`: its first turn. `created`, `updated`: seconds since the epoch."""

    session: str
    first: Exchange
    turns: int
    created: float
    updated: float


class Store:
    """The conversations below `folder`, which is made when there is something to write."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def append(self, opened: Opened, records: Sequence[Record]) -> None:
        """Add to the conversation of `opened`, which is made if it is not there. Raises OSError."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._path(opened.session)
        with self._locked():
            handle = os.open(path, _APPEND, 0o600)
            try:
                is_new = os.fstat(handle).st_size == 0
                lines = [encode(record) for record in (*((opened,) if is_new else ()), *records)]
                _write(handle, b"".join(b"\n" + line + b"\n" for line in lines))
            finally:
                os.close(handle)

    def read(self, session: str, start: int = 0) -> Read:
        """What the file of `session` holds from the byte `start`. A last line without an end is not read: it may
        be on its way. Raises OSError, and Newer for one that a later version wrote."""
        try:
            with self._path(session).open("rb") as file:
                first = next((line for line in file if line.strip()), b"")
                file.seek(start)
                data = file.read()
        except FileNotFoundError:
            return Read(None)
        end = data.rfind(b"\n") + 1
        records, damaged = _decoded(data[:end])
        return Read(_header(first, session), tuple(records), start + end, damaged)

    def listed(self) -> tuple[Listed, ...]:
        """Every conversation with a turn in it, the last used first; what cannot be read is left out."""
        found = []
        for path in self._files():
            with contextlib.suppress(OSError, ValueError):
                if (one := _listed(path)) is not None:
                    found.append(one)
        return tuple(sorted(found, key=lambda one: (-one.updated, one.session)))

    def holding(self, proposal: str) -> str | None:
        """The conversation that made `proposal`."""
        wanted = f'"proposal":"{proposal}"'.encode()
        for path in self._files():
            with contextlib.suppress(OSError, ValueError):
                data = path.read_bytes()
                if wanted in data and (opened := _header(_first(data), "")) is not None:
                    return opened.session
        return None

    def delete(self, session: str) -> bool:
        """Remove a conversation; False if there was none. Raises OSError."""
        with self._locked():
            try:
                self._path(session).unlink()
            except FileNotFoundError:
                return False
        return True

    def prune(self, before: float) -> int:
        """Remove the conversations last used before that moment; how many."""
        removed = 0
        for path in self._files():
            with contextlib.suppress(OSError):
                if path.stat().st_mtime < before:
                    path.unlink()
                    removed += 1
        return removed

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob(f"*{_SUFFIX}")) if self.folder.is_dir() else []

    def _path(self, session: str) -> Path:
        # Ids come from clients: only plain ones may name a file, and case must not tell two apart.
        name = session if _PLAIN.fullmatch(session) else f"={digest(_bytes(session))[:32]}"
        return self.folder / f"{name}{_SUFFIX}"

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Raises OSError where another server holds the lock for too long."""
        from filelock import FileLock, Timeout

        if not self.folder.is_dir():
            yield
            return
        try:
            with FileLock(self.folder / ".lock", timeout=_WAIT_SECONDS, mode=0o600):
                yield
        except Timeout as error:
            raise OSError(f"another server holds {self.folder} for too long") from error


def _bytes(session: str) -> bytes:
    return session.encode("utf-8", "surrogatepass")


def _write(handle: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(handle, left) :]


def _decoded(data: bytes) -> tuple[list[Record], int]:
    records: list[Record] = []
    damaged = 0
    for line in data.split(b"\n"):
        if not line.strip():
            continue
        try:
            record = decode(line)
        except Newer:
            raise
        except ValueError:
            damaged += 1
        else:
            records += [record] if record is not None else []
    return records, damaged


def _header(line: bytes, session: str) -> Opened | None:
    """Whose conversation it is. A damaged first line costs nothing but what only it says."""
    try:
        record = decode(line)
    except Newer:
        raise
    except ValueError:
        record = None
    if isinstance(record, Opened):
        return record
    return Opened(session, 0.0) if session else None


def _first(data: bytes) -> bytes:
    return data.lstrip(b"\n").partition(b"\n")[0]


def _listed(path: Path) -> Listed | None:
    data = path.read_bytes()
    name = path.name.removesuffix(_SUFFIX)
    opened = _header(_first(data), name if _PLAIN.fullmatch(name) else "")
    at = data.find(TURN)
    if opened is None or at < 0:
        return None
    first = decode(data[at:].partition(b"\n")[0])
    if not isinstance(first, Exchange):
        return None
    turns = data.count(b"\n" + TURN)
    return Listed(opened.session, first, turns, opened.at, path.stat().st_mtime)
