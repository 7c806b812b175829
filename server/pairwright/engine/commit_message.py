"""The message of a commit by the weak model, once by the main one where that fails, through the one door; by rule
where there is no model, where both fail or take too long."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pairwright.config.schema import Settings
from pairwright.engine.answer import Cut, read_answer
from pairwright.engine.door import Ask, Door, Parcel
from pairwright.engine.events import Emit, Stop
from pairwright.engine.ports import Models
from pairwright.engine.roles import by_weak
from pairwright.llm.types import Model, ModelError, ModelInfo
from pairwright.prompts import commit as words
from pairwright.prompts.build import Chunks
from pairwright.workspace.types import Snapshot

_OUTPUT = 400
_MOST_CHARACTERS = 40_000
# What a small model on two cores reads in some seconds.
_SMALL_CHARACTERS = 3_000
_PATIENCE = 180.0


@dataclass(frozen=True, slots=True)
class Desk:
    """What writing messages and commits takes. `settings`: the ones of the moment. `env`: the user's
    environment. `emit`: told of progress."""

    settings: Callable[[], Settings]
    env: Mapping[str, str]
    models: Models
    door: Door
    snapshot: Callable[[], Snapshot]
    ask: Ask
    emit: Emit


@dataclass(frozen=True, slots=True)
class Message:
    """`text`: of the commit. `problem`: why no model wrote it, empty if one did or none was asked."""

    text: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Subject:
    """What a message is wanted for. `diff` shows text of the workspace files `sources` and touches
    `paths`; `note`: what was asked for; `rule`: the message where no model writes one."""

    diff: str
    paths: Sequence[str]
    sources: Sequence[str]
    rule: str
    note: str = ""


async def written(desk: Desk, subject: Subject) -> Message:
    """A message for `subject`."""
    rule = subject.rule
    if desk.settings().git.message == "request" or not subject.sources:
        return Message(rule)
    try:
        async with asyncio.timeout(_PATIENCE):
            answer = await by_weak(desk.models, lambda model: _answer(desk, subject, model))
    except TimeoutError:
        return Message(rule, f"the model had written none after {_PATIENCE:.0f} s")
    except ModelError as error:
        return Message(rule, error.message)
    if isinstance(answer, Stop):
        return Message(rule, answer.message)
    text = words.message(answer, subject.paths)
    return Message(text) if text else Message(rule, "the model's answer held none")


async def _answer(desk: Desk, subject: Subject, model: Model) -> str | Stop:
    settings = desk.settings()
    info = model.info

    def chunks(limit: int) -> Chunks:
        return words.chunks(
            words.shortened(subject.diff, limit),
            subject.paths,
            note=subject.note,
            language=settings.git.language,
            brief=info.small,
        )

    most = _characters(info)
    parcel = Parcel(
        chunks(most),
        chunks(most // 4),
        {},
        {"request": tuple(subject.sources)},
        {},
        grammar=words.GRAMMAR if info.grammar else None,
        output=_OUTPUT,
    )
    ready = await desk.door.prepare(
        model,
        parcel,
        desk.snapshot(),
        ask=desk.ask,
    )
    if isinstance(ready, Stop):
        return ready
    answer = await read_answer(desk.door.send(ready), desk.emit)
    # The message is at the beginning.
    return answer.text if isinstance(answer, Cut) else answer


def _characters(info: ModelInfo) -> int:
    return _SMALL_CHARACTERS if info.small else min(_MOST_CHARACTERS, info.window)
