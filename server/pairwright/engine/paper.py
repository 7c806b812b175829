"""A request on paper: what a model would be sent, as one text for a chat elsewhere.

It leaves through the door like every request, so ignore rules, hidden secrets, budget and manifest hold for it too:
the paper takes the model's place and keeps what it is sent. Knows no screen and no clipboard.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace

from pairwright.engine.context import Given, Turn, gather
from pairwright.engine.door import Door, Manifest, Parcel
from pairwright.engine.events import Stop
from pairwright.llm.types import Delta, Finish, ModelInfo, Request
from pairwright.text.estimate import estimates
from pairwright.workspace.types import Snapshot

NAME = "paper"


@dataclass(frozen=True, slots=True)
class Sheet:
    """`text`: what to paste. `manifest`: what stands in it."""

    text: str
    manifest: Manifest


class _Paper:
    """A model that keeps what it is sent and says nothing: what the door hides must stay hidden."""

    def __init__(self, info: ModelInfo) -> None:
        self._info = info
        self.text = ""

    @property
    def info(self) -> ModelInfo:
        return self._info

    async def stream(self, request: Request) -> AsyncIterator[Delta]:
        parts = (message.content.strip("\n") for message in request.messages)
        self.text = "\n\n".join(parts) + "\n"
        yield Finish("stop")

    async def count(self, texts: Sequence[str]) -> list[int]:
        return await asyncio.to_thread(estimates, texts)


async def paper(
    turn: Turn,
    snapshot: Snapshot,
    *,
    format: str,
    tokens: int,
    map_tokens: int | None = None,
    conventions: tuple[str, ...] = (),
) -> Sheet | Stop:
    """The request `turn` as a text of at most `tokens`, its edits asked for in `format`. `conventions`: names of the
    files with a project's rules. A file of it that may not be sent stops it. Without an instruction the text ends
    where one is to be written."""
    # What is asked for is then written below everything else, the reminder included.
    info = ModelInfo(
        NAME,
        window=tokens,
        format=format,
        reminder="user" if turn.instruction.strip() else "system",
    )
    given = Given(conventions)
    context = await asyncio.to_thread(gather, turn, snapshot, info, map_tokens, given=given)
    if context.refused:
        return Stop("refused", "\n".join(f"{reason}." for reason in context.refused))
    parcel = Parcel(
        context.chunks,
        context.shorter,
        context.documents,
        context.sources,
        context.why,
        session=turn.session,
        maps=context.maps,
        foreign=context.foreign,
    )
    door, model = Door(), _Paper(info)
    ready = await door.prepare(model, parcel, snapshot, ask=_nobody, room=tokens)
    if isinstance(ready, Stop):
        return replace(ready, message=ready.message.replace(" beside the answer", ""))
    async for _ in door.send(ready):
        pass
    return Sheet(model.text, ready.manifest)


async def _nobody(question: str, options: Sequence[str]) -> str | None:
    return None
