"""A checkpoint of five files, against `git stash create` and Aider's commit on the same tree.

Ours is what an accept waits for before its edit is sent: the files read, the user's HEAD read, everything
recorded and flushed. Each round changes the same five files first. `git stash create` looks at every file of the
work tree. Aider's commit is its `GitRepo.commit` for those files with a message given, in the same repository;
its commits are taken back in the end."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from tests.bench.corpora import Corpus, aider_python
from tests.bench.table import Figure, ms, p95, under

from pairwright.checkpoints.head import head_of
from pairwright.checkpoints.repo import Store
from pairwright.config.schema import Index
from pairwright.engine.accept_capture import capture
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host

GOALS = {"Django": 30.0, "Home Assistant": 50.0, "Linux": 150.0}
FILES = 5
_AIDER = """
import json, sys, time
from aider.io import InputOutput
from aider.repo import GitRepo
root, rounds, names = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
io = InputOutput(pretty=False, yes=True)
repo = GitRepo(io, names, root)
spent = []
for round in range(rounds):
    for name in names:
        with open(f"{root}/{name}", "a") as file:
            file.write(f"# round {round}\\n")
    began = time.perf_counter()
    assert repo.commit(fnames=names, message="bench", aider_edits=True)
    spent.append(time.perf_counter() - began)
print(json.dumps(spent))
"""


def checkpoints(corpus: Corpus, rounds: int = 15) -> list[Figure]:
    """The figures of one corpus; its tree is left as it was."""
    names = _names(corpus)
    with _restored(corpus.root, names), tempfile.TemporaryDirectory() as scratch:
        store = Store(Path(scratch, "store"), str(corpus.root))
        host = Host(str(corpus.root), Index(), Cache(None))
        ours, waits = asyncio.run(_ours(corpus, names, store, host, rounds))
        stash = _timed(lambda: _git(corpus.root, "stash", "create"), corpus, names, 3)
        theirs = _aider(corpus, names)
    goal = GOALS[corpus.name]
    name = f"checkpoint of {FILES} files, {corpus.name}, median"
    return [
        under(name, goal, median(ours)),
        under(f"the same, wait of the event loop meanwhile, {corpus.name}, p95", 20, p95(waits)),
        _against(f"the same, against `git stash create`, {corpus.name}", median(ours), stash),
        _against(f"the same, against Aider's commit, {corpus.name}", median(ours), theirs),
    ]


def _against(name: str, ours: float, theirs: float) -> Figure:
    return Figure(name, "-", f"{theirs / ours:.1f} times faster ({ms(ours)}; {ms(theirs)})", None)


async def _ours(
    corpus: Corpus, names: list[str], store: Store, host: Host, rounds: int
) -> tuple[list[float], list[float]]:
    """Seconds of each round, and those that the loop waited for its turns meanwhile."""
    store.record({}, kind="before", note="first", time=0)
    waits: list[float] = []

    async def watch() -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(0.001)
            waits.append(time.perf_counter() - began - 0.001)

    watching = asyncio.create_task(watch())
    spent = []
    for number in range(rounds):
        _touch(corpus, names, number)

        def work(number: int = number) -> None:
            captured = capture(host.snapshot(), names)
            head, branch = head_of(str(corpus.root))
            store.record(
                captured.files, kind="before", note="bench", time=number, head=head, branch=branch
            )

        began = time.perf_counter()
        await asyncio.to_thread(work)
        spent.append(time.perf_counter() - began)
    watching.cancel()
    return spent, waits


def _timed(work: Callable[[], object], corpus: Corpus, names: list[str], rounds: int) -> float:
    spent = []
    for number in range(rounds):
        _touch(corpus, names, number)
        began = time.perf_counter()
        work()
        spent.append(time.perf_counter() - began)
    return median(spent)


def _aider(corpus: Corpus, names: list[str]) -> float:
    head = _git(corpus.root, "rev-parse", "HEAD")
    words = [str(aider_python()), "-c", _AIDER, str(corpus.root), "3", *names]
    who = {
        f"GIT_{who}_{what}": "bench@localhost"
        for who in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    try:
        done = subprocess.run(
            words, env={**os.environ, **who}, capture_output=True, text=True, check=True
        )
    finally:
        _git(corpus.root, "reset", "-q", "--soft", head)
    return median(json.loads(done.stdout.splitlines()[-1]))


def _names(corpus: Corpus) -> list[str]:
    """The typed file and those beside it."""
    folder = (corpus.root / corpus.typed).parent
    beside = sorted(path for path in folder.iterdir() if path.suffix == Path(corpus.typed).suffix)
    names = [corpus.typed, *(str(path.relative_to(corpus.root)) for path in beside)]
    return sorted(dict.fromkeys(names))[:FILES]


def _touch(corpus: Corpus, names: list[str], number: int) -> None:
    for name in names:
        with (corpus.root / name).open("ab") as file:
            file.write(b"\n# %d %d\n" % (number, os.getpid()))


@contextlib.contextmanager
def _restored(root: Path, names: list[str]) -> Iterator[None]:
    """The files `names` and the index are as they were in the end, whatever happens."""
    kept = {root / name: (root / name).read_bytes() for name in (*names, ".git/index")}
    try:
        yield
    finally:
        for path, data in kept.items():
            path.write_bytes(data)


def _git(root: Path, *words: str) -> str:
    who = ["-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "gc.auto=0"]
    done = subprocess.run(
        ["git", *who, *words], cwd=root, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()
