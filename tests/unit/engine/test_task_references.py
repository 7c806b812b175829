"""What a step of a task is shown of references: snippets as data, or nothing at all."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest
from tests.support.author import Place
from tests.support.fixture import files
from tests.support.tasks import Worksite, listing
from tests.unit.engine.test_references import Board
from tests.unit.reference.test_relations import REPOSITORY

from pairwright.config.schema import Reference as Settings
from pairwright.engine.references import Examples
from pairwright.engine.task.run import run
from pairwright.reference.build import build
from pairwright.reference.library import Root
from pairwright.workspace.cache import Cache

pytestmark = pytest.mark.asyncio(loop_scope="session")
PLAN = """# Plan: shapes

## create app/polygon.py
Reads polygons: their points, unpacked by struct, and writes them.
- contract: class PolygonReader
- contract: def write_polygon(polygon)
"""
WRITTEN = "class PolygonReader:\n    pass\n\n\ndef write_polygon(polygon):\n    pass\n"
SHOWN = "Code from other repositories"


async def check(place: Place, references: Literal["on", "off"], *, has: bool) -> tuple[str, int]:
    """The prompt of a step, its system message aside, and how often the shelf was asked. `has`: there are some."""
    folder = (place.base / "shapes").resolve()
    for name, text in files(REPOSITORY).items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    cache = Cache(place.base / "store")
    root = Root("shapes", "folder", str(folder), str(folder), (), "working tree", "MIT")
    board = Board([(root, build(str(folder), cache))] if has else [])
    reply = listing("app/polygon.py", WRITTEN)
    site = Worksite.of(place / "work", lambda prompt: reply, references=references)
    state = await site.plan(PLAN)
    done = await run(replace(site.crew, references=Examples(board, Settings(), cache)), state)
    assert done.file("app/polygon.py").phase in ("verified", "proposed")
    (request,) = site.model.requests
    system, *rest = (message["content"] for message in request.body["messages"])
    assert SHOWN not in system and "struct.unpack" not in system
    return "\n".join(rest), board.asked


async def test_a_step_is_shown_what_is_like_its_file(place: Place) -> None:
    prompt, asked = await check(place, "on", has=True)
    assert asked == 1 and SHOWN in prompt
    assert "shapes/lib/polygon.py:" in prompt and "licence MIT" in prompt


async def test_off_looks_at_nothing(place: Place) -> None:
    prompt, asked = await check(place, "off", has=True)
    assert asked == 0 and SHOWN not in prompt


async def test_without_references_the_part_is_not_there(place: Place) -> None:
    prompt, asked = await check(place, "on", has=False)
    assert asked == 1 and SHOWN not in prompt
