"""Undo, redo and restore: exact, or refused with a reason; the user's later work always stays."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Mapping
from datetime import UTC
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.desks import Office

from pairwright.checkpoints.types import FileState
from pairwright.engine.accept import Selection, accept
from pairwright.engine.undo import How, UndoResult, redo, restore, undo
from pairwright.engine.undo_text import changes_of, entries

A = b"one\ntwo\nthree\nfour\nfive\n"
A2 = b"ONE\ntwo\nthree\nfour\nFIVE\n"


@pytest.fixture(params=["saving", "unsaved"])
def office(request: pytest.FixtureRequest, tmp_path: Path) -> Office:
    return Office.of(tmp_path, request.param)


def check(
    office: Office, result: UndoResult, state: str, texts: Mapping[str, bytes | None]
) -> None:
    assert result.state == state, result
    assert result.message and not result.warning
    for path, text in texts.items():
        assert office.editor.text(path) == text, path


async def accepted(office: Office, wanted: Mapping[str, bytes | None], note: str = "Do it") -> str:
    """Accept a proposal of these texts; its id."""
    proposal = office.propose(wanted, note)
    result = await accept(office.desk, proposal.id)
    assert result.state == "applied", result
    return proposal.id


def state_of(office: Office, proposal: str) -> str:
    found = office.desk.proposals.get(proposal)
    assert found
    return found.state


async def test_undo_takes_back_all_kinds_of_changes(office: Office) -> None:
    office.write({"a.txt": A, "bin/run.sh": b"#!/bin/sh\n", "keep/x": b""})
    (office.root / "bin/run.sh").chmod(0o755)
    disk = office.on_disk()
    ident = await accepted(
        office, {"a.txt": A2, "deep/er/new.txt": b"n\n", "keep/y": b"y\n", "bin/run.sh": None}
    )
    result = await undo(office.desk)
    check(office, result, "done", {"a.txt": A, "deep/er/new.txt": None})
    office.editor.save_all()
    assert office.on_disk() == disk
    assert state_of(office, ident) == "undone"
    check(office, await undo(office.desk), "unknown", {"a.txt": A})


async def test_redo_and_undo_again(office: Office) -> None:
    office.write({"a.txt": A, "b.txt": b"x\n"})
    ident = await accepted(office, {"a.txt": A2, "n.txt": b"n\n", "b.txt": None})
    done = {"a.txt": A2, "n.txt": b"n\n", "b.txt": None}
    back = {"a.txt": A, "n.txt": None, "b.txt": b"x\n"}
    for _ in range(3):
        check(office, await undo(office.desk), "done", back)
        assert state_of(office, ident) == "undone"
        check(office, await redo(office.desk), "done", done)
        assert state_of(office, ident) == "applied"
    check(office, await redo(office.desk), "unknown", done)
    first = await undo(office.desk, ident)
    check(office, first, "done", back)
    check(office, await undo(office.desk, first.after), "done", done)
    check(office, await undo(office.desk, first.after), "unknown", done)


async def test_undo_goes_further_back_each_time(office: Office) -> None:
    office.write({"a.txt": A})
    middle = A.replace(b"one", b"1")
    await accepted(office, {"a.txt": middle}, "first")
    await accepted(office, {"a.txt": middle.replace(b"five", b"5")}, "second")
    result = await undo(office.desk)
    check(office, result, "done", {"a.txt": middle})
    assert '"second"' in result.message
    check(office, await undo(office.desk), "done", {"a.txt": A})
    check(office, await undo(office.desk), "unknown", {"a.txt": A})


async def test_an_older_accept_is_taken_back_under_a_newer_one(office: Office) -> None:
    office.write({"a.txt": A})
    first = await accepted(office, {"a.txt": A.replace(b"one", b"1")}, "first")
    second = await accepted(office, {"a.txt": A.replace(b"one", b"1").replace(b"five", b"5")})
    check(office, await undo(office.desk, first), "done", {"a.txt": A.replace(b"five", b"5")})
    assert (state_of(office, first), state_of(office, second)) == ("undone", "applied")
    check(office, await undo(office.desk), "done", {"a.txt": A})


async def test_each_accept_of_a_proposal_is_a_unit(office: Office) -> None:
    office.write({"a.txt": A})
    proposal = office.propose({"a.txt": A2})
    await accept(office.desk, proposal.id, Selection(hunks=("0.0",)))
    await accept(office.desk, proposal.id, Selection(hunks=("0.1",)))
    first = A.replace(b"one", b"ONE")
    check(office, await undo(office.desk, proposal.id), "done", {"a.txt": first})
    assert state_of(office, proposal.id) == "applied"
    check(office, await undo(office.desk, proposal.id), "done", {"a.txt": A})
    assert state_of(office, proposal.id) == "undone"
    check(office, await undo(office.desk, proposal.id), "unknown", {"a.txt": A})


async def test_pending_hunks_survive_an_undo(office: Office) -> None:
    office.write({"a.txt": A})
    proposal = office.propose({"a.txt": A2})
    await accept(office.desk, proposal.id, Selection(hunks=("0.0",)))
    await undo(office.desk)
    assert state_of(office, proposal.id) == "proposed"
    result = await accept(office.desk, proposal.id)
    assert result.state == "applied"
    assert office.editor.text("a.txt") == A.replace(b"five", b"FIVE")


async def test_later_work_elsewhere_stays(office: Office) -> None:
    office.write({"a.txt": A})
    office.editor.open("a.txt")
    await accepted(office, {"a.txt": A2})
    office.editor.type("a.txt", b"three\n", b"three\nmine\n")
    mine = A.replace(b"three\n", b"three\nmine\n")
    check(office, await undo(office.desk), "done", {"a.txt": mine})
    check(
        office, await redo(office.desk), "done", {"a.txt": A2.replace(b"three\n", b"three\nmine\n")}
    )


async def test_later_work_in_the_same_lines_refuses_all(office: Office) -> None:
    office.write({"a.txt": A, "b.txt": b"x\n"})
    office.editor.open("a.txt")
    ident = await accepted(office, {"b.txt": b"y\n", "a.txt": A2})
    office.editor.type("a.txt", b"FIVE", b"FIVE and six")
    now = office.editor.text("a.txt")
    disk, count = office.on_disk(), len(office.desk.store.list())
    result = await undo(office.desk)
    check(office, result, "stale", {"a.txt": now, "b.txt": b"y\n"})
    assert "a.txt: the same lines were changed since" in result.message
    assert office.on_disk() == disk and len(office.desk.store.list()) == count
    assert state_of(office, ident) == "applied"


async def test_a_created_file_with_later_work_is_kept(office: Office) -> None:
    await accepted(office, {"n.txt": b"n\n"})
    office.editor.open("n.txt", b"n\nmine\n")
    result = await undo(office.desk)
    check(office, result, "stale", {"n.txt": b"n\nmine\n"})
    assert "n.txt was changed since it was created" in result.message


async def test_a_deleted_file_that_exists_again_is_kept(office: Office) -> None:
    office.write({"d.txt": b"old\n"})
    await accepted(office, {"d.txt": None})
    office.write({"d.txt": b"mine\n"})
    result = await undo(office.desk)
    check(office, result, "stale", {"d.txt": b"mine\n"})
    assert "d.txt exists again" in result.message
    office.write({"d.txt": b"old\n"})
    check(office, await undo(office.desk), "done", {"d.txt": b"old\n"})


async def test_what_the_user_took_back_already_is_no_conflict(office: Office) -> None:
    office.write({"a.txt": A})
    office.editor.open("a.txt")
    ident = await accepted(office, {"a.txt": A2, "n.txt": b"n\n"})
    office.editor.type("a.txt", A2, A)
    (office.root / "n.txt").unlink()
    if "n.txt" in office.editor.buffers:
        office.editor.close("n.txt")
    check(office, await undo(office.desk), "done", {"a.txt": A, "n.txt": None})
    assert state_of(office, ident) == "undone"


async def test_unsaved_work_before_the_edit_comes_back(office: Office) -> None:
    office.write({"a.txt": A})
    office.editor.open("a.txt")
    office.editor.type("a.txt", b"three", b"unsaved")
    text = office.editor.text("a.txt")
    assert text
    await accepted(office, {"a.txt": text.replace(b"one", b"ONE")})
    check(office, await undo(office.desk), "done", {"a.txt": text})


async def test_exact_bytes_modes_and_links_come_back(office: Office) -> None:
    utf16 = "\ufeffä\r\n".encode("utf-16-be")
    office.write({"d/sixteen.txt": utf16, "real.txt": b"r\n"})
    (office.root / "d/sixteen.txt").chmod(0o600)
    (office.root / "link.txt").symlink_to("real.txt")
    disk = office.on_disk()
    await accepted(office, {"d/sixteen.txt": None, "link.txt": None})
    assert not (office.root / "link.txt").is_symlink()
    (office.root / "d").rmdir()
    check(office, await undo(office.desk), "done", {"real.txt": b"r\n"})
    assert office.on_disk() == disk


async def test_an_edit_through_a_link_keeps_the_link(office: Office) -> None:
    office.write({"real.txt": b"r\n"})
    (office.root / "link.txt").symlink_to("real.txt")
    disk = office.on_disk()
    await accepted(office, {"link.txt": b"R\n"})
    check(office, await undo(office.desk), "done", {"link.txt": b"r\n"})
    office.editor.save_all()
    assert office.on_disk() == disk


async def test_a_mode_the_edit_changed_comes_back(office: Office) -> None:
    office.write({"run.sh": b"#!/bin/sh\na\n"}, 0o755)
    office.editor.meanwhile = [lambda: (office.root / "run.sh").chmod(0o644)]
    await accepted(office, {"run.sh": b"#!/bin/sh\nb\n"})
    check(office, await undo(office.desk), "done", {"run.sh": b"#!/bin/sh\na\n"})
    assert (office.root / "run.sh").stat().st_mode & 0o777 == 0o755


async def test_a_refusing_editor_leaves_the_accept_standing(office: Office) -> None:
    office.write({"a.txt": A, "b.txt": b"x\n"})
    ident = await accepted(office, {"a.txt": A2, "b.txt": None})
    office.editor.faults["a.txt"] = ["refuse"]
    result = await undo(office.desk)
    check(office, result, "refused", {"a.txt": A2, "b.txt": None})
    assert state_of(office, ident) == "applied"
    check(office, await undo(office.desk), "done", {"a.txt": A, "b.txt": b"x\n"})


async def test_a_file_that_appears_meanwhile_is_not_replaced(office: Office) -> None:
    office.write({"a.txt": A, "d.txt": b"x\n"})
    await accepted(office, {"a.txt": A2, "d.txt": None})
    clock = office.desk.now

    def now() -> float:
        (office.root / "d.txt").write_bytes(b"mine\n")
        return clock()

    object.__setattr__(office.desk, "now", now)
    result = await undo(office.desk)
    check(office, result, "refused", {"a.txt": A2, "d.txt": b"mine\n"})
    assert "d.txt" in result.message


async def test_undo_after_a_restart(office: Office) -> None:
    office.write({"a.txt": A})
    ident = await accepted(office, {"a.txt": A2, "n.txt": b"n\n"})
    office.editor.save_all()
    again = office.restarted()
    check(again, await undo(again.desk, ident), "done", {"a.txt": A, "n.txt": None})
    assert state_of(again, ident) == "undone"


async def test_directly_written_files_are_announced(office: Office) -> None:
    told: list[str] = []
    object.__setattr__(office.desk, "announce", told.extend)
    office.write({"d.txt": b"x\n"})
    await accepted(office, {"d.txt": None})
    await undo(office.desk)
    assert told == ["d.txt"]


async def test_the_users_commit_and_files_stay(office: Office) -> None:
    office.write({"app.py": b"x = 1\n", "notes.txt": b"n\n"})
    identity = "-c user.name=T -c user.email=t@example.invalid"
    _sh(office, f"git init -q -b main . && git add -A && git {identity} commit -qm base")
    await accepted(office, {"app.py": b"x = 2\n", "mod/new.py": b"N = 1\n"})
    office.editor.save_all()
    _sh(office, f"echo mine >> notes.txt && git add notes.txt && git {identity} commit -qm mine")
    check(office, await undo(office.desk), "done", {"app.py": b"x = 1\n", "mod/new.py": None})
    office.editor.save_all()
    _sh(office, 'test -z "$(git status --porcelain)" && git log --format=%s | grep -qx mine')
    _sh(office, "grep -qx mine notes.txt && test ! -e mod")


def _sh(office: Office, script: str) -> None:
    done = subprocess.run(["bash", "-c", script], cwd=office.root, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()


# --- restore, list, diff


async def test_restore_goes_to_any_checkpoint_and_back(office: Office) -> None:
    office.write({"a.txt": A, "b.txt": b"x\n"})
    office.editor.open("a.txt")
    await accepted(office, {"a.txt": A2, "n.txt": b"n\n", "b.txt": None}, "first")
    before = office.desk.store.list()[1]
    office.editor.type("a.txt", b"three", b"mine")
    mine = office.editor.text("a.txt")
    result = await restore(office.desk, before.id)
    check(office, result, "done", {"a.txt": A, "n.txt": None, "b.txt": b"x\n"})
    check(office, await undo(office.desk), "done", {"a.txt": mine, "n.txt": b"n\n", "b.txt": None})
    one = await restore(office.desk, before.id, ["b.txt"])
    check(office, one, "done", {"a.txt": mine, "n.txt": b"n\n", "b.txt": b"x\n"})
    same = await restore(office.desk, before.id, ["b.txt"])
    check(office, same, "done", {"b.txt": b"x\n"})


async def test_restore_of_what_is_not_there_is_told(office: Office) -> None:
    await accepted(office, {"n.txt": b"n\n"})
    check(office, await restore(office.desk, "0" * 40), "unknown", {})
    newest = office.desk.store.list()[0].id
    result = await restore(office.desk, newest, ["other"])
    check(office, result, "unknown", {})
    assert "n.txt" in result.message


async def test_restore_brings_binary_files_back(office: Office) -> None:
    made = office.desk.store.record(
        {"b.bin": FileState(b"\xff\x00", 0o600)}, kind="before", note="n", time=1
    )
    office.write({"b.bin": b"\xfe"})
    check(office, await restore(office.desk, made.id), "done", {})
    assert office.on_disk() == {"b.bin": (0o600, b"\xff\x00")}
    check(office, await undo(office.desk), "done", {})
    assert office.on_disk() == {"b.bin": (0o644, b"\xfe")}


async def test_restore_puts_back_bytes_that_are_no_text(office: Office) -> None:
    office.write({"a.txt": b"\xef\xbb\xbfx\n"})
    await accepted(office, {"a.txt": b"y\n"})
    office.editor.save_all()
    if "a.txt" in office.editor.buffers:
        office.editor.close("a.txt")
    office.write({"a.txt": b"x\n"})
    before = office.desk.store.list()[1]
    check(office, await restore(office.desk, before.id), "done", {"a.txt": b"x\n"})
    assert office.on_disk() == {"a.txt": (0o644, b"\xef\xbb\xbfx\n")}


async def test_a_directory_in_the_way_is_told(office: Office) -> None:
    office.write({"a": b"x\n", "b": b"x\n"})
    await accepted(office, {"a": None, "b": b"y\n"})
    (office.root / "a").mkdir()
    first = office.desk.store.list()[1].id
    for result in (await undo(office.desk), await restore(office.desk, first)):
        check(office, result, "stale", {"b": b"y\n"})
        assert "a cannot be read" in result.message


async def test_a_mode_the_user_set_since_stays(office: Office) -> None:
    office.write({"run.sh": b"a\n"}, 0o755)
    office.editor.meanwhile = [lambda: (office.root / "run.sh").chmod(0o644)]
    await accepted(office, {"run.sh": b"b\n"})
    (office.root / "run.sh").chmod(0o700)
    check(office, await undo(office.desk), "done", {"run.sh": b"a\n"})
    assert (office.root / "run.sh").stat().st_mode & 0o777 == 0o700


async def test_the_list_reads_well(office: Office) -> None:
    office.write({f"{n}.txt": b"x\n" for n in range(5)})
    await accepted(office, {f"{n}.txt": b"y\n" for n in range(5)}, "Change\nmany")
    await undo(office.desk)
    office.editor.faults["0.txt"] = ["refuse"]
    await accept(office.desk, office.propose({"0.txt": b"z\n"}, "Refused").id)
    lines = [entry.text[10:] for entry in entries(office.desk.store, zone=UTC)]
    assert lines == [
        "2023-11-14 22:13:24  Refused  [0.txt]  (nothing followed)",
        "2023-11-14 22:13:23  undo Change  [0.txt, 1.txt, 2.txt and 2 more]",
        "2023-11-14 22:13:21  Change  [0.txt, 1.txt, 2.txt and 2 more]  (undone)",
    ]
    assert len(entries(office.desk.store, 1, UTC)) == 1


async def test_a_diff_shows_what_a_change_did(office: Office) -> None:
    office.write({"a.txt": A, "d.txt": b"bye\n"})
    await accepted(office, {"a.txt": A2, "n.txt": b"n\n", "d.txt": None})
    after, before = office.desk.store.list()
    shown = changes_of(office.desk.store, after.id)
    assert shown == changes_of(office.desk.store, before.id)
    assert shown
    for line in ("-one", "+ONE", " two", "+n", "-bye", "--- a/d.txt", "+++ /dev/null"):
        assert f"\n{line}\n" in f"\n{shown}\n", shown
    assert changes_of(office.desk.store, "0" * 40) is None


# --- what is left unsaved


def left(result: UndoResult) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return result.unsaved.clean, result.unsaved.mixed


async def test_documents_that_were_saved_may_be_saved_after_an_undo(office: Office) -> None:
    office.write({"a.txt": A, "b.txt": A, "closed.txt": A})
    for path in ("a.txt", "b.txt"):
        office.editor.open(path)
    office.editor.type("b.txt", b"three", b"mine")
    await accepted(
        office, {"a.txt": A2, "b.txt": A.replace(b"three", b"mine").replace(b"one", b"1")}
    )
    office.editor.save("a.txt")
    assert left(await undo(office.desk)) == (("a.txt",), ("b.txt",))
    assert left(await redo(office.desk)) == ((), ("b.txt",)), "the disk holds its text already"
    await accepted(office, {"closed.txt": A2})
    office.editor.save_all()
    opened = ("closed.txt",) if office.editor.style == "unsaved" else ()
    assert left(await undo(office.desk)) == (opened, ())


async def test_a_turn_of_several_accepts_leaves_what_was_saved_to_be_saved(office: Office) -> None:
    office.write({"a.txt": A})
    office.editor.open("a.txt")
    ident = office.propose({"a.txt": A2}).id
    for hunk in ("0.0", "0.1"):
        await accept(office.desk, ident, Selection(hunks=(hunk,)))
    office.editor.save("a.txt")
    result = await undo(office.desk, ident, How(turn=True))
    check(office, result, "done", {"a.txt": A})
    assert left(result) == (("a.txt",), ())


async def test_what_is_typed_while_an_undo_is_made_is_the_users_own(office: Office) -> None:
    office.write({"a.txt": A})
    office.editor.open("a.txt")
    await accepted(office, {"a.txt": A2})
    office.editor.save("a.txt")
    office.editor.meanwhile.append(lambda: office.editor.type("a.txt", b"three", b"mine"))
    assert left(await undo(office.desk)) == ((), ("a.txt",))


async def test_a_restore_names_what_may_be_saved(office: Office) -> None:
    office.write({"a.txt": A})
    office.editor.open("a.txt")
    await accepted(office, {"a.txt": A2})
    office.editor.save("a.txt")
    before = entries(office.desk.store, 1)[0].checkpoint.base
    assert left(await restore(office.desk, before)) == (("a.txt",), ())


# --- properties

_line = st.sampled_from(["a", "b", "", "  c", "\x0c", "é\u2028", "😀"])
_ends = st.sampled_from(["\n", "\r\n", "\r"])
_texts = st.builds(
    lambda lines, last: ("".join(line + end for line, end in lines) + last).encode(),
    st.lists(st.tuples(_line, _ends), max_size=8),
    _line,
)
_codecs = st.sampled_from(["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be"])
_modes = st.sampled_from([0o644, 0o755, 0o600, 0o664])
_files = st.dictionaries(
    st.sampled_from(["a", "b.txt", "d/c.txt", "d/e/f"]),
    st.tuples(st.none() | _texts, st.none() | _texts, _codecs, _modes, st.booleans()),
    min_size=1,
)


def _encoded(text: bytes, codec: str) -> bytes:
    mark = "\ufeff" if codec.startswith("utf-16") else ""
    return (mark + text.decode()).encode(codec)


@settings(max_examples=60)
@given(files=_files, style=st.sampled_from(["saving", "unsaved"]), data=st.data())
def test_accept_then_undo_is_the_identity(
    tmp_path_factory: pytest.TempPathFactory,
    files: dict[str, tuple[bytes | None, bytes | None, str, int, bool]],
    style: str,
    data: st.DataObject,
) -> None:
    office = Office.of(tmp_path_factory.mktemp("undo"), style)  # type: ignore[arg-type]
    wanted = {}
    for path, (old, new, codec, mode, is_open) in files.items():
        if old is not None:
            office.write({path: _encoded(old, codec)}, mode)
            if is_open:
                office.editor.open(path)
        if old != new:
            wanted[path] = new
    disk = office.on_disk()
    texts = {path: office.editor.text(path) for path in files}

    async def run() -> None:
        proposal = office.propose(wanted)
        while (now := office.desk.proposals.get(proposal.id)) and now.open:
            left = [hunk.id for file in now.files for hunk in file.pending]
            part = data.draw(st.lists(st.sampled_from(left), min_size=1, unique=True))
            result = await accept(office.desk, proposal.id, Selection(hunks=tuple(part)))
            assert result.state == "applied", result
            if data.draw(st.booleans()):
                office.editor.save_all()
        assert {path: office.editor.text(path) for path in wanted} == wanted
        while (result := await undo(office.desk)).state != "unknown":
            assert result.state == "done", result

    if wanted:
        asyncio.run(run())
    assert {path: office.editor.text(path) for path in files} == texts
    office.editor.save_all()
    assert office.on_disk() == disk
