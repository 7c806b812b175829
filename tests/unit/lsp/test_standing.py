"""Where waiting hunks stand in a text that was typed into."""

from __future__ import annotations

from pairwright.edits.types import FileChange, Hunk
from pairwright.engine.proposals import propose, rejected
from pairwright.lsp.standing import Standing, standing
from pairwright.text.document import Document

BEFORE = b"one\ntwo\nthree\nfour\n"


def check(now: bytes, expected: dict[str, Standing], without: tuple[str, ...] = ()) -> None:
    hunks = (Hunk(4, 8, b"TWO\n"), Hunk(14, 19, b"FOUR\n"))
    change = FileChange("a.txt", BEFORE, b"one\nTWO\nthree\nFOUR\n", hunks)
    proposal = propose([change], "", lambda _: Document.of("a.txt", BEFORE), id="p", created=0.0)
    (file,) = rejected(proposal, without).files
    assert standing(file, now) == expected


def test_untouched() -> None:
    check(BEFORE, {"0.0": Standing(4, 8), "0.1": Standing(14, 19)})


def test_moved_by_lines_above() -> None:
    check(b"zero\n" + BEFORE, {"0.0": Standing(9, 13), "0.1": Standing(19, 24)})


def test_stale_where_its_lines_changed() -> None:
    now = b"one\nzwei\nthree\nfour\n"
    check(now, {"0.0": Standing(4, 9, True), "0.1": Standing(15, 20)})


def test_what_is_decided_stands_nowhere() -> None:
    check(BEFORE, {"0.1": Standing(14, 19)}, without=("0.0",))


def test_a_new_file_stands_at_the_beginning_and_is_stale_once_it_is_there() -> None:
    change = FileChange("new.txt", None, b"x\n", ())
    (file,) = propose([change], "", lambda _: None, id="p", created=0.0).files
    assert standing(file, b"y\n") == {"0.0": Standing(0, 0, True)}


def test_a_deletion_covers_the_file() -> None:
    change = FileChange("a.txt", BEFORE, None, ())
    made = propose([change], "", lambda _: Document.of("a.txt", BEFORE), id="p", created=0.0)
    assert standing(made.files[0], BEFORE) == {"0.0": Standing(0, len(BEFORE))}
