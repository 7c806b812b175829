"""Index, map, keystrokes and start against their goals, with ratios to Aider in the same run.

    python -m tests.bench [--runs N] [--out FILE]

Prints a Markdown table. Ours is timed as whole processes (`pairwright map` from its start to its end), Aider's
as the call that makes the map, without its imports.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import median

from tests.bench import corpora

from pairwright.config.schema import Index
from pairwright.graph.types import Focus
from pairwright.render.estimate import estimate
from pairwright.render.map import render
from pairwright.render.types import RepoMap, Source
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host

SERVER = Path(__file__).parents[2] / "server"
TOKENS = 1024
KEYSTROKES = 300
TYPED = "django/db/models/sql/query.py"

BARE = """
from pygls.lsp.server import LanguageServer
LanguageServer("bare", "1").start_io()
"""


@dataclass(frozen=True)
class Figure:
    """One row: what was measured, its goal as text, the value as text, and whether the goal is met."""

    name: str
    goal: str
    value: str
    met: bool


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--out", type=Path, help="write the table there too")
    args = parser.parse_args(argv)
    root = corpora.django()
    # In a process of its own, so that memory is what a server would take and nothing else's.
    with ProcessPoolExecutor(1, get_context("spawn")) as alone:
        typed = alone.submit(keystrokes, root).result()
    figures = [*maps(root, args.runs), *typed, *starts(args.runs)]
    table = as_table(figures)
    print(table)
    if args.out:
        args.out.write_text(table + "\n", encoding="utf-8")
    return 0


def as_table(figures: list[Figure]) -> str:
    cores = len(os.sched_getaffinity(0))
    load = os.getloadavg()[0]
    lines = [
        f"{platform.machine()}, {cores} cores, Python {platform.python_version()}, "
        f"load {load:.1f} at the end",
        "",
        "| figure | goal | measured | met |",
        "|---|---|---|---|",
    ]
    lines += [f"| {f.name} | {f.goal} | {f.value} | {'yes' if f.met else 'no'} |" for f in figures]
    return "\n".join(lines)


# --- the map against Aider's


def maps(root: Path, runs: int) -> list[Figure]:
    """First map from nothing and second with what the first left behind, alternating with Aider."""
    cold, warm, first, second = [], [], [], []
    python = corpora.aider_python()
    script = Path(__file__).with_name("aider_map.py")
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as cache:
            cold.append(map_process(root, cache))
            warm.append(map_process(root, cache))
        run = [str(python), str(script), str(root), str(TOKENS)]
        done = subprocess.run(
            run, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL
        )
        one, two, _ = json.loads(done.stdout.splitlines()[-1])
        first.append(one)
        second.append(two)
    return [
        ratio("first map, cold, Django", 5, median(cold), median(first)),
        ratio("second map, warm process start, Django", 1, median(warm), median(second)),
        Figure(
            "warm start to the first map, Django",
            "under 500 ms",
            ms(median(warm)),
            median(warm) < 0.5,
        ),
    ]


def ratio(name: str, goal: float, ours: float, theirs: float) -> Figure:
    times = theirs / ours
    value = f"{times:.1f} times faster ({ms(ours)}; Aider {ms(theirs)})"
    return Figure(name, f"{goal:g} times faster than Aider", value, times >= goal)


def map_process(root: Path, cache: str) -> float:
    """Seconds of one `pairwright map`."""
    env = {**os.environ, "PAIRWRIGHT_CACHE": cache, "PYTHONPATH": str(SERVER)}
    words = [
        sys.executable,
        "-m",
        "pairwright",
        "map",
        "--root",
        str(root),
        "--tokens",
        str(TOKENS),
    ]
    began = time.perf_counter()
    done = subprocess.run(words, env=env, capture_output=True, check=True)
    seconds = time.perf_counter() - began
    assert len(done.stdout) > TOKENS, "the map is suspiciously short"
    return seconds


# --- typing


def keystrokes(root: Path) -> list[Figure]:
    """Characters typed into a 120 KB file: splice, tags, and the map after each."""
    with tempfile.TemporaryDirectory() as folder:
        host = Host(str(root), Index(), Cache(Path(folder)))
        began = time.perf_counter()
        host.scan()
        scanned = time.perf_counter() - began
        figures = type_into(host, root)
        host.stop()
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    worker = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    note = f"{own:.0f} MB and {worker:.0f} MB a worker"
    return [
        *figures,
        Figure("scan from nothing, Django", "-", ms(scanned), True),
        Figure("memory after the scan, Django", "-", note, True),
    ]


def type_into(host: Host, root: Path) -> list[Figure]:
    data = (root / TYPED).read_bytes()
    data = (data * (1 + 120_000 // len(data)))[:120_000]
    document = host.open(TYPED, (root / TYPED).as_uri(), 0, "python", data)
    # In a statement of its own, as when a user types a line.
    at = data.index(b"\n        if ", 60_000) + 1
    line = b"        value = compute(self, other)\n"
    splices, tags, maps_ = [], [], []
    host.snapshot().tags(TYPED)
    for step in range(KEYSTROKES):
        char = line[step % len(line) :][:1]
        began = time.perf_counter()
        document, edit = document.splice(at, at, char, step + 1)
        host.change(TYPED, document, [edit])
        spliced = time.perf_counter()
        snapshot = host.snapshot()
        snapshot.tags(TYPED)
        tagged = time.perf_counter()
        at += 1
        # The first one builds the tree.
        if step:
            splices.append(spliced - began)
            tags.append(tagged - began)
        if step % 10 == 9:
            assert map_of(host).text
            maps_.append(time.perf_counter() - began)
    return [
        figure("keystroke to new snapshot, 120 KB Python, p95", 2, p95(splices)),
        figure("keystroke to tags current, 120 KB Python, p95", 5, p95(tags)),
        figure("map after a keystroke, Django, median", 30, median(maps_[1:])),
    ]


def map_of(host: Host) -> RepoMap:
    """The map for the open document, as a hover or a turn would ask for it."""
    snapshot = host.snapshot()

    def source(path: str) -> Source | None:
        document = snapshot.document(path)
        return None if document is None else Source(document, snapshot.tags(path))

    return render(snapshot.rank(Focus(open_=(TYPED,))), source, TOKENS, estimate)


def p95(seconds: list[float]) -> float:
    return sorted(seconds)[int(len(seconds) * 0.95)]


def ms(seconds: float) -> str:
    return f"{seconds * 1000:,.2f} ms" if seconds < 0.01 else f"{seconds * 1000:,.0f} ms"


def figure(name: str, goal: float, seconds: float) -> Figure:
    return Figure(name, f"under {goal:g} ms", ms(seconds), seconds * 1000 < goal)


# --- start


def starts(runs: int) -> list[Figure]:
    """From the start of the process to the answer to initialize, against a server that does nothing."""
    ours, bare = [], []
    with tempfile.TemporaryDirectory() as cache:
        env = {**os.environ, "PAIRWRIGHT_CACHE": cache, "PAIRWRIGHT_DATA": cache}
        env["PYTHONPATH"] = str(SERVER)
        serve = [sys.executable, "-m", "pairwright", "serve"]
        for run in range(max(runs, 7) + 1):
            pair = (initialized(serve, env), initialized([sys.executable, "-c", BARE], env))
            # The first start compiles and warms the disk.
            if run:
                ours.append(pair[0])
                bare.append(pair[1])
    share = median(ours) / median(bare)
    value = f"{share:.2f} times ({ms(median(ours))} to {ms(median(bare))})"
    return [
        Figure(
            "start to initialize answered", "1.25 times a bare pygls server", value, share <= 1.25
        )
    ]


def initialized(command: list[str], env: dict[str, str]) -> float:
    """Seconds until a server answers initialize."""
    body = json.dumps(
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {"processId": None, "rootUri": None, "capabilities": {}},
        }
    ).encode()
    began = time.perf_counter()
    child = subprocess.Popen(
        command,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert child.stdin is not None and child.stdout is not None
    child.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    child.stdin.flush()
    seen = b""
    while b'"capabilities"' not in seen:
        part = os.read(child.stdout.fileno(), 1 << 16)
        assert part, "the server ended without an answer"
        seen += part
    seconds = time.perf_counter() - began
    child.kill()
    child.wait()
    child.stdin.close()
    child.stdout.close()
    return seconds


if __name__ == "__main__":
    sys.exit(main())
