"""Undo of a whole turn, its dry run, what formatters did to it, and what is in its way."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.desks import Office

from pairwright.edits.diff import diff
from pairwright.edits.types import FileChange
from pairwright.engine.accept import Selection, accept
from pairwright.engine.undo import How, redo, restore, undo
from pairwright.engine.undo_form import is_form, with_form

A = b"one\ntwo\nthree\nfour\nfive\n"
A2 = b"ONE\ntwo\nthree\nfour\nFIVE\n"
CODE = b"import os\n\ndef f():\n    return 1\n\ndef g():\n    return 2\n"
EDIT = b"import os\n\ndef f( a,b ):\n    return {'x':a,'y':b}\n\ndef g():\n    return 2\n"
FORMED = (
    b"import os\n\ndef f(a, b):\n    return {\n"
    b'        "x": a,\n        "y": b,\n    }\n\ndef g():\n    return 2\n'
)


@pytest.fixture
def office(tmp_path: Path) -> Office:
    return Office.of(tmp_path)


async def accepted(office: Office, path: str, before: bytes, after: bytes | None) -> str:
    if not (office.root / path).exists() and before:
        office.write({path: before})
    office.editor.open(path) if before else None
    result = await accept(office.desk, office.propose({path: after}, "Do it").id)
    assert result.state == "applied", result
    return result.after


# --- the turn


async def test_a_turn_is_taken_back_and_made_again_as_one(office: Office) -> None:
    office.write({"a.txt": A, "b.txt": b"x\n"})
    office.editor.open("a.txt")
    other = office.propose({"b.txt": b"y\n"}, "Other")
    proposal = office.propose({"a.txt": A2, "n.txt": b"n\n"}, "Turn")
    for hunk in ("0.0", "0.1", "1.0"):
        await accept(office.desk, proposal.id, Selection(hunks=(hunk,)))
        if hunk == "0.0":
            await accept(office.desk, other.id)
    office.editor.type("a.txt", b"three", b"mine")
    mine = A.replace(b"three", b"mine")
    result = await undo(office.desk, how=How(turn=True))
    assert result.state == "done", result
    assert [office.editor.text(p) for p in ("a.txt", "b.txt", "n.txt")] == [mine, b"y\n", None]
    result = await redo(office.desk)
    assert result.state == "done", result
    assert office.editor.text("a.txt") == A2.replace(b"three", b"mine")
    assert office.editor.text("n.txt") == b"n\n"
    assert (await undo(office.desk, proposal.id, How(turn=True))).state == "done"
    assert office.editor.text("a.txt") == mine


async def test_a_turn_with_one_hunk_in_the_way_stays_whole(office: Office) -> None:
    office.write({"a.txt": A})
    office.editor.open("a.txt")
    proposal = office.propose({"a.txt": A2}, "Turn")
    for hunk in ("0.0", "0.1"):
        await accept(office.desk, proposal.id, Selection(hunks=(hunk,)))
    office.editor.type("a.txt", b"ONE", b"ONE more")
    count = len(office.desk.store.list())
    result = await undo(office.desk, how=How(turn=True))
    assert (result.state, len(office.desk.store.list())) == ("stale", count)
    assert office.editor.text("a.txt") == A2.replace(b"ONE", b"ONE more")


async def test_what_fails_in_the_middle_of_a_turn_is_made_again(office: Office) -> None:
    office.write({"a.txt": A, "b.txt": b"x\n"})
    proposal = office.propose({"a.txt": A2, "b.txt": b"y\n"}, "Turn")
    for path in ("a.txt", "b.txt"):
        await accept(office.desk, proposal.id, Selection(files=(path,)))
    office.editor.faults["a.txt"] = ["refuse"]
    result = await undo(office.desk, how=How(turn=True))
    assert result.state == "refused", result
    assert (office.editor.text("a.txt"), office.editor.text("b.txt")) == (A2, b"y\n")
    assert (await undo(office.desk, how=How(turn=True))).state == "done"
    assert (office.editor.text("a.txt"), office.editor.text("b.txt")) == (A, b"x\n")


async def test_a_dry_run_says_what_would_change_and_changes_nothing(office: Office) -> None:
    office.write({"a.txt": A, "d.txt": b"bye\n"})
    proposal = office.propose({"a.txt": A2, "d.txt": None}, "Do it")
    await accept(office.desk, proposal.id)
    disk, count = office.on_disk(), len(office.desk.store.list())
    for how in (How(dry=True), How(dry=True, turn=True)):
        result = await undo(office.desk, how=how)
        assert result.state == "planned", result
        assert "-ONE\n+one\n" in result.plan and "d.txt: written, 4 bytes\n" in result.plan
    first = office.desk.store.list()[1].id
    assert (await restore(office.desk, first, how=How(dry=True))).state == "planned"
    assert (office.on_disk(), len(office.desk.store.list())) == (disk, count)


# --- later edits


async def test_both_sides_of_a_conflict_are_shown_with_a_way_out(office: Office) -> None:
    await accepted(office, "a.txt", A, A2)
    office.editor.type("a.txt", b"FIVE", b"FIVE and six")
    result = await undo(office.desk)
    (conflict,) = result.conflicts
    assert (conflict.path, conflict.line) == ("a.txt", 5)
    assert (conflict.now, conflict.wanted) == ("FIVE and six\n", "five\n")
    assert "(line 5 is 'FIVE and six')" in result.message
    way = await restore(office.desk, result.way_out, [conflict.path])
    assert way.state == "done" and office.editor.text("a.txt") == A
    assert (await undo(office.desk)).state == "done"
    assert office.editor.text("a.txt") == A2.replace(b"FIVE", b"FIVE and six")


async def test_what_a_formatter_did_inside_a_hunk_goes_with_it(office: Office) -> None:
    await accepted(office, "f.py", CODE, EDIT)
    office.editor.type("f.py", EDIT, FORMED)
    office.editor.type("f.py", b"return 2", b"return 3")
    result = await undo(office.desk)
    assert result.state == "done", result
    assert office.editor.text("f.py") == CODE.replace(b"return 2", b"return 3")
    assert (await redo(office.desk)).state == "done"
    assert office.editor.text("f.py") == FORMED.replace(b"return 2", b"return 3")


async def test_a_created_file_that_was_formatted_goes(office: Office) -> None:
    await accepted(office, "n.py", b"", b"x = {'a':1}\n")
    office.editor.open("n.py", b'x = {"a": 1}\n')
    assert (await undo(office.desk)).state == "done"
    assert office.editor.text("n.py") is None


async def test_words_typed_inside_a_hunk_are_no_form(office: Office) -> None:
    await accepted(office, "f.py", CODE, EDIT)
    office.editor.type("f.py", b"'x':a", b"'x': a + 1")
    result = await undo(office.desk)
    assert result.state == "stale"
    assert office.editor.text("f.py") == EDIT.replace(b"'x':a", b"'x': a + 1")


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        (b"f(a,b)\n", b"f(\n    a,\n    b,\n)\n", True),
        (b"x='a'\n", b'x = "a";\r\n', True),
        (b"a  \n\n", b"a\n", True),
        (b"f(a, b)\n", b"f(a)\n", False),
        (b"(a + b) * c\n", b"a + b * c\n", False),
        (b"a\n", b"b\n", False),
        (b"\n", b" \n", False),
        (b"\xff x", b"\xffx", True),
    ],
)
def test_what_counts_as_form(old: bytes, new: bytes, same: bool) -> None:
    assert is_form(old, new) is same


def test_what_a_save_left_counts_inside_hunks_only() -> None:
    before, after = b"a\nb\nc\nd\n", b"a\nB1\nc\nd\n"
    saved = b"a\nB2\nc\nD\n"
    assert with_form(before, after, saved, saved) == b"a\nB2\nc\nd\n"
    assert with_form(before, after, saved) == after


def test_lines_typed_before_and_behind_a_hunk_are_the_users() -> None:
    before, after = b"a\nb\nc\n", b"a\nB\nc\n"
    for saved in (b"a\nmine\nB\nc\n", b"a\nB\nmine\nc\n"):
        assert with_form(before, after, saved, saved) == after


_text = st.lists(st.sampled_from([b"a\n", b"b\n", b" a\n", b"'c',\n", b"\n"]), max_size=8).map(
    b"".join
)


@given(_text, _text, _text)
def test_form_never_reaches_beyond_what_meets_a_hunk(
    before: bytes, after: bytes, now: bytes
) -> None:
    same = with_form(before, before, now)
    assert same == before
    assert with_form(before, after, after) == after


# --- renames


async def renamed(office: Office, after: bytes) -> None:
    change = FileChange("d/b.txt", A, after, diff(A, after), "a.txt")
    snapshot = office.editor.snapshot()
    proposal = office.desk.proposals.propose((change,), "Rename it", snapshot, 1.0)
    result = await accept(office.desk, proposal.id)
    assert result.state == "applied", result


@pytest.mark.parametrize("after", [A, A2])
async def test_later_work_in_a_renamed_file_goes_back_with_it(office: Office, after: bytes) -> None:
    office.write({"a.txt": A}, 0o755)
    office.editor.open("a.txt")
    await renamed(office, after)
    if "d/b.txt" not in office.editor.buffers:
        office.editor.open("d/b.txt")
    office.editor.type("d/b.txt", b"three", b"mine")
    result = await undo(office.desk)
    assert result.state == "done", result
    assert office.editor.text("a.txt") == A.replace(b"three", b"mine")
    assert office.editor.text("d/b.txt") is None and not (office.root / "d").exists()
    assert (office.root / "a.txt").stat().st_mode & 0o777 == 0o755
    result = await redo(office.desk)
    assert result.state == "done", result
    assert office.editor.text("d/b.txt") == after.replace(b"three", b"mine")
    assert office.editor.text("a.txt") is None


async def test_a_rename_is_not_taken_back_over_another_file(office: Office) -> None:
    office.write({"a.txt": A})
    await renamed(office, A2)
    office.write({"a.txt": b"mine\n", "d/b.txt": A2 + b"more\n"})
    result = await undo(office.desk)
    assert result.state == "stale" and "a.txt exists again" in result.message
    assert office.editor.text("a.txt") == b"mine\n"
