"""What an answer cost: tokens times prices, never one taken from the other."""

from __future__ import annotations

import math
from typing import Any

import pytest

from pairwright.llm.cost import cost

PLAIN = {"input_cost_per_token": 4.0, "output_cost_per_token": 10.0}
CLAUDE = {**PLAIN, "cache_read_input_token_cost": 1.0, "cache_creation_input_token_cost": 5.0}
DEEPSEEK = {**PLAIN, "input_cost_per_token_cache_hit": 0.5}


@pytest.mark.parametrize(
    ("entry", "tokens", "dollars"),
    [
        (PLAIN, (100, 10, 0, 0), 500.0),
        (PLAIN, (100, 10, 60, 20), 500.0),
        (CLAUDE, (100, 10, 60, 20), 20 * 4 + 60 * 1 + 20 * 5 + 100.0),
        (DEEPSEEK, (100, 10, 60, 0), 40 * 4 + 60 * 0.5 + 100.0),
        ({**PLAIN, "cache_read_input_token_cost": 0.0}, (100, 10, 60, 0), 40 * 4 + 100.0),
        (CLAUDE, (10, 0, 60, 0), 60.0),
        ({"input_cost_per_token": 0.0, "output_cost_per_token": 0.0}, (100, 10, 5, 5), 0.0),
        ({}, (100, 10, 0, 0), None),
        ({"input_cost_per_token": 1.0}, (100, 10, 0, 0), None),
    ],
)
def test_cached_tokens_cost_their_own_price(
    entry: dict[str, Any], tokens: tuple[int, int, int, int], dollars: float | None
) -> None:
    found = cost(entry, *tokens)
    assert found == dollars or (found and dollars and math.isclose(found, dollars))
