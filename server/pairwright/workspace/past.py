"""The history of a work tree as a ranking wants it: which files were changed together.

HEAD is resolved here; commits are read by a worker process, each once for ever: what a commit touched
is kept in the cache by its id, and so is the whole by the id of HEAD. A repository that cannot be
read has an empty history, and the log says why.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgpack

from pairwright.graph.types import History
from pairwright.text.hashing import digest
from pairwright.workspace.cache import Cache, key_of
from pairwright.workspace.history import GitDir, find_top, git_dir, head_of, is_sha256
from pairwright.workspace.worker import TOUCHED, WALK
from pairwright.workspace.workers import Worker, WorkerDied

_log = logging.getLogger(__name__)

MOST = 1500
"""Commits a history goes back, merges not counted."""

# Raise it whenever a commit's value or the way to put them together changes.
_RECIPE = f"past2-{MOST}"
_BATCH = 200
_TRIES = 5

Paths = tuple[bytes, ...]

Value = tuple[list[bytes] | None, list[tuple[bytes, bytes]], list[str]]
"""See commits.Touched."""

Commit = tuple[Paths, tuple[str, ...]]
"""The paths of a commit and the terms of its message."""


class Past:
    """Reads the history of the folder `root`; for one thread at a time, `kill` for any."""

    def __init__(self, root: str, cache: Cache) -> None:
        self._root = root
        self._cache = cache
        self._worker = Worker()
        self._last: tuple[bytes, History] | None = None
        self._is_stopped = False

    def read(self) -> History:
        """The history of the commit that is checked out now."""
        top = find_top(Path(self._root))
        found = git_dir(top) if top is not None else None
        if top is None or found is None:
            return History()
        if is_sha256(found):
            return self._without("its object format is not SHA-1")
        folder = os.fsencode(Path(self._root).relative_to(top).as_posix())
        head = head_of(found)
        for _ in range(_TRIES):
            if head is None:
                return self._without("HEAD names no commit")
            key = _head_key(found, head)
            if self._last is not None and self._last[0] == key:
                return self._last[1]
            commits = _unpacked(self._cache.get(key))
            if commits is None:
                commits = self._commits(found, head)
                if commits is not None:
                    self._cache.put_many({key: _packed(commits)})
            if commits is not None:
                self._last = (key, _below(folder, commits))
                return self._last[1]
            # Amended or rebased away, and collected, between the look at HEAD and the reading.
            before, head = head, head_of(found)
            if head == before:
                break
        return History()

    def kill(self) -> None:
        """End the worker; a `read` that waits for it comes back with an empty history."""
        self._is_stopped = True
        self._worker.kill()

    def _without(self, reason: str) -> History:
        _log.info("no history of %s: %s", self._root, reason)
        return History()

    def _commits(self, found: GitDir, head: str) -> list[Commit] | None:
        """Each commit with paths from the top of the repository, newest first; None if it cannot be
        read."""
        objects = str(found.common / "objects")
        try:
            ids, problem = self._worker.ask((WALK, objects, head, MOST))
            if problem:
                _log.warning("no history of %s: %s", self._root, problem)
                return None
            return _followed(self._values(objects, ids))
        except WorkerDied as error:
            if not self._is_stopped:
                _log.warning("no history of %s: its reader died (%s)", self._root, error)
            return None
        finally:
            self._worker.stop()

    def _values(self, objects: str, ids: Sequence[str]) -> list[Value]:
        """The value of each commit that is known or can be read, in order."""
        keys = {ident: key_of(ident, _RECIPE, "commit") for ident in ids}
        known = self._cache.get_many(list(keys.values()))
        missing = [ident for ident in ids if keys[ident] not in known]
        for at in range(0, len(missing), _BATCH):
            part = missing[at : at + _BATCH]
            values = self._worker.ask((TOUCHED, objects, part))
            read = {
                keys[ident]: msgpack.packb(value)
                for ident, value in zip(part, values, strict=True)
                if value is not None
            }
            self._cache.put_many(read)
            known.update(read)
        found = (_value(known[key]) for key in keys.values() if key in known)
        return [value for value in found if value is not None]


def _value(blob: bytes) -> Value | None:
    try:
        paths, renames, said = msgpack.unpackb(blob)
        return paths, [(old, new) for old, new in renames], said
    except (ValueError, TypeError, msgpack.UnpackException):
        return None


def _packed(commits: Sequence[Commit]) -> bytes:
    names = sorted({path for paths, _ in commits for path in paths})
    terms = sorted({term for _, said in commits for term in said})
    number = {name: index for index, name in enumerate(names)}
    place = {term: index for index, term in enumerate(terms)}
    rows = [([number[path] for path in paths], [place[t] for t in said]) for paths, said in commits]
    packed: bytes = msgpack.packb((names, terms, rows))
    return packed


def _unpacked(blob: bytes | None) -> list[Commit] | None:
    if blob is None:
        return None
    try:
        names, terms, rows = msgpack.unpackb(blob)
        return [
            (tuple([names[index] for index in paths]), tuple([terms[index] for index in said]))
            for paths, said in rows
        ]
    except (ValueError, TypeError, IndexError, msgpack.UnpackException):
        return None


def _head_key(found: GitDir, head: str) -> bytes:
    """The key of a whole history. A shallow clone that is deepened has more of it."""
    try:
        cut = digest((found.common / "shallow").read_bytes())
    except OSError:
        cut = ""
    return key_of(head, _RECIPE, f"history {cut}")


def _followed(values: Iterable[Value]) -> list[Commit]:
    """Each commit with its paths under the names that the files have now."""
    name_now: dict[bytes, bytes] = {}
    found: list[Commit] = []
    for paths, renames, said in values:
        if paths:
            now = tuple(sorted({name_now.get(path, path) for path in paths}))
            found.append((now, tuple(said)))
        moved = {old: name_now.get(new, new) for old, new in renames}
        name_now.update(moved)
    return found


def _below(folder: bytes, commits: Iterable[Commit]) -> History:
    """The commits that touched `folder`, with paths from there."""
    head = b"" if folder == b"." else folder + b"/"
    found: list[tuple[str, ...]] = []
    words: list[tuple[str, ...]] = []
    for paths, said in commits:
        inside = [os.fsdecode(path[len(head) :]) for path in paths if path.startswith(head)]
        if inside:
            found.append(tuple(sorted(inside)))
            words.append(said)
    return History(tuple(found), tuple(words))
