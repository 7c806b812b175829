"""When a failed request is sent again: 0.125 s doubling to 60 s, the server's Retry-After honoured,
only for failures that say so, never once the answer has begun, and not for longer than anybody waits.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable

from tenacity import AsyncRetrying, RetryCallState, wait_exponential

from pairwright.llm.types import Delta, ModelError, Reasoning, Retrying, Text

FIRST = 0.125
LONGEST = 60.0
PATIENCE = 150.0
"""Most seconds of all pauses of one request together."""

_PAUSE = wait_exponential(multiplier=FIRST, max=2 * LONGEST)


def pause(attempt: int, error: ModelError, waited: float = 0.0) -> float | None:
    """Seconds to wait after the failed `attempt` (from 1); None = give up. A server that asks for
    more than LONGEST seconds, or more than is left of PATIENCE after `waited` seconds, is not waited for: the
    user decides."""
    if not error.retryable:
        return None
    state = RetryCallState(AsyncRetrying(), None, (), {})
    state.attempt_number = attempt
    seconds = max(float(_PAUSE(state)), error.retry_after or 0.0)
    return seconds if seconds <= min(LONGEST, PATIENCE - waited) else None


async def retried(once: Callable[[], AsyncGenerator[Delta, None]]) -> AsyncGenerator[Delta, None]:
    """The deltas of `once`, begun anew after a retryable failure, with a `Retrying` before each new
    try."""
    attempt, waited = 0, 0.0
    while True:
        attempt += 1
        begun = False
        try:
            async with contextlib.aclosing(once()) as deltas:
                async for delta in deltas:
                    begun = begun or isinstance(delta, Text | Reasoning)
                    yield delta
            return
        except ModelError as error:
            seconds = None if begun else pause(attempt, error, waited)
            if seconds is None:
                raise
            reason = error.message
            waited += seconds
        yield Retrying(reason, seconds)
        await asyncio.sleep(seconds)
