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
import re
import shutil
import tempfile
import threading
import time as clock
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pairwright.checkpoints.message import Message, absent_of, modes_of, one_line, parse, render
from pairwright.checkpoints.types import LINK, Checkpoint, CheckpointError, Files, FileState
from pairwright.text.hashing import digest

if TYPE_CHECKING:
    from dulwich.objects import Blob, Commit, ShaFile, Tree
    from dulwich.repo import Repo

_BRANCH = b"refs/heads/checkpoints"
_AUTHOR = b"Pairwright <pairwright@localhost>"
_LOCK = "pairwright.lock"
_LOCK_SECONDS = 10.0
# git itself holds a ref lock for milliseconds; an older one belongs to a dead process.
_STALE_SECONDS = 1.0
_LOOSE = re.compile(r"[0-9a-f]{38}")


def folder_of(data: Path, root: str) -> Path:
    """Where the checkpoints of the workspace at `root` (absolute) live below the user's data
    folder: a digest of the path, and its last part for the reader."""
    tail = re.sub(r"[^A-Za-z0-9._-]+", "-", Path(root).name).strip("-.")[:40] or "root"
    return data / "checkpoints" / f"{digest(os.fsencode(root))[:16]}-{tail}"


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
            absent=absent_of(files),
            modes=modes_of(files),
        )
        with self._writing() as repo:
            tree = _write_tree(repo, files)
            commit = _commit(message, sorted(p for p in files if files[p].data is not None), time)
            commit.tree = tree
            tip = _tip(repo)
            commit.parents = [tip.id] if tip is not None else []
            _add(repo, commit)
            _move_ref(repo, tip.id if tip is not None else None, commit.id)
            return self._checkpoint(repo, commit)

    def list(self, limit: int = 100) -> tuple[Checkpoint, ...]:
        """The newest `limit` checkpoints, newest first. Raises CheckpointError."""
        with self._reading() as repo:
            if repo is None:
                return ()
            found: tuple[Checkpoint, ...] = ()
            for commit in _walk(repo):
                if len(found) >= limit:
                    break
                found += (self._checkpoint(repo, commit),)
            return found

    def get(self, id: str) -> Checkpoint | None:
        """The checkpoint with that id, None if there is none (any more). Raises CheckpointError."""
        with self._reading() as repo:
            commit = _find(repo, id)
            return self._checkpoint(repo, commit) if repo is not None and commit else None

    def read(self, id: str) -> Files | None:
        """The files of a checkpoint, sorted by path; None if it does not exist (any more). Raises
        CheckpointError."""
        with self._reading() as repo:
            commit = _find(repo, id)
            if repo is None or commit is None:
                return None
            message = parse(commit.message.decode("utf-8", "surrogateescape"))
            modes = dict(message.modes)
            files = {path: FileState(None) for path in message.absent}
            for path, mode, data in _blobs(repo, commit.tree, ""):
                files[path] = FileState(data, modes.get(path, mode))
            return {path: files[path] for path in sorted(files)}

    def previous(self, id: str) -> Checkpoint | None:
        """The checkpoint recorded just before `id`."""
        with self._reading() as repo:
            commit = _find(repo, id)
            if repo is None or commit is None:
                return None
            for parent in _walk(repo, commit):
                if parent.id != commit.id:
                    return self._checkpoint(repo, parent)
            return None

    def next(self, id: str) -> Checkpoint | None:
        """The checkpoint recorded just after `id`."""
        with self._reading() as repo:
            later: Commit | None = None
            for commit in _walk(repo) if repo is not None else ():
                if commit.id.decode("ascii") == id:
                    return self._checkpoint(repo, later) if repo and later else None
                later = commit
            return None

    def prune(self, *, keep_days: float, keep_count: int, now: float) -> int:
        """Forget what is older than `keep_days` or beyond the newest `keep_count`; how many went.
        The newest one and whatever a kept one needs to be taken back stay. Ids never change: git
        sees a shallow history. Raises CheckpointError."""
        with self._reading() as found:
            if found is None or _tip(found) is None:
                return 0
        with self._writing() as repo:
            commits = list(_walk(repo))
            keep = _kept([self._checkpoint(repo, c) for c in commits], keep_days, keep_count, now)
            if keep == len(commits):
                return 0
            _replace(self._path / "shallow", commits[keep - 1].id + b"\n")
            _drop_unreachable(repo, self._path / "objects", commits[:keep])
            self._known.clear()
            return len(commits) - keep

    def _checkpoint(self, repo: Repo, commit: Commit) -> Checkpoint:
        id = commit.id.decode("ascii")
        if id not in self._known:
            self._known[id] = _parsed(repo, commit)
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
        from dulwich.repo import Repo

        if self._repo is None and (self._path / "HEAD").is_file():
            self._repo = Repo(str(self._path), bare=True)
        if self._repo is not None and not (self._path / "HEAD").is_file():
            # Removed behind our back: begin anew at the next record.
            self._repo = None
        return self._repo

    def _created(self) -> Repo:
        """Build the repository beside its place and move it there, so that no half one is ever
        found."""
        from dulwich.repo import Repo

        parent = self._path.parent
        parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f".{self._path.name}-", dir=parent))
        try:
            repo = Repo.init_bare(
                fresh, default_branch=b"checkpoints", shared_repository="0600", format=0
            )
            about = f"Pairwright checkpoints of {self._root or self._path.name}\n"
            _replace(fresh / "description", about.encode("utf-8", "surrogateescape"))
            repo.close()
            _private(fresh)
            try:
                fresh.rename(self._path)
            except OSError:
                # Another server was first, or something that is no repository stands there.
                if not (self._path / "HEAD").is_file():
                    self._path.rename(_free(self._path.with_name(f"{self._path.name}.damaged")))
                    fresh.rename(self._path)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
        self._repo = Repo(str(self._path), bare=True)
        return self._repo


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


def head_of(root: str) -> tuple[str, str]:
    """Commit id and branch of the user's repository around `root`, each empty where there is none:
    no repository, an unborn or detached HEAD, one that cannot be read. Reads HEAD and refs only,
    writes nothing, never raises."""
    from dulwich.errors import FileFormatException, NotGitRepository, RefFormatError
    from dulwich.refs import SymrefLoop, check_ref_format
    from dulwich.repo import (
        InvalidWorktreeConfiguration,
        Repo,
        UnsupportedExtension,
        UnsupportedVersion,
    )

    broken = (
        FileFormatException,
        IndexError,
        InvalidWorktreeConfiguration,
        KeyError,
        NotGitRepository,
        NotImplementedError,
        OSError,
        RefFormatError,
        SymrefLoop,
        UnsupportedExtension,
        UnsupportedVersion,
        ValueError,
    )
    try:
        with Repo.discover(root) as repo:
            names, id = repo.refs.follow(b"HEAD")  # type: ignore[arg-type]
    except broken:
        return "", ""
    branch = names[-1] if len(names) > 1 and check_ref_format(names[-1]) else b""
    head = id or b""
    if not re.fullmatch(rb"[0-9a-f]{40}|[0-9a-f]{64}", head):
        head = b""
    return head.decode("ascii"), branch.removeprefix(b"refs/heads/").decode("utf-8", "replace")


def _commit(message: Message, present: list[str], time: float) -> Commit:
    from dulwich.objects import Commit

    commit = Commit()
    commit.author = commit.committer = _AUTHOR
    commit.author_time = commit.commit_time = int(time)
    commit.author_timezone = commit.commit_timezone = clock.localtime(int(time)).tm_gmtoff
    commit.encoding = b"UTF-8"
    commit.message = render(message, present).encode("utf-8", "surrogateescape")
    return commit


def _parsed(repo: Repo, commit: Commit) -> Checkpoint:
    message = parse(commit.message.decode("utf-8", "surrogateescape"))
    present = [path for path, _, _ in _blobs(repo, commit.tree, "", False)]
    gone = [path for path in message.absent if not path.endswith("/")]
    return Checkpoint(
        id=commit.id.decode("ascii"),
        time=float(commit.commit_time),
        kind=message.kind,
        note=message.note,
        paths=tuple(sorted([*present, *gone])),
        proposal=message.proposal,
        base=message.base,
        undoes=message.undoes,
        head=message.head,
        branch=message.branch,
    )


def _write_tree(repo: Repo, files: Files) -> bytes:
    """Write blobs and trees of the files that exist; the id of the top tree."""
    from dulwich.objects import Blob, Tree

    trees: dict[str, Tree] = {"": Tree()}
    for path in sorted(files):
        state = files[path]
        if state.data is None:
            continue
        parts = path.split("/")
        if any(part in ("", ".", "..") or part.lower() == ".git" for part in parts):
            raise CheckpointError(f"{path}: no checkpoint can hold this name")
        blob = Blob.from_string(state.data)
        _add(repo, blob)
        name, folder = parts[-1], "/".join(parts[:-1])
        for depth in range(len(parts)):
            trees.setdefault("/".join(parts[:depth]), Tree())
        if path in trees:
            raise CheckpointError(f"{path}: is a file and a directory at once")
        trees[folder].add(_name(path, name), _git_mode(state.mode), blob.id)
    # Deepest first, so that every tree knows its children's ids.
    for folder in sorted(trees, key=lambda key: (-key.count("/") if key else 1, key)):
        tree = trees[folder]
        _add(repo, tree)
        if folder:
            above, _, name = folder.rpartition("/")
            if _name(folder, name) in trees[above]:
                raise CheckpointError(f"{folder}: is a file and a directory at once")
            trees[above].add(_name(folder, name), 0o040000, tree.id)
    return trees[""].id


def _name(path: str, name: str) -> bytes:
    try:
        return name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise CheckpointError(f"{path!a}: no checkpoint can hold this name") from error


def _git_mode(mode: int) -> int:
    if mode == LINK:
        return LINK
    return 0o100755 if mode & 0o111 else 0o100644


def _blobs(
    repo: Repo, tree_id: bytes, under: str, contents: bool = True
) -> Iterator[tuple[str, int, bytes]]:
    """Path, mode and bytes (empty unless `contents`) of every file below a tree."""
    tree: Tree = repo.object_store[tree_id]  # type: ignore[assignment,index]
    for entry in tree.iteritems():
        name, mode, sha = entry.path, entry.mode, entry.sha
        assert name is not None and mode is not None and sha is not None
        path = under + name.decode("utf-8", "surrogateescape")
        if mode == 0o040000:
            yield from _blobs(repo, sha, path + "/", contents)
            continue
        data = b""
        if contents:
            blob: Blob = repo.object_store[sha]  # type: ignore[assignment]
            data = blob.data
        yield path, LINK if mode == LINK else mode & 0o7777, data


def _tip(repo: Repo) -> Commit | None:
    id = repo.refs.read_ref(_BRANCH)  # type: ignore[arg-type]
    if not id:
        if Path(repo.path, _BRANCH.decode()).exists():
            raise ValueError("the branch points nowhere")
        return None
    return repo.object_store[id]  # type: ignore[return-value,index]


def _walk(repo: Repo, start: Commit | None = None) -> Iterator[Commit]:
    """Commits from `start` or the tip on, newest first, to the root or the shallow border."""
    border = repo.get_shallow()
    commit = start or _tip(repo)
    while commit is not None:
        yield commit
        if not commit.parents or commit.id in border:
            return
        commit = repo.object_store[commit.parents[0]]  # type: ignore[assignment]


def _find(repo: Repo | None, id: str) -> Commit | None:
    from dulwich.objects import Commit

    if repo is None or not re.fullmatch(r"[0-9a-f]{40}", id):
        return None
    try:
        found = repo.object_store[id.encode("ascii")]  # type: ignore[index]
    except KeyError:
        return None
    return found if isinstance(found, Commit) else None


def _add(repo: Repo, item: ShaFile) -> None:
    from dulwich.file import FileLocked

    try:
        repo.object_store.add_object(item)
    except FileLocked as error:
        # Loose objects are locked by us alone, and we hold the store's lock: its owner is dead.
        Path(os.fsdecode(error.lockfilename)).unlink(missing_ok=True)
        repo.object_store.add_object(item)


def _move_ref(repo: Repo, old: bytes | None, new: bytes) -> None:
    from dulwich.file import FileLocked
    from dulwich.objects import ZERO_SHA

    started = clock.monotonic()
    while True:
        try:
            moved = repo.refs.set_if_equals(_BRANCH, old or ZERO_SHA, new)  # type: ignore[arg-type]
            break
        except FileLocked as error:
            if clock.monotonic() - started > _STALE_SECONDS:
                Path(os.fsdecode(error.lockfilename)).unlink(missing_ok=True)
            else:
                clock.sleep(0.02)
    Path(repo.path, _BRANCH.decode()).chmod(0o600)
    if not moved:
        raise CheckpointError("the checkpoints were changed by another program; try again")


def _kept(found: list[Checkpoint], keep_days: float, keep_count: int, now: float) -> int:
    """How many of `found`, newest first, stay."""
    oldest = now - keep_days * 86400
    keep = 1
    while keep < min(len(found), keep_count) and found[keep].time >= oldest:
        keep += 1
    place = {checkpoint.id: index for index, checkpoint in enumerate(found)}
    at = 0
    while at < keep:
        keep = max(keep, place.get(found[at].base, 0) + 1)
        at += 1
    return keep


def _drop_unreachable(repo: Repo, objects: Path, commits: list[Commit]) -> None:
    """Delete loose objects that no kept commit holds, and what dead writers left."""
    live: set[bytes] = set()
    for commit in commits:
        live.add(commit.id)
        todo = [commit.tree]
        while todo:
            tree_id = todo.pop()
            if tree_id in live:
                continue
            live.add(tree_id)
            tree: Tree = repo.object_store[tree_id]  # type: ignore[assignment]
            for entry in tree.iteritems():
                assert entry.sha is not None
                if entry.mode == 0o040000:
                    todo.append(entry.sha)
                else:
                    live.add(entry.sha)
    for file in sorted(objects.glob("[0-9a-f][0-9a-f]/*")):
        name = file.parent.name + file.name
        if not _LOOSE.fullmatch(file.name) or name.encode("ascii") not in live:
            file.unlink(missing_ok=True)


def _replace(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, for the user alone."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    Path(name).replace(path)


def _private(folder: Path) -> None:
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o700 if path.is_dir() else 0o600)


def _free(path: Path) -> Path:
    """`path`, or the first of its numbered variants that does not exist."""
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.name}{number}")
    return free
