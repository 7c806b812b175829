"""What of a chat is sent again: whole turns, newest first, within a cap.

Pure policy. The cap follows the window (a sixteenth, 1,024 to 8,192 tokens). Dropping whole turns keeps user and
assistant in alternation and never sends half an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pairwright.llm.types import Message

SMALL_CAP = 400
"""Tokens of history for a model that reads 40 to 70 of them a second."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One finished turn. `facts`: what became of its edits, one line each, told with the next request."""

    request: str
    answer: str
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Recalled:
    """`messages`: alternating, a user's first. `facts`: what became of the last answer's edits, which this
    request has to tell, whether that answer is among the messages or not."""

    messages: tuple[Message, ...] = ()
    facts: tuple[str, ...] = ()


def cap(window: int) -> int:
    """Tokens of history for a model with `window` tokens."""
    return max(1024, min(8192, window // 16))


def recent(exchanges: Sequence[Exchange], limit: int, count: Callable[[str], int]) -> Recalled:
    """The newest exchanges that fit `limit` tokens together, in order."""
    kept: list[Message] = []
    left = limit
    for at in range(len(exchanges) - 1, -1, -1):
        told = exchanges[at - 1].facts if at else ()
        request = "\n".join((*(f"({fact})" for fact in told), f"Request: {exchanges[at].request}"))
        answer = exchanges[at].answer
        left -= count(request) + count(answer)
        if left < 0:
            break
        kept[:0] = [Message("user", request), Message("assistant", answer)]
    return Recalled(tuple(kept), exchanges[-1].facts if exchanges else ())
