"""What became of edits, in words."""

from __future__ import annotations

from pairwright.checkpoints.types import Checkpoint
from pairwright.edits.types import Hunk
from pairwright.engine.facts import of_accept, of_reject, of_undo
from pairwright.engine.proposals import HunkState, Proposal, ProposedFile, ProposedHunk
from pairwright.memory.chat import Fact

TEXTS = {"a.py": "d1", "b.py": "d2"}


def hunk(id: str, state: HunkState) -> ProposedHunk:
    return ProposedHunk(id, Hunk(0, 0, b""), state, b"", "")


def file(path: str, *states: HunkState, moved_from: str | None = None) -> ProposedFile:
    hunks = tuple(hunk(f"{path}{number}", state) for number, state in enumerate(states))
    return ProposedFile(path, "move" if moved_from else "modify", 1, "d", b"", hunks, moved_from)


def proposal(*files: ProposedFile) -> Proposal:
    return Proposal("p1", "Do it.", 0.0, files, order=1)


def checkpoint(*paths: str, kind: str = "after", of: str = "p1") -> Checkpoint:
    return Checkpoint("c0ffee", 0.0, kind, "Do it.", paths, of)


def check(facts: tuple[Fact, ...], expected: dict[str, str]) -> None:
    assert {fact.path: fact.what for fact in facts} == expected


def test_how_much_of_a_file_was_accepted() -> None:
    made = proposal(
        file("a.py", "applied", "applied"),
        file("b.py", "applied", "rejected", "proposed"),
        file("c.py", "proposed"),
    )
    found = of_accept(checkpoint("a.py", "b.py"), made, TEXTS.get)
    check(found, {"a.py": "accepted", "b.py": "1 of 3 hunks accepted, 1 rejected"})
    assert {fact.left for fact in found} == {"d1", "d2"}
    assert {(fact.checkpoint, fact.proposal) for fact in found} == {("c0ffee", "p1")}


def test_a_renamed_file_is_one_and_a_deleted_one_left_nothing() -> None:
    made = proposal(file("b.py", "applied", moved_from="old.py"), file("gone.py", "applied"))
    found = of_accept(checkpoint("b.py", "gone.py", "old.py"), made, TEXTS.get)
    check(found, {"b.py": "accepted", "gone.py": "accepted"})
    assert [fact.left for fact in found] == ["d2", ""]


def test_a_change_without_a_proposal_is_a_restore() -> None:
    check(
        of_accept(checkpoint("a.py", "new/", of=""), None, TEXTS.get),
        {"a.py": "brought back to an earlier text"},
    )


def test_undo_and_redo() -> None:
    one = checkpoint("a.py", "new/", kind="undo")
    check(of_undo(one, False, TEXTS.get), {"a.py": "undone"})
    check(of_undo(one, True, TEXTS.get), {"a.py": "accepted again"})


def test_rejected_hunks_are_counted_by_file() -> None:
    made = proposal(file("a.py", "rejected", "proposed"), file("b.py", "rejected"))
    found = of_reject(made, ("a.py0", "b.py0"))
    check(found, {"a.py": "1 of 2 hunks rejected", "b.py": "rejected"})
    assert {fact.left for fact in found} == {None}
