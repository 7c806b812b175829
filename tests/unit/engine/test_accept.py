"""Accept and reject over a strict editor, real files and a real store; git judges the checkpoints."""

from __future__ import annotations

import asyncio
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.support.desks import Office

from pairwright.checkpoints.repo import Store
from pairwright.checkpoints.types import FileState
from pairwright.engine.accept import AcceptResult, Selection, accept, refresh, reject
from pairwright.engine.undo import undo

A = b"one\ntwo\nthree\nfour\nfive\n"
A2 = b"ONE\ntwo\nthree\nfour\nFIVE\n"


@pytest.fixture(params=["saving", "unsaved"])
def office(request: pytest.FixtureRequest, tmp_path: Path) -> Office:
    return Office.of(tmp_path, request.param)


def check(
    office: Office, result: AcceptResult, state: str, texts: Mapping[str, bytes | None]
) -> None:
    """How it ended, what the user sees, and that the stored proposal is the one returned."""
    assert result.state == state, result
    for path, text in texts.items():
        assert office.editor.text(path) == text, path
    if result.proposal:
        assert office.desk.proposals.get(result.proposal.id) == result.proposal
        assert office.restarted().desk.proposals.get(result.proposal.id) == result.proposal
    assert result.message


def states(office: Office, result: AcceptResult) -> list[Mapping[str, FileState]]:
    """The files of the checkpoints before and after."""
    found = [office.desk.store.read(id) for id in (result.before, result.after) if id]
    assert all(found)
    return [files for files in found if files]


async def test_all_is_applied_and_recorded(office: Office) -> None:
    office.write({"a.txt": A})
    proposal = office.propose({"a.txt": A2, "mod/new.py": b"N = 1\n"}, "Count louder\nplease")
    result = await accept(office.desk, proposal.id)
    check(office, result, "applied", {"a.txt": A2, "mod/new.py": b"N = 1\n"})
    assert result.proposal and result.proposal.state == "applied"
    assert result.hunks == ("0.0", "0.1", "1.0")
    before, after = states(office, result)
    assert before == {
        "a.txt": FileState(A),
        "mod/": FileState(None),
        "mod/new.py": FileState(None),
    }
    assert after == {"a.txt": FileState(A2), "mod/new.py": FileState(b"N = 1\n")}
    log = subprocess.run(
        ["git", "log", "--format=%s"], cwd=office.desk.store.path, capture_output=True, check=True
    )
    assert log.stdout == b"after: Count louder\nbefore: Count louder\n"
    assert office.editor.applied == [("Count louder", ("a.txt", "mod/new.py"))]


async def test_before_holds_the_unsaved_buffer_as_it_would_be_saved(office: Office) -> None:
    office.write({"a.txt": "\ufeffx = 'ä'\r\n".encode("utf-16-le")}, 0o600)
    office.editor.open("a.txt")
    office.editor.type("a.txt", "ä".encode(), "ö".encode())
    proposal = office.propose({"a.txt": "x = 'ü'\r\n".encode()})
    result = await accept(office.desk, proposal.id)
    check(office, result, "applied", {"a.txt": "x = 'ü'\r\n".encode()})
    before, after = states(office, result)
    assert before["a.txt"] == FileState("\ufeffx = 'ö'\r\n".encode("utf-16-le"), 0o600)
    assert after["a.txt"] == FileState("\ufeffx = 'ü'\r\n".encode("utf-16-le"), 0o600)


async def test_part_is_applied_and_the_rest_stays(office: Office) -> None:
    office.write({"a.txt": A})
    proposal = office.propose({"a.txt": A2})
    first = await accept(office.desk, proposal.id, Selection(hunks=("0.1",)))
    check(office, first, "applied", {"a.txt": b"one\ntwo\nthree\nfour\nFIVE\n"})
    assert first.proposal and first.proposal.state == "partly accepted"
    again = await accept(office.desk, proposal.id, Selection(hunks=("0.1",)))
    check(office, again, "refused", {})
    second = await accept(office.desk, proposal.id)
    check(office, second, "applied", {"a.txt": A2})
    assert second.hunks == ("0.0",)


async def test_a_rejected_hunk_changes_nothing_and_is_done_with(office: Office) -> None:
    office.write({"a.txt": A})
    proposal = office.propose({"a.txt": A2})
    result = await reject(office.desk, proposal.id, Selection(hunks=("0.0",)))
    check(office, result, "rejected", {"a.txt": A})
    result = await accept(office.desk, proposal.id)
    check(office, result, "applied", {"a.txt": b"one\ntwo\nthree\nfour\nFIVE\n"})
    assert result.proposal and not result.proposal.open
    check(office, await reject(office.desk, proposal.id), "refused", {})


async def test_unknown_proposals_are_told(office: Office) -> None:
    check(office, await accept(office.desk, "p9"), "unknown", {})
    check(office, await reject(office.desk, "p9"), "unknown", {})


async def test_typing_elsewhere_is_kept(office: Office) -> None:
    office.write({"a.txt": A})
    office.editor.open("a.txt")
    proposal = office.propose({"a.txt": A2})
    office.editor.type("a.txt", b"three\n", b"three\nthree and a half\n")
    result = await accept(office.desk, proposal.id)
    check(
        office,
        result,
        "applied",
        {"a.txt": b"ONE\ntwo\nthree\nthree and a half\nfour\nFIVE\n"},
    )
    assert result.rebased


async def test_typing_in_the_lines_makes_it_stale_and_changes_nothing(office: Office) -> None:
    office.write({"a.txt": A, "b.txt": b"x\n"})
    office.editor.open("a.txt")
    proposal = office.propose({"b.txt": b"y\n", "a.txt": A2})
    office.editor.type("a.txt", b"five", b"cinq")
    disk = office.on_disk()
    result = await accept(office.desk, proposal.id)
    check(office, result, "stale", {"b.txt": b"x\n"})
    assert "a.txt" in result.message and "1.1" in result.message
    assert result.proposal and result.proposal.state == "stale"
    assert office.on_disk() == disk and office.editor.applied == []
    assert office.desk.store.list() == ()
    # What fits can still be taken, and what comes back fits again.
    some = await accept(office.desk, proposal.id, Selection(hunks=("0.0", "1.0")))
    check(office, some, "applied", {"b.txt": b"y\n"})
    office.editor.type("a.txt", b"cinq", b"five")
    fresh = await refresh(office.desk, proposal.id)
    assert fresh and fresh.state == "partly accepted"
    check(office, await accept(office.desk, proposal.id), "applied", {"a.txt": A2})


@pytest.mark.parametrize("fault", ["refuse", "skip", "silent"])
async def test_a_refusing_editor_leaves_everything(office: Office, fault: str) -> None:
    office.write({"a.txt": A})
    disk = office.on_disk()
    office.editor.faults["a.txt"] = [fault]  # type: ignore[list-item]
    proposal = office.propose({"a.txt": A2})
    result = await accept(office.desk, proposal.id)
    check(office, result, "refused", {"a.txt": A})
    assert "a.txt" in result.message
    assert result.proposal and result.proposal.state == "proposed"
    assert office.on_disk() == disk
    assert [c.kind for c in office.desk.store.list()] == ["before"]
    check(office, await accept(office.desk, proposal.id), "applied", {"a.txt": A2})


async def test_an_edit_that_landed_unseen_counts_by_its_text(office: Office) -> None:
    office.write({"a.txt": A})
    office.editor.faults["a.txt"] = ["silent-applied"]
    result = await accept(office.desk, office.propose({"a.txt": A2}).id)
    check(office, result, "applied", {"a.txt": A2})


async def test_a_keystroke_beside_the_edit_is_no_failure(office: Office) -> None:
    office.write({"a.txt": A})
    office.editor.open("a.txt")
    office.editor.meanwhile = [lambda: office.editor.type("a.txt", b"three", b"three!")]
    office.editor.faults["a.txt"] = ["silent-applied"]
    result = await accept(office.desk, office.propose({"a.txt": A2}).id)
    check(office, result, "applied", {"a.txt": A2.replace(b"three", b"three!")})
    assert states(office, result)[1]["a.txt"] == FileState(A2)


async def test_a_later_failure_takes_earlier_files_back(office: Office) -> None:
    office.write({"a.txt": A, "b.txt": b"x\r\n", "gone.sh": b"#!\n"})
    (office.root / "gone.sh").chmod(0o755)
    disk = office.on_disk()
    office.editor.faults["b.txt"] = ["refuse"]
    proposal = office.propose(
        {"a.txt": A2, "new/n.txt": b"n\n", "gone.sh": None, "b.txt": b"y\r\n"}
    )
    result = await accept(office.desk, proposal.id)
    check(office, result, "refused", {"a.txt": A, "new/n.txt": None, "b.txt": b"x\r\n"})
    assert [f.state for f in result.files] == ["taken back", "taken back", "taken back", "refused"]
    assert result.proposal and result.proposal.state == "proposed"
    office.editor.save_all()
    found = office.on_disk()
    assert found == disk


async def test_what_cannot_be_taken_back_is_told_and_undoable(office: Office) -> None:
    office.write({"a.txt": A, "b.txt": b"x\n"})
    office.editor.open("a.txt")
    office.editor.faults = {"b.txt": ["race"]}
    office.editor.meanwhile = [lambda: office.editor.type("a.txt", b"ONE", b"ONE!")]
    proposal = office.propose({"a.txt": A2, "b.txt": b"y\n"})
    result = await accept(office.desk, proposal.id)
    check(office, result, "partly", {"b.txt": b"x\nraced\n"})
    assert [f.state for f in result.files] == ["left", "stale"]
    assert "a.txt could not be taken back" in result.message
    assert result.hunks == ("0.0", "0.1")
    assert result.proposal and result.proposal.state == "partly accepted"
    assert states(office, result)[1] == {"a.txt": FileState(A2)}


async def test_a_new_file_with_typing_in_it_is_not_taken_back(office: Office) -> None:
    office.write({"b.txt": b"x\n"})
    office.editor.faults = {"b.txt": ["refuse"]}
    office.editor.meanwhile = [lambda: office.editor.open("n.txt", b"n\nmine\n")]
    proposal = office.propose({"n.txt": b"n\n", "b.txt": b"y\n"})
    result = await accept(office.desk, proposal.id)
    check(office, result, "partly", {"n.txt": b"n\nmine\n", "b.txt": b"x\n"})


async def test_a_new_file_fills_the_empty_document_that_was_opened_for_it(office: Office) -> None:
    proposal = office.propose({"n.txt": b"n\n"})
    office.editor.open("n.txt", b"")
    result = await accept(office.desk, proposal.id)
    check(office, result, "applied", {"n.txt": b"n\n"})
    assert (await undo(office.desk)).state == "done"
    assert office.editor.text("n.txt") == b""


async def test_a_new_file_that_is_there_just_so_is_accepted_as_it_is(office: Office) -> None:
    proposal = office.propose({"n.txt": b"n\n"})
    office.write({"n.txt": b"n\n"})
    result = await accept(office.desk, proposal.id)
    check(office, result, "applied", {"n.txt": b"n\n"})


@pytest.mark.parametrize("obstacle", ["directory", "link"])
async def test_what_stands_in_the_way_of_a_new_file_is_told(office: Office, obstacle: str) -> None:
    proposal = office.propose({"n.txt": b"n\n"})
    if obstacle == "directory":
        (office.root / "n.txt").mkdir()
    else:
        (office.root / "n.txt").symlink_to("nowhere")
    disk = office.on_disk()
    result = await accept(office.desk, proposal.id)
    check(office, result, "stale", {})
    assert "n.txt exists already" in result.message
    assert office.on_disk() == disk and office.editor.applied == []


async def test_typing_between_plan_and_edit_is_tried_again(office: Office) -> None:
    office.write({"a.txt": A})
    office.editor.open("a.txt")
    proposal = office.propose({"a.txt": A2})
    _while_recording(office, [lambda: office.editor.type("a.txt", b"three", b"drei")])
    result = await accept(office.desk, proposal.id)
    check(office, result, "applied", {"a.txt": A2.replace(b"three", b"drei")})
    assert states(office, result)[0]["a.txt"] == FileState(A.replace(b"three", b"drei"))


async def test_typing_without_end_is_told(office: Office) -> None:
    office.write({"a.txt": A})
    office.editor.open("a.txt")
    proposal = office.propose({"a.txt": A2})
    _while_recording(office, [lambda: office.editor.type("a.txt", b"three", b"three.")] * 9)
    result = await accept(office.desk, proposal.id)
    check(office, result, "stale", {})
    assert office.editor.applied == []
    assert result.proposal and result.proposal.state == "proposed"


def _while_recording(office: Office, actions: list) -> None:  # type: ignore[type-arg]
    """Run each action once, between the snapshot of a plan and the look after its checkpoint."""
    clock = office.desk.now

    def now() -> float:
        if actions:
            actions.pop(0)()
        return clock()

    object.__setattr__(office.desk, "now", now)


async def test_forbidden_paths_stop_everything(office: Office) -> None:
    office.write({"a.txt": A, "locked.txt": b"x\n"})
    (office.root / "locked.txt").chmod(0o444)
    proposal = office.propose({"a.txt": A2, "locked.txt": b"y\n"})
    result = await accept(office.desk, proposal.id)
    check(office, result, "refused", {"a.txt": A, "locked.txt": b"x\n"})
    assert "locked.txt" in result.message and "read-only" in result.message
    assert office.desk.store.list() == ()


async def test_without_a_checkpoint_the_user_decides(office: Office) -> None:
    office.write({"a.txt": A})
    office.data.mkdir(exist_ok=True)
    (office.data / "store").write_text("in the way")
    proposal = office.propose({"a.txt": A2})
    object.__setattr__(office.desk, "store", Store(office.data / "store" / "below"))
    result = await accept(office.desk, proposal.id)
    check(office, result, "cancelled", {"a.txt": A})
    assert "a.txt" in office.editor.questions[0] and "undone" in office.editor.questions[0]
    office.editor.answers = ["Go on without a checkpoint"]
    result = await accept(office.desk, proposal.id)
    check(office, result, "applied", {"a.txt": A2})
    assert (result.before, result.after) == ("", "")


async def test_an_incomplete_proposal_asks_before_all_is_taken(office: Office) -> None:
    office.write({"a.txt": A})
    proposal = office.propose({"a.txt": A2}, missing=("block 2: no such lines",))
    check(office, await accept(office.desk, proposal.id), "cancelled", {"a.txt": A})
    assert "block 2" in office.editor.questions[0]
    one = await accept(office.desk, proposal.id, Selection(hunks=("0.0",)))
    check(office, one, "applied", {})
    office.editor.answers = ["Accept what is there"]
    check(office, await accept(office.desk, proposal.id), "applied", {"a.txt": A2})


async def test_what_is_there_already_needs_no_edit(office: Office) -> None:
    office.write({"a.txt": A})
    proposal = office.propose({"a.txt": A2})
    (office.root / "a.txt").write_bytes(A2)
    result = await accept(office.desk, proposal.id)
    check(office, result, "applied", {"a.txt": A2})
    assert office.editor.applied == []
    assert "already" in result.message


async def test_accepts_of_one_workspace_wait_for_each_other(office: Office) -> None:
    office.write({"a.txt": A})
    proposal = office.propose({"a.txt": A2})
    results = await asyncio.gather(
        *(accept(office.desk, proposal.id, Selection(hunks=(id,))) for id in ("0.0", "0.1", "0.0"))
    )
    assert [r.state for r in results] == ["applied", "applied", "refused"]
    assert office.editor.text("a.txt") == A2
    kinds = [checkpoint.kind for checkpoint in office.desk.store.list()]
    assert kinds == ["after", "before", "after", "before"]


async def test_a_cancelled_accept_is_seen_through(office: Office) -> None:
    office.write({"a.txt": A, "b.txt": b"x\n"})
    proposal = office.propose({"a.txt": A2, "b.txt": b"y\n"})
    task = asyncio.ensure_future(accept(office.desk, proposal.id))
    while not office.editor.applied:
        await asyncio.sleep(0.001)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (office.editor.text("a.txt"), office.editor.text("b.txt")) == (A2, b"y\n")
    now = office.desk.proposals.get(proposal.id)
    assert now and now.state == "applied"
    assert [c.kind for c in office.desk.store.list()] == ["after", "before"]


async def test_plans_and_checkpoints_run_off_the_loop(office: Office) -> None:
    files = {f"d/f{n}.txt": b"line\n" * 20_000 for n in range(3)}
    office.write(files)
    proposal = office.propose({path: b"LINE\n" + files[path] for path in files})
    threads: list[int] = []
    clock = office.desk.now

    def now() -> float:
        threads.append(threading.get_ident())
        return clock()

    object.__setattr__(office.desk, "now", now)
    result = await accept(office.desk, proposal.id)
    check(office, result, "applied", {})
    assert len(threads) == 2 and threading.get_ident() not in threads


async def test_the_users_repository_is_left_alone(office: Office) -> None:
    office.write({"a.txt": A, "other.txt": b"staged\n"})
    script = (
        "git init -q -b main . && git add -A && "
        "git -c user.name=T -c user.email=t@example.invalid commit -qm base && "
        "echo more >> other.txt && git add other.txt"
    )
    subprocess.run(["bash", "-c", script], cwd=office.root, check=True)
    before = {k: v for k, v in office.on_disk().items() if k.startswith(".git/")}
    result = await accept(office.desk, office.propose({"a.txt": A2}).id)
    check(office, result, "applied", {"a.txt": A2})
    assert {k: v for k, v in office.on_disk().items() if k.startswith(".git/")} == before
    newest = office.desk.store.list(1)[0]
    assert newest.branch == "main" and len(newest.head) == 40
