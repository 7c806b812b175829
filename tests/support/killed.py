"""A process that is killed before each of its write steps in turn, and what the next start makes of it.

    python -m tests.support.killed FOLDER KIND FIRST STEP

Forks a child per step, so that imports are paid once. A step is an audit event of the interpreter that
creates, moves, removes or opens for writing a file below FOLDER, or a flush. Prints a JSON line a step."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pairwright.checkpoints.repo import Store
from pairwright.config.schema import Index
from pairwright.edits.diff import diff
from pairwright.edits.types import FileChange
from pairwright.engine.accept import accept
from pairwright.engine.change import Desk
from pairwright.engine.disk_editor import DiskEditor
from pairwright.engine.journal import FolderJournal
from pairwright.engine.proposals_store import Proposals
from pairwright.engine.recover import recover
from pairwright.engine.undo import undo
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host

OLD = {
    "a.txt": b"one\ntwo\nthree\n",
    "b.txt": b"x\r\n",
    "d/gone.txt": b"bye\n",
    "sixteen.txt": "\ufeffä\n".encode("utf-16-le"),
}
WANTED: dict[str, bytes | None] = {
    "a.txt": b"ONE\ntwo\nTHREE\n",
    "b.txt": b"y\r\n",
    "d/gone.txt": None,
    "new/deep.txt": b"n\n",
    "sixteen.txt": "ö\n".encode(),
}
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_EVENTS = {
    "open": 1,
    "os.rename": 2,
    "os.remove": 1,
    "os.link": 2,
    "os.symlink": 2,
    "os.mkdir": 1,
    "os.rmdir": 1,
    "os.chmod": 1,
    "os.truncate": 1,
}


def desk_of(base: Path) -> Desk:
    """A new start over the folders in `base`."""
    root = (base / "work").resolve()
    host = Host(str(root), Index(), Cache(None))
    ticks = itertools.count(1_700_000_000)
    return Desk(
        Proposals(FolderJournal(base / "data/proposals"), lambda: "x"),
        host.snapshot,
        DiskEditor(host.snapshot),
        Store(base / "data/store", str(root)),
        lambda: float(next(ticks)),
        lambda paths: (host.disk(list(paths)), None)[1],
    )


def files(base: Path) -> dict[str, str]:
    """Every file below the workspace."""
    root = base / "work"
    return {
        str(path.relative_to(root)): path.read_bytes().hex()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def prepare(base: Path, kind: str) -> None:
    """A workspace with a proposal; for `undo` it is accepted, for `first` there is no store yet."""
    for path, data in OLD.items():
        place = base / "work" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    desk = desk_of(base)
    if kind != "first":
        desk.store.record({}, kind="before", note="earlier", time=1.0)
    snapshot = desk.snapshot()
    changes = []
    for path, after in WANTED.items():
        document = snapshot.document(path)
        before = document.data if document else None
        hunks = () if before is None or after is None else diff(before, after)
        changes.append(FileChange(path, before, after, hunks))
    made = desk.proposals.propose(changes, "Change it", snapshot, 1.0)
    if kind == "undo":
        result = asyncio.run(accept(desk, made.id))
        assert result.state == "applied", result


def act(base: Path, kind: str) -> str:
    """What is killed; its end if it is not."""
    desk = desk_of(base)
    if kind == "undo":
        return asyncio.run(undo(desk)).state
    proposal = desk.proposals.last()
    assert proposal
    return asyncio.run(accept(desk, proposal.id)).state


def kill_before(step: int, base: Path) -> None:
    """Let this process die before its write number `step` below `base`."""
    left = [step]

    def count() -> None:
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    at_each_write(base, count)


def at_each_write(base: Path, count: Callable[[], None]) -> None:
    """Call `count` before each write step of this process below `base`, and before each flush."""
    name = str(base)
    flush = os.fsync

    def hook(event: str, args: tuple[Any, ...]) -> None:
        paths = _EVENTS.get(event, 0)
        if event == "open" and not (isinstance(args[2], int) and args[2] & _WRITES):
            return
        if any(isinstance(a, str | bytes | Path) and name in str(a) for a in args[:paths]):
            count()

    def fsync(handle: int) -> None:
        count()
        flush(handle)

    os.fsync = fsync  # type: ignore[assignment]
    sys.addaudithook(hook)


def forked(work: Callable[[], None]) -> int:
    """The wait status of a child that does `work`."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
            os._exit(0)
        except BaseException:
            sys.excepthook(*sys.exc_info())
            os._exit(1)
    return os.waitpid(pid, 0)[1]


def after_kill(base: Path, kind: str, out: Path) -> None:
    """The next start: what it says, what stands, and whether one can go on from there."""
    desk = desk_of(base)
    said = asyncio.run(recover(desk))
    found = files(base)
    again = asyncio.run(recover(desk))
    proposal = desk.proposals.all()[0]
    state = proposal.state
    if kind == "undo":
        on = asyncio.run(undo(desk)).state if state == "applied" else ""
    elif state == "applied":
        on = asyncio.run(undo(desk)).state
    else:
        on = asyncio.run(accept(desk, proposal.id)).state
    report = {"said": said, "files": found, "again": again, "state": state, "on": on}
    out.write_text(json.dumps({**report, "then": files(base)}))


def main(base: Path, kind: str, first: int, by: int) -> None:
    prepare(base / "start", kind)
    for step in itertools.count(first, by):
        place = base / "try"
        shutil.copytree(base / "start", place)

        def work(step: int = step, place: Path = place) -> None:
            kill_before(step, place)
            act(place, kind)

        status = forked(work)
        is_killed = os.WIFSIGNALED(status)
        assert is_killed or status == 0, status
        assert forked(lambda: after_kill(base / "try", kind, base / "out")) == 0
        fsck = ["git", "fsck", "--no-dangling", "--strict"]
        store = place / "data/store"
        bad = store.exists() and subprocess.run(fsck, cwd=store, capture_output=True).returncode
        report = json.loads((base / "out").read_text())
        print(json.dumps({"step": step, "killed": is_killed, "bad": bad, **report}), flush=True)
        shutil.rmtree(place)
        if not is_killed:
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
