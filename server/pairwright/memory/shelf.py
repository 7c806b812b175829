"""What models said of the files of one workspace, on disk: by path and content.

Saying it again for the same content replaces it; of a path the newest few contents are kept, so that a branch that is
checked out again finds its own. Everything in it may be lost at any time. A damaged file is set aside and a new one
begun; where the disk fails what is said stays in memory. Blocking, safe to call from several threads; servers share
the file.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pairwright.memory.files import Prose

CONTENTS = 8
"""Contents that are kept of one path."""

MOST = 20_000
"""Rows that are kept of a workspace, those said last."""

_log = logging.getLogger(__name__)
_T = TypeVar("_T")
_VERSION = 1
_WAIT_SECONDS = 5.0
_SCHEMA = """
CREATE TABLE IF NOT EXISTS said (
    number INTEGER PRIMARY KEY AUTOINCREMENT, path BLOB NOT NULL, digest TEXT NOT NULL, purpose TEXT NOT NULL,
    notes TEXT NOT NULL, model TEXT NOT NULL, prompt TEXT NOT NULL, UNIQUE (path, digest)
);
CREATE INDEX IF NOT EXISTS said_digest ON said (digest);
"""
_COLUMNS = "path, digest, purpose, notes, model, prompt"
_OLD = "SELECT number FROM said WHERE path = ? ORDER BY number DESC LIMIT -1 OFFSET ?"


class Shelf:
    """The rows of one file; `path` None keeps them in memory only."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._db: sqlite3.Connection | None = None

    def put(self, path: str, prose: Prose) -> None:
        """Keep what was said of the file at `path`, in the place of what was said of the same content there."""
        key = os.fsencode(path)
        notes = json.dumps(prose.notes)
        row = (key, prose.digest, prose.purpose, notes, prose.model, prose.prompt)

        def job(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM said WHERE path = ? AND digest = ?", row[:2])
            db.execute(f"INSERT INTO said ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", row)
            db.execute(f"DELETE FROM said WHERE number IN ({_OLD})", (key, CONTENTS))
            db.execute(
                "DELETE FROM said WHERE number <= (SELECT MAX(number) FROM said) - ?", (MOST,)
            )

        self._do(job)

    def get(self, path: str, digest: str) -> Prose | None:
        """What was said of just this content at `path`."""
        query = f"SELECT {_COLUMNS} FROM said WHERE path = ? AND digest = ?"
        found = self._do(lambda db: db.execute(query, (os.fsencode(path), digest)).fetchone())
        return _prose(found)[1] if found else None

    def elsewhere(self, digest: str) -> tuple[tuple[str, Prose], ...]:
        """(path, what was said) of this content at any path, the last said first."""
        query = f"SELECT {_COLUMNS} FROM said WHERE digest = ? ORDER BY number DESC"
        return tuple(map(_prose, self._do(lambda db: db.execute(query, (digest,)).fetchall())))

    def paths(self) -> tuple[str, ...]:
        """The paths of which something was said, sorted."""
        rows = self._do(lambda db: db.execute("SELECT DISTINCT path FROM said").fetchall())
        return tuple(sorted(os.fsdecode(path) for (path,) in rows))

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None

    def _do(self, job: Callable[[sqlite3.Connection], _T]) -> _T:
        with self._lock:
            try:
                if self._db is None:
                    self._db = _connect(self._path)
                return _transaction(self._db, job)
            except (sqlite3.Error, OSError) as error:
                return _transaction(self._instead(error), job)

    def _instead(self, error: Exception) -> sqlite3.Connection:
        """A new file in the place of a damaged one, else rows of this process alone from here on."""
        if self._db is not None:
            with contextlib.suppress(sqlite3.Error):
                self._db.close()
        if self._path is not None and not isinstance(error, OSError | sqlite3.OperationalError):
            _log.warning("records %s are damaged (%s): they are begun anew", self._path, error)
            with contextlib.suppress(OSError, sqlite3.Error):
                self._path.replace(self._path.with_name(f"{self._path.name}.damaged"))
                for end in ("-wal", "-shm"):
                    self._path.with_name(self._path.name + end).unlink(missing_ok=True)
                self._db = _connect(self._path)
                return self._db
        _log.warning("records %s cannot be kept (%s): they stay in memory", self._path, error)
        self._path = None
        self._db = _connect(None)
        return self._db


def _transaction(db: sqlite3.Connection, job: Callable[[sqlite3.Connection], _T]) -> _T:
    with db:
        return job(db)


def _prose(row: tuple[bytes, str, str, str, str, str]) -> tuple[str, Prose]:
    path, digest, purpose, notes, model, prompt = row
    try:
        held = json.loads(notes)
    except ValueError:
        held = []
    said = tuple(note for note in held if isinstance(note, str)) if isinstance(held, list) else ()
    return os.fsdecode(path), Prose(digest, purpose, said, model, prompt)


def _connect(path: Path | None) -> sqlite3.Connection:
    if path is not None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Made by us first: sqlite would let others read it.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    db = sqlite3.connect(
        ":memory:" if path is None else str(path), _WAIT_SECONDS, check_same_thread=False
    )
    try:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version not in (0, _VERSION):
            db.execute("DROP TABLE IF EXISTS said")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.executescript(_SCHEMA)
        db.execute(f"PRAGMA user_version = {_VERSION}")
        db.commit()
    except sqlite3.Error:
        db.close()
        raise
    return db
