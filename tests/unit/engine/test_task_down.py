"""No model answers: what is known of files and of references needs none, and a task goes on where it was."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.support.author import Author, Place
from tests.support.fixture import files
from tests.support.shop import long_module
from tests.support.tasks import Worksite, listing, target
from tests.unit.reference.test_relations import REPOSITORY

from pairwright.config.schema import Reference as Settings
from pairwright.engine.door import Door
from pairwright.engine.knowledge import Known
from pairwright.engine.record_page import page
from pairwright.engine.records import Notebook
from pairwright.engine.references import Examples, OwnShelf
from pairwright.engine.rerank import Reranker
from pairwright.engine.task.run import run
from pairwright.reference.library import Root
from pairwright.workspace.cache import Cache

pytestmark = pytest.mark.asyncio(loop_scope="session")

PLAN = """# Plan: Mixing

## create steps.py
- contract: def step_3(value: int) -> int
## create use.py
- depends: steps.py
"""
TEXTS = {"steps.py": long_module(80), "use.py": "from steps import step_3\n\nstep_3(1)\n"}


def answer(prompt: str) -> str:
    path = target(prompt)
    return listing(path, TEXTS[path], ["`step_3` has no limit"] if path == "steps.py" else ())


def shut(author: Author) -> None:
    """Nothing listens at its address from now on."""
    author.__exit__(None, None, None)


async def test_a_task_goes_on_when_the_model_is_there_again(place: Place) -> None:
    notebook = Notebook()
    site = Worksite.of(place, answer, {}, review="task", tokens=1)

    async def go() -> None:
        known = replace(
            site.crew, knowledge=lambda snapshot: Known(notebook, snapshot), learn=notebook.learn
        )
        await run(known, site.task)

    await site.plan(PLAN)
    await go()
    assert site.task.paths("applied") == ("steps.py",), "as far as its budget goes"
    shut(place.author)
    await go()
    assert site.task.status == "stopped"
    assert "Nothing listens at" in site.task.reason
    assert site.task.paths("pending") == ("use.py",)
    assert site.task.file("use.py").tries == (), "the file is not to blame"

    # What is known of a file is worked out of its text, whoever answers.
    site.office.editor.host.scan()
    known = page(notebook.at(site.office.editor.snapshot()), ())
    assert "def step_3(value: int) -> int" in known.text
    assert "- `step_3` has no limit" in known.text
    with Author(answer, port=place.author.port) as again:
        await go()
        assert site.task.status == "done"
        assert "steps.py (a record; the text is not shown)" in again.prompts[-1]


async def test_references_are_indexed_and_shown_without_a_model(place: Place) -> None:
    """Nobody judges what the scores found, so it is shown in their order; and nothing is kept of it."""
    folder = (place.base / "shapes").resolve()
    for name, text in files(REPOSITORY).items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    cache = Cache(place.base / "store")
    root = Root("shapes", "folder", str(folder), str(folder), (), "working tree", "MIT")
    site = Worksite.of(place, answer)
    shelf = OwnShelf(lambda: (root,), cache)
    judge = Reranker(place.models, Door(), site.office.editor.snapshot, cache)
    asked = ("app/polygon.py", ("class PolygonReader", "def write_polygon(polygon)"), "Polygons.")
    by_scores = await Examples(shelf, Settings(), cache).for_target(*asked, 1_000)
    shut(place.author)
    judged = await Examples(shelf, Settings(), cache, judge).for_target(*asked, 1_000)
    assert len(judged) > 1
    assert judged == by_scores
    with Author(lambda prompt: "2: utility", port=place.author.port) as again:
        await Examples(shelf, Settings(), cache, judge).for_target(*asked, 1_000)
        assert len(again.prompts) == 1, "asked anew"
