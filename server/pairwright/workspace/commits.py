"""Reads commits of a git object store by dulwich: which there are, and what each of them touched.

Read-only, for a worker process: dulwich is slow enough to hold an interpreter. Packs, loose objects
and alternates are dulwich's business; what cannot be read is said, never guessed. Knows no refs, no
work tree and no cache.
"""

from __future__ import annotations

import heapq
import re
import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from typing import NamedTuple

from dulwich.errors import ChecksumMismatch, FileFormatException, NotGitRepository
from dulwich.object_store import DiskObjectStore
from dulwich.objects import ObjectID, parse_tree

from pairwright.tags.words import terms

MANY = 50
"""A commit over more files says nothing about any of them; a rename in it still does."""

_COMMIT, _TREE = 1, 2
_FOLDER, _KIND, _FILE = 0o040000, 0o170000, 0o100000
_MOST_CHANGES = 20_000
_MESSAGE = 2000
_TERMS = 100
# Who signed it, where it was imported from, addresses: not what a commit is about.
_ASIDE = re.compile(rb"(?m)^[A-Z][\w-]+-(?:[Bb]y|[Ii]d): .*$|^git-svn-id: .*$|https?://\S+")
_KEPT_TREES = 4096
# How often a reader looks anew for an object; in a clone that lacks many it would cost too much.
_LOOKS = 3
# What dulwich raises on objects that are absent (shallow and partial clones) or damaged.
_UNREADABLE = (
    *(KeyError, ValueError, IndexError, OSError, AssertionError, EOFError),
    *(zlib.error, struct.error, ChecksumMismatch, FileFormatException, NotGitRepository),
)


class Walked(NamedTuple):
    """`ids`: commits, newest first, merges left out. `problem`: why there are none, or empty."""

    ids: list[str]
    problem: str


class Touched(NamedTuple):
    """`paths`: the files of one commit, sorted, from the top of the repository; None if they are
    MANY. `renames`: (old, new) path of files that it moved, sorted. `said`: the terms of its
    message, each once, in order."""

    paths: list[bytes] | None
    renames: list[tuple[bytes, bytes]]
    said: list[str]


class _Commit(NamedTuple):
    tree: bytes
    parents: tuple[bytes, ...]
    time: int
    message: bytes


class _Change(NamedTuple):
    """A file before and after: blob ids, None where there is no such file."""

    path: bytes
    old: bytes | None
    new: bytes | None


def walk(objects: str, head: str, most: int) -> Walked:
    """The latest `most` commits that `head` descends from, by commit time. Ends early where the
    history is cut. `objects`: the folder of the store."""
    with closing(_Reader(objects)) as reader:
        try:
            return Walked(reader.walk(head.encode(), most), "")
        except _UNREADABLE as error:
            return Walked([], f"commit {head} cannot be read: {type(error).__name__} {error}")


def touched(objects: str, ids: Sequence[str]) -> list[Touched | None]:
    """What each commit changed against its parent; None where that cannot be read."""
    found: list[Touched | None] = []
    with closing(_Reader(objects)) as reader:
        for ident in ids:
            try:
                found.append(_touched(reader, ident.encode()))
            except _UNREADABLE:
                found.append(None)
    return found


class _Reader:
    """One store, opened for a while; trees that commits share are parsed once."""

    def __init__(self, objects: str) -> None:
        self._objects = objects
        self._store = DiskObjectStore(objects)
        self._looks = _LOOKS
        self._trees: dict[bytes, dict[bytes, tuple[int, bytes]]] = {}

    def close(self) -> None:
        self._store.close()

    def walk(self, head: bytes, most: int) -> list[str]:
        commits = {head: self.commit(head)}
        heap = [(-commits[head].time, head)]
        found: list[str] = []
        # Merges alone cannot make the walk long.
        while heap and len(found) < most and len(commits) < 8 * most:
            _, ident = heapq.heappop(heap)
            parents = commits[ident].parents
            if len(parents) < 2:
                found.append(ident.decode())
            for parent in parents:
                if parent in commits:
                    continue
                try:
                    commits[parent] = self.commit(parent)
                except _UNREADABLE:
                    continue
                heapq.heappush(heap, (-commits[parent].time, parent))
        return found

    def commit(self, ident: bytes) -> _Commit:
        head, _, message = self._object(ident, _COMMIT).partition(b"\n\n")
        tree, time = b"", 0
        parents: list[bytes] = []
        for line in head.split(b"\n"):
            word, _, rest = line.partition(b" ")
            if word == b"tree":
                tree = rest
            elif word == b"parent":
                parents.append(rest)
            elif word == b"committer":
                time = int(rest.rsplit(b" ", 2)[1])
                break
        return _Commit(tree, tuple(parents), time, message)

    def tree(self, ident: bytes) -> dict[bytes, tuple[int, bytes]]:
        """Mode and id of each entry by name."""
        known = self._trees.get(ident)
        if known is None:
            if len(self._trees) >= _KEPT_TREES:
                self._trees.clear()
            entries = parse_tree(self._object(ident, _TREE), 20)
            known = {name: (mode, found) for name, mode, found in entries}
            self._trees[ident] = known
        return known

    def _object(self, ident: bytes, kind: int) -> bytes:
        try:
            found, data = self._store.get_raw(ObjectID(ident))
        except (KeyError, OSError):
            if not self._looks:
                raise
            # Git may have put its packs together meanwhile.
            self._looks -= 1
            self._store.close()
            self._store = DiskObjectStore(self._objects)
            found, data = self._store.get_raw(ObjectID(ident))
        if found != kind:
            raise ValueError("another kind of object than expected")
        return bytes(data)


def _touched(reader: _Reader, ident: bytes) -> Touched:
    commit = reader.commit(ident)
    before = reader.commit(commit.parents[0]).tree if commit.parents else None
    changes = list(islice(_changes(reader, before, commit.tree, b""), _MOST_CHANGES + 1))
    if len(changes) > _MOST_CHANGES:
        return Touched(None, [], [])
    renames = _renames(changes)
    moved = {old for old, _ in renames}
    paths = sorted(change.path for change in changes if change.path not in moved)
    said = _said(commit.message) if len(paths) <= MANY else []
    return Touched(paths if len(paths) <= MANY else None, renames, said)


def _said(message: bytes) -> list[str]:
    text = _ASIDE.sub(b" ", message[:_MESSAGE]).decode("utf-8", "replace")
    return list(terms(text))[:_TERMS]


def _changes(
    reader: _Reader, old: bytes | None, new: bytes | None, folder: bytes
) -> Iterator[_Change]:
    """Files that differ between two trees; folders that are the same are not looked into."""
    before = reader.tree(old) if old else {}
    after = reader.tree(new) if new else {}
    for name in sorted(before.keys() | after.keys()):
        was, now = before.get(name, (0, b"")), after.get(name, (0, b""))
        if was == now:
            continue
        trees = [ident if mode == _FOLDER else None for mode, ident in (was, now)]
        if any(trees):
            yield from _changes(reader, trees[0], trees[1], folder + name + b"/")
        blobs = [ident if mode & _KIND == _FILE else None for mode, ident in (was, now)]
        if any(blobs):
            yield _Change(folder + name, blobs[0], blobs[1])


def _renames(changes: Sequence[_Change]) -> list[tuple[bytes, bytes]]:
    """Files that came with the very content, or else the very base name, of one that went."""
    gone = [change for change in changes if change.new is None]
    come = [change for change in changes if change.old is None]
    found: dict[bytes, bytes] = {}
    if gone and come:
        _pair(found, [(c.old, c.path) for c in gone], [(c.new, c.path) for c in come])
        left = set(found.values())
        _pair(
            found,
            [(_base(c.path), c.path) for c in gone if c.path not in found],
            [(_base(c.path), c.path) for c in come if c.path not in left],
        )
    return sorted(found.items())


def _pair(
    found: dict[bytes, bytes],
    gone: Sequence[tuple[bytes | None, bytes]],
    come: Sequence[tuple[bytes | None, bytes]],
) -> None:
    """Put (old path, new path) into `found` for each sign that is once on either side."""
    olds, news = _once(gone), _once(come)
    for sign in olds.keys() & news.keys():
        found[olds[sign]] = news[sign]


def _once(items: Sequence[tuple[bytes | None, bytes]]) -> dict[bytes | None, bytes]:
    paths: dict[bytes | None, list[bytes]] = {}
    for sign, path in items:
        paths.setdefault(sign, []).append(path)
    return {sign: several[0] for sign, several in paths.items() if len(several) == 1}


def _base(path: bytes) -> bytes:
    return path[path.rfind(b"/") + 1 :]
