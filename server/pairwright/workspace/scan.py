"""Brings the index of closed files up to the disk: discover, compare, recall or derive, build the
graph.

A scan runs in a thread and gives back an immutable `Indexed`; it changes nothing that others see.
What the cache knows is recalled, little that is left is derived on the spot, much of it by worker
processes. Rows are kept packed until the graph is built from them, and tags go to the cache only:
neither stays in memory."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pairwright.config.index import Index
from pairwright.graph.engine import FOLD_AT, Graph
from pairwright.graph.kernel import preload
from pairwright.graph.types import FileRow
from pairwright.tags.files import is_apart, recipe
from pairwright.tags.words import NO_WORDS, RECIPE
from pairwright.workspace.cache import Cache, Seen, key_of
from pairwright.workspace.codec import unpack_row, unpack_words
from pairwright.workspace.derive import TOO_LARGE, Derived, Look, derive, look, may_have_tags
from pairwright.workspace.discover import Cancelled, Stat, discover, stat_of
from pairwright.workspace.rules import Rules
from pairwright.workspace.workers import Pool

Parts = tuple[bytes, bytes]
"""What of a file enters the graph, packed: its row and its words; empty where there are none."""

Progress = Callable[[int, int], None]
"""Files done and files to do; called from scan threads."""

# In the server's own process a parse holds the interpreter: small files only, and few of them.
_HERE_FILE = 64 * 1024
_HERE_TOTAL = 1024 * 1024
_SLICE = 400
_SAMPLE = 256
_BYTES_AN_ENTRY = 100
# A file written to again within its time stamp's grain looks unchanged: too young to be trusted.
_RACY_NS = 2_000_000_000
_FIRST_PUBLISH_SECONDS = 1.5
_NOTHING: Parts = (b"", b"")


@dataclass(frozen=True, slots=True)
class Indexed:
    """The closed files at one moment. `stats`: every file, sorted by path. `problems`: path -> why
    its tags are absent or partial. `left_out`: what discovery could not read, reason -> count.
    `ready`: False while the first scan runs and rows are missing. `folders`: all that were looked
    into, sorted, the root as ""."""

    graph: Graph
    stats: Mapping[str, Stat]
    rules: Rules | None
    problems: Mapping[str, str] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    ready: bool = False
    folders: tuple[str, ...] = ()

    def summary(self) -> str:
        """One line for the log: how many files, and how many without tags for which reasons."""
        reasons = Counter(self.problems.values()) + Counter(dict(self.left_out))
        if not reasons:
            return f"{len(self.stats)} files indexed"
        listed = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()))
        return f"{len(self.stats)} files indexed; without tags or with few: {listed}"


def nothing(root: str | None, settings: Index) -> Indexed:
    """The index before any scan; without a folder there is nothing to scan."""
    rules = Rules.of(root, settings) if root else None
    return Indexed(Graph.build(()), {}, rules, ready=rules is None)


class Scan:
    """One scan. `before`: the index it starts from. `only`: look at these paths instead of all."""

    def __init__(
        self,
        root: str,
        settings: Index,
        cache: Cache,
        before: Indexed,
        only: Sequence[str] | None = None,
    ) -> None:
        self._root = root
        self._settings = settings
        self._cache = cache
        self._before = before
        self._only = only
        self._cancelled = threading.Event()
        self._pool: Pool | None = None
        self._recipe = recipe()
        self._rows: dict[str, Parts | None] = {}
        self._stats: dict[str, Stat] = {}
        self._folders = before.folders
        self._problems: dict[str, str] = {}
        self._total = 0
        self._progress: Progress = _silent
        self._publish: Callable[[Indexed], None] | None = None
        self._next_publish = 0.0
        self._interval = _FIRST_PUBLISH_SECONDS

    def cancel(self) -> None:
        """Make `run` raise Cancelled soon. Any thread may call."""
        self._cancelled.set()
        if self._pool is not None:
            self._pool.cancel()

    def run(
        self, progress: Progress | None = None, publish: Callable[[Indexed], None] | None = None
    ) -> Indexed:
        """The index as the disk is now. `publish` gets partial ones meanwhile, ever more rarely.
        Raises Cancelled; nothing is lost then but the unfinished."""
        self._progress = progress or _silent
        self._publish = publish
        self._next_publish = time.monotonic() + self._interval
        before = self._before
        if self._only is None:
            rules = Rules.of(self._root, self._settings)
            found = discover(self._root, rules, self._cancelled.is_set)
            files, left_out = dict(found.files), found.skipped
            self._folders = found.folders
            gone = [path for path in before.stats if path not in files]
        else:
            rules = before.rules or Rules.of(self._root, self._settings)
            left_out = before.left_out
            looked = {path: self._stat_now(path, rules) for path in sorted(set(self._only))}
            gone = [p for p, stat in looked.items() if stat is None and p in before.stats]
            files = {p: stat for p, stat in looked.items() if stat is not None}
        changed = {path: s for path, s in files.items() if before.stats.get(path) != s}
        self._stats = {**before.stats, **files}
        # Known paths keep their place and a first walk gives all in order: sorting them at each
        # pause of typing would hold the interpreter.
        if before.stats and not before.stats.keys() >= files.keys():
            self._stats = dict(sorted(self._stats.items()))
        self._problems = dict(before.problems)
        for path in gone:
            self._stats.pop(path, None)
            self._rows[path] = None
        for path in (*gone, *changed):
            self._problems.pop(path, None)
        self._total = len(changed)
        self._fill(changed)
        self._cache.record(self._root, self._recipe, {}, gone)
        return self._indexed(rules, left_out, self._only is None or before.ready, self._rows)

    def _indexed(
        self,
        rules: Rules | None,
        left_out: Mapping[str, int],
        ready: bool,
        rows: dict[str, Parts | None],
    ) -> Indexed:
        """The index with `rows`, which are used up: packed and unpacked they need not be there
        together."""
        before = self._before
        if before.stats:
            made = {path: _row(path, parts) for path, parts in rows.items()}
            graph = before.graph.replace(made)
            if graph.overlaid >= FOLD_AT:
                graph = graph.folded()
        else:
            graph = Graph.build(_file_rows(rows))
        stats = dict(self._stats)
        problems = dict(sorted(self._problems.items()))
        return Indexed(graph, stats, rules, problems, left_out, ready, self._folders)

    def _stat_now(self, path: str, rules: Rules) -> Stat | None:
        full = f"{self._root}/{path}"
        if os.path.realpath(full) != full or not rules.indexed(path):
            return None
        return stat_of(full)

    # --- rows

    def _fill(self, changed: Mapping[str, Stat]) -> None:
        """A row for each of `changed`, from the cheapest source that has it."""
        todo: list[str] = []
        recall: list[tuple[str, Seen]] = []
        first = not self._before.stats
        recorded = self._cache.seen(self._root, self._recipe) if first else {}
        limit = self._settings.max_file_size
        for path, stat in changed.items():
            seen = recorded.get(path)
            if not may_have_tags(path):
                self._rows[path] = _NOTHING
            elif stat.size > limit:
                self._rows[path] = _NOTHING
                self._problems[path] = TOO_LARGE
            elif seen is not None and Stat(*seen[:3]) == stat:
                recall.append((path, seen))
            else:
                todo.append(path)
        todo += self._recall(recall)
        if todo and self._cache.knows_anything():
            self._recall_known(todo)
            todo = [path for path in todo if path not in self._rows]
        self._derive(todo, changed)

    def _recall(self, known: Sequence[tuple[str, Seen]]) -> list[str]:
        """Take rows of unchanged files from the cache; the paths that it has lost come back."""
        lost: list[str] = []
        for at in range(0, len(known), _SLICE):
            self._check()
            part = known[at : at + _SLICE]
            known_parts = self._parts({(s.digest, s.language) for _, s in part if s.language})
            for path, seen in part:
                parts = known_parts.get((seen.digest, seen.language)) if seen.language else _NOTHING
                if parts is None:
                    lost.append(path)
                else:
                    self._rows[path] = parts
                    if seen.problem:
                        self._problems[path] = seen.problem
            self._tell()
        return lost

    def _recall_known(self, todo: Sequence[str]) -> None:
        """Take what the cache knows by content, if a sample says that it knows enough: a repository that is
        new here is read by the workers, side by side."""
        step = 1 + len(todo) // _SAMPLE
        sample = todo[::step]
        left = self._recall_by_content(sample)
        if step > 1 and len(left) <= len(sample) // 2:
            looked = set(sample)
            self._recall_by_content([path for path in todo if path not in looked])

    def _recall_by_content(self, todo: Sequence[str]) -> list[str]:
        """Read files and take what their content gave before (a branch switched back, a second
        clone)."""
        left: list[str] = []
        limit = self._settings.max_file_size
        for at in range(0, len(todo), _SLICE):
            looks: list[Look] = []
            for path in todo[at : at + _SLICE]:
                self._check()
                seen = look(self._root, path, limit)
                if seen is None:
                    self._vanished(path)
                else:
                    looks.append(seen._replace(data=b"" if seen.data is not None else None))
            texts = {(s.digest, s.language) for s in looks if s.language}
            known_parts = self._parts(texts)
            tags = self._cache.get_many([tags_key(*text) for text in sorted(texts)])
            known: list[Derived] = []
            for item in looks:
                text = (item.digest, item.language or "")
                parts = known_parts.get(text) if item.language else _NOTHING
                if parts is None or (item.language and tags_key(*text) not in tags):
                    left.append(item.path)
                else:
                    known.append(Derived(*item[:6], *parts, b"", item.problem))
            self._take(known)
        return left

    def _parts(self, texts: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Parts]:
        """What the cache knows of texts (digest, language)."""
        wanted = sorted(texts)
        rows = {text: self._row_key(*text) for text in wanted}
        words = {text: self._words_key(text[0]) for text in wanted}
        found = self._cache.get_many([*rows.values(), *words.values()])
        return {
            text: (found[rows[text]], found[words[text]])
            for text in wanted
            if rows[text] in found and words[text] in found
        }

    def _derive(self, todo: Sequence[str], stats: Mapping[str, Stat]) -> None:
        sizes = [(path, stats[path].size) for path in todo]
        total = sum(size for _, size in sizes)
        limit = self._settings.max_file_size
        if total <= _HERE_TOTAL and all(size <= _HERE_FILE for _, size in sizes):
            sizes = self._derive_here(todo)
            if not sizes:
                return
        count = self._settings.workers or len(os.sched_getaffinity(0))
        self._pool = Pool(min(count, 1 + total // _HERE_TOTAL))
        self._check()
        # The graph's arrays are needed right behind the workers, and loading their library takes long.
        entries = total // _BYTES_AN_ENTRY
        loading = threading.Thread(target=preload, args=(entries,), name="preload", daemon=True)
        loading.start()
        self._pool.run(self._root, limit, sizes, self._take)
        loading.join()
        self._check()
        for path in todo:
            if path not in self._rows:
                self._vanished(path)

    def _derive_here(self, todo: Sequence[str]) -> list[tuple[str, int]]:
        """Derive `todo` in this process, but for what must not be parsed in it: path and size."""
        apart: list[tuple[str, int]] = []
        for at in range(0, len(todo), 20):
            found = []
            for path in todo[at : at + 20]:
                self._check()
                seen = look(self._root, path, self._settings.max_file_size)
                if seen is None:
                    self._vanished(path)
                elif is_apart(seen.language, seen.data or b""):
                    apart.append((path, seen.size))
                else:
                    found.append(derive(seen))
            self._take(found)
        return apart

    def _take(self, found: Sequence[Derived]) -> None:
        """Keep what was derived: rows here, everything in the cache."""
        self._check()
        values: dict[bytes, bytes] = {}
        seen: dict[str, Seen] = {}
        young = time.time_ns() - _RACY_NS
        for item in found:
            self._rows[item.path] = (item.row, item.words)
            if item.problem:
                self._problems[item.path] = item.problem
            values.update(kept(item))
            if item.size >= 0:
                self._stats[item.path] = Stat(item.mtime_ns, item.size, item.inode)
                if item.digest and item.mtime_ns < young:
                    seen[item.path] = Seen(*item[1:6], item.problem)
        self._cache.put_many(values)
        self._cache.record(self._root, self._recipe, seen)
        self._tell()

    def _vanished(self, path: str) -> None:
        self._rows[path] = None
        self._stats.pop(path, None)

    def _row_key(self, digest: str, language: str) -> bytes:
        return key_of(digest, self._recipe, f"row {language}")

    def _words_key(self, digest: str) -> bytes:
        return key_of(digest, self._recipe, RECIPE)

    def _check(self) -> None:
        if self._cancelled.is_set():
            raise Cancelled

    def _tell(self) -> None:
        self._progress(min(len(self._rows), self._total), self._total)
        if self._publish is None or time.monotonic() < self._next_publish:
            return
        self._interval *= 2
        ready, rules = self._before.ready, self._before.rules
        self._publish(self._indexed(rules, {}, ready, dict(self._rows)))
        self._next_publish = time.monotonic() + self._interval


def tags_key(digest: str, language: str) -> bytes:
    """The cache's key of the packed tags of a text."""
    return key_of(digest, recipe(), f"tags {language}")


def kept(item: Derived) -> dict[bytes, bytes]:
    """What the cache keeps of a derived file, by key: nothing where it has no tags."""
    if not item.tags:
        return {}
    language = item.language or ""
    return {
        key_of(item.digest, recipe(), f"row {language}"): item.row,
        key_of(item.digest, recipe(), RECIPE): item.words,
        tags_key(item.digest, language): item.tags,
    }


def _row(path: str, parts: Parts | None) -> FileRow | None:
    if parts is None:
        return None
    row, words = parts
    defs, refs = (unpack_row(row) if row else None) or ({}, {})
    return FileRow(path, defs, refs, (unpack_words(words) if words else None) or NO_WORDS)


def _file_rows(rows: dict[str, Parts | None]) -> Iterator[FileRow]:
    for path in sorted(rows):
        row = _row(path, rows.pop(path))
        if row is not None:
            yield row


def _silent(_done: int, _total: int) -> None:
    """Nobody wants to know."""
