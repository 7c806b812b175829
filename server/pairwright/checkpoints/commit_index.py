"""Indexes beside the user's own: what a commit would hold, made from bytes by git's own conversion.

The user's index is only copied here. Paths are relative to the top of the work tree. Blocking."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pairwright.checkpoints.commit_git import Git
from pairwright.checkpoints.commit_state import Place
from pairwright.checkpoints.types import LINK, Files, FileState

# A command line has a length.
_BATCH = 200


@dataclass(frozen=True, slots=True)
class Entry:
    """What a tree or an index holds at a path. `mode`: six octal digits. `id`: of the blob."""

    mode: str
    id: str


Entries = Mapping[str, Entry | None]
"""None: nothing at that path."""


def of_head(place: Place, copy: Path) -> Git:
    """Git with an index at `copy` that holds what HEAD does; sparse bits and cached stats of the
    user's index stay. Raises GitFailed."""
    git = copied(place, copy)
    if place.head:
        git.run("read-tree", "-i", "-m", place.head)
    else:
        git.run("read-tree", "--empty")
    return git


def stage(place: Place, git: Git, files: Files, scratch: Path) -> tuple[str, ...]:
    """Bring `files` into the index of `git` as `git add` would if they stood on disk; the paths
    that stand there otherwise. Raises GitFailed, OSError."""
    # Anew, without what git remembers of the file's times: a change within a tick of the clock, or a
    # text laid out elsewhere, must not pass for the one that is known.
    put(git, {path: entry for path, entry in in_index(git, files).items() if entry})
    same = {path for path in files if stands(place.git.top / path, files[path])}
    _update(git, sorted(same))
    if any(not stands(place.git.top / path, files[path]) for path in sorted(same)):
        # Saved at this very moment: what was staged may be another text.
        same = set()
    other = {path: files[path] for path in sorted(files) if path not in same}
    if other:
        _lay_out(place.git.top, other, scratch)
        beside = git.having(GIT_DIR=place.private, GIT_WORK_TREE=scratch)
        _update(Git(scratch, beside.env, beside.timeout, beside.extra), sorted(other))
    return tuple(other)


def stands(path: Path, state: FileState) -> bool:
    """Whether `path` on disk is just `state`."""
    try:
        if path.is_symlink():
            target = str(path.readlink()).encode("utf-8", "surrogateescape")
            return state.mode == LINK and target == state.data
        if state.data is None:
            return not path.exists()
        return state.mode != LINK and path.read_bytes() == state.data
    except (FileNotFoundError, NotADirectoryError):
        return state.data is None
    except IsADirectoryError:
        return False


def _update(git: Git, paths: Iterable[str]) -> None:
    given = b"".join(os.fsencode(path) + b"\0" for path in paths)
    if given:
        git.run("update-index", "--add", "--remove", "--replace", "-z", "--stdin", given=given)


def _lay_out(top: Path, files: Files, scratch: Path) -> None:
    """Write `files` below `scratch`, with the attributes that hold for them in `top`."""
    folders = {parent for path in files for parent in Path(path).parents}
    for folder in sorted(folders):
        rules = top / folder / ".gitattributes"
        if rules.is_file() and not rules.is_symlink():
            (scratch / folder).mkdir(parents=True, exist_ok=True)
            shutil.copyfile(rules, scratch / folder / ".gitattributes")
    for path, state in files.items():
        place = scratch / path
        if state.data is None:
            place.unlink(missing_ok=True)
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        if state.mode == LINK:
            place.symlink_to(state.data.decode("utf-8", "surrogateescape"))
        else:
            place.write_bytes(state.data)
            place.chmod(0o700 if state.mode & 0o111 else 0o600)


def in_tree(git: Git, tree: str, paths: Iterable[str]) -> dict[str, Entry | None]:
    """What the tree of `tree` (a commit or tree; empty = nothing) holds at `paths`."""
    found: dict[str, Entry | None] = dict.fromkeys(sorted(paths))
    if tree:
        for path, mode, kind, ident in _listed(git, ("ls-tree", "-z", tree), list(found)):
            if kind != "tree" and path in found:
                found[path] = Entry(mode, ident)
    return found


def in_index(git: Git, paths: Iterable[str]) -> dict[str, Entry | None]:
    """What the index of `git` holds at `paths`, without conflicts."""
    found: dict[str, Entry | None] = dict.fromkeys(sorted(paths))
    for path, mode, ident, stage_ in _listed(git, ("ls-files", "-s", "-z"), list(found)):
        if stage_ == "0" and path in found:
            found[path] = Entry(mode, ident)
    return found


def _listed(
    git: Git, words: tuple[str, ...], paths: list[str]
) -> Iterable[tuple[str, str, str, str]]:
    """Path and the three words before it, of each line that a listing of `paths` gives."""
    literal = git.having(GIT_LITERAL_PATHSPECS="1")
    for at in range(0, len(paths), _BATCH):
        out = literal.run(*words, "--", *paths[at : at + _BATCH])
        for line in filter(None, out.split(b"\0")):
            head, _, name = line.partition(b"\t")
            first, second, third = head.decode().split(" ")
            yield os.fsdecode(name), first, second, third


def put(git: Git, entries: Entries) -> None:
    """Bring `entries` into the index of `git`."""
    is_long = git.line("rev-parse", "--show-object-format") == "sha256"
    nothing = "0" * (64 if is_long else 40)
    lines = []
    for path in sorted(entries):
        entry = entries[path]
        head = f"{entry.mode} {entry.id} 0" if entry else f"0 {nothing} 0"
        lines.append(head.encode() + b"\t" + os.fsencode(path) + b"\0")
    if lines:
        # Removals first: what is a folder in the one may be a file in the other.
        lines.sort(key=lambda line: not line.startswith(b"0 "))
        git.run("update-index", "--add", "--replace", "-z", "--index-info", given=b"".join(lines))


def renewed(place: Place, entries: Entries, copy: Path) -> Path:
    """`copy`, made the user's index with `entries` in it and all else as it is. Raises GitFailed,
    OSError."""
    git = copied(place, copy)
    put(git, entries)
    present = [path for path in sorted(entries) if entries[path]]
    given = b"".join(os.fsencode(path) + b"\0" for path in present)
    if given:
        # Stats only, so that `git diff` need not read the files; what differs stays different.
        literal = git.having(GIT_LITERAL_PATHSPECS="1")
        words = ("--refresh", "--ignore-errors", "--pathspec-from-file=-", "--pathspec-file-nul")
        literal.ask("add", *words, given=given)
    return copy


def copied(place: Place, copy: Path) -> Git:
    """Git with `copy` of the user's index."""
    if place.index.exists():
        # With its time: git takes what was changed later than that for possibly changed.
        shutil.copy2(place.index, copy)
    return place.git.having(GIT_INDEX_FILE=copy)


def workshop() -> tempfile.TemporaryDirectory[str]:
    """A folder for indexes and texts beside the user's own, for the user alone."""
    return tempfile.TemporaryDirectory(prefix="pairwright-commit-")


def as_json(entries: Entries) -> dict[str, list[str] | None]:
    """Entries for a file of ours."""
    return {path: [entry.mode, entry.id] if entry else None for path, entry in entries.items()}


def of_json(raw: dict[str, list[str] | None]) -> dict[str, Entry | None]:
    """The inverse of `as_json`."""
    return {path: Entry(*value) if value else None for path, value in raw.items()}
