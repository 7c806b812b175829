"""Proposals: states, partial accept as arithmetic, the journal, the preview."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.expect import golden

from pairwright.edits.diff import diff
from pairwright.edits.types import FileChange
from pairwright.engine.journal import FolderJournal
from pairwright.engine.proposals import (
    Proposal,
    Selection,
    accepted,
    chosen,
    place,
    propose,
    redone,
    refreshed,
    rejected,
    undone,
)
from pairwright.engine.proposals_store import Proposals, decode, encode
from pairwright.engine.proposals_text import preview
from pairwright.text.document import Document

BEFORE = b"one\ntwo\nthree\nfour\nfive\nsix\nseven\n"
AFTER = b"ONE\ntwo\nthree\nFOUR\nfour and a half\nfive\nsix\n"


def made(changes: dict[str, tuple[bytes | None, bytes | None]]) -> Proposal:
    files = [
        FileChange(path, old, new, diff(old, new) if old is not None and new is not None else ())
        for path, (old, new) in changes.items()
    ]
    texts = {
        path: Document.of(path, old, 3) for path, (old, _) in changes.items() if old is not None
    }
    return propose(files, "Count louder\nplease", texts.get, id="p1-x", created=1.0, order=1)


def check(proposal: Proposal, expected: str) -> None:
    """State, and `id:state` of every hunk."""
    hunks = " ".join(f"{h.id}:{h.state}" for f in proposal.files for h in f.hunks)
    assert f"{proposal.state} | {hunks}" == expected


def test_states_follow_from_the_hunks() -> None:
    proposal = made({"a": (BEFORE, AFTER)})
    check(proposal, "proposed | 0.0:proposed 0.1:proposed 0.2:proposed")
    proposal = accepted(proposal, ["0.1"], "c1")
    check(proposal, "partly accepted | 0.0:proposed 0.1:applied 0.2:proposed")
    proposal = rejected(proposal, ["0.0", "0.1"])
    check(proposal, "partly accepted | 0.0:rejected 0.1:applied 0.2:proposed")
    proposal = accepted(proposal, ["0.2"], "c2")
    check(proposal, "applied | 0.0:rejected 0.1:applied 0.2:applied")
    assert not proposal.open
    proposal = undone(proposal, "c2")
    check(proposal, "applied | 0.0:rejected 0.1:applied 0.2:undone")
    proposal = undone(proposal, "c1")
    check(proposal, "undone | 0.0:rejected 0.1:undone 0.2:undone")
    check(redone(proposal, "c1"), "applied | 0.0:rejected 0.1:applied 0.2:undone")
    check(
        rejected(made({"a": (BEFORE, AFTER)}), ["0.0", "0.1", "0.2"]),
        "rejected | 0.0:rejected 0.1:rejected 0.2:rejected",
    )


def test_the_text_follows_the_hunks() -> None:
    proposal = made({"a": (BEFORE, AFTER)})
    half = accepted(proposal, ["0.1"], "c1")
    assert half.files[0].before == b"one\ntwo\nthree\nFOUR\nfour and a half\nfive\nsix\nseven\n"
    assert half.files[0].after == AFTER
    assert undone(half, "c1") != proposal
    assert undone(half, "c1").files[0].before == BEFORE
    assert redone(undone(half, "c1"), "c1") == half


def test_base_is_what_the_plan_was_made_on() -> None:
    file = made({"a": (BEFORE, AFTER)}).files[0]
    assert file.base_version == 3
    assert file.base_digest == Document.of("a", BEFORE).digest
    fresh = made({"n": (None, b"x\n")}).files[0]
    assert (fresh.kind, fresh.base_version, fresh.base_digest, fresh.before) == (
        "create",
        None,
        "",
        None,
    )


def test_hunks_move_with_what_was_typed_elsewhere() -> None:
    file = made({"a": (BEFORE, AFTER)}).files[0]
    now = b"zero\n" + BEFORE.replace(b"three\n", b"")
    placed = place(file, now, ["0.0", "0.1", "0.2"])
    assert placed.change is not None and not placed.conflicts and placed.moved
    assert placed.change.before == now
    assert placed.change.after == b"zero\n" + AFTER.replace(b"three\n", b"")


def test_touched_lines_are_conflicts_and_named() -> None:
    file = made({"a": (BEFORE, AFTER)}).files[0]
    placed = place(file, BEFORE.replace(b"four", b"vier"), ["0.0", "0.1", "0.2"])
    assert placed.hunks == ("0.0", "0.2")
    assert placed.conflicts == ("0.1",)
    assert placed.reason == "a: the lines of hunk 0.1 were changed since"


def test_what_the_text_has_already_is_no_conflict() -> None:
    file = made({"a": (BEFORE, AFTER)}).files[0]
    placed = place(file, AFTER, ["0.0", "0.1", "0.2"])
    assert (placed.change, placed.hunks, placed.conflicts) == (None, ("0.0", "0.1", "0.2"), ())


@pytest.mark.parametrize(
    ("change", "now", "reason"),
    [
        ((None, b"x"), b"y", "a exists already"),
        ((b"x", None), b"y", "a was changed since, so it is kept"),
        ((b"x", None), None, "a is gone"),
        ((b"x", b"y"), None, "a is gone"),
    ],
)
def test_whole_files_are_held_against_what_stands(
    change: tuple[bytes | None, bytes | None], now: bytes | None, reason: str
) -> None:
    placed = place(made({"a": change}).files[0], now, ["0.0"])
    assert (placed.change, placed.conflicts, placed.reason) == (None, ("0.0",), reason)


def test_stale_hunks_come_back_when_their_lines_do() -> None:
    proposal = made({"a": (BEFORE, AFTER), "b": (b"x\n", b"y\n")})
    stale = refreshed(proposal, {"a": BEFORE.replace(b"four", b"vier")})
    check(stale, "stale | 0.0:proposed 0.1:stale 0.2:proposed 1.0:proposed")
    assert refreshed(stale, {"a": BEFORE}) == proposal
    check(accepted(stale, ["0.0"], "c"), "stale | 0.0:applied 0.1:stale 0.2:proposed 1.0:proposed")


def test_selections() -> None:
    proposal = made({"a": (BEFORE, AFTER), "b": (b"x\n", b"y\n")})
    assert chosen(proposal, Selection()) == ("0.0", "0.1", "0.2", "1.0")
    assert chosen(proposal, Selection(files=("b",), hunks=("0.1",))) == ("0.1", "1.0")
    assert "c is not in this proposal" in chosen(proposal, Selection(files=("c",)))
    assert "no hunk 0.9" in chosen(proposal, Selection(hunks=("0.9",)))
    taken = accepted(proposal, ["1.0"], "c")
    assert chosen(taken, Selection(hunks=("1.0",))) == "Hunk 1.0 is applied already."
    assert "left to choose in b" in chosen(taken, Selection(files=("b",)))
    closed = rejected(taken, ["0.0", "0.1", "0.2"])
    assert chosen(closed, Selection()) == "Nothing is left to choose: it is applied."


_line = st.sampled_from([b"a", b"b", b"", b"  c", b"\x0c", "\u2028é".encode(), b"end"])
_ends = st.sampled_from([b"\n", b"\r\n", b"\r"])
texts = st.builds(
    lambda lines, last: b"".join(line + end for line, end in lines) + last,
    st.lists(st.tuples(_line, _ends), max_size=12),
    _line,
)


@given(texts, texts, st.data())
def test_any_part_and_then_the_rest_is_the_whole(
    old: bytes, new: bytes, data: st.DataObject
) -> None:
    proposal = made({"a": (old, new)})
    ids = [hunk.id for hunk in proposal.files[0].hunks]
    while proposal.open:
        left = [hunk.id for hunk in proposal.files[0].pending]
        part = data.draw(st.lists(st.sampled_from(left), min_size=1, unique=True))
        placed = place(proposal.files[0], proposal.files[0].before, part)
        assert placed.change is not None and not placed.conflicts
        proposal = accepted(proposal, part, ",".join(part))
        assert proposal.files[0].before == placed.change.after
        assert proposal.files[0].after == new
    assert proposal.files[0].before == new
    for hunk in data.draw(st.permutations(proposal.files[0].hunks)):
        proposal = undone(proposal, hunk.accept)
    assert proposal.files[0].before == old
    assert [hunk.id for hunk in proposal.files[0].hunks] == ids


# --- the store


def _store(folder: Path) -> Proposals:
    return Proposals(FolderJournal(folder), lambda: "ab")


class _Texts:
    """A snapshot of closed files, as far as proposals look."""

    def __init__(self, texts: dict[str, bytes]) -> None:
        self._texts = texts

    def document(self, path: str) -> Document | None:
        return Document.of(path, self._texts[path]) if path in self._texts else None


def _change(path: str = "a") -> FileChange:
    return FileChange(path, BEFORE, AFTER, diff(BEFORE, AFTER))


def test_a_restart_finds_the_same_proposals(tmp_path: Path) -> None:
    store = _store(tmp_path / "j")
    texts = _Texts({"a": BEFORE})
    first = store.propose([_change()], "one", texts, 1.5, ["block 2: no such file"])
    odd = FileChange("caf\udce9/\ud800.py", None, b"\xff\x00", ())
    second = store.propose([odd, FileChange("d", b"x", None, ())], "tw\ud800o", texts, 2.5)
    store.put(accepted(first, ["0.1"], "c" * 40))
    assert [p.id for p in store.all()] == ["p1-ab", "p2-ab"]
    again = _store(tmp_path / "j")
    assert again.all() == store.all()
    assert again.problem == ""
    assert again.get("p2-ab") == second
    assert again.last() == second
    assert again.propose([_change()], "three", texts, 3).id == "p3-ab"


def test_an_entry_that_cannot_be_read_is_told_and_left_out(tmp_path: Path) -> None:
    store = _store(tmp_path / "j")
    kept = store.propose([_change()], "one", _Texts({"a": BEFORE}), 1.5)
    for number, junk in enumerate(
        [b"", b"\x93", b"\x81\xa6format\x02", b"\xc1", encode(kept)[:-3]]
    ):
        (tmp_path / "j" / f"junk{number}.entry").write_bytes(junk)
        with pytest.raises(ValueError):
            decode(junk)
    again = _store(tmp_path / "j")
    assert again.all() == (kept,)
    assert "junk" in again.problem


def test_what_checks_found_is_kept_and_shown(tmp_path: Path) -> None:
    store = _store(tmp_path / "j")
    ident = store.propose([_change()], "one", _Texts({"a": BEFORE}), 1.5).id
    store.found(ident, ["a, line 2: \udce9 is unexpected"])
    store.found("gone", ["nothing"])
    again = _store(tmp_path / "j").get(ident)
    assert again and again == store.get(ident)
    assert "Checks have against it:\n  a, line 2: \udce9 is unexpected\n" in preview(again)
    # One that was stored before there were any.
    tree = msgpack.unpackb(encode(again))
    del tree["findings"]
    assert decode(msgpack.packb(tree)) == replace(again, findings=())


def test_a_journal_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = _store(tmp_path / "file" / "j")
    proposal = store.propose([_change()], "one", _Texts({"a": BEFORE}), 1.5)
    assert store.get(proposal.id) == proposal
    assert "could not be stored" in store.problem


def test_journal_files_are_the_users_own(tmp_path: Path) -> None:
    journal = FolderJournal(tmp_path / "j")
    journal.put("a/../b\n", b"1")
    journal.put("a/../b\n", b"2")
    journal.put("c", b"3")
    journal.delete("c")
    journal.delete("never")
    (tmp_path / "j" / ".fresh-half").write_bytes(b"half")
    assert journal.items() == {"a/../b\n": b"2"}
    assert (tmp_path / "j").stat().st_mode & 0o777 == 0o700
    assert all(p.stat().st_mode & 0o077 == 0 for p in (tmp_path / "j").glob("*.entry"))


def test_old_closed_proposals_are_forgotten(tmp_path: Path) -> None:
    store = _store(tmp_path / "j")
    keep = store.propose([_change()], "open", _Texts({}), 0)
    for number in range(105):
        closed = store.propose([_change()], f"{number}", _Texts({}), number)
        store.put(rejected(closed, ["0.0", "0.1", "0.2"]))
    assert store.get(keep.id) == keep
    assert len(store.all()) < 105
    assert _store(tmp_path / "j").all() == store.all()


def test_pending_proposals_by_path(tmp_path: Path) -> None:
    store = _store(tmp_path / "j")
    one = store.propose([_change("a"), _change("b")], "1", _Texts({}), 0)
    two = store.propose([_change("b")], "2", _Texts({}), 0)
    assert store.holding("b") == (one, two)
    store.put(rejected(one, ["1.0", "1.1", "1.2"]))
    assert store.holding("b") == (two,)
    assert store.pending() == (store.get(one.id), two)


# --- the preview


def test_preview() -> None:
    proposal = made(
        {
            "src/count.py": (BEFORE, AFTER),
            "new.txt": (None, b"hello\n"),
            "empty.txt": (None, b""),
            "old.txt": (b"bye", None),
        }
    )
    proposal = rejected(accepted(proposal, ["0.1"], "c"), ["0.2"])
    golden("engine/preview.txt", preview(proposal))
