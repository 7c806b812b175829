"""Typing: the splice, the tags and the map after a keystroke, and what a scan costs in time and memory.

Runs in a process of its own for each repository, so that the memory is what a server would take and nothing else's.
"""

from __future__ import annotations

import os
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import median

from tests.bench.corpora import Corpus
from tests.bench.memory import Peak, held
from tests.bench.table import Figure, ms, p95, under

from pairwright.config.schema import Index
from pairwright.graph.types import Focus
from pairwright.render.types import RepoMap
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host
from pairwright.workspace.maps import repo_map

TOKENS = 1024
SIZE = 120_000
KEYSTROKES = {"Django": 300, "Home Assistant": 100, "Linux": 40}
MAP_GOAL = {"Django": 30.0, "Home Assistant": 80.0, "Linux": 1500.0}
MEMORY_GOAL = {"Home Assistant": 400.0, "Linux": 1536.0}


def typing(corpus: Corpus) -> list[Figure]:
    """Everything about `corpus`, measured in a fresh process."""
    with ProcessPoolExecutor(1, get_context("spawn")) as alone:
        return alone.submit(measure, corpus).result()


def measure(corpus: Corpus) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        cache = Cache(Path(folder))
        host = Host(str(corpus.root), Index(), cache)
        began = time.perf_counter()
        with Peak(os.getpid()) as peak:
            host.scan()
        scanned = time.perf_counter() - began
        after = held(os.getpid())
        figures = type_into(host, corpus)
        typed = held(os.getpid())
        host.stop()
        cache.close()
    goal = MEMORY_GOAL.get(corpus.name)
    note = f"{after:.0f} MB (highest during the scan, workers included: {peak.most:.0f} MB; "
    note += f"after typing and maps: {typed:.0f} MB)"
    met = None if goal is None else max(peak.most, after, typed) < goal
    return [
        *figures,
        Figure(f"scan from nothing, {corpus.name}", "-", ms(scanned), None),
        Figure(
            f"memory after the scan, {corpus.name}",
            f"under {goal:g} MB" if goal else "-",
            note,
            met,
        ),
    ]


def type_into(host: Host, corpus: Corpus) -> list[Figure]:
    """Characters typed into a file of 120 KB, in a statement of its own as when a user types a line."""
    path, line = corpus.typed, corpus.line
    data = (corpus.root / path).read_bytes()
    if corpus.language == "python":
        data = (data * (1 + SIZE // len(data)))[:SIZE]
    document = host.open(path, (corpus.root / path).as_uri(), 0, corpus.language, data)
    at = data.index(corpus.anchor, len(data) // 2) + 1
    splices, tags, maps = [], [], []
    host.snapshot().tags(path)
    for step in range(KEYSTROKES[corpus.name]):
        char = line[step % len(line) :][:1]
        began = time.perf_counter()
        document, edit = document.splice(at, at, char, step + 1)
        host.change(path, document, [edit])
        spliced = time.perf_counter()
        host.snapshot().tags(path)
        tagged = time.perf_counter()
        at += 1
        # The first one builds the tree.
        if step:
            splices.append(spliced - began)
            tags.append(tagged - began)
        if step % 10 == 9:
            assert map_of(host, path).text
            maps.append(time.perf_counter() - began)
    figures = []
    if corpus.name == "Django":
        figures = [
            under("keystroke to new snapshot, 120 KB Python, p95", 2, p95(splices)),
            under("keystroke to tags current, 120 KB Python, p95", 5, p95(tags)),
        ]
    name = f"map after a keystroke, {corpus.name}, median"
    return [*figures, under(name, MAP_GOAL[corpus.name], median(maps[1:]))]


def map_of(host: Host, path: str) -> RepoMap:
    """The map for the open document, as a hover or a turn would ask for it."""
    return repo_map(host.snapshot(), Focus(open_=(path,)), TOKENS)
