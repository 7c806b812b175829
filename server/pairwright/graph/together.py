"""Which files belong to others by history and by name: pure values, no text and no graph."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from math import log2

from pairwright.graph.types import History
from pairwright.graph.weights import HALF_LIFE

_MARK = re.compile(r"tests?|specs?|unittests?")
_PART = re.compile(r"[._-]+|(?<=[a-z0-9])(?=[A-Z])")
_FOLDERS = frozenset(("test", "tests", "spec", "specs", "__tests__", "testing", "t"))


def changed_together(history: History, weights: Mapping[str, float]) -> Mapping[str, float]:
    """How strongly each file changed together with the files of `weights`, sorted by path.

    Newer commits count more, those over many files less; and a file that changes all the time is
    held against it.
    """
    found: dict[str, float] = {}
    often: dict[str, float] = {}
    for age, paths in enumerate(history.commits):
        fresh = 0.5 ** (age / HALF_LIFE)
        for path in paths:
            often[path] = often.get(path, 0.0) + fresh
        asked = max((weights.get(path, 0.0) for path in paths), default=0.0)
        if asked:
            share = asked * fresh / log2(1 + len(paths))
            for path in paths:
                found[path] = found.get(path, 0.0) + share
    return {path: found[path] / often[path] ** 0.5 for path in sorted(found)}


def twin_key(path: str) -> tuple[str, bool]:
    """What a test has in common with what it tests, and whether `path` is a test: its base name
    without marks of a test and without extensions, in lower case."""
    *folders, base = path.split("/")
    parts = [part for part in _PART.split(base.partition(".")[0]) if part]
    marks = base.split(".")[1:-1]
    kept = [part for part in parts if not _MARK.fullmatch(part.lower())] or parts
    is_test = len(kept) < len(parts) or any(_MARK.fullmatch(mark) for mark in marks)
    return "".join(kept).lower(), is_test or not _FOLDERS.isdisjoint(folders)


def by_twin(paths: Iterable[str]) -> Mapping[str, tuple[tuple[int, bool], ...]]:
    """For each name of `twin_key` the numbers of the paths that have it, each with whether it is a
    test."""
    found: dict[str, list[tuple[int, bool]]] = {}
    for number, path in enumerate(paths):
        name, is_test = twin_key(path)
        found.setdefault(name, []).append((number, is_test))
    return {name: tuple(pairs) for name, pairs in found.items()}


def twins(
    known: Mapping[str, tuple[tuple[int, bool], ...]], chat: Iterable[str]
) -> Mapping[int, float]:
    """Numbers of the files whose names pair them with one of `chat`: 1.0 for a test and what it
    tests, 0.5 for the same name elsewhere (a header and its source)."""
    found: dict[int, float] = {}
    for path in chat:
        name, is_test = twin_key(path)
        for number, other in known.get(name, ()):
            found[number] = max(found.get(number, 0.0), 0.5 if other is is_test else 1.0)
    return found
