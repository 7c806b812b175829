"""Which lines of a reply are prose, and which stand in fences or edits.

What a model says is in its prose; what it writes into files is not said. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pairwright.edits.formats.markers import END, HEAD, fence

_PATCH = "*** Begin Patch"
_PATCH_END = "*** End Patch"
_DIFF = ("+", "-", " ", "@", "\\")


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines of one kind, one after another. `first`, `stop`: their numbers in the reply, from 0, fences included.
    `info`: what stands behind an opening fence; None for prose and for an edit outside of any fence. `is_edit`: holds
    an edit."""

    lines: tuple[str, ...]
    first: int
    stop: int
    info: str | None = None
    is_edit: bool = False

    @property
    def is_prose(self) -> bool:
        return self.info is None and not self.is_edit


def pieces(reply: str) -> tuple[Piece, ...]:
    """`reply` from its first line to its last. A fence that is never closed reaches to the end."""
    lines = [line.rstrip("\r") for line in reply.split("\n")]
    found: list[Piece] = []
    at = begun = 0
    while at < len(lines):
        piece = _code(lines, at)
        if piece is None:
            at += 1
            continue
        if begun < at:
            found.append(Piece(tuple(lines[begun:at]), begun, at))
        found.append(piece)
        at = begun = piece.stop
    if begun < len(lines):
        found.append(Piece(tuple(lines[begun:]), begun, len(lines)))
    return tuple(found)


def _code(lines: Sequence[str], at: int) -> Piece | None:
    """The fence or edit that begins in line `at`."""
    line = lines[at]
    if opened := fence(line):
        return _fenced(lines, at, opened[1], opened[2].strip())
    if HEAD.fullmatch(line):
        stop = _until_end(lines, at)
    elif line.strip() == _PATCH:
        rest = (i + 1 for i in range(at, len(lines)) if lines[i].strip() == _PATCH_END)
        stop = next(rest, len(lines))
    elif line.startswith("--- ") and "".join(lines[at + 1 : at + 2]).startswith("+++ "):
        stop = next(_outside_diff(lines, at), len(lines))
    else:
        return None
    return Piece(tuple(lines[at:stop]), at, stop, is_edit=True)


def _fenced(lines: Sequence[str], at: int, mark: str, info: str) -> Piece:
    is_edit = False
    here = at + 1
    while here < len(lines):
        if HEAD.fullmatch(lines[here]):
            is_edit = True
            here = _until_end(lines, here)
            continue
        closing = fence(lines[here])
        if closing and closing[1].startswith(mark) and not closing[2].strip():
            return Piece(tuple(lines[at + 1 : here]), at, here + 1, info, is_edit)
        here += 1
    return Piece(tuple(lines[at + 1 :]), at, len(lines), info, is_edit)


def _until_end(lines: Sequence[str], at: int) -> int:
    """The line behind the SEARCH/REPLACE block that begins in line `at`."""
    return next((i + 1 for i in range(at, len(lines)) if END.fullmatch(lines[i])), len(lines))


def _outside_diff(lines: Sequence[str], at: int) -> Iterator[int]:
    return (i for i in range(at, len(lines)) if not lines[i].startswith(_DIFF))
