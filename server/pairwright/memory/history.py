"""What of a chat is sent again: whole turns, newest first, within a cap.

Pure policy. The cap follows the window (a sixteenth, 1,024 to 8,192 tokens). Dropping whole turns keeps user and
assistant in alternation and never sends half an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pairwright.llm.types import Message


@dataclass(frozen=True, slots=True)
class Exchange:
    """One finished turn. `facts`: what became of its edits, one line each, told with the next request."""

    request: str
    answer: str
    facts: tuple[str, ...] = ()


def cap(window: int) -> int:
    """Tokens of history for a model with `window` tokens."""
    return max(1024, min(8192, window // 16))


def recent(
    exchanges: Sequence[Exchange], limit: int, count: Callable[[str], int]
) -> tuple[Message, ...]:
    """The newest exchanges that fit `limit` tokens together, in order."""
    kept: list[Message] = []
    left = limit
    for exchange in reversed(exchanges):
        request = "\n\n".join((exchange.request, *exchange.facts))
        cost = count(request) + count(exchange.answer)
        if cost > left:
            break
        left -= cost
        kept[:0] = [Message("user", request), Message("assistant", exchange.answer)]
    return tuple(kept)
