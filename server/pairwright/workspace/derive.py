"""One file of the disk to what the index keeps of it: the same in the server and in a scan worker.

Knows files, text and tags; no store, no graph, no processes.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from functools import lru_cache
from pathlib import PurePosixPath
from typing import BinaryIO, NamedTuple

from pairwright.tags.files import tags_by_line, tags_of, unfit
from pairwright.tags.languages import language_of
from pairwright.tags.names import row
from pairwright.tags.types import Tags
from pairwright.tags.words import NO_WORDS, Bag, bag_of
from pairwright.text.encoding import Undecodable, decode
from pairwright.text.hashing import digest
from pairwright.workspace.codec import pack_row, pack_tags, pack_words

TOO_LARGE = "too large"
NOT_TEXT = "not text in a known encoding"
UNREADABLE = "cannot be read"

Further = Callable[[bytes, Tags], bytes]
"""Something else that follows from a text and its tags alone, packed."""


class Look(NamedTuple):
    """A file as read. `data`: its text, None when it has none that is indexed; `problem` then says
    why. `language`: None when there is nothing to index although nothing is wrong."""

    path: str
    mtime_ns: int
    size: int
    inode: int
    digest: str
    language: str | None
    data: bytes | None
    problem: str


class Derived(NamedTuple):
    """What the index keeps of a file: `row`, `words` and `tags` as `codec` packs them, b"" where
    there are none. `further`: what else was asked for."""

    path: str
    mtime_ns: int
    size: int
    inode: int
    digest: str
    language: str | None
    row: bytes
    words: bytes
    tags: bytes
    problem: str
    further: bytes = b""


def may_have_tags(path: str) -> bool:
    """False when the name alone says that nothing in the file is indexed."""
    return _may_have_tags(path[path.rfind("/") + 1 :])


def opened(full: str, flags: int = 0) -> BinaryIO | None:
    """The regular file `full`, open for reading; None if it is a folder, a pipe or a device. Never
    waits for a pipe's other end. Raises OSError."""
    handle = os.open(full, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | flags)
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return os.fdopen(handle, "rb")
    os.close(handle)
    return None


@lru_cache(maxsize=8192)
def _may_have_tags(name: str) -> bool:
    return language_of(name) is not None or not PurePosixPath(name).suffix


def look(root: str, path: str, limit: int) -> Look | None:
    """Read the regular file `path` below `root` up to `limit` bytes; None if it is gone or a
    link."""
    try:
        file = opened(f"{root}/{path}", os.O_NOFOLLOW)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ELOOP):
            return None
        return Look(path, 0, -1, 0, "", None, None, UNREADABLE)
    if file is None:
        return None
    with file:
        found = os.fstat(file.fileno())
        stats = (found.st_mtime_ns, found.st_size, found.st_ino)
        if found.st_size > limit:
            return Look(path, *stats, "", None, None, TOO_LARGE)
        try:
            raw = file.read()
        except OSError:
            return Look(path, *stats, "", None, None, UNREADABLE)
    text = decode(raw)
    if isinstance(text, Undecodable):
        return Look(path, *stats, digest(raw), None, None, NOT_TEXT)
    return Look(path, *stats, digest(text.data), language_of(path, text.data), text.data, "")


def derive(seen: Look, *, is_stuck: bool = False, further: Further | None = None) -> Derived:
    """The row, the words and the tags of a file that was looked at. `is_stuck`: no parser gets through
    it."""
    head = (seen.path, seen.mtime_ns, seen.size, seen.inode, seen.digest, seen.language)
    if seen.data is None or seen.language is None:
        return Derived(*head, b"", b"", b"", seen.problem)
    if is_stuck:
        tags = tags_by_line(seen.data, seen.language)
    else:
        tags = tags_of(seen.path, seen.data, seen.language)
    words = pack_words(words_of(seen.data, seen.language))
    more = further(seen.data, tags) if further else b""
    return Derived(*head, pack_row(row(tags)), words, pack_tags(tags), tags.problem or "", more)


def words_of(data: bytes, language: str | None) -> Bag:
    """The words of a text; none where `has_words` says so."""
    return bag_of(data) if has_words(data, language) else NO_WORDS


def has_words(data: bytes, language: str | None) -> bool:
    """Whether the words of a text are counted: those of prose and data are not, since a map shows
    definitions and a file without a language has none."""
    return language is not None and unfit(data) is None
