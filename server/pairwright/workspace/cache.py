"""The store of derived values: what a text's content and a recipe always give again, kept on disk.

One sqlite file for all workspaces and servers of a user, in a folder the caller names. Two tables:
derived values by key (content, recipe and kind in one digest), and what a path's content was when
last seen, so that a warm start need not read the files. Everything in it may be lost at any time.
Whatever goes wrong (damage, a full disk, a folder that cannot be written) is logged once and costs
speed only: values then stay in memory, within bounds. Any thread may call; calls wait for each
other and for the disk, so the event loop must not."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

_log = logging.getLogger(__name__)
_T = TypeVar("_T")

FILE_NAME = "derived.sqlite"
_VERSION = 1
_WAIT_SECONDS = 5.0
_MEMORY_BYTES = 32 * 1024 * 1024
_DISK_BYTES = 2 * 1024 * 1024 * 1024
_SLICE = 500
_SCHEMA = """
CREATE TABLE IF NOT EXISTS derived (key BLOB PRIMARY KEY, value BLOB NOT NULL, made INTEGER NOT
NULL); CREATE TABLE IF NOT EXISTS files (
  root BLOB NOT NULL, path BLOB NOT NULL, mtime_ns INTEGER NOT NULL, size INTEGER NOT NULL,
  inode BLOB NOT NULL, digest TEXT NOT NULL, language TEXT,
  problem TEXT NOT NULL, recipe TEXT NOT NULL,
  PRIMARY KEY (root, path)) WITHOUT ROWID;
"""


class Seen(NamedTuple):
    """A file's content when it was last read. `digest`: of its text. `language`: None if it has no
    tags. `problem`: why tags are absent or partial, or empty."""

    mtime_ns: int
    size: int
    inode: int
    digest: str
    language: str | None
    problem: str = ""


def key_of(digest: str, recipe: str, kind: str) -> bytes:
    """The key of the value that `recipe` gives as its `kind` for the content `digest`."""
    return sha256(f"{digest}\0{recipe}\0{kind}".encode()).digest()[:20]


Values = Mapping[bytes, bytes]
"""Derived values by key."""


class Behind(Protocol):
    """Where values come from that are not here."""

    def fetch(self, keys: Sequence[bytes], is_here: Callable[[bytes], bool]) -> Values:
        """What it has of `keys`, and what else comes with that. `is_here`: whether a value is. Never raises."""
        ...


class Cache:
    """Derived values by key. `folder` None: memory only. `behind`: is asked for what is not here."""

    def __init__(self, folder: Path | None, behind: Behind | None = None) -> None:
        self._folder = folder
        self._behind = behind
        self._lock = threading.RLock()
        self._db: sqlite3.Connection | None = None
        self._is_open = False
        self._is_writable = True
        self._repaired = False
        self._warned = False
        self._memory: OrderedDict[bytes, bytes] = OrderedDict()
        self._memory_size = 0

    @property
    def path(self) -> Path | None:
        """The file, None if there is none."""
        return self._folder / FILE_NAME if self._folder is not None else None

    def get(self, key: bytes) -> bytes | None:
        return self.get_many((key,)).get(key)

    def get_many(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The values that are known, by key."""
        found = self._here(keys)
        if self._behind is None or len(found) == len(set(keys)):
            return found
        # Without the lock: others go on while the network is waited for.
        missing = [key for key in keys if key not in found]
        fetched = self._behind.fetch(missing, lambda key: bool(self._here((key,))))
        self.put_many(fetched)
        return {**found, **{key: fetched[key] for key in missing if key in fetched}}

    def _here(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        with self._lock:
            found = {key: self._memory[key] for key in keys if key in self._memory}
            missing = [key for key in keys if key not in found]
            for at in range(0, len(missing), _SLICE):
                part = missing[at : at + _SLICE]
                marks = ",".join("?" * len(part))
                # Only marks go into the statement, never a value.
                query = f"SELECT key, value FROM derived WHERE key IN ({marks})"
                found.update(self._select(query, part))
            return found

    def put_many(self, values: Mapping[bytes, bytes]) -> None:
        """Keep `values`; with no file to keep them in, the latest few megabytes of them in
        memory."""
        if not values:
            return
        with self._lock:
            if not self._can_write():
                self._remember(values)
                return
            rows = [(key, value, _day()) for key, value in values.items()]
            kept = self._try(
                lambda db: _write(db, "INSERT OR IGNORE INTO derived VALUES (?, ?, ?)", rows), False
            )
            if not kept:
                self._remember(values)

    def seen(self, root: str, recipe: str) -> dict[str, Seen]:
        """What was last seen below `root` with `recipe`, by path."""
        query = (
            "SELECT path, mtime_ns, size, inode, digest, language, problem FROM files "
            "WHERE root = ? AND recipe = ?"
        )
        with self._lock:
            key = os.fsencode(root)
            rows = self._select(query, (key, recipe))
        return {
            os.fsdecode(path): Seen(mtime, size, int.from_bytes(inode, "big"), *rest)
            for path, mtime, size, inode, *rest in rows
        }

    def record(
        self, root: str, recipe: str, seen: Mapping[str, Seen], gone: Iterable[str] = ()
    ) -> None:
        """Remember `seen` by path below `root`, and forget `gone`."""
        place = os.fsencode(root)
        rows = [
            (place, os.fsencode(path), s.mtime_ns, s.size, _inode(s.inode), *s[3:], recipe)
            for path, s in seen.items()
        ]
        lost = [(place, os.fsencode(path)) for path in gone]
        with self._lock:
            if not self._can_write() or not (rows or lost):
                return
            insert = "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
            self._try(lambda db: _write(db, insert, rows), False)
            delete = "DELETE FROM files WHERE root = ? AND path = ?"
            self._try(lambda db: _write(db, delete, lost), False)

    def knows(self, root: str) -> bool:
        """Whether anything below `root` was seen."""
        with self._lock:
            query = "SELECT 1 FROM files WHERE root = ? LIMIT 1"
            return bool(self._select(query, (os.fsencode(root),)))

    def knows_anything(self) -> bool:
        """Whether looking a value up may be worth its while."""
        with self._lock:
            query = "SELECT 1 FROM derived LIMIT 1"
            is_known = bool(self._memory) or bool(self._select(query, ()))
            return is_known or self._behind is not None

    def size(self) -> int:
        """Bytes of all derived values together."""
        with self._lock:
            rows = self._select("SELECT total(length(value)) FROM derived", ())
            return int(rows[0][0]) if rows else 0

    def everything(self) -> Iterator[tuple[bytes, bytes]]:
        """Every derived value in the file with its key, sorted by key."""
        last = b""
        query = f"SELECT key, value FROM derived WHERE key > ? ORDER BY key LIMIT {_SLICE}"
        while True:
            with self._lock:
                rows = self._select(query, (last,))
            if not rows:
                return
            yield from ((bytes(key), bytes(value)) for key, value in rows)
            last = rows[-1][0]

    def prune(self) -> None:
        """Forget the oldest derived values while the file is too large. A background job's work."""
        with self._lock:
            if self._can_write():
                self._try(_prune, False)

    def close(self) -> None:
        with self._lock:
            if self._db is not None:
                with suppress(sqlite3.Error):
                    self._db.close()
            self._db, self._is_open, self._is_writable = None, True, False

    # --- the file

    def _connection(self) -> sqlite3.Connection | None:
        if not self._is_open:
            self._is_open = True
            path = self.path
            self._is_writable = path is not None
            if path is not None:
                self._db = self._opened(path)
        return self._db

    def _opened(self, path: Path) -> sqlite3.Connection | None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            return _connect(path)
        except sqlite3.OperationalError as error:
            self._give_up(error)
        except sqlite3.DatabaseError as error:
            return self._repair(path, error)
        except OSError as error:
            self._give_up(error)
        return None

    def _repair(self, path: Path, error: Exception) -> sqlite3.Connection | None:
        """Set the damaged file aside and begin a new one; once, then live without."""
        if self._repaired:
            self._give_up(error)
            return None
        self._repaired = True
        aside = path.with_suffix(".damaged")
        _log.warning("index cache %s is damaged (%s): it is built anew", path, error)
        try:
            if self._db is not None:
                self._db.close()
            path.replace(aside)
            for suffix in ("-wal", "-shm"):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
            return _connect(path)
        except (OSError, sqlite3.Error) as second:
            self._give_up(second)
            return None

    def _give_up(self, error: Exception) -> None:
        """Go on without writing; say so once."""
        self._is_writable = False
        if not self._warned:
            self._warned = True
            _log.warning(
                "index cache %s cannot be used (%s): going on without it", self.path, error
            )

    def _can_write(self) -> bool:
        return self._connection() is not None and self._is_writable

    def _try(self, job: Callable[[sqlite3.Connection], _T], otherwise: _T) -> _T:
        db = self._connection()
        if db is None:
            return otherwise
        try:
            return job(db)
        except sqlite3.OperationalError as error:
            with suppress(sqlite3.Error):
                db.rollback()
            # Another server holds the file for long: this value is lost, the next may be kept.
            if "locked" not in str(error):
                self._give_up(error)
        except sqlite3.DatabaseError as error:
            path = self.path
            self._db = self._repair(path, error) if path is not None else None
            # A repair is tried once, so this ends.
            return self._try(job, otherwise)
        return otherwise

    def _select(self, query: str, values: Sequence[object]) -> list[Any]:
        none: list[Any] = []
        return self._try(lambda db: db.execute(query, values).fetchall(), none)

    def _remember(self, values: Mapping[bytes, bytes]) -> None:
        for key, value in values.items():
            self._memory_size += len(value) - len(self._memory.pop(key, b""))
            self._memory[key] = value
        while self._memory_size > _MEMORY_BYTES:
            _, value = self._memory.popitem(last=False)
            self._memory_size -= len(value)


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=_WAIT_SECONDS, check_same_thread=False)
    try:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version not in (0, _VERSION):
            db.execute("DROP TABLE IF EXISTS derived")
            db.execute("DROP TABLE IF EXISTS files")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.executescript(_SCHEMA)
        if version != _VERSION:
            db.execute(f"PRAGMA user_version = {_VERSION}")
        db.commit()
    except sqlite3.Error:
        db.close()
        raise
    return db


def _write(db: sqlite3.Connection, statement: str, rows: Sequence[Sequence[object]]) -> bool:
    with db:
        db.executemany(statement, rows)
    return True


def _prune(db: sqlite3.Connection) -> bool:
    (pages,) = db.execute("PRAGMA page_count").fetchone()
    (free,) = db.execute("PRAGMA freelist_count").fetchone()
    (size,) = db.execute("PRAGMA page_size").fetchone()
    over = (pages - free) * size - _DISK_BYTES
    if over > 0:
        # Roughly a quarter, the oldest; what is still in use comes back at the next scan.
        with db:
            db.execute(
                "DELETE FROM derived WHERE key IN (SELECT key FROM derived ORDER BY made, key "
                "LIMIT (SELECT count(*) / 4 FROM derived))"
            )
    return True


def _inode(number: int) -> bytes:
    # Some file systems number beyond sqlite's signed 64 bits.
    return number.to_bytes(16, "big")


def _day() -> int:
    return int(time.time()) // 86_400
