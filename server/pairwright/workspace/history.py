"""Reads the user's git repository, never writes it: where it is, what is checked out, and which paths
its index tracks.

An own reader of the index, because only names are needed and it must survive what a general library
refuses: split and sparse indexes, unknown extensions, SHA-256, names that are not UTF-8."""

from __future__ import annotations

import os
import re
import struct
from bisect import bisect_left
from dataclasses import dataclass
from pathlib import Path

_GITLINK = 0o160000
_TREE = 0o040000
_SHA256 = re.compile(rb"(?im)^\s*objectformat\s*=\s*sha256\s*$")

_ID = re.compile(rb"[0-9a-f]{40}")
_LINKS = 5


@dataclass(frozen=True, slots=True)
class GitDir:
    """`private`: the folder of this work tree (its index, HEAD). `common`: the shared one (info,
    config)."""

    private: Path
    common: Path


@dataclass(frozen=True, slots=True)
class Tracked:
    """Paths of an index relative to the work tree's top, sorted; `links`: the submodules among
    them."""

    paths: tuple[bytes, ...]
    links: frozenset[bytes]

    def __contains__(self, path: bytes) -> bool:
        at = bisect_left(self.paths, path)
        return at < len(self.paths) and self.paths[at] == path

    def any_below(self, folder: bytes) -> bool:
        """Whether a tracked path lies below `folder` (given without a slash at its end)."""
        at = bisect_left(self.paths, folder + b"/")
        return at < len(self.paths) and self.paths[at].startswith(folder + b"/")


NOTHING = Tracked((), frozenset())


def git_dir(top: Path) -> GitDir | None:
    """The git folder of the work tree at `top`; None if `top` is not the top of one."""
    entry = top / ".git"
    try:
        if entry.is_dir():
            return _valid(entry)
        text = entry.read_bytes()[:4096]
    except OSError:
        return None
    if not text.startswith(b"gitdir:"):
        return None
    target = text[7:].strip().decode("utf-8", "surrogateescape")
    return _valid(top / target)


def find_top(folder: Path) -> Path | None:
    """The top of the work tree that `folder` lies in, itself included."""
    for candidate in (folder, *folder.parents):
        if git_dir(candidate) is not None:
            return candidate
    return None


def tracked(found: GitDir) -> Tracked:
    """What the index tracks. An index that is missing or cannot be read tracks nothing."""
    try:
        size = 32 if is_sha256(found) else 20
        entries = _entries(found.private / "index", size)
    except (OSError, ValueError, struct.error, IndexError):
        return NOTHING
    names = sorted({name for name, mode in entries if mode != _TREE and name})
    links = frozenset(name for name, mode in entries if mode == _GITLINK)
    return Tracked(tuple(names), links)


def is_sha256(found: GitDir) -> bool:
    """Whether ids are of 32 bytes."""
    return _SHA256.search(_read(found.common / "config")) is not None


def head_of(found: GitDir) -> str | None:
    """The id of the commit that is checked out; None on a branch without one, or where refs are not
    kept in files."""
    value = _read(found.private / "HEAD").strip()
    for _ in range(_LINKS):
        if not value.startswith(b"ref:"):
            break
        value = _ref(found, value[4:].strip())
    return value.decode() if _ID.fullmatch(value) else None


def _ref(found: GitDir, name: bytes) -> bytes:
    """What the ref `name` holds, empty if there is none."""
    if not name.startswith(b"refs/") or b".." in name or b"\0" in name:
        return b""
    # A linked work tree has a few refs of its own.
    for folder in (found.private, found.common):
        value = _read(folder / os.fsdecode(name)).strip()
        if value:
            return value
    packed = re.search(
        rb"(?m)^([0-9a-f]{40}) " + re.escape(name) + rb"$", _read(found.common / "packed-refs")
    )
    return packed[1] if packed else b""


def _valid(folder: Path) -> GitDir | None:
    if not (folder / "HEAD").is_file():
        return None
    common = folder
    pointer = _read(folder / "commondir").strip()
    if pointer:
        common = folder / pointer.decode("utf-8", "surrogateescape")
    if not (common / "objects").is_dir():
        return None
    return GitDir(folder, common)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _entries(path: Path, hash_size: int) -> list[tuple[bytes, int]]:
    data = path.read_bytes()
    magic, version, count = struct.unpack_from(">4sII", data)
    if magic != b"DIRC" or version not in (2, 3, 4):
        raise ValueError("not an index")
    fixed = 40 + hash_size
    found: list[tuple[bytes, int]] = []
    at, name = 12, b""
    for _ in range(count):
        (mode,) = struct.unpack_from(">I", data, at + 24)
        (flags,) = struct.unpack_from(">H", data, at + fixed)
        head = at + fixed + (4 if flags & 0x4000 and version > 2 else 2)
        if version == 4:
            strip, head = _offset(data, head)
            end = data.index(b"\0", head)
            name = name[: len(name) - strip] + data[head:end]
            at = end + 1
        else:
            length = flags & 0xFFF
            end = head + length if length < 0xFFF else data.index(b"\0", head)
            name = data[head:end]
            at += (end - at) // 8 * 8 + 8
        found.append((name, mode))
    base = _shared(data, at, path.parent, hash_size)
    return found + (_entries(base, hash_size) if base is not None else [])


def _offset(data: bytes, at: int) -> tuple[int, int]:
    """A number in git's offset encoding and the offset behind it."""
    byte = data[at]
    value = byte & 0x7F
    while byte & 0x80:
        at += 1
        byte = data[at]
        value = (value + 1 << 7) | (byte & 0x7F)
    return value, at + 1


def _shared(data: bytes, at: int, folder: Path, hash_size: int) -> Path | None:
    """The base of a split index. Entries deleted on top of it stay listed: they count only if they
    exist."""
    while at + 8 <= len(data) - hash_size:
        name, size = struct.unpack_from(">4sI", data, at)
        if name == b"link":
            return folder / f"sharedindex.{data[at + 8 : at + 8 + hash_size].hex()}"
        at += 8 + size
    return None
