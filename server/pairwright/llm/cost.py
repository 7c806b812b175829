"""What an answer cost, by a row of litellm's table of prices. Knows no litellm."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def cost(
    entry: Mapping[str, Any], prompt: int, completion: int, cached: int, written: int
) -> float | None:
    """US dollars; None = the price is unknown. Tokens: `cached` and `written` are the parts of `prompt` that were
    read from the provider's cache and written to it."""
    price_in, price_out = entry.get("input_cost_per_token"), entry.get("output_cost_per_token")
    if price_in is None or price_out is None:
        return None
    # The second name is DeepSeek's.
    read = _first(entry, "cache_read_input_token_cost", "input_cost_per_token_cache_hit")
    write = _first(entry, "cache_creation_input_token_cost")
    plain = max(0, prompt - cached - written)
    return float(
        plain * price_in
        + cached * (price_in if read is None else read)
        + written * (price_in if write is None else write)
        + completion * price_out
    )


def _first(entry: Mapping[str, Any], *names: str) -> float | None:
    return next((entry[name] for name in names if entry.get(name) is not None), None)
