"""The older part of a conversation summarised by the weak model, behind the turns and through the one door.

What is too long for the model goes to it in pieces, oldest first, each with the notes on those before it. A failure
costs nothing but the older turns, until it is tried again behind the next turn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from pairwright.config.schema import Settings
from pairwright.engine.answer import Cut, read_answer
from pairwright.engine.door import Door, Parcel
from pairwright.engine.events import Stop
from pairwright.engine.ports import Models
from pairwright.engine.recall import counted, limit_of
from pairwright.engine.roles import weak_or_main
from pairwright.engine.session import Sessions
from pairwright.llm.types import Model, ModelError, ModelInfo
from pairwright.memory.chat import Chat, Summary
from pairwright.memory.history import Head, due, shortened, summary_cap, told
from pairwright.prompts import summary as words
from pairwright.workspace.types import Snapshot

_MOST_OUTPUT = 800
_SMALL_OUTPUT = 64
"""Tokens of the notes of a model that writes some ten a second."""
_SMALL_PIECE = 350
"""Tokens such a model reads at once."""
_AROUND = 400
"""Tokens of the instructions, rounded up."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What summaries take. `settings`: those of the moment."""

    settings: Callable[[], Settings]
    models: Models
    door: Door
    sessions: Sessions
    snapshot: Callable[[], Snapshot]


async def summarise(desk: Desk, session: str) -> str:
    """Summarise what of `session` is no longer sent word for word, if there is any; why it failed, empty if it
    did not. Raises CancelledError: nothing is kept of a summary half made."""
    if not desk.settings().history.summarize:
        return ""
    chat = desk.sessions.chat(session)
    try:
        main = await desk.models.get("main")
        limit = limit_of(main.info)
        head = await asyncio.to_thread(due, chat, limit, counted, main.info.format)
        if head is None:
            return ""
        weak = await weak_or_main(desk.models)
        noted = partial(_noted, desk, chat, head, summary_cap(limit))
        text, name = await noted(weak), weak.info.name
        if isinstance(text, Stop) and main.info.name != weak.info.name:
            text, name = await noted(main), main.info.name
    except ModelError as error:
        return error.message
    if isinstance(text, Stop):
        return text.message
    desk.sessions.summarise(session, Summary(text, head.through, name))
    return ""


async def _noted(desk: Desk, chat: Chat, head: Head, most: int, model: Model) -> str | Stop:
    """The notes by `model`, in at most about `most` tokens."""
    info = model.info
    output = _SMALL_OUTPUT if info.small else min(most, _MOST_OUTPUT)
    room = _room(info, output + most)
    notes = head.summary
    for piece in await asyncio.to_thread(_told, chat, head, room):
        try:
            chunks = words.chunks(notes, piece, brief=info.small)
            parcel = Parcel(
                chunks, chunks, {}, {"request": ()}, {}, session=chat.opened.session, output=output
            )
            answer = await _asked(desk, model, parcel)
        except ModelError as error:
            return Stop("model", error.message)
        if isinstance(answer, Stop):
            return answer
        notes = shortened(words.notes(answer), most, counted)
        if not notes:
            return Stop("model", f"{info.name} wrote no summary")
    return notes


def _told(chat: Chat, head: Head, room: int) -> list[list[str]]:
    """The exchanges as the model reads them, its requests one by one."""
    texts = [words.exchange(e.request, told(chat, e), e.told) for e in head.exchanges]
    return pieces(texts, room)


def _room(info: ModelInfo, taken: int) -> int:
    """Tokens of the conversation that `info` reads at once, beside its notes and the instructions."""
    if info.small:
        return _SMALL_PIECE
    # Pieces are guessed, and the door counts as the model does: up to a quarter more, by `llm.catalog`.
    return max(_SMALL_PIECE, (info.window - taken - _AROUND) * 3 // 4)


def pieces(texts: Sequence[str], room: int) -> list[list[str]]:
    """`texts` in order, in groups of at most `room` tokens; one that is longer is parted between lines."""
    found: list[list[str]] = []
    left = 0
    for text in (part for whole in texts for part in _parted(whole, room)):
        size = counted(text)
        if not found or size > left:
            found.append([])
            left = room
        found[-1].append(text)
        left -= size
    return found


def _parted(text: str, room: int) -> list[str]:
    if counted(text) <= room:
        return [text]
    middle = len(text) // 2
    cut = text.rfind("\n", 1, middle) + 1 or middle
    return [*_parted(text[:cut], room), *_parted(text[cut:], room)]


async def _asked(desk: Desk, model: Model, parcel: Parcel) -> str | Stop:
    async def refused(question: str, options: Sequence[str]) -> str | None:
        # Nobody asked for this request, so nobody is asked about it.
        return None

    ready = await desk.door.prepare(model, parcel, desk.snapshot(), ask=refused)
    if isinstance(ready, Stop):
        return ready
    answer = await read_answer(desk.door.send(ready), lambda event: None)
    # Notes that were cut off are notes.
    return answer.text if isinstance(answer, Cut) else answer
