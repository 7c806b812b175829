"""Plans by the embedded model for a small repository: each can be carried out, and is about what was asked.
`pytest -s tests/bench/real_plan.py`."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio
from tests.bench.real_task import FILES
from tests.support.desks import Office
from tests.support.tasks import crew_of

from pairwright.config.schema import Model as ModelSettings
from pairwright.config.schema import Settings
from pairwright.engine.task.document import read, render
from pairwright.engine.task.plan import Plan, order
from pairwright.engine.task.planning import Wish, planned
from pairwright.llm.models import ConfiguredModels

pytestmark = [pytest.mark.model, pytest.mark.asyncio(loop_scope="module")]

WISHES = {
    "Add textstat/longest.py with a function that returns the longest word of a text.": (
        "create textstat/longest.py",
    ),
    "Add a function `paragraphs` to textstat/count.py, and a test of it in tests/test_count.py.": (
        "modify textstat/count.py",
        "create tests/test_count.py",
    ),
    "Say in the README how `textstat.count.words` is called.": ("modify README.md",),
}
"""What is asked, and what a plan of it has to hold."""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def embedded(embedded_model_path: Path) -> AsyncIterator[ConfiguredModels]:
    chosen = ModelSettings(name="embedded", path=str(embedded_model_path))
    made = ConfiguredModels(chosen, dict(os.environ), servers=())
    yield made
    await made.close()


@pytest.mark.timeout(600)
@pytest.mark.parametrize("words", WISHES)
async def test_a_plan_by_a_small_model(
    tmp_path: Path, embedded: ConfiguredModels, words: str
) -> None:
    office = Office.of(tmp_path)
    office.write({path: text.encode() for path, text in FILES.items()})
    office.editor.host.scan()
    crew = crew_of(office.desk, office.data, embedded, replace(Settings()))
    plan = await planned(crew, Wish(words))
    assert isinstance(plan, Plan), plan.message
    print(f"\n{words}\n{render(plan)}")
    assert read(render(plan)) == plan
    assert {path for group in order(plan) for path in group} == {one.path for one in plan.entries}
    found = {f"{entry.action} {entry.path}" for entry in plan.entries}
    assert found >= set(WISHES[words]), found
