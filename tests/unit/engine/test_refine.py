"""Refining: what a turn sees of a proposal, and what becomes of the hunks that wait and of those that do not."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.desks import Office

from pairwright.edits.diff import diff
from pairwright.edits.types import FileChange
from pairwright.engine.accept import Selection, accept
from pairwright.engine.proposals import Proposal
from pairwright.engine.refine import View
from pairwright.engine.undo import undo

A = b"one\ntwo\nthree\nfour\nfive\n"
A2 = b"ONE\ntwo\nthree\nfour\nFIVE\n"


@pytest.fixture
def office(tmp_path: Path) -> Office:
    return Office.of(tmp_path)


def refine(
    office: Office, proposal: Proposal, wanted: dict[str, bytes | None]
) -> tuple[Proposal, View]:
    """The proposal after a turn that brings the texts it sees to `wanted`."""
    current = office.desk.proposals.get(proposal.id)
    assert current
    view = View(office.editor.snapshot(), current)
    changes = []
    for path, after in wanted.items():
        document = view.document(path)
        before = document.data if document else None
        hunks = () if before is None or after is None else diff(before, after)
        changes.append(FileChange(path, before, after, hunks))
    found = office.desk.proposals.refine(view, changes)
    assert office.restarted().desk.proposals.get(proposal.id) == found
    return found, view


async def check(office: Office, proposal: Proposal, texts: dict[str, bytes | None]) -> None:
    """What the user has when all is accepted; and undone, as it was."""
    before = {path: office.editor.text(path) for path in texts}
    result = await accept(office.desk, proposal.id)
    assert result.state == "applied", result
    assert {path: office.editor.text(path) for path in texts} == texts
    assert (await undo(office.desk)).state == "done"
    assert {path: office.editor.text(path) for path in texts} == before


async def test_the_turn_sees_the_proposal_and_replaces_it(office: Office) -> None:
    office.write({"a.txt": A, "b.txt": b"b\n"})
    proposal = office.propose({"a.txt": A2, "b.txt": b"B\n"})
    new = b"ONE\ntwo\nthree\nfour\nfive!\n"
    refined, view = refine(office, proposal, {"a.txt": new})
    assert (view.texts["a.txt"].data, view.texts["b.txt"].data) == (A2, b"B\n")
    assert [(f.path, [h.id for h in f.hunks]) for f in refined.files] == [
        ("b.txt", ["1.0"]),
        ("a.txt", ["2.0", "2.1"]),
    ]
    await check(office, refined, {"a.txt": new, "b.txt": b"B\n"})


async def test_what_is_applied_already_stays_applied_and_undoable(office: Office) -> None:
    office.write({"a.txt": A})
    proposal = office.propose({"a.txt": A2})
    first = await accept(office.desk, proposal.id, Selection(hunks=("0.0",)))
    assert first.state == "applied"
    new = A2.replace(b"FIVE", b"Five")
    refined, _ = refine(office, proposal, {"a.txt": new})
    assert refined.state == "partly accepted"
    await check(office, refined, {"a.txt": new})
    assert (await undo(office.desk)).state == "done"
    assert office.editor.text("a.txt") == A


async def test_typing_during_the_turn_is_kept(office: Office) -> None:
    office.write({"a.txt": A})
    office.editor.open("a.txt")
    proposal = office.propose({"a.txt": A2})
    refined, _ = refine(office, proposal, {"a.txt": A2.replace(b"FIVE", b"Five")})
    office.editor.type("a.txt", b"three\n", b"three\nmine\n")
    await check(office, refined, {"a.txt": b"ONE\ntwo\nthree\nmine\nfour\nFive\n"})


async def test_a_file_that_is_to_be_created(office: Office) -> None:
    proposal = office.propose({"n.txt": b"n\n"})
    refined, view = refine(office, proposal, {"n.txt": b"n\nm\n"})
    assert "n.txt" in view.buffers and "n.txt" in view.paths()
    await check(office, refined, {"n.txt": b"n\nm\n"})
    gone, _ = refine(office, office.propose({"m.txt": b"m\n"}), {"m.txt": None})
    assert gone.files == () and not gone.open


async def test_a_rename_stays_one(office: Office) -> None:
    office.write({"a.txt": A})
    proposal = office.propose_move("a.txt", "b.txt", A2)
    refined, _ = refine(office, proposal, {"a.txt": A2.replace(b"FIVE", b"Five")})
    assert refined.files[0].moved_from == "a.txt"
    await check(office, refined, {"a.txt": None, "b.txt": b"ONE\ntwo\nthree\nfour\nFive\n"})


async def test_back_to_what_there_is_leaves_nothing(office: Office) -> None:
    office.write({"a.txt": A})
    refined, _ = refine(office, office.propose({"a.txt": A2}), {"a.txt": A})
    assert refined.files == () and not refined.open


def test_places_move_with_the_hunks(office: Office) -> None:
    office.write({"a.txt": A})
    proposal = office.propose({"a.txt": A.replace(b"two\n", b"2\nzwei\n")})
    view = View(office.editor.snapshot(), proposal)
    text = view.texts["a.txt"].data
    for line, seen in ((b"one\n", b"one\n"), (b"two\n", b"2\nzwei\n"), (b"three\n", b"three\n")):
        start, end = view.mapped("a.txt", (A.index(line), A.index(line) + len(line)))
        assert text[start:end] == seen
    span = view.span(proposal.files[0], "0.0")
    assert span and text[span[0] : span[1]] == b"2\nzwei\n"
