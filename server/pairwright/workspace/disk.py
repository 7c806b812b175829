"""Closed files: their bytes, texts and tags, memoised by stat and by content. Any thread may call.

Nothing outside the workspace folder is ever read: a path is followed to where it really leads
first."""

from __future__ import annotations

import os
import stat
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import CancelledError, ThreadPoolExecutor
from typing import Generic, TypeVar

from pairwright.config.index import Index
from pairwright.graph.profile import Profile, profile
from pairwright.graph.types import FileRow
from pairwright.tags.files import is_apart, tags_by_line, tags_sliced
from pairwright.tags.flaws import Flaw, checked_as, flaws_of, is_tame
from pairwright.tags.languages import language_of
from pairwright.tags.names import row
from pairwright.tags.types import EMPTY, Tags
from pairwright.tags.words import NO_WORDS, Bag
from pairwright.text.document import Document
from pairwright.text.encoding import Undecodable, decode
from pairwright.workspace.cache import Cache
from pairwright.workspace.codec import pack_tags, unpack_tags
from pairwright.workspace.derive import opened, words_of
from pairwright.workspace.scan import tags_key
from pairwright.workspace.slices import paused
from pairwright.workspace.types import OnDisk
from pairwright.workspace.workers import Standby, WorkerDied

BIG = 256 * 1024
"""Bytes of text from which the first tags come from a process of their own: parsing holds the
interpreter."""

_CHECKED_HERE = 32 * 1024
"""Bytes of text up to which its syntax is checked in this process."""

_RACY_NS = 2_000_000_000
_KEPT_BYTES = 32 * 1024 * 1024
_KEPT_TAGS = 400
_KEPT_PROFILES = 48 * 1024 * 1024

_V = TypeVar("_V")


class _Memo(Generic[_V]):
    """The values used last, within a bound on the sum of their sizes."""

    def __init__(self, bound: int) -> None:
        self._bound = bound
        self._items: OrderedDict[object, tuple[_V, int]] = OrderedDict()
        self._total = 0
        self._lock = threading.Lock()

    def get(self, key: object) -> _V | None:
        with self._lock:
            found = self._items.get(key)
            if found is None:
                return None
            self._items.move_to_end(key)
            return found[0]

    def put(self, key: object, value: _V, size: int) -> None:
        with self._lock:
            old = self._items.pop(key, None)
            self._total += size - (old[1] if old else 0)
            self._items[key] = (value, size)
            while self._total > self._bound and self._items:
                _, (_, gone) = self._items.popitem(last=False)
                self._total -= gone


class Disk:
    """The files below `root` (absolute, links resolved) as they are on disk."""

    def __init__(self, root: str, settings: Index, cache: Cache) -> None:
        self.root = root
        self._limit = settings.max_file_size
        self._cache = cache
        self._files: _Memo[tuple[tuple[int, ...], OnDisk, _Text]] = _Memo(_KEPT_BYTES)
        self._tags: _Memo[Tags] = _Memo(_KEPT_TAGS)
        self._profiles: _Memo[Profile] = _Memo(_KEPT_PROFILES)
        self._standby = Standby()
        self._apart = Standby()
        self._asking: ThreadPoolExecutor | None = None

    def real(self, path: str) -> str | None:
        """Where `path` really leads; None when that is outside the root, or `path` is no plain
        path."""
        if not self.root or not _is_plain(path):
            return None
        found = os.path.realpath(f"{self.root}/{path}")
        return found if self.holds(found) else None

    def holds(self, real: str) -> bool:
        """Whether `real`, an absolute path without links, is below the root."""
        return real.startswith(self.root.rstrip("/") + "/")

    def on_disk(self, path: str) -> OnDisk | None:
        """The regular file at `path` right now; None if there is none."""
        found = self._file(path)
        return found[0] if found else None

    def document(self, path: str) -> Document | None:
        """The text of the file at `path`; None if there is no file or no text."""
        found = self._file(path)
        return found[1].document() if found else None

    def tags(
        self,
        document: Document,
        language: str | None = None,
        *,
        most: int = BIG,
        keep: bool = True,
    ) -> Tags:
        """The tags of exactly `document`. `most`: bytes up to which they are made in this process, in a
        language that is not isolated.
        `keep`: put them into the cache, which a buffer's passing text is not worth."""
        language = language or language_of(document.path, document.data)
        if language is None:
            return EMPTY
        if len(document.data) > self._limit:
            return Tags((), (), (), language, "none", f"is larger than {self._limit:,} bytes")
        key = tags_key(document.digest, language)
        found = self._tags.get(key) or self._recalled(key)
        if found is None:
            try:
                found = self._derived(document, language, most)
            except WorkerDied:
                # Somebody ended the process: another question may have its answer.
                return tags_by_line(document.data, language)
            if keep:
                self._cache.put_many({key: pack_tags(found)})
        self._tags.put(key, found, 1)
        return found

    def tags_soon(self, document: Document, language: str, patience: float | None) -> Tags | None:
        """The tags of exactly `document`, made in another process; None if that takes longer than
        `patience` seconds. Who asks again then, waits for the same work."""
        if self._asking is None:
            self._asking = ThreadPoolExecutor(1, "apart")
        try:
            future = self._asking.submit(self.tags, document, language, most=0, keep=False)
            return future.result(patience)
        except (TimeoutError, CancelledError, RuntimeError):
            # Late, or the folder is being closed.
            return None

    def row(self, path: str) -> FileRow | None:
        """What the file at `path` contributes to the graph now; None if there is no such file."""
        if self._file(path) is None:
            return None
        document = self.document(path)
        if document is None:
            return row_of(path, EMPTY, NO_WORDS)
        return row_of(path, self.tags(document), self.words(document))

    def words(self, document: Document) -> Bag:
        """The words of exactly `document`."""
        if len(document.data) > self._limit:
            return NO_WORDS
        return words_of(document.data, language_of(document.path, document.data))

    def profile(self, path: str, stat: object) -> Profile | None:
        """The profile of the file at `path`, None if it has no text. `stat`: what the index knows it
        by; under one `stat` the file is read once. None: it may have changed since."""
        found = self._profiles.get((path, stat)) if stat else None
        if found is None:
            document = self.document(path)
            if document is None:
                return None
            found = self.profiled(document, None, lambda: self.tags(document))
            if stat:
                self._profiles.put((path, stat), found, found.size)
        return found

    def profiled(self, document: Document, sign: object, tags: Callable[[], Tags]) -> Profile:
        """The profile of `document` with its `tags`. `sign`: tells apart the tags that one text of a
        buffer may have."""
        key = (document.path, document.digest, sign)
        found = self._profiles.get(key)
        if found is None:
            found = profile(document.path, document.data, tags())
            self._profiles.put(key, found, found.size)
        return found

    def _recalled(self, key: bytes) -> Tags | None:
        blob = self._cache.get(key)
        return unpack_tags(blob) if blob else None

    def stop(self) -> None:
        """End the processes for large texts and for isolated languages."""
        self._standby.kill()
        self._apart.kill()
        if self._asking is not None:
            self._asking.shutdown(wait=False, cancel_futures=True)

    def _derived(self, document: Document, language: str, most: int) -> Tags:
        isolated = is_apart(language, document.data)
        if not isolated and len(document.data) <= most:
            return paused(tags_sliced(document.path, document.data, language))
        # A large text must not keep the next keystroke in a small one waiting.
        standby = self._apart if isolated else self._standby
        blob = standby.tags(document.path, document.data, language)
        found = unpack_tags(blob) if blob else None
        return found or tags_by_line(document.data, language)

    def flaws(self, path: str, data: bytes) -> tuple[Flaw, ...]:
        """Where `data` breaks the syntax of its language. Short texts in tame grammars are parsed here, others in
        a child."""
        language = checked_as(path, data)
        if language is None:
            return ()
        if is_tame(language) and len(data) <= _CHECKED_HERE:
            return flaws_of(path, data, language)
        try:
            return self._apart.flaws(path, data, language)
        except WorkerDied:
            return ()

    def _file(self, path: str) -> tuple[OnDisk, _Text] | None:
        if not self.root or not _is_plain(path):
            return None
        try:
            file = opened(f"{self.root}/{path}")
        except OSError:
            return None
        if file is None:
            return None
        with file:
            if not self.holds(_place_of(file.fileno())) and self.real(path) is None:
                return None
            found = os.fstat(file.fileno())
            sign = (found.st_mtime_ns, found.st_size, found.st_ino, found.st_mode)
            kept = self._files.get(path)
            if kept and kept[0] == sign and time.time_ns() - found.st_mtime_ns > _RACY_NS:
                return kept[1], kept[2]
            try:
                raw = file.read()
            except OSError:
                return None
        made = _as_file(path, raw, stat.S_IMODE(found.st_mode), kept)
        self._files.put(path, (sign, *made), len(raw) + 1000)
        return made


def _is_plain(path: str) -> bool:
    """Whether `path` is relative and goes down only."""
    if not path or path.startswith("/") or "\0" in path:
        return False
    return not any(part in ("", ".", "..") for part in path.split("/"))


def _place_of(handle: int) -> str:
    """Where an open file really is; "" where the system does not tell. Linux does, at an eighth of the
    cost of following all links on the way."""
    try:
        return os.readlink(f"/proc/self/fd/{handle}")  # noqa: PTH115  a Path doubles its cost
    except OSError:
        return ""


def row_of(path: str, tags: Tags, words: Bag) -> FileRow:
    """The graph row of a file with `tags` and `words`."""
    return FileRow(path, *row(tags), words)


class _Text:
    """The text of a file, its lines indexed at first use: who asks for bytes alone does not pay for it."""

    __slots__ = ("_data", "_document", "_path")

    def __init__(self, path: str, data: bytes | None) -> None:
        self._path = path
        self._data = data
        self._document: Document | None = None

    def document(self) -> Document | None:
        if self._document is None and self._data is not None:
            self._document = Document.of(self._path, self._data)
        return self._document


def _as_file(
    path: str, raw: bytes, mode: int, kept: tuple[tuple[int, ...], OnDisk, _Text] | None
) -> tuple[OnDisk, _Text]:
    if kept is not None and kept[1].raw == raw and kept[1].mode == mode:
        return kept[1], kept[2]
    text = decode(raw)
    if isinstance(text, Undecodable):
        return OnDisk(raw, mode, None, b"", text.reason), _Text(path, None)
    return OnDisk(raw, mode, text.codec, text.bom), _Text(path, text.data)
