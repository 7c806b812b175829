"""What lies in a folder outside the workspace, by content: which text each file is, and the units of every text.

Brings the store up to date from the cheapest source: what is unchanged by its stat, what the store knows by content,
and the rest by worker processes. Knows no graph and no search; keeps no state.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pairwright.config.schema import Index as Settings
from pairwright.reference.content import RECIPE, Unit, packed, unpack
from pairwright.tags.files import is_isolated, recipe
from pairwright.workspace.cache import Cache, Seen, key_of
from pairwright.workspace.codec import unpack_tags
from pairwright.workspace.derive import Derived, Look, derive, look, may_have_tags
from pairwright.workspace.discover import Cancelled, Stat, discover
from pairwright.workspace.rules import Rules
from pairwright.workspace.scan import kept, tags_key
from pairwright.workspace.workers import Pool

FURTHER = "pairwright.reference.content:packed"
"""What a worker makes of a text besides its tags."""

_SLICE = 200
_SAMPLE = 64
# As a scan of the workspace: little is parsed in this process, and a file too young may change unseen.
_HERE = 1_000_000
_HERE_FILE = 64 * 1024
_RACY_NS = 2_000_000_000

Progress = Callable[[int, int], None]
"""Files done and files to do."""


@dataclass(frozen=True, slots=True)
class Text:
    """The text of one file."""

    path: str
    digest: str
    language: str


class Elsewhere(Protocol):
    """Derives texts on other machines."""

    def derive(
        self,
        paths: Sequence[str],
        look: Callable[[str], Look | None],
        take: Callable[[Sequence[Derived]], None],
    ) -> list[str]:
        """`take` gets what was derived; the paths that have to be derived here come back."""
        ...


@dataclass(slots=True)
class Stock:
    """The texts of the folder `root` (absolute, links resolved), filled once by `fill`, for one thread.

    `texts`: sorted by path, those with a language only. `made`: files that were parsed. `cancelled` is asked
    between files."""

    root: str
    settings: Settings
    cache: Cache
    progress: Progress | None = None
    cancelled: Callable[[], bool] = lambda: False
    elsewhere: Elsewhere | None = None
    made: int = 0
    _known: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    _fresh: dict[str, bytes] = field(default_factory=dict)
    _total: int = 0

    @property
    def texts(self) -> tuple[Text, ...]:
        """What was found, sorted by path."""
        known = ((path, *self._known[path]) for path in sorted(self._known))
        return tuple(
            Text(path, digest, language) for path, digest, language in known if language is not None
        )

    def fill(self) -> None:
        """Look at every file. Raises Cancelled; what was derived by then is kept in the store."""
        self._derive(self.settle())

    def settle(self) -> list[tuple[str, int]]:
        """Take what can be had without parsing; the files that are left come back, with their sizes. Raises
        Cancelled."""
        found = discover(self.root, Rules.of(self.root, self.settings), self.cancelled)
        files = {
            path: stat
            for path, stat in found.files.items()
            if may_have_tags(path) and stat.size <= self.settings.max_file_size
        }
        recorded = self.cache.seen(self.root, recipe())
        todo = []
        for path, stat in files.items():
            seen = recorded.get(path)
            if seen is not None and Stat(*seen[:3]) == stat:
                self._known[path] = (seen.digest, seen.language)
            else:
                todo.append(path)
        self._total = len(files)
        return [(path, files[path].size) for path in self._recall(todo)]

    def units(self) -> Iterator[tuple[Text, tuple[Unit, ...]]]:
        """Every text with its units; what the store has lost is made again, and a file that has become another
        meanwhile is left out."""
        texts = self.texts
        for at in range(0, len(texts), _SLICE):
            part = texts[at : at + _SLICE]
            keys = {text: units_key(text) for text in part if text.path not in self._fresh}
            found = self.cache.get_many(sorted(set(keys.values())))
            for text in part:
                blob = self._fresh.get(text.path) or found.get(keys.get(text, b""))
                units = unpack(blob) if blob is not None else None
                units = units if units is not None else unpack(self._again(text) or b"")
                if units is not None:
                    yield text, units

    # --- sources

    def _recall(self, todo: Sequence[str]) -> list[str]:
        """Read files and take what the store knows of their content, if a sample says that it knows enough; the
        others come back."""
        if not self.cache.knows_anything():
            return list(todo)
        step = 1 + len(todo) // _SAMPLE
        sample = todo[::step]
        left = self._recalled(sample)
        looked = set(sample)
        rest = [path for path in todo if path not in looked]
        if len(left) > len(sample) // 2:
            return sorted([*left, *rest])
        return sorted([*left, *self._recalled(rest)])

    def _recalled(self, paths: Sequence[str]) -> list[str]:
        left: list[str] = []
        for at in range(0, len(paths), _SLICE):
            looks = [seen for path in paths[at : at + _SLICE] if (seen := self._look(path))]
            keys = {
                seen.path: tags_key(seen.digest, seen.language) for seen in looks if seen.language
            }
            known = self.cache.get_many(sorted(set(keys.values())))
            for seen in looks:
                if seen.path not in keys or keys[seen.path] in known:
                    self._keep(seen)
                else:
                    left.append(seen.path)
            self._tell()
        return left

    def _derive(self, todo: Sequence[tuple[str, int]]) -> None:
        if self.elsewhere is not None and todo:
            sizes = dict(todo)
            left = self.elsewhere.derive(list(sizes), self._look, self._take)
            todo = [(path, sizes[path]) for path in left]
        total = sum(size for _, size in todo)
        here: list[str] = []
        if total <= _HERE and all(size <= _HERE_FILE for _, size in todo):
            here = [path for path, _ in todo]
        apart: list[tuple[str, int]] = [] if here else list(todo)
        for path in here:
            seen = self._look(path)
            if seen is not None and is_isolated(seen.language):
                apart.append((path, seen.size))
            elif seen is not None:
                self._take([derive(seen, further=packed)])
        if not apart:
            return
        count = self.settings.workers or len(os.sched_getaffinity(0))
        pool = Pool(min(count, 1 + total // _HERE), FURTHER)
        pool.run(self.root, self.settings.max_file_size, apart, self._take)

    def _take(self, found: Sequence[Derived]) -> None:
        """Keep what was derived. Raises Cancelled, which ends the workers."""
        values: dict[bytes, bytes] = {}
        for item in found:
            values.update(kept(item))
            if item.tags and item.language:
                self._fresh[item.path] = item.further
                values[units_key(Text(item.path, item.digest, item.language))] = item.further
                self.made += 1
            if item.digest:
                self._known[item.path] = (item.digest, item.language)
        self.cache.put_many(values)
        self._record(found)
        self._tell()
        self._check()

    def _again(self, text: Text) -> bytes | None:
        """The units of a text whose tags are known; None if the file has become another meanwhile."""
        seen = self._look(text.path)
        if seen is None or seen.data is None or seen.digest != text.digest:
            return None
        blob = self.cache.get(tags_key(text.digest, text.language))
        tags = unpack_tags(blob) if blob is not None else None
        if tags is not None:
            units = packed(seen.data, tags)
            self.cache.put_many({units_key(text): units})
            return units
        self._derive([(text.path, max(0, seen.size))])
        return self._fresh.get(text.path)

    def _look(self, path: str) -> Look | None:
        self._check()
        return look(self.root, path, self.settings.max_file_size)

    def _keep(self, seen: Look) -> None:
        self._known[seen.path] = (seen.digest, seen.language)
        self._record([Derived(*seen[:6], b"", b"", b"", seen.problem)])

    def _record(self, found: Sequence[Derived]) -> None:
        young = time.time_ns() - _RACY_NS
        seen: Mapping[str, Seen] = {
            item.path: Seen(*item[1:6], item.problem)
            for item in found
            if item.digest and item.mtime_ns < young
        }
        self.cache.record(self.root, recipe(), seen)

    def _check(self) -> None:
        if self.cancelled():
            raise Cancelled

    def _tell(self) -> None:
        if self.progress is not None:
            self.progress(min(len(self._known), self._total), self._total)


def units_key(text: Text) -> bytes:
    """The store's key of the packed units of a text, wherever it lies."""
    return key_of(text.digest, f"{recipe()}-{RECIPE}", f"units {text.language}")
