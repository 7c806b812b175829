"""The private repository of a workspace: a chain of commits, each holding exactly the touched
files.

The only importer of dulwich beside the history reader, and a late one. Every operation costs what
the touched files cost, whatever the size of the user's repository, of which nothing but HEAD is
ever read. Knows no editor and no proposal; works on the bytes it is given. Blocking: call it from a
worker thread.

What holds after a kill at any point: objects are written before the one ref moves, each file under
another name first; a new repository is built beside its place and moved there. One writer at a time
by a file lock that the system drops with its process; locks of git's kind that a dead process left
are broken."""

from __future__ import annotations

import contextlib
import os
import threading
import time as clock
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from pairwright.checkpoints.message import Message, absent_of, modes_of, one_line
from pairwright.checkpoints.objects import (
    BRANCH,
    files_of,
    find,
    keep,
    made,
    parsed,
    present_of,
    tip,
    walk,
)
from pairwright.checkpoints.place import create, flush_folder, replace
from pairwright.checkpoints.prune import drop_unreachable, kept, size_of, sizes_of
from pairwright.checkpoints.types import Checkpoint, CheckpointError, Files, Limits

if TYPE_CHECKING:
    from dulwich.file import _GitFile
    from dulwich.objects import Commit
    from dulwich.repo import Repo

_LOCK = "pairwright.lock"
_LOCK_SECONDS = 10.0
# git itself holds a ref lock for milliseconds; an older one belongs to a dead process.
_STALE_SECONDS = 1.0


class Store:
    """The checkpoints of one workspace. Safe to use from several threads and processes at once."""

    def __init__(self, path: Path, root: str = "") -> None:
        """`path`: the repository's folder, created at the first record; `root`: the workspace,
        named in the repository's description for the reader."""
        self._path = path
        self._root = root
        self._guard = threading.Lock()
        self._repo: Repo | None = None
        self._known: dict[str, Checkpoint] = {}

    @property
    def path(self) -> Path:
        return self._path

    def record(
        self,
        files: Files,
        *,
        kind: str,
        note: str,
        time: float,
        proposal: str = "",
        head: str = "",
        branch: str = "",
        base: str = "",
        undoes: str = "",
        group: str = "",
        moves: tuple[tuple[str, str], ...] = (),
    ) -> Checkpoint:
        """A new checkpoint of `files`, on disk when this returns. Raises CheckpointError."""
        message = Message(
            kind=kind,
            note=one_line(note),
            proposal=proposal,
            base=base,
            undoes=undoes,
            head=head,
            branch=branch,
            group=group,
            moves=moves,
            absent=absent_of(files),
            modes=modes_of(files),
        )
        with self._writing() as repo:
            with _branch(repo) as ref:
                items = made(files, message, time, tip(repo))
                commit = cast("Commit", items[-1])
                ref.write(commit.id + b"\n")
                ref.flush()
                keep(repo, items, [Path(repo.path, f"{BRANCH.decode()}.lock")])
            found = parsed(repo, commit, present_of(files))
            self._known[found.id] = found
            return found

    def list(self, limit: int = 100) -> tuple[Checkpoint, ...]:
        """The newest `limit` checkpoints, newest first. Raises CheckpointError."""
        with self._reading() as repo:
            if repo is None:
                return ()
            found: tuple[Checkpoint, ...] = ()
            for commit in walk(repo):
                if len(found) >= limit:
                    break
                found += (self._checkpoint(repo, commit),)
            return found

    def get(self, id: str) -> Checkpoint | None:
        """The checkpoint with that id, None if there is none (any more). Raises CheckpointError."""
        with self._reading() as repo:
            commit = find(repo, id)
            return self._checkpoint(repo, commit) if repo is not None and commit else None

    def read(self, id: str) -> Files | None:
        """The files of a checkpoint, sorted by path; None if it does not exist (any more). Raises
        CheckpointError."""
        with self._reading() as repo:
            commit = find(repo, id)
            if repo is None or commit is None:
                return None
            return files_of(repo, commit)

    def previous(self, id: str) -> Checkpoint | None:
        """The checkpoint recorded just before `id`."""
        with self._reading() as repo:
            commit = find(repo, id)
            if repo is None or commit is None:
                return None
            for parent in walk(repo, commit):
                if parent.id != commit.id:
                    return self._checkpoint(repo, parent)
            return None

    def next(self, id: str) -> Checkpoint | None:
        """The checkpoint recorded just after `id`."""
        with self._reading() as repo:
            later: Commit | None = None
            for commit in walk(repo) if repo is not None else ():
                if commit.id.decode("ascii") == id:
                    return self._checkpoint(repo, later) if repo and later else None
                later = commit
            return None

    def prune(self, limits: Limits, now: float) -> int:
        """Forget what is beyond `limits`; how many went. The newest one and whatever a kept one
        needs to be taken back stay. Ids never change: git sees a shallow history. Raises
        CheckpointError."""
        with self._reading() as found:
            if found is None or tip(found) is None:
                return 0
        with self._writing() as repo:
            commits = list(walk(repo))
            large = size_of(self._path / "objects") > limits.size
            sizes = sizes_of(repo, commits) if large else []
            keep = kept([self._checkpoint(repo, c) for c in commits], sizes, limits, now)
            if keep == len(commits):
                return 0
            replace(self._path / "shallow", commits[keep - 1].id + b"\n")
            drop_unreachable(repo, commits[:keep])
            self._known.clear()
            return len(commits) - keep

    def _checkpoint(self, repo: Repo, commit: Commit) -> Checkpoint:
        id = commit.id.decode("ascii")
        if id not in self._known:
            self._known[id] = parsed(repo, commit)
        return self._known[id]

    @contextlib.contextmanager
    def _reading(self) -> Iterator[Repo | None]:
        with self._guard, _told(self._path):
            yield self._opened()

    @contextlib.contextmanager
    def _writing(self) -> Iterator[Repo]:
        from filelock import FileLock

        with self._guard, _told(self._path):
            repo = self._opened() or self._created()
            with FileLock(self._path / _LOCK, timeout=_LOCK_SECONDS, mode=0o600):
                yield repo

    def _opened(self) -> Repo | None:
        if self._repo is None and (self._path / "HEAD").is_file():
            self._repo = _opened(self._path)
        if self._repo is not None and not (self._path / "HEAD").is_file():
            # Removed behind our back: begin anew at the next record.
            self._repo = None
        return self._repo

    def _created(self) -> Repo:
        create(self._path, self._root)
        self._repo = _opened(self._path)
        return self._repo


def _opened(path: Path) -> Repo:
    from dulwich.repo import Repo

    repo = Repo(str(path), bare=True)
    # An accept waits for it: level 1 takes a third of the time for a quarter more room.
    repo.object_store.loose_compression_level = 1
    return repo


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    """Whatever goes wrong with the store, as one error that says what to do."""
    from dulwich.errors import (
        ChecksumMismatch,
        FileFormatException,
        NotGitRepository,
        WrongObjectException,
    )
    from dulwich.file import FileLocked
    from filelock import Timeout

    advice = f"check the folder {path}; moving it away starts an empty history"
    try:
        yield
    except Timeout as error:
        raise CheckpointError(
            f"another Pairwright server has held the checkpoints for {_LOCK_SECONDS:.0f} s; "
            "close it or try again"
        ) from error
    except OSError as error:
        raise CheckpointError(
            f"the checkpoints cannot be used ({error.strerror or error}); {advice}"
        ) from error
    except (
        ChecksumMismatch,
        FileFormatException,
        FileLocked,
        KeyError,
        NotGitRepository,
        ValueError,
        WrongObjectException,
    ) as error:
        raise CheckpointError(
            f"the checkpoints are damaged ({type(error).__name__}: {error}); {advice}"
        ) from error


@contextlib.contextmanager
def _branch(repo: Repo) -> Iterator[IO[bytes]]:
    """A file that becomes the branch in the end, by git's rules for refs: its lock meanwhile. Who
    writes it flushes it, so that it can be flushed beside the objects."""
    place = Path(repo.path, BRANCH.decode())
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = _locked(place)
    is_whole = False
    try:
        yield file
        is_whole = True
    finally:
        if not is_whole:
            file.abort()
    file.close()
    flush_folder(place.parent)


def _locked(place: Path) -> _GitFile:
    from dulwich.file import FileLocked, GitFile

    started = clock.monotonic()
    while True:
        try:
            return GitFile(place, "wb", mask=0o600, fsync=False)
        except FileLocked as error:
            lock = Path(os.fsdecode(error.lockfilename))
        if clock.monotonic() - started > _STALE_SECONDS or _age(lock) > _STALE_SECONDS:
            lock.unlink(missing_ok=True)
        else:
            clock.sleep(0.02)


def _age(lock: Path) -> float:
    """Seconds since `lock` was written, 0 if it is gone."""
    try:
        return clock.time() - lock.stat().st_mtime
    except FileNotFoundError:
        return 0.0
