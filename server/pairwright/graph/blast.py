"""What static references lead to a definition: who names it, and who names those.

A name is a name. What is called by reflection, by registration or from outside does not show, so an
empty answer never means that nothing depends on it. Pure: the index comes in as functions.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pairwright.graph.weights import COMMON_ABOVE
from pairwright.tags.types import Definition, Tags, parents

MOST_FILES = 300
"""Files whose tags are read for one answer; those that refer most come first."""

MOST_NAMES = 100
"""Names that are followed from one step to the next, those that fewest files define first."""

_ALIKE = 10

LOCAL_IN = frozenset(("function", "method", "macro"))
"""Kinds whose inner definitions are nobody else's business."""

_SHELLS = frozenset(
    ("class", "interface", "struct", "enum", "trait", "module", "namespace", "union", "type")
)


class Site(NamedTuple):
    """A definition in a file. `start`: the byte it begins at."""

    path: str
    name: str
    start: int


@dataclass(frozen=True, slots=True)
class Reach:
    """Something that refers to what changed. `definition`: None for the file's own top level, then
    `at` is the first reference. `at`: the byte to show. `via`: the names it refers to, sorted.
    `depth`: 1 if one of them changed itself."""

    path: str
    definition: Definition | None
    at: int
    depth: int
    references: int
    via: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Blast:
    """`reached`: by file, files with the smallest depth and the most references first, then by
    path; by place within a file. `unclear`: (name, files) for names so common that only files which
    also name what is around the definition were followed: how many were not. `more`: files that
    were not looked at any more."""

    reached: tuple[Reach, ...]
    unclear: tuple[tuple[str, int], ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True)
class Index:
    """The questions a blast asks. `referrers`: (path, count), most first."""

    tags: Callable[[str], Tags]
    referrers: Callable[[str], Sequence[tuple[str, int]]]
    definers: Callable[[str], Sequence[str]]


def blast(
    changed: Iterable[Site],
    index: Index,
    *,
    depth: int = 2,
    check: Callable[[], None] = lambda: None,
) -> Blast:
    """Everything that leads to the definitions `changed` in at most `depth` steps of static
    references. `check` is called for each file and may raise, to cancel."""
    walk = _Walk(index, check)
    sites = sorted(set(changed))
    walk.seen.update((site.path, site.start) for site in sites)
    for step in range(1, depth + 1):
        sites = walk.step(sites, step)
    return walk.result()


def touched(tags: Tags, data: bytes, spans: Iterable[tuple[int, int]]) -> tuple[Definition, ...]:
    """The definitions whose own text the byte ranges `spans` of `data` change, in order.

    What is local to a function counts as the function. A class and its like only count when text
    between its members or its head changes; a member added to it leaves it as it was.
    """
    outer = parents(tags.defs)
    inner: list[list[Definition]] = [[] for _ in tags.defs]
    for item, parent in zip(tags.defs, outer, strict=True):
        if parent >= 0:
            inner[parent].append(item)
    found: set[int] = set()
    for low, high in spans:
        for number, item in enumerate(tags.defs):
            if item.start > high:
                break
            if _hits(item, inner[number], data, low, high):
                found.add(_public(tags.defs, outer, number))
    return tuple(tags.defs[number] for number in sorted(found))


def site_of(path: str, item: Definition) -> Site:
    """`item` of the file at `path`."""
    return Site(path, item.name, item.start)


def _hits(item: Definition, inner: list[Definition], data: bytes, low: int, high: int) -> bool:
    if low == high:
        # Text put in where nothing was: it must be inside, and inside the head of a shell.
        end = item.body if item.kind in _SHELLS else item.end
        return item.start < low < end
    low, high = max(low, item.start), min(high, item.end)
    if low >= high or item.kind not in _SHELLS:
        return low < high
    own = bytearray(data[low:high])
    for member in inner:
        start, end = max(member.start, low) - low, min(member.end, high) - low
        if start < end:
            own[start:end] = b" " * (end - start)
    return bool(own.strip())


def _public(defs: Sequence[Definition], outer: Sequence[int], number: int) -> int:
    """The definition others can see: the outermost function around `number`, else itself."""
    seen = number
    at = outer[number]
    while at >= 0:
        if defs[at].kind in LOCAL_IN:
            seen = at
        at = outer[at]
    return seen


@dataclass(slots=True)
class _Found:
    definition: Definition | None
    at: int
    depth: int
    references: int = 0
    via: set[str] = field(default_factory=set)


class _Walk:
    """One walk outwards, step by step."""

    def __init__(self, index: Index, check: Callable[[], None]) -> None:
        self._index = index
        self._check = check
        self._files: set[str] = set()
        self._left: set[str] = set()
        self._unclear: dict[str, int] = {}
        self._asked: dict[str, tuple[str, ...]] = {}
        self._found: dict[tuple[str, int], _Found] = {}
        self.seen: set[tuple[str, int]] = set()

    def step(self, sites: Sequence[Site], depth: int) -> list[Site]:
        """Look at everything that refers to `sites`; what is found for the first time."""
        by_name: dict[str, list[Site]] = {}
        for site in sites:
            by_name.setdefault(site.name, []).append(site)
        wanted: dict[str, set[str]] = {}
        rarest = sorted(by_name, key=lambda name: (len(self._index.definers(name)), name))
        for name in rarest[:MOST_NAMES]:
            for path in self._files_for(name, by_name[name]):
                wanted.setdefault(path, set()).add(name)
        fresh: list[Site] = []
        for path, names in wanted.items():
            if path not in self._files and len(self._files) >= MOST_FILES:
                self._left.add(path)
                continue
            self._files.add(path)
            self._check()
            fresh += self._in_file(path, names, depth)
        return sorted(fresh)

    def result(self) -> Blast:
        reached = [
            Reach(path, one.definition, one.at, one.depth, one.references, tuple(sorted(one.via)))
            for (path, _), one in self._found.items()
        ]
        weight: dict[str, tuple[int, int, str]] = {}
        for item in reached:
            near, count, _ = weight.get(item.path, (item.depth, 0, ""))
            weight[item.path] = min(near, item.depth), count - item.references, item.path
        reached.sort(key=lambda item: (weight[item.path], item.at))
        unclear = tuple(sorted(self._unclear.items()))
        return Blast(tuple(reached), unclear, len(self._left - self._files))

    def _files_for(self, name: str, sites: Sequence[Site]) -> Sequence[str]:
        """The files that refer to `name` and may mean one of `sites`.

        A name that many files define, and a file that defines it too, count only where what is
        around the definition is named as well.
        """
        own = {site.path for site in sites}
        definers = set(self._index.definers(name)) - own
        referrers = self._referrers(name)
        is_common = len(definers) >= COMMON_ABOVE
        if not is_common and not definers.intersection(referrers):
            return referrers
        # Reached many times under one name, it is not worth asking what is around each.
        few = sites if len(sites) <= _ALIKE else ()
        near = own.union(*(self._around(site) for site in few))
        kept = [path for path in referrers if path in near or not (is_common or path in definers)]
        if is_common and len(kept) < len(referrers):
            self._unclear[name] = len(referrers) - len(kept)
        return kept

    def _around(self, site: Site) -> tuple[str, ...]:
        """Files that name what is around `site`: the definition it is in, else its file."""
        tags = self._index.tags(site.path)
        outer = parents(tags.defs)
        for item, parent in zip(tags.defs, outer, strict=True):
            if item.start == site.start and item.name == site.name and parent >= 0:
                return self._referrers(tags.defs[parent].name)
        return self._referrers(site.path.rpartition("/")[2].split(".", 1)[0])

    def _referrers(self, name: str) -> tuple[str, ...]:
        """The files that refer to `name`, those that do it most first."""
        found = self._asked.get(name)
        if found is None:
            found = self._asked[name] = tuple(path for path, _ in self._index.referrers(name))
        return found

    def _in_file(self, path: str, names: set[str], depth: int) -> list[Site]:
        tags = self._index.tags(path)
        defs = tags.defs
        outer = parents(defs)
        starts = [item.start for item in defs]
        fresh: list[Site] = []
        for name, at in zip(tags.ref_names, tags.ref_starts, strict=True):
            if name not in names:
                continue
            number = bisect_right(starts, at) - 1
            while number >= 0 and defs[number].end <= at:
                number = outer[number]
            number = _public(defs, outer, number) if number >= 0 else -1
            item = defs[number] if number >= 0 else None
            key = path, item.start if item else -1
            if key in self.seen and key not in self._found:
                continue
            one = self._found.get(key)
            if one is None:
                one = _Found(item, item.name_start if item else at, depth)
                self._found[key] = one
                self.seen.add(key)
                if item is not None:
                    fresh.append(site_of(path, item))
            if one.depth == depth:
                one.references += 1
                one.via.add(name)
        return fresh
