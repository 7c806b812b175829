"""Ranking, replacing and rendering on graphs the size of known projects.

    PYTHONPATH=server python tests/bench/bench_graph.py [django] [home-assistant] [linux]

The rows are made up: names follow a power law, files refer to names near them more often than to far ones,
numbers of files, pairs and definitions are those of the project. Prints a table; times are the best of
three, in milliseconds. Linux takes about a minute and 1.5 GB.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from pairwright.graph.engine import Graph
from pairwright.graph.kernel import preload
from pairwright.graph.types import FileRow, Focus
from pairwright.render.map import render
from pairwright.render.types import Source
from pairwright.tags.types import Definition, Tags
from pairwright.text.document import Document
from pairwright.text.estimate import estimate


@dataclass(frozen=True)
class Shape:
    """`pairs`: (file, name) pairs of references; `defined`: share of them whose name is defined."""

    name: str
    files: int
    pairs: int
    definitions: int
    goal: float


SHAPES = (
    Shape("django", 885, 60_000, 20_000, 15),
    Shape("home-assistant", 6_700, 600_000, 100_000, 60),
    Shape("linux", 55_000, 7_000_000, 1_000_000, 1_200),
)


def rows(shape: Shape, seed: int = 7) -> Iterator[FileRow]:
    """Made-up rows, the same at every run."""
    random = np.random.default_rng(seed)
    names = [f"{'_' if i % 11 == 0 else ''}name_{i}" for i in range(shape.definitions)]
    per_file = shape.pairs // shape.files
    own = shape.definitions // shape.files
    for file in range(shape.files):
        size = max(1, int(per_file * random.lognormal(-0.3, 0.8)))
        near = random.normal(file * own, own * 20, size // 2).astype(np.int64) % shape.definitions
        far = (shape.definitions * random.random(size - size // 2) ** 4).astype(np.int64)
        picked = np.unique(np.concatenate((near, far))).tolist()
        counts = random.geometric(0.5, len(picked)).tolist()
        refs = {names[i]: count for i, count in zip(picked, counts, strict=True)}
        defs = {names[i]: 1 for i in range(file * own, (file + 1) * own)}
        defs |= dict.fromkeys(("get", "run", "init")[: file % 4], 1)
        yield FileRow(f"area{file % 40}/part{file % 900}/file_{file}.c", defs, refs | {"get": 1})


def edited(row: FileRow, step: int) -> FileRow:
    """`row` as one keystroke leaves it: one name more, one less."""
    refs = dict(row.refs)
    refs.pop(next(iter(refs)))
    return FileRow(row.path, row.defs, refs | {f"typed_{step}": 1})


def source(row: FileRow) -> Source:
    """A text that defines what `row` defines, a hundred bytes a definition."""
    defs: list[Definition] = []
    lines: list[bytes] = []
    at = 0
    for name in row.defs:
        head = f"static int {name}(struct device *dev, unsigned long flags)".encode()
        line = head + b" { return dev->ops->call(dev, flags); }\n"
        defs.append(Definition(name, "function", at + 11, at, at + len(line) - 1, at + len(head)))
        lines.append(line)
        at += len(line)
    tags = Tags(tuple(defs), (), (), "c", "query")
    return Source(Document.of(row.path, b"".join(lines)), tags)


def measure(shape: Shape) -> tuple[str, ...]:
    """One line of the table."""
    start = perf_counter()
    graph = Graph.build(rows(shape))
    built = perf_counter() - start
    path = graph.paths[len(graph.paths) // 3]
    focus = Focus(chat=(path,), names=("name_17", "request"))
    first = _timed(lambda: graph.rank(focus))
    again = min(_timed(lambda: graph.rank(focus)) for _ in range(3))
    row = graph.row(path)
    assert row is not None
    replaced, keystrokes = [], []
    for step in range(4):
        row = edited(row, step)
        start = perf_counter()
        graph = graph.replace({path: row})
        replaced.append(perf_counter() - start)
        graph.rank(focus)
        keystrokes.append(perf_counter() - start)
    ranking = graph.rank(focus)

    def read(path: str) -> Source | None:
        found = graph.row(path)
        return None if found is None else source(found)

    texts = {path: read(path) for path in {item.path for item in ranking.definitions[:600]}}
    maps = min(_timed(lambda: render(ranking, texts.get, 4096, estimate)) for _ in range(3))
    hover = _timed(lambda: graph.referrers("name_17"))
    numbers = (first, again, min(replaced), min(keystrokes[1:]), maps, hover)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return (
        shape.name,
        f"{built:.1f} s",
        *(f"{1000 * number:.1f}" for number in numbers),
        f"{shape.goal:.0f}",
        f"{peak:.0f} MB",
    )


def _timed(call: object) -> float:
    start = perf_counter()
    call()  # type: ignore[operator]
    return perf_counter() - start


HEAD = ("graph", "build", "first rank", "new focus", "replace", "replace+rank", "map 4096")
HEAD += ("referrers", "goal", "peak memory")


def main(wanted: list[str]) -> None:
    """Print the table for the shapes named, all without a name."""
    print(f"kernel: {preload()}; times in milliseconds unless stated")
    print(" | ".join(f"{title:>14}" for title in HEAD))
    for shape in SHAPES:
        if not wanted or shape.name in wanted:
            print(" | ".join(f"{cell:>14}" for cell in measure(shape)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
