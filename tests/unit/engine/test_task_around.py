"""What a step is told of other files: the nearest first, within one budget with everything around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.support.author import Place
from tests.support.shop import long_module
from tests.support.tasks import INFO, Worksite

from pairwright.config.task import Task
from pairwright.engine.knowledge import Known
from pairwright.engine.records import Notebook
from pairwright.engine.task.around import served, shown, to_come, tokens
from pairwright.engine.task.ports import Piece
from pairwright.engine.task.prompt import sheet
from pairwright.engine.task.state import Moved, State, grown
from pairwright.prompts.build import parts
from pairwright.text.estimate import estimate

pytestmark = pytest.mark.asyncio(loop_scope="session")

STEMS = ("base", "near", "apart", "goal", "user", "last")
PLAN = """# Plan: Mixing

## modify base.py
- contract: def base_1(value: int) -> int
## modify near.py
- depends: base.py
## modify apart.py
- contract: def apart_1(value: int) -> int
## create goal.py
- contract: def goal(value: int) -> int
- depends: near.py
## create last.py
- contract: def last() -> None
## create user.py
- contract: class User
- contract: def user() -> User
- depends: goal.py
## create bare.py
"""


async def at(place: Place, files: dict[str, str] | None = None) -> tuple[Worksite, State]:
    """A task whose first three files are done."""
    texts = {f"{stem}.py": long_module(80, stem) for stem in STEMS[:3]}
    site = Worksite.of(place, lambda prompt: "", {**texts, **(files or {})})
    state = await site.plan(PLAN)
    return site, grown(state, Moved(("base.py", "near.py", "apart.py"), "applied"))


def told(site: Worksite, state: State, most: int, group: Sequence[str] = ("goal.py",)) -> list[str]:
    return [f"{one.path} {one.form}" for one in pieces(site, state, most, group)]


def pieces(
    site: Worksite, state: State, most: int, group: Sequence[str] = ("goal.py",)
) -> tuple[Piece, ...]:
    snapshot = site.crew.desk.snapshot()
    return served(state, group, snapshot, Known(Notebook(), snapshot), most)


async def test_the_nearest_come_first(place: Place) -> None:
    site, state = await at(place)
    assert told(site, state, 5_000) == ["near.py record", "base.py record", "apart.py record"]
    nearest = tokens(pieces(site, state, 5_000)[0])
    assert told(site, state, nearest + 80) == ["near.py record", "base.py line"]
    assert told(site, state, 0) == []
    snapshot = site.crew.desk.snapshot()
    known = Known(Notebook(), snapshot)
    found = served(state, ("goal.py",), snapshot, known, 5_000, needed_only=True)
    assert [one.path for one in found] == ["near.py", "base.py"]


async def test_the_budget_holds_with_what_stands_around_a_text(place: Place) -> None:
    site, state = await at(place)
    for most in range(0, 2_400, 150):
        found = pieces(site, state, most)
        assert sum(map(tokens, found)) <= most
        chunks = sheet(
            state,
            ("goal.py",),
            site.crew.desk.snapshot(),
            INFO,
            replace(Task(), knowledge_tokens=most),
            knowledge=Known(Notebook(), site.crew.desk.snapshot()),
            conventions={},
        ).chunks
        assert chunks.read_only == tuple(map(shown, found))
        assert estimate(parts(chunks).get("read-only files", "")) <= most + 20, "a title"


async def test_an_ignored_file_is_not_told_of(place: Place) -> None:
    site, state = await at(place, {".gitignore": "base.py\n"})
    assert told(site, state, 5_000) == ["near.py record", "apart.py record"]


async def test_what_is_planned_to_use_the_file_comes_first_of_what_is_to_come(
    place: Place,
) -> None:
    _, state = await at(place)
    user = "user.py\n    class User\n    def user() -> User"
    assert to_come(state, ("goal.py",), 500) == f"{user}\nlast.py\n    def last() -> None"
    assert to_come(state, ("goal.py",), estimate(user) + 1) == user
    assert to_come(state, ("goal.py",), estimate(user)) == ""
    done = grown(state, Moved(("user.py",), "applied"))
    assert "User" not in to_come(done, ("goal.py",), 500)


async def test_what_is_to_come_has_what_the_records_leave(place: Place) -> None:
    site, state = await at(place)
    snapshot = site.crew.desk.snapshot()

    def words(room: int, *, is_small: bool = False) -> str:
        made = sheet(
            state,
            ("goal.py",),
            snapshot,
            replace(INFO, small=is_small),
            Task(knowledge_tokens=room),
            knowledge=Known(Notebook(), snapshot),
            conventions={},
        )
        return made.chunks.focus

    assert "class User" in words(5_000)
    full = sum(map(tokens, pieces(site, state, 5_000)))
    assert "class User" not in words(full)
    assert "class User" not in words(5_000, is_small=True), "a small model is told the least"
