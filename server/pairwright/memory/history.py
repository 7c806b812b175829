"""What of a conversation is sent again: a summary of the older part, and the newest turns word for word.

Pure policy. The cap follows the window (a sixteenth, 1,024 to 8,192 tokens). Turns are added until they exceed it,
then the oldest go at once, down to half of it: between two such cuts every request begins as the one before did,
which is what a provider's cache is for. What went is what the next summary is made of.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pairwright.llm.types import Message
from pairwright.memory.chat import Chat, Exchange, state_of
from pairwright.memory.prose import family, prose

SMALL_CAP = 400
"""Tokens of history for a model that reads 40 to 70 of them a second."""
NOTE = "Summary of the earlier conversation:"
_CUT = "… (shortened)"
_JOINTS = 4
"""Tokens that stand between the messages of a turn."""

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Recalled:
    """`messages`: alternating, a user's first. `facts`: what became of earlier edits, which this request has to
    tell."""

    messages: tuple[Message, ...] = ()
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """One exchange as it is sent again."""

    request: str
    answer: str


@dataclass(frozen=True, slots=True)
class Head:
    """What a summary has yet to be made of: the one there is, and the exchanges behind it that are no longer sent
    word for word, oldest first; `through`: the id of the last."""

    summary: str
    exchanges: tuple[Exchange, ...]
    through: str


def cap(window: int) -> int:
    """Tokens of history for a model with `window` tokens."""
    return max(1024, min(8192, window // 16))


def summary_cap(limit: int) -> int:
    """Tokens of a summary within a history of `limit` tokens: a quarter."""
    return limit // 4


def recalled(chat: Chat, limit: int, count: Count, format: str) -> tuple[Message, ...]:
    """The history for a model that writes edits in `format`, within `limit` tokens."""
    parts, start = _viewed(chat, limit, count, format)
    noted = _noted(chat, limit, count)
    found: list[Message] = []
    for part in parts[start:]:
        request = f"{noted}\n\n{part.request}" if noted and not found else part.request
        found += [Message("user", request), Message("assistant", part.answer)]
    return tuple(found)


def due(chat: Chat, limit: int, count: Count, format: str) -> Head | None:
    """What is to be summarised now; None if everything is still sent or summarised."""
    _, start = _viewed(chat, limit, count, format)
    older = chat.exchanges[chat.summarised :][:start]
    if not older:
        return None
    return Head(chat.summary.text if chat.summary else "", older, older[-1].id)


def _noted(chat: Chat, limit: int, count: Count) -> str:
    """The summary as it is sent; one that was made for a larger model may be too long for this one."""
    if chat.summary is None or not chat.summarised:
        return ""
    return shortened(f"{NOTE}\n{chat.summary.text}", summary_cap(limit), count)


def _viewed(chat: Chat, limit: int, count: Count, format: str) -> tuple[list[Part], int]:
    """The exchanges behind the summary, and with which of them the history begins."""
    behind = chat.exchanges[chat.summarised :]
    room = limit - count(_noted(chat, limit, count))
    parts = [_part(chat, exchange, room, count, format) for exchange in behind]
    return parts, _start([_size(part, count) for part in parts], room)


def _size(part: Part, count: Count) -> int:
    return count(part.request) + count(part.answer) + _JOINTS


def _start(sizes: Sequence[int], room: int) -> int:
    """The first that is sent: all until they exceed `room`, then the newest in half of it, and so on."""
    start, total = 0, 0
    for at, size in enumerate(sizes):
        total += size
        if total > room:
            start, total = at, size
            while start > 0 and total + sizes[start - 1] <= room // 2:
                start -= 1
                total += sizes[start]
    return start


def _part(chat: Chat, exchange: Exchange, room: int, count: Count, format: str) -> Part:
    """An exchange as it is sent again. One that would fill more than half of the room alone is shortened, edits
    first, so that the newest is never lost."""
    request = "\n".join((*(f"({line})" for line in exchange.told), f"Request: {exchange.request}"))
    answer = exchange.answer
    if exchange.format and family(exchange.format) != family(format):
        answer = told(chat, exchange)
    half = room // 2 - _JOINTS
    if count(request) + count(answer) <= half:
        return Part(request, answer)
    answer = told(chat, exchange)
    if count(request) + count(answer) > half:
        request = shortened(request, half // 2, count)
        answer = shortened(answer, half - count(request), count)
    return Part(request, answer)


def told(chat: Chat, exchange: Exchange) -> str:
    """The answer with its edits told and not shown."""

    def state(path: str) -> str:
        return state_of(chat, exchange, path)

    return prose(exchange.answer, exchange.format, exchange.edited, state)


def shortened(text: str, limit: int, count: Count) -> str:
    """`text`, or the longest beginning of it that has `limit` tokens with a mark behind it."""
    if count(text) <= limit:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if count(f"{text[:middle]}{_CUT}") <= limit:
            low = middle
        else:
            high = middle - 1
    return f"{text[:low]}{_CUT}" if low else _CUT
