"""Renames: one choice among the hunks of a file, with its bytes and mode, and taken back as they were."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.desks import Office

from pairwright.engine.accept import AcceptResult, Selection, accept, refresh, reject
from pairwright.engine.proposals_text import preview
from pairwright.engine.undo import undo

A = "# größe\r\none\r\ntwo\r\n".encode("cp1252")
TEXT = "# größe\r\none\r\ntwo\r\n".encode()
NEW = TEXT.replace(b"two", b"zwei")


@pytest.fixture(params=["saving", "unsaved"])
def office(request: pytest.FixtureRequest, tmp_path: Path) -> Office:
    office = Office.of(tmp_path, request.param)
    office.write({"run.sh": A}, 0o755)
    return office


def check(office: Office, result: AcceptResult, state: str, standing: dict[str, bytes]) -> None:
    """How it ended and the texts the user has now; the stored proposal is the one returned."""
    assert result.state == state, result
    names = {name for name in office.on_disk() if not name.endswith("/")}
    assert {name: office.editor.text(name) for name in names} == standing
    if result.proposal:
        assert office.restarted().desk.proposals.get(result.proposal.id) == result.proposal


async def test_a_rename_keeps_bytes_and_mode_and_is_taken_back(office: Office) -> None:
    before = office.on_disk()
    proposal = office.propose_move("run.sh", "bin/start.sh")
    result = await accept(office.desk, proposal.id)
    check(office, result, "applied", {"bin/start.sh": TEXT})
    assert office.on_disk()["bin/start.sh"] == (0o755, A)
    assert (await undo(office.desk)).state == "done"
    assert office.on_disk() == before
    again = await refresh(office.desk, proposal.id)
    assert again and again.state == "undone" and again.files[0].at == "run.sh"


async def test_a_rename_with_new_text_is_one_change(office: Office) -> None:
    before = office.on_disk()
    proposal = office.propose_move("run.sh", "start.sh", NEW)
    result = await accept(office.desk, proposal.id)
    check(office, result, "applied", {"start.sh": NEW})
    assert result.hunks == ("0.0", "0.1")
    office.editor.save_all()
    assert office.on_disk()["start.sh"] == (0o755, NEW.decode().encode("cp1252"))
    assert (await undo(office.desk)).state == "done"
    assert office.on_disk() == before


async def test_text_first_and_the_rename_later(office: Office) -> None:
    proposal = office.propose_move("run.sh", "start.sh", NEW)
    first = await accept(office.desk, proposal.id, Selection(hunks=("0.1",)))
    check(office, first, "applied", {"run.sh": NEW})
    second = await accept(office.desk, proposal.id)
    check(office, second, "applied", {"start.sh": NEW})
    assert second.hunks == ("0.0",)


async def test_the_rename_first_and_text_later(office: Office) -> None:
    proposal = office.propose_move("run.sh", "start.sh", NEW)
    first = await accept(office.desk, proposal.id, Selection(hunks=("0.0",)))
    check(office, first, "applied", {"start.sh": TEXT})
    assert [p.id for p in office.desk.proposals.holding("start.sh")] == [proposal.id]
    second = await accept(office.desk, proposal.id)
    check(office, second, "applied", {"start.sh": NEW})


async def test_a_rejected_rename_leaves_the_text_to_choose(office: Office) -> None:
    proposal = office.propose_move("run.sh", "start.sh", NEW)
    await reject(office.desk, proposal.id, Selection(hunks=("0.0",)))
    result = await accept(office.desk, proposal.id)
    check(office, result, "applied", {"run.sh": NEW})


async def test_typing_goes_along(office: Office) -> None:
    office.editor.open("run.sh")
    proposal = office.propose_move("run.sh", "start.sh", NEW)
    office.editor.type("run.sh", b"# gr", b"# mine\r\n# gr")
    result = await accept(office.desk, proposal.id)
    assert result.state == "applied" and result.rebased, result
    assert office.editor.text("start.sh") == b"# mine\r\n" + NEW
    assert office.editor.text("run.sh") is None


async def test_a_taken_name_changes_nothing(office: Office) -> None:
    proposal = office.propose_move("run.sh", "start.sh", NEW)
    office.write({"start.sh": b"mine\n"})
    result = await accept(office.desk, proposal.id)
    check(office, result, "stale", {"run.sh": TEXT, "start.sh": b"mine\n"})
    assert "start.sh exists already" in result.message
    assert result.proposal and [h.state for h in result.proposal.files[0].hunks] == [
        "stale",
        "proposed",
    ]


async def test_a_file_gone_meanwhile_is_told(office: Office) -> None:
    proposal = office.propose_move("run.sh", "start.sh")
    (office.root / "run.sh").unlink()
    result = await accept(office.desk, proposal.id)
    check(office, result, "stale", {})
    assert "run.sh is gone" in result.message


async def test_a_later_failure_takes_the_rename_back(office: Office) -> None:
    office.write({"b.txt": b"x\n"})
    before = office.on_disk()
    moved = office.propose_move("run.sh", "start.sh", NEW).files
    other = office.propose({"b.txt": b"y\n"})
    both = type(other)("p9", "Both", 1.0, (*moved, *_renumbered(other.files)))
    office.desk.proposals.put(both)
    office.editor.faults["b.txt"] = ["refuse"]
    result = await accept(office.desk, "p9")
    check(office, result, "refused", {"run.sh": TEXT, "b.txt": b"x\n"})
    office.editor.save_all()
    assert office.on_disk() == before


def _renumbered(files):  # type: ignore[no-untyped-def]
    from dataclasses import replace

    return [
        replace(
            file, hunks=tuple(replace(hunk, id=f"1.{at}") for at, hunk in enumerate(file.hunks))
        )
        for file in files
    ]


def test_the_preview_names_both_paths(office: Office) -> None:
    text = preview(office.propose_move("run.sh", "start.sh", NEW))
    assert "--- a/run.sh\n+++ b/start.sh\nrenamed file\n@@ 0.0 proposed, rename @@\n" in text
    assert "+zwei" in text and "0.1 proposed" in text
