"""Which files belong to others by history. Pure values: knows no text, no graph and no git."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import log1p, log2

from pairwright.graph.types import History
from pairwright.graph.weights import HALF_LIFE, LEVEL, SATURATION


def changed_together(history: History, weights: Mapping[str, float]) -> Mapping[str, float]:
    """How strongly each file changed together with the files of `weights`, sorted by path.

    Newer commits count more, those over many files less; and a file that changes all the time is
    held against it.
    """
    found: dict[str, float] = {}
    often = changed_often(history)
    for age, paths in enumerate(history.commits):
        asked = max((weights.get(path, 0.0) for path in paths), default=0.0)
        if asked:
            share = asked * freshness(age) / log2(1 + len(paths))
            for path in paths:
                found[path] = found.get(path, 0.0) + share
    return {path: found[path] / often[path] ** 0.5 for path in sorted(found)}


@lru_cache(maxsize=4)
def changed_often(history: History) -> Mapping[str, float]:
    """How often each file changed, newer commits counting more."""
    often: dict[str, float] = {}
    for age, paths in enumerate(history.commits):
        fresh = freshness(age)
        for path in paths:
            often[path] = often.get(path, 0.0) + fresh
    return often


@lru_cache(maxsize=8)
def changed_for(history: History, words: tuple[str, ...]) -> Mapping[str, float]:
    """How strongly each file changed in commits whose messages say what `words` do (terms, each
    once), sorted by path.

    A message counts by the square of its BM25, newer commits more and those over many files less;
    and a file that changes all the time is held against it.
    """
    said = _said(history)
    like: defaultdict[int, float] = defaultdict(float)
    for term in words:
        if holders := said.get(term):
            worth = log1p((len(history.said) - len(holders) + 0.5) / (len(holders) + 0.5))
            for at, gain in holders:
                like[at] += worth * gain
    found: defaultdict[str, float] = defaultdict(float)
    for at in sorted(like):
        share = like[at] ** 2 * freshness(at) / log2(1 + len(history.commits[at]))
        for path in history.commits[at]:
            found[path] += share
    often = changed_often(history)
    return {path: found[path] / often[path] ** 0.5 for path in sorted(found)}


@lru_cache(maxsize=4)
def _said(history: History) -> Mapping[str, Sequence[tuple[int, float]]]:
    """Of each term the commits whose messages have it, with what it gains there (to 1 + SATURATION)."""
    usual = max(sum(map(len, history.said)) / max(len(history.said), 1), 1.0)
    found: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    for at, said in enumerate(history.said):
        level = SATURATION * (1.0 - LEVEL + LEVEL * len(said) / usual)
        for term in said:
            found[term].append((at, (SATURATION + 1.0) / (1.0 + level)))
    return dict(found)


def last_said(history: History, paths: Iterable[str]) -> tuple[str, ...]:
    """The terms of the newest commit of each of `paths`, each once, sorted."""
    left = set(paths)
    found: set[str] = set()
    for touched, said in zip(history.commits, history.said, strict=False):
        if not left:
            break
        if not left.isdisjoint(touched):
            left.difference_update(touched)
            found.update(said)
    return tuple(sorted(found))


def freshness(age: int) -> float:
    """What a commit counts that `age` others followed, from 0 to 1."""
    fresh: float = 0.5 ** (age / HALF_LIFE)
    return fresh
