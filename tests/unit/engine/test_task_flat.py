"""The prompts of a task stay as long from file to file, where a conversation's grow."""

from __future__ import annotations

import pytest
from tests.bench.bench_task import FROM, full_history, ours, script, spread
from tests.support.author import Place

pytestmark = pytest.mark.asyncio(loop_scope="session")
MOST = 1.15
"""The goal is 1.3; there is nothing in the policy that would take the prompts that far apart."""


@pytest.mark.parametrize("all_new", [False, True])
async def test_prompts_beside_the_file_stay_as_long(place: Place, all_new: bool) -> None:
    """Also where little is known at first: what is planned stands in for what is not there yet."""
    made = script(12, all_new=all_new)
    beside, whole = await ours(made, place)
    assert spread(beside) < MOST
    assert spread(full_history(made)) > 2 * MOST
    assert max(beside) < 5_000
    assert len(beside) == len(whole) == 12 > FROM
