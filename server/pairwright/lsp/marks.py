"""Which lines of open documents asked for something when they were last saved: what a save brings that is new.

A look by search alone, since it happens at every opening; what is a comment `ai_comments` decides.
"""

from __future__ import annotations

import re

_ASKING = re.compile(rb"(?<![\w.])[aA][iI][!?]")

# Looking for words is ten times as fast as the pattern, and most texts have none.
_MARKS = tuple((a + i + mark).encode() for a in "aA" for i in "iI" for mark in "!?")


def hints(data: bytes) -> frozenset[bytes]:
    """The lines of `data` that hold a mark that asks, without the blanks around them."""
    if not any(mark in data for mark in _MARKS) or not _ASKING.search(data):
        return frozenset()
    return frozenset(line.strip() for line in data.splitlines() if _ASKING.search(line))


class Marks:
    """The lines of each open document, by the client's URI. Changed on the loop only."""

    def __init__(self) -> None:
        self._known: dict[str, frozenset[bytes]] = {}

    def opened(self, uri: str, data: bytes) -> None:
        """What stands in a document when it is opened asks for nothing."""
        self._known[uri] = hints(data)

    def saved(self, uri: str, data: bytes) -> frozenset[bytes]:
        """The lines that were not there at the opening or the last save."""
        now = hints(data)
        fresh = now - self._known.get(uri, frozenset())
        self._known[uri] = now
        return fresh

    def closed(self, uri: str) -> None:
        """Forget a document."""
        self._known.pop(uri, None)
