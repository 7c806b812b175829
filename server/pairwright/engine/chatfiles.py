"""The files of a chat: what a name stands for, and how names join and leave the set.

A name is a path, a glob or a folder, exactly; never a part of a name. What ignore rules exclude is no choice, and a
name that fits nothing is answered with the nearest ones. Knows no model and no prompt.
"""

from __future__ import annotations

import difflib
import os
import posixpath
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from pairwright.edits.paths import unsafe
from pairwright.engine.images import mime_of
from pairwright.workspace.ignore import Patterns
from pairwright.workspace.outside import outside
from pairwright.workspace.types import Snapshot

FOLDER_MOST = 100
"""Files that one name may stand for."""
_NEAR = 3
_LOOKED_THROUGH = 20_000
"""Names that are compared for the nearest one: a wrong name must not cost a second."""

Access = Literal["edit", "read"]


@dataclass(frozen=True, slots=True)
class ChatFiles:
    """Paths in the order they were added: workspace-relative, absolute where they lie outside, which only
    `read_only` ones may. No path is in both."""

    editable: tuple[str, ...] = ()
    read_only: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Named:
    """What a name stands for, or why for nothing: a phrase that begins with the name."""

    paths: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Changed:
    """The set after a change. `problems`: names that were not taken, a phrase each."""

    files: ChatFiles
    problems: tuple[str, ...] = ()


def named(name: str, snapshot: Snapshot, access: Access = "edit") -> Named:
    """The files that `name` stands for. Reads the disk: run it in a thread."""
    written = name.strip()
    if not written:
        return Named(problem="an empty name is no file")
    if written.startswith("/"):
        inside = _inside(written, snapshot.root)
        if inside is None:
            return _outside(written, access)
        written = inside
    elif posixpath.normpath(written).startswith(".."):
        said = "lies outside the workspace: name it by its absolute path, to read it"
        return Named(problem=f"{written} {said}")
    path = posixpath.normpath(written)
    if path != "." and (reason := unsafe(path)):
        return Named(problem=f"{path} is not sent: {reason}")
    if path in snapshot.buffers or snapshot.on_disk(path) is not None:
        problem = refused(path, snapshot)
        return Named(problem=f"{path} {problem}") if problem else Named((path,))
    found = _among(snapshot.paths(), path)
    if len(found) > FOLDER_MOST:
        return Named(
            problem=f"{written} stands for {len(found):,} files, and {FOLDER_MOST} may be added at once: "
            "name a smaller part"
        )
    return Named(found) if found else Named(problem=_nothing(written, snapshot))


def refused(path: str, snapshot: Snapshot) -> str:
    """Why the file at `path` is not sent, as a phrase without its name; empty if it may be."""
    if reason := unsafe(path):
        return f"is not sent: {reason}"
    is_open = path in snapshot.buffers
    disk = None if is_open else snapshot.on_disk(path)
    if not is_open and disk is None:
        return "does not exist (any more)"
    if snapshot.ignored(path):
        return "is excluded by ignore rules, so it is not sent"
    if disk is not None and disk.codec is None and mime_of(disk.raw) is None:
        return disk.reason or "has no text"
    return ""


def changed(
    files: ChatFiles,
    snapshot: Snapshot,
    add: Sequence[str] = (),
    read: Sequence[str] = (),
    drop: Sequence[str] = (),
) -> Changed:
    """`files` without `drop`, then with `add` to be edited and `read` for reference. A file that was in the set
    changes sides. Reads the disk."""
    problems: list[str] = []
    left = files
    for name in drop:
        gone = _held(name, left, snapshot.root)
        if not gone:
            problems.append(_not_held(name, left))
        left = ChatFiles(_less(left.editable, gone), _less(left.read_only, gone))
    added = _all_named(add, snapshot, "edit", problems)
    shown = _all_named(read, snapshot, "read", problems)
    pictures = [path for path in added if _is_picture(path, snapshot)]
    shown = tuple(dict.fromkeys((*pictures, *shown)))
    editable = tuple(dict.fromkeys((*_less(left.editable, shown), *_less(added, shown))))
    read_only = tuple(dict.fromkeys((*_less(left.read_only, editable), *shown)))
    return Changed(ChatFiles(editable, read_only), tuple(problems))


def told(change: Changed, before: ChatFiles) -> str:
    """What became of the set, in a line or more for the user."""
    now, then = change.files, before
    lines = [f"{problem}." for problem in change.problems]
    all_now, all_then = {*now.editable, *now.read_only}, {*then.editable, *then.read_only}
    for verb, paths in (
        ("Dropped", (p for p in (*then.editable, *then.read_only) if p not in all_now)),
        ("To be edited", (p for p in now.editable if p not in then.editable)),
        ("For reference", (p for p in now.read_only if p not in then.read_only)),
    ):
        if found := list(paths):
            lines.append(f"{verb}: {', '.join(found)}.")
    if not lines:
        count = len(all_then)
        lines.append(f"{count} {'file' if count == 1 else 'files'} in the chat, as before.")
    return "\n".join(lines)


# --- names


def _inside(path: str, root: str) -> str | None:
    """An absolute path as one of the workspace, links followed; None if it leads elsewhere."""
    for full in (posixpath.normpath(path), os.path.realpath(path)):
        if root and full.startswith(f"{root.rstrip('/')}/"):
            return full[len(root.rstrip("/")) + 1 :]
        if full == root:
            return "."
    return None


def _outside(path: str, access: Access) -> Named:
    if access == "edit":
        return Named(problem=f"{path} lies outside the workspace, so it can only be read")
    full = posixpath.normpath(path)
    found = outside(full)
    if isinstance(found, str):
        return Named(problem=f"{full} {found}")
    return Named((full,))


def _among(paths: Iterable[str], name: str) -> tuple[str, ...]:
    """The `paths` in the folder `name`, else those that fit it as a glob, in order."""
    if name == ".":
        return tuple(paths)
    below = tuple(path for path in paths if path.startswith(f"{name}/"))
    if below or not any(sign in name for sign in "*?["):
        return below
    # A leading slash makes the rule one of whole paths, as a shell means it; `**` crosses folders.
    pattern = Patterns(b"/" + name.replace("\n", "?").encode("utf-8", "surrogateescape"))
    return tuple(p for p in paths if pattern.match(p.encode("utf-8", "surrogateescape"), False))


def _nothing(name: str, snapshot: Snapshot) -> str:
    if not snapshot.ready():
        return f"{name} fits no file yet: the folder is still being indexed"
    if any(sign in name for sign in "*?["):
        deeper = _among(snapshot.paths(), f"**/{name}") if "/" not in name else ()
        more = f": **/{name} fits {len(deeper):,}" if deeper else ""
        return f"{name} fits no file of the workspace{more}"
    near = _near(name, snapshot.paths())
    more = f": did you mean {' or '.join(near)}?" if near else ""
    return f"{name} is no file or folder of the workspace{more}"


def _near(name: str, paths: Sequence[str]) -> list[str]:
    """Up to three paths that were perhaps meant: of the same file name, else of a similar one."""
    base = posixpath.basename(name).lower()
    same = [path for path in paths if posixpath.basename(path).lower() == base]
    if same:
        return same[:_NEAR]
    by_base: dict[str, str] = {}
    for path in paths[:_LOOKED_THROUGH]:
        by_base.setdefault(posixpath.basename(path).lower(), path)
    close = difflib.get_close_matches(base, by_base, _NEAR, 0.75)
    return [by_base[one] for one in close]


def _all_named(
    names: Sequence[str], snapshot: Snapshot, access: Access, problems: list[str]
) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for name in names:
        one = named(name, snapshot, access)
        found.update(dict.fromkeys(one.paths))
        if one.problem:
            problems.append(one.problem)
    return tuple(found)


def _is_picture(path: str, snapshot: Snapshot) -> bool:
    disk = None if path in snapshot.buffers else snapshot.on_disk(path)
    return disk is not None and disk.codec is None


# --- the set


def _held(name: str, files: ChatFiles, root: str) -> tuple[str, ...]:
    """The paths of the set that `name` stands for: a path, a folder or a glob over the set itself, since the
    files may be gone."""
    held = (*files.editable, *files.read_only)
    written = name.strip()
    if written.startswith("/"):
        full = posixpath.normpath(written)
        written = full if full in held else _inside(written, root) or full
    path = posixpath.normpath(written)
    return (path,) if path in held else _among(held, path)


def _not_held(name: str, files: ChatFiles) -> str:
    near = _near(name, (*files.editable, *files.read_only))
    more = f": did you mean {' or '.join(near)}?" if near else ""
    return f"{name} is not in the chat{more}"


def _less(paths: Sequence[str], gone: Sequence[str]) -> tuple[str, ...]:
    return tuple(path for path in paths if path not in gone)
