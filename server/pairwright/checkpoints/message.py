"""Commit messages of checkpoints: written for a person in `git log`, read back for what a tree
cannot hold.

A git tree knows no absent file and only two permission patterns; both go into trailers. Pure: no
dulwich, no disk."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from pairwright.checkpoints.types import LINK, Files

_PREFIX = "Pairwright-"
_NOTE_LIMIT = 200
_GIT_MODES = (0o644, 0o755)


@dataclass(frozen=True, slots=True)
class Message:
    """What the message of one checkpoint says. `absent`: paths that did not exist. `modes`:
    permission bits that git has no pattern for. `moves`: old and new path of renamed files."""

    kind: str
    note: str = ""
    proposal: str = ""
    base: str = ""
    undoes: str = ""
    head: str = ""
    branch: str = ""
    group: str = ""
    absent: tuple[str, ...] = ()
    modes: tuple[tuple[str, int], ...] = ()
    moves: tuple[tuple[str, str], ...] = ()


def one_line(text: str) -> str:
    """The first line of `text` that says something, printable, at most 200 characters."""
    for line in text.splitlines():
        clean = "".join(char if char.isprintable() else " " for char in line).strip()
        if clean:
            return clean[:_NOTE_LIMIT].rstrip()
    return ""


def absent_of(files: Files) -> tuple[str, ...]:
    return tuple(sorted(path for path, state in files.items() if state.data is None))


def modes_of(files: Files) -> tuple[tuple[str, int], ...]:
    """Modes a git tree would lose."""
    return tuple(
        (path, files[path].mode & 0o7777)
        for path in sorted(files)
        if files[path].data is not None
        and files[path].mode != LINK
        and files[path].mode & 0o7777 not in _GIT_MODES
    )


def render(message: Message, present: Iterable[str]) -> str:
    """The commit message; `present` are the paths in the tree, for the reader."""
    subject = f"{message.kind}: {message.note}" if message.note else message.kind
    listing = [
        *(f"  {_shown(path)}" for path in sorted(present)),
        *(f"  {_shown(path)} (did not exist)" for path in message.absent),
    ]
    single = (
        ("Kind", message.kind),
        ("Proposal", message.proposal),
        ("Base", message.base),
        ("Undoes", message.undoes),
        ("Head", message.head),
        ("Branch", message.branch),
        ("Group", message.group),
    )
    trailers = [
        *(f"{_PREFIX}{name}: {one_line(value)}" for name, value in single if value),
        *(f"{_PREFIX}Absent: {json.dumps(path)}" for path in message.absent),
        *(f"{_PREFIX}Mode: {mode:04o} {json.dumps(path)}" for path, mode in message.modes),
        *(f"{_PREFIX}Moved: {json.dumps(pair)}" for pair in message.moves),
    ]
    return "\n".join([subject, "", *listing, *([""] if listing else []), *trailers, ""])


def parse(text: str) -> Message:
    """The inverse of `render`. Raises ValueError where `text` is no message of a checkpoint."""
    subject, _, rest = text.partition("\n")
    single: dict[str, str] = {}
    absent: list[str] = []
    modes: list[tuple[str, int]] = []
    moves: list[tuple[str, str]] = []
    for line in rest.rstrip("\n").rpartition("\n\n")[2].split("\n"):
        name, colon, value = line.partition(": ")
        if not colon or not name.startswith(_PREFIX):
            continue
        name = name.removeprefix(_PREFIX)
        if name == "Absent":
            absent.append(str(json.loads(value)))
        elif name == "Moved":
            old, new = json.loads(value)
            moves.append((str(old), str(new)))
        elif name == "Mode":
            bits, _, path = value.partition(" ")
            modes.append((str(json.loads(path)), int(bits, 8)))
        else:
            single[name.lower()] = value
    if "kind" not in single:
        raise ValueError("not a checkpoint")
    kind = single["kind"]
    return Message(
        kind=kind,
        note=subject.removeprefix(kind).removeprefix(": "),
        proposal=single.get("proposal", ""),
        base=single.get("base", ""),
        undoes=single.get("undoes", ""),
        head=single.get("head", ""),
        branch=single.get("branch", ""),
        group=single.get("group", ""),
        absent=tuple(absent),
        modes=tuple(modes),
        moves=tuple(moves),
    )


def _shown(path: str) -> str:
    return path if path.isprintable() and path == path.strip() else json.dumps(path)
