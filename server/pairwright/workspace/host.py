"""The one writer of a workspace folder's state: open buffers, the index of closed files, what is
dirty.

Its plain methods belong to the event loop and return at once: they exchange immutable values under
a lock that is never held for longer than that. Work runs in the host's own thread (settling) or in
a pool thread (scans), and its results enter by the same exchange. Knows no protocol: paths, bytes
and byte edits."""

from __future__ import annotations

import logging
import threading
from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from pairwright.config.index import Index
from pairwright.graph.types import History
from pairwright.text.document import Document, Edit
from pairwright.workspace.cache import Cache
from pairwright.workspace.discover import Cancelled
from pairwright.workspace.disk import Disk
from pairwright.workspace.live import Live
from pairwright.workspace.past import Past
from pairwright.workspace.rules import Rules, is_rule
from pairwright.workspace.scan import Indexed, Progress, Scan, nothing
from pairwright.workspace.snapshot import GraphMemo, Held, View
from pairwright.workspace.types import Buffer

if TYPE_CHECKING:
    import asyncio

_log = logging.getLogger(__name__)

Report = Callable[[str, int | None], None]
"""A line for the user and a percentage."""


class Host:
    """One workspace folder. `root`: its absolute path with links resolved, or None for a host that
    only holds buffers outside all folders. `cache`: shared by the hosts of a server."""

    def __init__(self, root: str | None, settings: Index, cache: Cache) -> None:
        self._root = root or ""
        self._settings = settings
        self._cache = cache
        self._disk = Disk(self._root, settings, cache)
        self._past = Past(self._root, cache) if root else None
        self._history = History()
        self._memo = GraphMemo()
        self._lock = threading.Lock()
        self._numbers = count()
        self._revision = 0
        self._held: Mapping[str, Held] = {}
        self._indexed = nothing(root, settings)
        # Path -> the mark it was announced with: a scan that began earlier has not seen that
        # change.
        self._dirty: Mapping[str, int] = {}
        self._mark = 0
        self._is_stale = False
        self._scan: Scan | None = None
        self._scanning = threading.Lock()
        self._threads: ThreadPoolExecutor | None = None
        self._readers = ThreadPoolExecutor(1, "history")
        self._is_stopped = False
        self._snapshot = self._view()

    def snapshot(self) -> View:
        """The workspace now."""
        return self._snapshot

    # --- buffers

    def open(
        self, path: str, uri: str, version: int | None, language: str, data: bytes
    ) -> Document:
        """A document was opened; a second opening replaces the first. `path`: workspace-relative,
        or the URI itself for a buffer that is no file of this folder: it gets tags and no place in
        the graph."""
        document = Document.of(path, data, version)
        live = Live(next(self._numbers), document, language, self._disk)
        held = Held(Buffer(document, uri, language), live, 0, path != uri)
        with self._lock:
            self._held = {**self._held, path: held}
            self._changed()
        return document

    def change(self, path: str, document: Document, edits: Sequence[Edit]) -> View:
        """The open document at `path` became `document` by `edits`, one applied after another.
        Nothing is parsed here. A change of a document that is not open is ignored."""
        with self._lock:
            held = self._held.get(path)
            if held is None:
                return self._snapshot
            at = held.at + 1
            held.live.queue(at, edits)
            buffer = replace(held.buffer, document=document)
            self._held = {**self._held, path: replace(held, buffer=buffer, at=at)}
            return self._changed()

    def close(self, path: str) -> View:
        """The document was closed: the disk counts again."""
        with self._lock:
            if path not in self._held:
                return self._snapshot
            closed = self._held[path]
            self._held = {p: held for p, held in self._held.items() if p != path}
            if closed.is_file:
                self._soil((path,))
            return self._changed()

    # --- the disk

    def disk(self, paths: Collection[str]) -> View:
        """`paths` were or may have been created, changed or deleted on disk. They are read at the
        next question; `settle` or `rescan` then makes them part of the index."""
        if not paths:
            return self._snapshot
        with self._lock:
            self._soil(paths)
            if self._root and any(is_rule(path) for path in paths):
                self._is_stale = True
                rules = Rules.of(self._root, self._settings)
                self._indexed = replace(self._indexed, rules=rules)
            return self._changed()

    def configure(self, settings: Index) -> View:
        """Other settings: the folder counts as not indexed until the next `start_scan`."""
        with self._lock:
            if settings != self._settings:
                self._settings = settings
                self._disk.stop()
                self._disk = Disk(self._root, settings, self._cache)
                self._indexed = replace(self._indexed, ready=not self._root)
                self._is_stale = True
            return self._changed()

    # --- derived values

    def settle(self) -> Future[None]:
        """Typing paused: bring tags, graph rows and dirty files up to date in the host's thread."""
        return self._submit(self._settle)

    def settle_fresh(self) -> Future[None]:
        """Typing rests, or a save: parse what may have drifted from scratch, in the host's
        thread."""
        return self._submit(self._settle_fresh)

    async def start_scan(self, report: Report | None = None) -> View:
        """The first scan, and the one after `configure`: index everything, usable meanwhile.
        `report` is called on the loop. Cancelling the task stops the workers and keeps what they
        have done."""
        # Here and below: the command line has no loop, and importing one costs more than its scan.
        import asyncio

        loop = asyncio.get_running_loop()

        def progress(done: int, total: int) -> None:
            if report is not None:
                percent = 100 * done // total if total else 100
                line = f"{done:,} of {total:,} files"
                loop.call_soon_threadsafe(report, line, percent)

        return await self._in_thread(lambda: self.scan(progress, live=True))

    async def rescan(self) -> View:
        """Compare all files with the disk: what changed enters the index."""
        return await self._in_thread(self.scan)

    def scan(self, progress: Progress | None = None, live: bool = False) -> View:
        """Index the folder, in the calling thread, waiting for a scan that runs already, and read
        its history. `live`: let others see what is there so far; the history follows behind the
        scan. Raises Cancelled after `stop`."""
        with self._scanning:
            if live:
                view = self._scan_now(None, progress, live)
                self._read_history()
                return view
            reading = self._read_history()
            view = self._scan_now(None, progress, live)
        if reading is None:
            return view
        wait([reading])
        return self._snapshot

    def stop(self) -> None:
        """End workers and threads; what runs is abandoned."""
        self._is_stopped = True
        scan = self._scan
        if scan is not None:
            scan.cancel()
        self._disk.stop()
        if self._past is not None:
            self._past.kill()
        for threads in (self._threads, self._readers):
            if threads is not None:
                threads.shutdown(wait=False, cancel_futures=True)

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders that hold what is indexed, the root as "" first; none before the first
        scan is done. Another object only when a scan looked at all of them again."""
        return self._indexed.folders

    @property
    def rules(self) -> Rules | None:
        """The rules of the index as it is; None without a folder."""
        return self._indexed.rules

    @property
    def summary(self) -> str:
        """One line about the last scan, for the log."""
        return self._indexed.summary()

    # --- inside

    def _changed(self) -> View:
        """A new revision of what the fields hold. With the lock held."""
        self._revision += 1
        self._snapshot = self._view()
        return self._snapshot

    def _view(self) -> View:
        dirty = frozenset(self._dirty)
        return View(
            *(self._revision, self._held, self._indexed, dirty),
            *(self._disk, self._memo, self._history),
        )

    def _soil(self, paths: Collection[str]) -> None:
        self._mark += 1
        self._dirty = {**self._dirty, **dict.fromkeys(paths, self._mark)}

    def _has_folder(self, paths: Collection[str]) -> bool:
        """Whether one of `paths` is or was a folder: an editor may name it for all that is in it."""
        known = list(self._indexed.stats)
        for path in sorted(paths):
            at = bisect_left(known, path + "/")
            if at < len(known) and known[at].startswith(path + "/"):
                return True
            if Path(self._root, path).is_dir():
                return True
        return False

    def _submit(self, job: Callable[[], None]) -> Future[None]:
        if self._threads is None:
            self._threads = ThreadPoolExecutor(1, "settle")
        if self._is_stopped:
            done: Future[None] = Future()
            done.cancel()
            return done
        future = self._threads.submit(job)
        future.add_done_callback(_log_failure)
        return future

    def _settle(self) -> None:
        # A scan that runs sees the dirty files itself, or leaves them for the next pause.
        if self._dirty and self._indexed.ready and self._scanning.acquire(blocking=False):
            try:
                dirty = tuple(self._dirty)
                is_all = self._is_stale or self._has_folder(dirty)
                self._scan_now(None if is_all else dirty, None, False)
                if is_all:
                    self._read_history()
            finally:
                self._scanning.release()
        self._snapshot.settle()

    def _settle_fresh(self) -> None:
        if self._snapshot.refresh():
            self._snapshot.settle()

    def _read_history(self) -> Future[None] | None:
        """Bring the history up to the commit that is checked out now, in a thread of its own."""
        past = self._past
        if past is None or self._is_stopped:
            return None

        def read() -> None:
            found = past.read()
            with self._lock:
                if found != self._history:
                    self._history = found
                    self._changed()

        reading = self._readers.submit(read)
        reading.add_done_callback(_log_failure)
        return reading

    def _scan_now(self, only: Sequence[str] | None, progress: Progress | None, live: bool) -> View:
        if not self._root:
            return self._snapshot
        with self._lock:
            mark, settings = self._mark, self._settings
            before = self._indexed if self._indexed.ready else nothing(self._root, settings)
            if only is None:
                self._is_stale = False
        self._scan = scan = Scan(self._root, settings, self._cache, before, only)
        if self._is_stopped:
            raise Cancelled
        try:
            found = scan.run(progress, self._publish if live else None)
        finally:
            self._scan = None
        with self._lock:
            if settings == self._settings:
                self._indexed = found
            self._dirty = {p: marked for p, marked in self._dirty.items() if marked > mark}
            view = self._changed()
        if only is None:
            _log.info("%s: %s", self._root, found.summary())
        return view

    def _publish(self, partial: Indexed) -> None:
        with self._lock:
            if not self._indexed.ready:
                self._indexed = partial
                self._changed()

    async def _in_thread(self, job: Callable[[], View]) -> View:
        import asyncio

        task = asyncio.create_task(asyncio.to_thread(job))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            scan = self._scan
            if scan is not None:
                scan.cancel()
            task.add_done_callback(_consume)
            raise
        except Cancelled:
            return self._snapshot


def _consume(task: asyncio.Task[View]) -> None:
    """Take a scan's end after its caller has gone, so that nobody complains about it."""
    if not task.cancelled():
        error = task.exception()
        if error is not None and not isinstance(error, Cancelled):
            _log.error("a cancelled scan failed: %s", error, exc_info=error)


def _log_failure(future: Future[None]) -> None:
    if not future.cancelled():
        error = future.exception()
        if error is not None and not isinstance(error, Cancelled):
            _log.error("bringing the index up to date failed: %s", error, exc_info=error)
