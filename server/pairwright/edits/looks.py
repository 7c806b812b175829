"""What a reply asks to see: blocks marked `look`, one wish a line.

    ```look
    file shop/cart.py:10-40
    symbol Cart.total
    references round_up
    search "rounded up"
    map rounding of prices
    ```

Form is forgiven: list marks, quotes, a colon behind the word, `lines 10-20`. A block inside an edit or another fence
is text and asks for nothing. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from pairwright.edits.prose import pieces

Kind = Literal["file", "symbol", "references", "search", "map"]
MOST = 8
"""Wishes of one reply that are read; what is beyond them is named as unread."""

_WORDS: dict[str, Kind] = {
    "file": "file",
    "read": "file",
    "open": "file",
    "symbol": "symbol",
    "definition": "symbol",
    "references": "references",
    "refs": "references",
    "search": "search",
    "grep": "search",
    "map": "map",
}
_LINE = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])?[ \t]*([A-Za-z]+)[ \t]*:?[ \t]+(\S.*)")
_RANGE = re.compile(
    r"(?:\s*[,(]?\s*lines?\s+|:|#L|\s+)(\d+)(?:(?:-|\.\.|:|\s*to\s*)L?(\d+))?[\s)]*$", re.I
)
_LONGEST = 400
_QUOTES = ("``", "`", '"', "'")


@dataclass(frozen=True, slots=True)
class Look:
    """One wish. `what`: a path, a name, a text or words. `first`, `last`: lines of a file, from 1; 0 = the whole
    file."""

    kind: Kind
    what: str
    first: int = 0
    last: int = 0

    @property
    def said(self) -> str:
        """As it would be written."""
        lines = f":{self.first}-{self.last}" if self.first else ""
        return f"{self.kind} {self.what}{lines}"


@dataclass(frozen=True, slots=True)
class Wishes:
    """`looks` in the order of the reply, each once. `unread`: lines of its look blocks that are no wish, or one too
    many. `rest`: the reply without these blocks."""

    looks: tuple[Look, ...]
    unread: tuple[str, ...]
    rest: str


def wishes(reply: str) -> Wishes:
    """What `reply` asks to see."""
    looks: dict[Look, None] = {}
    unread: list[str] = []
    rest: list[str] = []
    lines = reply.split("\n")
    for piece in pieces(reply):
        if piece.info is None or piece.info.casefold() != "look":
            rest += lines[piece.first : piece.stop]
            continue
        for line in piece.lines:
            look = _look(line)
            if look is not None and (look in looks or len(looks) < MOST):
                looks[look] = None
            elif line.strip():
                unread.append(line.strip()[:_LONGEST])
    return Wishes(tuple(looks), tuple(unread), "\n".join(rest) if looks or unread else reply)


def _look(line: str) -> Look | None:
    found = _LINE.fullmatch(line.rstrip()) if len(line) <= _LONGEST else None
    kind = _WORDS.get(found[1].casefold()) if found else None
    if found is None or kind is None:
        return None
    what, first, last = found[2].strip(), 0, 0
    if kind == "file" and (lines := _RANGE.search(what)):
        first = int(lines[1])
        last = int(lines[2] or lines[1])
        what = what[: lines.start()].rstrip()
        first, last = (first, last) if 0 < first <= last else (0, 0)
    what = _bare(what)
    return Look(kind, what, first, last) if what else None


def _bare(what: str) -> str:
    """`what` without one pair of quotes around it."""
    for quote in _QUOTES:
        size = len(quote)
        if len(what) > 2 * size and what.startswith(quote) and what.endswith(quote):
            return what[size:-size].strip()
    return what
