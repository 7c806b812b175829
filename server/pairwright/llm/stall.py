"""A stream that says nothing for too long is given up: it is open, but nobody is at the other end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from pairwright.llm.types import Delta, ModelError, Reasoning, Text


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds that a token is waited for: the `first` one, and each of the following (`between`)."""

    first: float
    between: float


async def watched(
    stream: AsyncGenerator[Delta, None], patience: Patience, where: str
) -> AsyncGenerator[Delta, None]:
    """The deltas of `stream`. Every delta counts as a sign of life, bytes that carry none do not: servers keep
    connections open with empty ones. Raises ModelError as `stream` does, and when the patience is over."""
    begun = False
    async with aclosing(stream) as deltas:
        while True:
            seconds = patience.between if begun else patience.first
            try:
                async with asyncio.timeout(seconds):
                    delta = await anext(deltas)
            except StopAsyncIteration:
                return
            except TimeoutError:
                raise _stalled(where, seconds, begun) from None
            begun = begun or isinstance(delta, Text | Reasoning)
            yield delta


def _stalled(where: str, seconds: float, begun: bool) -> ModelError:
    # The first one is not asked for again: the user has waited long enough to be asked.
    if not begun:
        text = f"Nothing came from {where} for {seconds:g} s. Ask again, or raise pairwright.model.timeout."
        return ModelError("transport", text, retryable=False)
    text = (
        f"The answer of {where} stalled: no token for {seconds:g} s. What came so far is incomplete and not "
        "used. Ask again, or raise pairwright.model.stall."
    )
    return ModelError("transport", text, retryable=True)
