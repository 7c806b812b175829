"""The workspace at one revision, as every request sees it: buffers over the disk, and the graph of
both.

Immutable as far as buffers and the indexed rows go; a closed file is read from disk when asked for
and may be newer. Tags and graph rows are made at the first read and shared by all snapshots of a
host."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pairwright.graph.engine import Graph
from pairwright.graph.profile import Profile
from pairwright.graph.types import FileRow, Focus, History, Ranking
from pairwright.tags.flaws import Flaw
from pairwright.tags.types import EMPTY, Tags
from pairwright.tags.words import NO_WORDS, Bag
from pairwright.text.document import Document
from pairwright.workspace.disk import Disk, row_of
from pairwright.workspace.live import Live
from pairwright.workspace.scan import Indexed
from pairwright.workspace.types import Buffer, OnDisk
from pairwright.workspace.write import refusal

# So many files changed on disk are read at the next ranking; more of them wait for the scan.
_READ_AT_ONCE = 32


@dataclass(frozen=True, slots=True)
class Held:
    """An open document: its parse state, and which of its texts this is. `is_file`: it has a place
    in the folder."""

    buffer: Buffer
    live: Live
    at: int
    is_file: bool


class GraphMemo:
    """The graph asked for last, and which rows lie over the index in it. Shared by a host's
    snapshots."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.base: Graph | None = None
        self.graph: Graph | None = None
        self.over: dict[str, object] = {}


class View:
    """Implements `types.Snapshot`. Made by Host only."""

    def __init__(
        self,
        revision: int,
        held: Mapping[str, Held],
        indexed: Indexed,
        dirty: frozenset[str],
        disk: Disk,
        memo: GraphMemo,
        history: History,
    ) -> None:
        self._revision = revision
        self._held = held
        self._indexed = indexed
        self._dirty = dirty
        self._disk = disk
        self._memo = memo
        self._history = history
        self._paths: tuple[str, ...] | None = None
        self._buffers: Mapping[str, Buffer] | None = None

    @property
    def revision(self) -> int:
        return self._revision

    @property
    def root(self) -> str:
        return self._disk.root

    @property
    def buffers(self) -> Mapping[str, Buffer]:
        if self._buffers is None:
            self._buffers = {path: self._held[path].buffer for path in sorted(self._held)}
        return self._buffers

    def paths(self) -> tuple[str, ...]:
        if self._paths is None:
            stats = self._indexed.stats
            more = {path for path in self._open_files() if path not in stats}
            gone = set()
            for path in self._just_changed():
                exists = self._disk.on_disk(path) is not None and self._belongs(path)
                if exists and path not in stats:
                    more.add(path)
                if not exists and path in stats:
                    gone.add(path)
            known = (path for path in stats if path not in gone)
            self._paths = tuple(sorted((*known, *more))) if more or gone else tuple(stats)
        return self._paths

    def ready(self) -> bool:
        return self._indexed.ready

    def document(self, path: str) -> Document | None:
        held = self._held.get(path)
        return held.buffer.document if held else self._disk.document(path)

    def on_disk(self, path: str) -> OnDisk | None:
        return self._disk.on_disk(path)

    def tags(self, path: str) -> Tags:
        held = self._held.get(path)
        if held is not None:
            return held.live.tags(held.at, held.buffer.document)
        document = self._disk.document(path)
        return self._disk.tags(document) if document is not None else self._without_text(path)

    def tagged(self, path: str) -> tuple[Document, Tags] | None:
        held = self._held.get(path)
        if held is not None:
            document = held.buffer.document
            return document, held.live.tags(held.at, document)
        closed = self._disk.document(path)
        return None if closed is None else (closed, self._disk.tags(closed))

    def tags_of(self, path: str, data: bytes) -> Tags:
        return self._disk.tags(Document.of(path, data), keep=False)

    def flaws(self, path: str, data: bytes) -> tuple[Flaw, ...]:
        return self._disk.flaws(path, data)

    def history(self) -> History:
        return self._history

    def rank(self, focus: Focus) -> Ranking:
        return self.graph().rank(focus, self._profile, self._history)

    def referrers(self, name: str) -> tuple[tuple[str, int], ...]:
        """(path, references) of the files that refer to `name`, most first."""
        return self.graph().referrers(name)

    def definers(self, name: str) -> tuple[str, ...]:
        """The files that define `name`, sorted."""
        return self.graph().definers(name)

    def graph(self) -> Graph:
        """The graph of the index with the rows of open and of just changed files in place of
        theirs."""
        memo = self._memo
        wanted = self._over()
        with memo.lock:
            base = self._indexed.graph
            if memo.graph is None or memo.base is not base:
                memo.base, memo.graph, memo.over = base, base, {}
            rows: dict[str, FileRow | None] = {}
            for path in sorted(memo.over.keys() - wanted.keys()):
                rows[path] = base.row(path)
            for path, sign in wanted.items():
                if memo.over.get(path, self) != sign:
                    rows[path] = self._row(path)
            memo.graph = memo.graph.replace(rows)
            # A text parsed from scratch meanwhile has another stamp, and is looked at again next
            # time.
            memo.over = wanted
            return memo.graph

    def allowed(self, path: str) -> str | None:
        if not self.root:
            return "it is in no workspace folder."
        return refusal(Path(self.root), path)

    def ignored(self, path: str) -> bool:
        rules, real = self._indexed.rules, self._disk.real(path)
        return rules is None or real is None or rules.ignored(self._below(real))

    def refresh(self) -> bool:
        """Parse what may have drifted from scratch; see Live.refresh. Whether tags may have
        changed."""
        done = [held.live.refresh(held.at, held.buffer.document) for held in self._held.values()]
        return any(done)

    def settle(self) -> None:
        """Bring tags and rows of all open documents up to date."""
        for held in self._held.values():
            held.live.tags(held.at, held.buffer.document)
            held.live.prepare()
        self.graph()

    def _open_files(self) -> list[str]:
        """Open documents that have a place in the graph, sorted."""
        known = self._indexed.stats
        return sorted(
            path
            for path, held in self._held.items()
            if held.is_file and (path in known or self._belongs(path))
        )

    def _just_changed(self) -> list[str]:
        """Closed files that changed on disk and are few enough to be read here, sorted."""
        few = len(self._dirty) <= _READ_AT_ONCE
        return sorted(self._dirty - self._held.keys()) if few else []

    def _belongs(self, path: str) -> bool:
        """Whether the index takes `path` under this very name: no links on the way, not ignored,
        in the subtree that is indexed."""
        rules, real = self._indexed.rules, self._disk.real(path)
        if rules is None or real is None or self._below(real) != path:
            return False
        return rules.indexed(path)

    def _below(self, real: str) -> str:
        return real[len(self.root.rstrip("/")) + 1 :]

    def _over(self) -> dict[str, object]:
        """Paths whose rows are not the index's, each with the sign of the content it has now."""
        signs: dict[str, object] = {}
        for path in self._just_changed():
            document = self._disk.document(path) if self._belongs(path) else None
            signs[path] = document.digest if document else None
        for path in self._open_files():
            held = self._held[path]
            signs[path] = held.live.stamp(held.at)
        return signs

    def _row(self, path: str) -> FileRow | None:
        if path not in self._held and not (self._belongs(path) and self._disk.on_disk(path)):
            return None
        return row_of(path, self.tags(path), self._words(path))

    def _words(self, path: str) -> Bag:
        held = self._held.get(path)
        if held is not None:
            return held.live.words(held.at, held.buffer.document)
        document = self._disk.document(path)
        return self._disk.words(document) if document is not None else NO_WORDS

    def _profile(self, path: str) -> Profile | None:
        held = self._held.get(path)
        if held is None:
            stat = None if path in self._dirty else self._indexed.stats.get(path)
            return self._disk.profile(path, stat)
        document, sign = held.buffer.document, held.live.stamp(held.at)
        return self._disk.profiled(document, sign, lambda: self.tags(path))

    def _without_text(self, path: str) -> Tags:
        found = self._disk.on_disk(path)
        if found is None:
            return EMPTY
        return Tags((), (), (), None, "none", found.reason)
