"""One streamed answer read to its end: pieces become events, the whole is returned.

Only an answer that the model ended itself is whole. Partial text is never taken for an edit.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass

from pairwright.engine.events import Emit, Said, Status, Used
from pairwright.llm.types import (
    Delta,
    Finish,
    Loading,
    ModelError,
    Reading,
    Reasoning,
    Retrying,
    Text,
    Usage,
)


@dataclass(frozen=True, slots=True)
class Cut:
    """An answer that the token limit ended. `message`: for the user."""

    text: str
    message: str = (
        "The answer was cut off by the token limit; nothing of it was applied. Ask for less at once, or "
        "raise pairwright.model.max_output."
    )


async def read_answer(stream: AsyncIterator[Delta], emit: Emit) -> str | Cut:
    """The text of the whole answer. Raises ModelError as the stream does, and when it ends without a
    Finish. Cancelling closes the stream."""
    pieces: list[str] = []
    finish: Finish | None = None
    async with aclosing(stream) as deltas:  # type: ignore[type-var]
        async for delta in deltas:
            match delta:
                case Text(text):
                    pieces.append(text)
                    emit(Said(text))
                case Reasoning(text):
                    emit(Said(text, reasoning=True))
                case Loading(model):
                    emit(Status(f"loading {model}"))
                case Reading(done, total):
                    percent = min(100, 100 * done // max(1, total))
                    emit(Status(f"reading the prompt, {done} of {total} tokens", percent))
                case Retrying(reason, delay):
                    emit(Status(f"{reason}; trying again in {delay:.1f} s"))
                case Usage():
                    emit(Used(delta))
                case Finish():
                    finish = delta
    text = "".join(pieces)
    if finish is None:
        raise ModelError("transport", "The answer ended in the middle; try again.", retryable=True)
    return Cut(text) if finish.reason == "length" else text
