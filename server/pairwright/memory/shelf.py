"""What models said of the files of one workspace, on disk: by path and content.

Saying it again for the same content replaces it; of a path the newest few contents are kept, so that a branch that is
checked out again finds its own. Everything in it may be lost at any time. A damaged file is set aside and a new one
begun; where the disk fails what is said stays in memory. Blocking, safe to call from several threads; servers share
the file.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
from pathlib import Path

from pairwright.memory.files import Prose
from pairwright.memory.rows import Rows, opened

CONTENTS = 8
"""Contents that are kept of one path."""

MOST = 20_000
"""Rows that are kept of a workspace, those said last."""

_log = logging.getLogger(__name__)
_VERSION = 1
_WAIT_SECONDS = 5.0
_READ = "BEGIN"
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
        self._rows = Rows(path, _connect, _lost)

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

        self._rows.do(job)

    def get(self, path: str, digest: str) -> Prose | None:
        """What was said of just this content at `path`."""
        query = f"SELECT {_COLUMNS} FROM said WHERE path = ? AND digest = ?"
        found = self._rows.do(
            lambda db: db.execute(query, (os.fsencode(path), digest)).fetchone(), _READ
        )
        return _prose(found)[1] if found else None

    def elsewhere(self, digest: str) -> tuple[tuple[str, Prose], ...]:
        """(path, what was said) of this content at any path, the last said first."""
        query = f"SELECT {_COLUMNS} FROM said WHERE digest = ? ORDER BY number DESC"
        return tuple(
            map(_prose, self._rows.do(lambda db: db.execute(query, (digest,)).fetchall(), _READ))
        )

    def paths(self) -> tuple[str, ...]:
        """The paths of which something was said, sorted."""
        rows = self._rows.do(
            lambda db: db.execute("SELECT DISTINCT path FROM said").fetchall(), _READ
        )
        return tuple(sorted(os.fsdecode(path) for (path,) in rows))

    def close(self) -> None:
        """Let go of the file."""
        self._rows.close()


def _lost(path: Path, aside: Path | None, error: Exception) -> None:
    if aside is not None:
        _log.warning("records %s are damaged (%s): they are begun anew", path, error)
    else:
        _log.warning("records %s cannot be kept (%s): they stay in memory", path, error)


def _prose(row: tuple[bytes, str, str, str, str, str]) -> tuple[str, Prose]:
    path, digest, purpose, notes, model, prompt = row
    try:
        held = json.loads(notes)
    except ValueError:
        held = []
    said = tuple(note for note in held if isinstance(note, str)) if isinstance(held, list) else ()
    return os.fsdecode(path), Prose(digest, purpose, said, model, prompt)


def _connect(path: Path | None) -> sqlite3.Connection:
    db = opened(path, _WAIT_SECONDS, "")
    try:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version not in (0, _VERSION):
            db.execute("DROP TABLE IF EXISTS said")
        db.executescript(_SCHEMA)
        db.execute(f"PRAGMA user_version = {_VERSION}")
    except sqlite3.Error:
        db.close()
        raise
    return db
