"""Hunks on their way: the same whatever the pieces, and each character read once."""

from __future__ import annotations

import pytest
from tests.support.served import blocks

from pairwright.edits.formats import search_replace
from pairwright.engine.draft import Drafts, drafting
from pairwright.engine.events import Drafted, Event, Said
from pairwright.text.document import Document

TEXT = b"one\r\ntwo\r\nthree\r\n"
REPLY = (
    "Sure.\n\n"
    + blocks(("a", "two\n", "zwei\n"), ("a", "x\n", "y\n"), ("n.py", "", "new\n"))
    + "\n"
)
EXPECTED = (
    Drafted("a", 1, "two", "zwei"),
    Drafted("a", None, "x", "y"),
    Drafted("n.py", None, "", "new"),
)


def check(reply: str, size: int, format: str = "diff") -> tuple[Drafted, ...]:
    """The hunks of `reply` in pieces of `size` characters."""
    drafts = Drafts(format, {"a": Document.of("a", TEXT, 1)})
    pieces = [reply[at : at + size] for at in range(0, len(reply), size)]
    return tuple(drafted for piece in pieces for drafted in drafts.feed(piece))


@pytest.mark.parametrize("size", [1, 2, 7, 10_000])
def test_pieces_make_no_difference(size: int) -> None:
    assert check(REPLY, size) == EXPECTED


@pytest.mark.parametrize(
    ("format", "reply"),
    [
        ("udiff", "```diff\n--- a\n+++ a\n@@ @@\n-two\n+zwei\n```\nDone.\nBye.\n"),
        (
            "patch",
            "*** Begin Patch\n*** Update File: a\n@@\n-two\n+zwei\n*** End Patch\n",
        ),
        ("diff-fenced", "```\na\n<<<<<<< SEARCH\ntwo\n=======\nzwei\n>>>>>>> REPLACE\n```\n"),
    ],
)
def test_other_formats(format: str, reply: str) -> None:
    assert check(reply, 3, format) == (Drafted("a", 1, "two", "zwei"),)


def test_every_line_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    real = search_replace.Stream._read

    def counting(self: search_replace.Stream, line: str) -> None:
        read.append(line)
        real(self, line)

    monkeypatch.setattr(search_replace.Stream, "_read", counting)
    reply = REPLY * 50
    check(reply, 1)
    assert "\n".join([*read, ""]) == reply


def test_thoughts_hold_no_hunks() -> None:
    told: list[Event] = []
    emit = drafting(told.append, Drafts("diff", {"a": Document.of("a", TEXT, 1)}))
    emit(Said(REPLY, reasoning=True))
    emit(Said("Fine.\n"))
    assert [event for event in told if isinstance(event, Drafted)] == []
    emit(Said(REPLY))
    assert told[-3:] == list(EXPECTED)
