"""A small database file that a server can lose: a damaged one is set aside and a new one begun; where the disk fails
its rows stay in memory from then on. Knows no table. Blocking, safe to call from several threads; servers share it.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

_T = TypeVar("_T")
Connect = Callable[[Path | None], sqlite3.Connection]
Lost = Callable[[Path, Path | None, Exception], None]


class Rows:
    """`connect`: a connection with its tables, to a file or (None) in memory. `lost` is told of a file, where it lies
    (None: rows stay in memory), and why."""

    def __init__(self, path: Path | None, connect: Connect, lost: Lost) -> None:
        self._path = path
        self._connect = connect
        self._lost = lost
        self._lock = threading.Lock()
        self._db: sqlite3.Connection | None = None

    def do(self, job: Callable[[sqlite3.Connection], _T], begin: str = "BEGIN IMMEDIATE") -> _T:
        """Run `job` in one transaction; by default one that nobody else writes in. It may run twice."""
        with self._lock:
            try:
                if self._db is None:
                    self._db = self._connect(self._path)
                return _transaction(self._db, job, begin)
            except (sqlite3.Error, OSError) as error:
                return _transaction(self._instead(error), job, begin)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None

    def _instead(self, error: Exception) -> sqlite3.Connection:
        if self._db is not None:
            with contextlib.suppress(sqlite3.Error):
                self._db.close()
        path = self._path
        if path is not None and not isinstance(error, OSError | sqlite3.OperationalError):
            aside = path.with_name(f"{path.name}.damaged")
            with contextlib.suppress(OSError, sqlite3.Error):
                path.replace(aside)
                for end in ("-wal", "-shm"):
                    path.with_name(path.name + end).unlink(missing_ok=True)
                self._db = self._connect(path)
                self._lost(path, aside, error)
                return self._db
        if path is not None:
            self._lost(path, None, error)
        self._path = None
        self._db = self._connect(None)
        return self._db


def opened(path: Path | None, seconds: float, schema: str) -> sqlite3.Connection:
    """A connection with the tables of `schema`; others' locks are waited for `seconds`. The file is for its user
    alone. Raises OSError and sqlite3.Error."""
    if path is not None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Made by us first: sqlite would let others read it. Its own further files get the same mode.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    name = ":memory:" if path is None else str(path)
    db = sqlite3.connect(name, seconds, isolation_level=None, check_same_thread=False)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.executescript(schema)
    except sqlite3.Error:
        db.close()
        raise
    return db


def _transaction(db: sqlite3.Connection, job: Callable[[sqlite3.Connection], _T], begin: str) -> _T:
    with db:
        db.execute(begin)
        return job(db)
