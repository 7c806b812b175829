"""A task and the records of its files: what a step wrote is known to the next, and nothing older than it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.support.author import Place
from tests.support.shop import long_module
from tests.support.tasks import Worksite, block, target

from pairwright.engine.knowledge import Known
from pairwright.engine.record_page import page
from pairwright.engine.records import Notebook
from pairwright.engine.task.run import run
from pairwright.engine.task.state import State

pytestmark = pytest.mark.asyncio(loop_scope="session")
STEPS = long_module(90)
PLAN = """# Plan: Mixing

## create a/steps.py
- contract: def step_3(value: int) -> int
## create b/steps.py
- depends: a/steps.py
## create use.py
- depends: a/steps.py, b/steps.py
"""
NOTES = """```notes
purpose: Mixes numbers by `step_3`. Needs `Gone`.
- `step_4` has no limit
- `step_5` and `step_6` may be swapped
```
"""


def answer(prompt: str) -> str:
    path = target(prompt)
    text = STEPS.replace("step_", "move_") if path == "b/steps.py" else STEPS
    if path == "use.py":
        text = "from a.steps import step_3\nfrom b.steps import move_3\n\nstep_3(move_3(1))\n"
    notes = NOTES if path == "a/steps.py" else "I summarise: nothing.\n"
    return f"I write it.\n\n{path}\n````\n{text}````\n\n{notes}"


async def carried_out(site: Worksite, notebook: Notebook) -> State:
    crew = replace(
        site.crew,
        knowledge=lambda snapshot: Known(notebook, snapshot),
        learn=notebook.learn,
    )
    return await run(crew, await site.plan(PLAN))


@pytest.mark.parametrize("review", ["task", "end"])
async def test_the_next_step_is_told_by_records(place: Place, review: str) -> None:
    """Also while nothing of it is in the workspace yet, and where a step says nothing of its file."""
    notebook = Notebook()
    site = Worksite.of(place, answer, {}, review=review)
    await carried_out(site, notebook)
    first, second, third = site.model.prompts
    assert "a record of it" not in first
    for prompt in (second, third):
        assert "a/steps.py (" in prompt and "a record of it, not its text" in prompt
        assert "Purpose: Mixes numbers by `step_3`." in prompt and "Gone" not in prompt
        assert "Note: `step_4` has no limit" in prompt
        assert "value * 11" not in prompt, "not the text"
    assert "def move_3(value: int) -> int" in third and "def step_3(value: int) -> int" in third


async def test_what_is_known_of_the_files_opens_as_one_document(place: Place) -> None:
    notebook = Notebook()
    site = Worksite.of(place, answer, {}, review="task")
    state = await carried_out(site, notebook)
    site.office.editor.host.scan()
    made = page(notebook.at(site.office.editor.snapshot()), (), state.notes(10))
    assert made.paths == ("a/steps.py",)
    for part in (
        "## Carried over\n\n- `step_4` has no limit\n",
        "left out with their sentences: `Gone`",
    ):
        assert part in made.text
    assert "Used by use.py (2)." in made.text


async def test_a_record_is_no_text_to_edit(place: Place) -> None:
    """What a step was shown of another file is not there to be changed by it."""

    def meddling(prompt: str) -> str:
        if target(prompt) != "use.py":
            return answer(prompt)
        return block("a/steps.py", "    return value\n", "    return 1\n")

    site = Worksite.of(place, meddling, {}, review="task")
    state = await carried_out(site, Notebook())
    assert "a/steps.py (a record; the text is not shown)" in site.model.prompts[-1]
    assert state.file("use.py").tries[-1].reason == "other-file"
    assert site.texts()["a/steps.py"] == STEPS
