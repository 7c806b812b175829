"""Checkpoints as git objects: how one is written to a repository and read from it.

Knows what a commit, its tree and its message mean; decides nothing about when, where and under
which lock. The `type: ignore`s here and beside are dulwich's: it takes and gives ids as plain bytes, and an
object of a store by its base class, where its annotations want types of their own."""

from __future__ import annotations

import os
import re
import time as clock
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from pairwright.checkpoints.message import Message, parse, render
from pairwright.checkpoints.place import flush
from pairwright.checkpoints.types import LINK, Checkpoint, CheckpointError, Files, FileState

if TYPE_CHECKING:
    from dulwich.objects import Blob, Commit, ShaFile, Tree
    from dulwich.repo import Repo

BRANCH = b"refs/heads/checkpoints"
_AUTHOR = b"Pairwright <pairwright@localhost>"
_FLUSHERS = 4


def made(files: Files, message: Message, time: float, parent: Commit | None) -> list[ShaFile]:
    """All that a commit of `files` behind `parent` consists of, the commit itself last. Raises
    CheckpointError for names no tree can hold."""
    from dulwich.objects import Commit

    items = list(_trees(files))
    commit = Commit()
    commit.author = commit.committer = _AUTHOR
    commit.author_time = commit.commit_time = int(time)
    commit.author_timezone = commit.commit_timezone = clock.localtime(int(time)).tm_gmtoff
    commit.encoding = b"UTF-8"
    commit.message = render(message, present_of(files)).encode("utf-8", "surrogateescape")
    commit.tree = items[-1].id
    commit.parents = [parent.id] if parent is not None else []
    return [*items, commit]


def keep(repo: Repo, items: Sequence[ShaFile], others: Sequence[Path] = ()) -> None:
    """Store `items` as loose objects and flush them and the files `others`: all of it is on disk
    when this returns. Raises OSError."""
    places = {item.id: _loose(repo, item.id) for item in items}
    # By id: two threads must not write the one object of two equal files.
    fresh = {item.id: item for item in items if not places[item.id].exists()}

    def settle(item: ShaFile) -> None:
        _add(repo, item)
        flush(places[item.id])

    # A file system gathers what several threads flush at once; one after another costs it all. What
    # is large begins first, so that no thread is left alone with it.
    large = sorted(fresh.values(), key=lambda item: -item.raw_length())
    with ThreadPoolExecutor(_FLUSHERS) as threads:
        waiting = [threads.submit(flush, path) for path in others]
        waiting += [threads.submit(settle, item) for item in large]
    for one in waiting:
        one.result()


def parsed(repo: Repo, commit: Commit, present: Sequence[str] | None = None) -> Checkpoint:
    """A commit as the checkpoint it is. `present`: the files in its tree, where they are known.
    Raises ValueError where it is none."""
    message = parse(commit.message.decode("utf-8", "surrogateescape"))
    if present is None:
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
        group=message.group,
        moves=message.moves,
    )


def present_of(files: Files) -> list[str]:
    """The paths of files that exist, sorted."""
    return sorted(path for path in files if files[path].data is not None)


def files_of(repo: Repo, commit: Commit) -> Files:
    """The files a commit holds, sorted by path."""
    message = parse(commit.message.decode("utf-8", "surrogateescape"))
    modes = dict(message.modes)
    files = {path: FileState(None) for path in message.absent}
    for path, mode, data in _blobs(repo, commit.tree, ""):
        files[path] = FileState(data, modes.get(path, mode))
    return {path: files[path] for path in sorted(files)}


def tip(repo: Repo) -> Commit | None:
    """The newest commit. Raises ValueError where the branch is damaged."""
    id = repo.refs.read_ref(BRANCH)  # type: ignore[arg-type]
    if not id:
        if Path(repo.path, BRANCH.decode()).exists():
            raise ValueError("the branch points nowhere")
        return None
    return repo.object_store[id]  # type: ignore[return-value,index]


def walk(repo: Repo, start: Commit | None = None) -> Iterator[Commit]:
    """Commits from `start` or the tip on, newest first, to the root or the shallow border."""
    border = repo.get_shallow()
    commit = start or tip(repo)
    while commit is not None:
        yield commit
        if not commit.parents or commit.id in border:
            return
        commit = repo.object_store[commit.parents[0]]  # type: ignore[assignment]


def find(repo: Repo | None, id: str) -> Commit | None:
    """The commit with that whole id."""
    from dulwich.objects import Commit

    if repo is None or not re.fullmatch(r"[0-9a-f]{40}", id):
        return None
    try:
        found = repo.object_store[id.encode("ascii")]  # type: ignore[index]
    except KeyError:
        return None
    return found if isinstance(found, Commit) else None


def held_by(repo: Repo, commit: Commit) -> Iterator[bytes]:
    """Ids of the commit, its trees and its blobs; one that occurs twice comes twice."""
    yield commit.id
    todo = [commit.tree]
    while todo:
        tree_id = todo.pop()
        yield tree_id
        tree: Tree = repo.object_store[tree_id]  # type: ignore[assignment]
        for entry in tree.iteritems():
            assert entry.sha is not None
            if entry.mode == 0o040000:
                todo.append(entry.sha)
            else:
                yield entry.sha


def _trees(files: Files) -> Iterator[ShaFile]:
    """Blobs and trees of the files that exist, the top tree last."""
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
        yield blob
        name, folder = parts[-1], "/".join(parts[:-1])
        for depth in range(len(parts)):
            trees.setdefault("/".join(parts[:depth]), Tree())
        if path in trees:
            raise CheckpointError(f"{path}: is a file and a directory at once")
        trees[folder].add(_name(path, name), _git_mode(state.mode), blob.id)
    # Deepest first, so that every tree knows its children's ids.
    for folder in sorted(trees, key=lambda key: (-key.count("/") if key else 1, key)):
        tree = trees[folder]
        yield tree
        if folder:
            above, _, name = folder.rpartition("/")
            if _name(folder, name) in trees[above]:
                raise CheckpointError(f"{folder}: is a file and a directory at once")
            trees[above].add(_name(folder, name), 0o040000, tree.id)


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


def _loose(repo: Repo, id: bytes) -> Path:
    name = id.decode("ascii")
    return Path(repo.path, "objects", name[:2], name[2:])


def _add(repo: Repo, item: ShaFile) -> None:
    from dulwich.file import FileLocked

    try:
        repo.object_store.add_object(item)
    except FileLocked as error:
        # Loose objects are locked by us alone, and we hold the store's lock: its owner is dead.
        Path(os.fsdecode(error.lockfilename)).unlink(missing_ok=True)
        repo.object_store.add_object(item)
