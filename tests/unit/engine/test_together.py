"""Several workspace folders as one: accepted and taken back together, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.desks import Office

from pairwright.engine.accept import accept
from pairwright.engine.change import Desk
from pairwright.engine.together import accept_together, as_one, take_back
from pairwright.engine.undo import How

A, B = b"one\n", b"two\n"


@pytest.fixture
def offices(tmp_path: Path) -> tuple[Office, Office]:
    made = tuple(Office.of(tmp_path / name) for name in ("left", "right"))
    for office in made:
        office.write({"a.txt": A})
    return made[0], made[1]


def parts(offices: tuple[Office, Office]) -> list[tuple[Desk, str]]:
    return [(office.desk, office.propose({"a.txt": B}, "Both").id) for office in offices]


def check(offices: tuple[Office, Office], left: bytes, right: bytes, state: str = "") -> None:
    assert [office.editor.text("a.txt") for office in offices] == [left, right]
    for office in offices:
        assert not state or office.desk.proposals.all()[-1].state == state


async def test_one_accept_one_undo_one_redo(offices: tuple[Office, Office]) -> None:
    desks = [office.desk for office in offices]
    results = await accept_together(parts(offices), "g")
    assert [result.state for result in results] == ["applied", "applied"]
    check(offices, B, B, "applied")
    result = as_one([part for _, part in await take_back(desks, "after", How(dry=True))])
    assert result.state == "planned" and result.plan.count("-two\n+one\n") == 2
    check(offices, B, B)
    assert [part.state for _, part in await take_back(desks, "after", How())] == ["done"] * 2
    check(offices, A, A, "undone")
    assert [part.state for _, part in await take_back(desks, "undo", How())] == ["done"] * 2
    check(offices, B, B, "applied")


async def test_what_one_folder_refuses_no_folder_keeps(offices: tuple[Office, Office]) -> None:
    pair = parts(offices)
    offices[1].editor.faults["a.txt"] = ["refuse"]
    results = await accept_together(pair, "g")
    assert [result.state for result in results] == ["refused", "refused"]
    check(offices, A, A, "proposed")
    assert [r.state for r in await accept_together(pair, "h")] == ["applied", "applied"]
    check(offices, B, B)


async def test_an_undo_in_the_way_in_one_folder_changes_none(
    offices: tuple[Office, Office],
) -> None:
    await accept_together(parts(offices), "g")
    offices[1].write({"a.txt": b"mine\n"})
    ((desk, result),) = await take_back([office.desk for office in offices], "after", How())
    assert result.state == "stale" and desk is offices[1].desk
    check(offices, B, b"mine\n")


async def test_an_undo_that_fails_in_the_second_folder_is_made_again_in_the_first(
    offices: tuple[Office, Office],
) -> None:
    await accept_together(parts(offices), "g")
    offices[1].editor.faults["a.txt"] = ["refuse"]
    ((_, result),) = await take_back([office.desk for office in offices], "after", How())
    assert result.state == "refused"
    check(offices, B, B, "applied")


async def test_the_last_accept_of_all_folders_is_the_one(offices: tuple[Office, Office]) -> None:
    left, right = offices
    desks = [left.desk, right.desk]
    await accept(left.desk, left.propose({"a.txt": B}).id)
    # Its clock is behind: the left one was the last.
    await accept(right.desk, right.propose({"a.txt": b"three\n"}).id)
    await accept(left.desk, left.propose({"n.txt": b"n\n"}).id)
    ((desk, _),) = await take_back(desks, "after", How())
    assert desk is left.desk
    assert left.editor.text("n.txt") is None
    check(offices, B, b"three\n")
