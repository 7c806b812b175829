"""A real task of four files with the embedded model on a small repository: what it wrote is verified, what it could
not is named, and all of it is undone exactly. `pytest -s tests/bench/real_task.py`."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.desks import Office
from tests.support.tasks import crew_of

from pairwright.config.schema import Model as ModelSettings
from pairwright.config.schema import Settings
from pairwright.config.task import Task
from pairwright.engine.checks import Checks
from pairwright.engine.knowledge import Known
from pairwright.engine.records import Notebook
from pairwright.engine.task import control, document
from pairwright.engine.task.run import Recorder, run, summary
from pairwright.engine.task.state import State
from pairwright.llm.models import ConfiguredModels
from pairwright.workspace.run import Commands

FILES = {
    "textstat/__init__.py": '"""Figures of a text."""\n',
    "textstat/count.py": (
        '"""Counts of a text."""\n\n\n'
        "def words(text: str) -> int:\n"
        '    """How many words `text` has."""\n'
        "    return len(text.split())\n\n\n"
        "def lines(text: str) -> int:\n"
        '    """How many lines `text` has."""\n'
        "    return len(text.splitlines())\n"
    ),
    "README.md": "# textstat\n\nFigures of a text: `textstat.count` counts words and lines.\n",
}
CHECK = f'{sys.executable} -c "{{}}"'
PLAN = f"""# Plan: More figures

- Functions take a text and have a docstring of one line.

## create textstat/longest.py

The longest word of a text.

- contract: def longest(text: str) -> str
- check: {CHECK.format("from textstat.longest import longest; assert longest('a bcd ef') == 'bcd'")}

## create textstat/letters.py

Counts how often each letter occurs, in lower case, without any other characters.

- contract: def letters(text: str) -> dict[str, int]
- check: {CHECK.format("from textstat.letters import letters; assert letters('Aab1')['a'] == 2")}

## modify textstat/count.py

Add a function that counts the paragraphs of a text: they are parted by blank lines.

- contract: def paragraphs(text: str) -> int
- check: {CHECK.format("from textstat.count import words; assert words('a b') == 2")}

## create textstat/report.py

A function that returns the longest word and the number of words of a text, as a dict with the keys "longest" and
"words".

- contract: def report(text: str) -> dict[str, object]
- depends: textstat/longest.py
- depends: textstat/count.py
- check: {CHECK.format("from textstat.report import report; assert report('a bcd')['words'] == 2")}
"""


@pytest.mark.timeout(1500)
async def test_a_task_of_four_files(tmp_path: Path, embedded_model_path: Path) -> None:
    office = Office.of(tmp_path)
    office.write({path: text.encode() for path, text in FILES.items()})
    office.editor.host.scan()
    before = office.on_disk()
    chosen = ModelSettings(name="embedded", path=str(embedded_model_path))
    models = ConfiguredModels(chosen, dict(os.environ), servers=())
    settings = replace(Settings(), model=chosen, task=Task(review="task", run_checks="run"))
    notebook = Notebook()
    crew = crew_of(
        office.desk,
        office.data,
        models,
        settings,
        checks=Checks(runner=Commands(dict(os.environ)), trusted=True),
        knowledge=lambda snapshot: Known(notebook, snapshot),
        learn=notebook.learn,
    )
    desk = Recorder(crew, State())
    await control.opened(desk, "t1", "Add more figures to textstat.", 1.0)
    await control.planned(desk, document.read(PLAN), "", 1.0)
    try:
        state = await run(crew, desk.state)
    finally:
        await models.close()
    told = summary(state)
    print(told, {path: [t.reason for t in one.tries] for path, one in state.files.items()})
    assert state.status == "done", state.reason
    assert len(state.paths("applied")) >= 3, told
    for path in state.paths("failed", "skipped", "stale"):
        assert f"{path} " in told
    assert len(state.paths("applied", "failed", "skipped", "stale")) == 4
    assert all(not state.file(path).unchecked for path in state.paths("applied"))
    desk = Recorder(crew, state)
    result = await control.taken_back(desk)
    assert result.state == "done", result.message
    assert office.on_disk() == before
