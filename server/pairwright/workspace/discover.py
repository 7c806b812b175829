"""Finds the files of a workspace, as `git ls-files -co --exclude-standard` would, with or without
git.

Links are never followed and never listed: what they lead to inside the root is listed under its own
name, and what lies outside is not the workspace's. One bad entry costs itself only."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pairwright.workspace.rules import Folder, Rules, Verdict


class Stat(NamedTuple):
    """What tells a changed file from an unchanged one without reading it."""

    mtime_ns: int
    size: int
    inode: int


@dataclass(frozen=True, slots=True)
class Found:
    """`files`: workspace-relative path -> Stat, sorted by path. `skipped`: reason -> number of
    entries that were left out although no rule says so. `folders`: those that were looked into,
    sorted, the root as ""."""

    files: Mapping[str, Stat]
    skipped: Mapping[str, int]
    folders: tuple[str, ...] = ()


class Cancelled(Exception):
    """The caller asked to stop."""


def discover(root: str, rules: Rules, cancelled: Callable[[], bool] = lambda: False) -> Found:
    """All files below `root` that `rules` keep. Raises Cancelled."""
    base = os.fsencode(root)
    files: list[tuple[str, Stat]] = []
    folders: list[str] = []
    skipped: Counter[str] = Counter()
    stack: list[tuple[Folder, bytes, bool] | None] = [None]
    while stack:
        if cancelled():
            raise Cancelled
        at = stack.pop()
        if at is None:
            folder, entries = rules.top, _entries(base, skipped)
        else:
            entries = _entries(base + b"/" + at[0].path + at[1], skipped)
            folder = rules.enter(*at, frozenset(entry.name for entry in entries))
        folders.append(os.fsdecode(folder.path[:-1]))
        for entry in entries:
            kind = _kind(entry)
            if kind is None:
                continue
            if not rules.covers(folder.path + entry.name, kind == "folder"):
                continue
            verdict = rules.judge(folder, entry.name, kind == "folder")
            if verdict is Verdict.DROP:
                continue
            if kind == "folder":
                stack.append((folder, entry.name, verdict is Verdict.PEEK))
            elif (stat := _stat(entry, skipped)) is not None:
                files.append((os.fsdecode(folder.path + entry.name), stat))
    files.sort()
    return Found(dict(files), dict(sorted(skipped.items())), tuple(sorted(folders)))


def stat_of(path: str) -> Stat | None:
    """The Stat of a regular file, links not followed; None for anything else."""
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return None
    return _as_stat(found) if found.st_mode & 0o170000 == 0o100000 else None


def _entries(place: bytes, skipped: Counter[str]) -> list[os.DirEntry[bytes]]:
    try:
        with os.scandir(place) as found:
            return list(found)
    except OSError as error:
        skipped[f"folder cannot be read: {error.strerror}"] += 1
        return []


def _kind(entry: os.DirEntry[bytes]) -> str | None:
    """`file`, `folder`, or None for links, pipes, sockets and devices."""
    try:
        if entry.is_file(follow_symlinks=False):
            return "file"
        return "folder" if entry.is_dir(follow_symlinks=False) else None
    except OSError:
        return None


def _stat(entry: os.DirEntry[bytes], skipped: Counter[str]) -> Stat | None:
    try:
        return _as_stat(entry.stat(follow_symlinks=False))
    except OSError as error:
        skipped[f"file cannot be read: {error.strerror}"] += 1
        return None


def _as_stat(found: os.stat_result) -> Stat:
    return Stat(found.st_mtime_ns, found.st_size, found.st_ino)
