"""What the paths of a repository say: their parts, the terms in them, and which belong in pairs.

Numbers are places in the sorted paths. Knows no text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache

from pairwright.tags.words import split

_MARK = re.compile(r"tests?|specs?|unittests?")
_PART = re.compile(r"[._-]+|(?<=[a-z0-9])(?=[A-Z])")
_KEPT = 1 << 14
_FOLDERS = frozenset(("test", "tests", "spec", "specs", "__tests__", "testing", "t"))


class PathIndex:
    """The `paths` looked up by what they say; each table is made when first asked for."""

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = paths

    @cached_property
    def tops(self) -> tuple[str, ...]:
        """The paths in no folder."""
        return tuple(path for path in self.paths if "/" not in path)

    @cached_property
    def parts(self) -> Mapping[str, tuple[int, ...]]:
        """For each folder name, base name and stem the numbers of the paths that have it."""
        return _table(self.paths, _parts)

    @cached_property
    def terms(self) -> Mapping[str, tuple[int, ...]]:
        """For each term the numbers of the paths that have it."""
        return _table(self.paths, path_terms)

    def twins(self, chat: Iterable[str]) -> Mapping[int, float]:
        """The files whose names pair them with one of `chat`: 1.0 for a test and what it tests, 0.5
        for the same name elsewhere (a header and its source)."""
        found: dict[int, float] = {}
        for path in chat:
            name, is_test = twin_key(path)
            for number in self._twins.get(name, ()):
                other = twin_key(self.paths[number])[1]
                found[number] = max(found.get(number, 0.0), 0.5 if other is is_test else 1.0)
        return found

    @cached_property
    def tests(self) -> bytes:
        """One byte for each path: 1 for a test."""
        return bytes(twin_key(path)[1] for path in self.paths)

    @cached_property
    def _twins(self) -> Mapping[str, tuple[int, ...]]:
        return _table(self.paths, lambda path: (_unmarked(path[path.rfind("/") + 1 :])[0],))


def path_terms(path: str) -> set[str]:
    """The terms of a path."""
    return {term for part in path.split("/") for term in _split(part)}


def twin_key(path: str) -> tuple[str, bool]:
    """What a test has in common with what it tests, and whether `path` is a test: its base name
    without marks of a test and without extensions, in lower case."""
    *folders, base = path.split("/")
    name, is_test = _unmarked(base)
    return name, is_test or not _FOLDERS.isdisjoint(folders)


@lru_cache(maxsize=_KEPT)
def _unmarked(base: str) -> tuple[str, bool]:
    parts = [part for part in _PART.split(base.partition(".")[0]) if part]
    marks = base.split(".")[1:-1]
    kept = [part for part in parts if not _MARK.fullmatch(part.lower())] or parts
    is_test = len(kept) < len(parts) or any(_MARK.fullmatch(mark) for mark in marks)
    return "".join(kept).lower(), is_test


# Paths have many parts and few different ones.
_split = lru_cache(maxsize=_KEPT)(split)


def _parts(path: str) -> set[str]:
    parts = path.split("/")
    return {*parts, parts[-1].rsplit(".", 1)[0] or parts[-1]}


def _table(
    paths: Sequence[str], said: Callable[[str], Iterable[str]]
) -> Mapping[str, tuple[int, ...]]:
    found: defaultdict[str, list[int]] = defaultdict(list)
    for number, path in enumerate(paths):
        for item in said(path):
            found[item].append(number)
    return {item: tuple(numbers) for item, numbers in found.items()}
