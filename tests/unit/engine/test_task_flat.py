"""The prompts of a task stay as long from file to file, where a conversation's grow."""

from __future__ import annotations

from pathlib import Path

from tests.bench.bench_task import FROM, GOAL, full_history, ours, script, spread


def test_prompts_beside_the_file_stay_as_long(tmp_path: Path) -> None:
    made = script(12)
    beside, whole = ours(made, tmp_path)
    assert spread(beside) < GOAL
    assert spread(full_history(made)) > 2 * GOAL
    assert max(beside) < 5_000
    assert len(beside) == len(whole) == 12 > FROM
