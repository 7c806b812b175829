"""What a reply says about the file it changed: a trailing block beside the edit, which costs no call of its own.

    ```notes
    purpose: Adds up the prices of a cart.
    - `total` rounds once, at the end.
    - Prices are cents everywhere.
    ```

Form is forgiven: without the fence the same lines at the end of the reply, headings, list marks, a purpose over
several lines. What is missing is empty, and nothing is ever an error. A block inside an edit or another fence is the
text of a file and says nothing. Whether what it says is true is the business of `memory.claims`. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pairwright.edits.prose import Piece, pieces

MOST_NOTES = 10
LONGEST_NOTE = 300
LONGEST_PURPOSE = 400
"""Characters; what is longer is cut at a word."""

_INFO = frozenset({"notes", "note"})
_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+(.*)")
_HEADING = re.compile(
    r"[ \t]*(?:#{1,6}[ \t]+)?[*_]{0,2}(purpose|notes?)[*_]{0,2}[ \t]*(?::[*_]{0,2}[ \t]*(.*)|$)",
    re.I,
)
_BLANK = re.compile(r"\s+")
_NOTHING = frozenset({"none", "n/a", "-", "nothing", "no notes"})
_LONGEST_LINE = 4_000


def read(reply: str) -> tuple[str, tuple[str, ...]]:
    """The purpose of the file and the notes, as `reply` gives them; empty where it gives none. Line breaks and
    control characters are blanks."""
    block = _block(reply)
    return _said(block[0]) if block is not None else ("", ())


def without(reply: str) -> str:
    """`reply` without the block that `read` reads."""
    block = _block(reply)
    if block is None:
        return reply
    lines = reply.split("\n")
    return "\n".join((*lines[: block[1]], *lines[block[2] :]))


def _block(reply: str) -> tuple[Sequence[str], int, int] | None:
    """The lines of the block, its first line in the reply and the one behind its last."""
    found = pieces(reply)
    for piece in reversed(found):
        if not piece.is_edit and piece.info is not None and piece.info.casefold() in _INFO:
            return piece.lines, piece.first, piece.stop
    return _plain(found[-1]) if found and found[-1].is_prose else None


def _plain(piece: Piece) -> tuple[Sequence[str], int, int] | None:
    """The same without a fence: the last lines of the reply, from a heading on."""
    for number, line in enumerate(piece.lines):
        heading = _HEADING.fullmatch(line[:_LONGEST_LINE])
        # "Note: the tests were not run" is a remark to the user, not a list.
        if heading and (heading[1].casefold() != "note" or not heading[2]):
            lines = piece.lines[number:]
            if any(_said(lines)):
                return lines, piece.first + number, piece.stop
    return None


def _said(lines: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    purpose: list[str] = []
    notes: list[list[str]] = []
    # Lines go on with what was begun: the purpose, or the last note.
    begun = purpose
    for line in (one[:_LONGEST_LINE] for one in lines):
        heading = _HEADING.fullmatch(line)
        item = _ITEM.fullmatch(line)
        if heading and heading[1].casefold() == "purpose":
            begun = purpose
            purpose[:] = [heading[2] or ""]
        elif heading:
            notes.append([heading[2] or ""])
            begun = notes[-1]
        elif item:
            notes.append([item[1]])
            begun = notes[-1]
        elif line.strip():
            begun.append(line)
        else:
            begun = []
    return _clean(purpose, LONGEST_PURPOSE), _kept(notes)


def _kept(notes: Iterable[Sequence[str]]) -> tuple[str, ...]:
    texts = dict.fromkeys(_clean(note, LONGEST_NOTE) for note in notes)
    return tuple(text for text in texts if text)[:MOST_NOTES]


def _clean(parts: Sequence[str], most: int) -> str:
    text = "".join(sign if sign.isprintable() else " " for sign in " ".join(parts))
    text = _BLANK.sub(" ", text).strip()
    if text.casefold().rstrip(".") in _NOTHING:
        return ""
    if len(text) <= most:
        return text
    return text[: most - 1].rsplit(" ", 1)[0] + "…"
