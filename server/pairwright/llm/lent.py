"""A model that the client lends: it is asked through the client, by an account that the user has there, so that no
key is needed here.

Its name is `client`, which leaves the choice to the client, or `client/` and what the client calls it. Knows no LSP:
a `Lender` asks.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from pairwright.config.schema import Model as Settings
from pairwright.llm import catalog, errors
from pairwright.llm.catalog import Known, counted
from pairwright.llm.reasoning import parted
from pairwright.llm.remote import without_system
from pairwright.llm.retry import retried
from pairwright.llm.stall import Patience, watched
from pairwright.llm.types import (
    Delta,
    Finish,
    Message,
    ModelError,
    ModelInfo,
    Reasoning,
    Request,
    Text,
    Usage,
)
from pairwright.text.estimate import estimates

LENT = "client"
OUTPUT = 4096
"""Tokens of an answer where the client does not say."""


@dataclass(frozen=True, slots=True)
class Lent:
    """What the client says of a model. `model`: what it calls it. `window`: tokens it reads; `output`: tokens it
    answers; 0 = unsaid."""

    model: str
    window: int = 0
    output: int = 0


class Lender(Protocol):
    """The client, as far as it lends models."""

    async def describe(self, model: str) -> Lent | None:
        """The model of that name, empty = which it likes; None where it has none. Raises ModelError."""
        ...

    def stream(
        self, model: str, messages: Sequence[Message], max_tokens: int
    ) -> AsyncGenerator[Delta, None]:
        """Text, reasoning, and `Finish` at the end. Closing it cancels the request. Raises ModelError."""
        ...


@dataclass(frozen=True, slots=True)
class LentModel:
    """One model of the client. Implements `types.Model`. `model`: what the client calls it."""

    lender: Lender
    info: ModelInfo
    model: str
    patience: Patience

    def stream(self, request: Request) -> AsyncIterator[Delta]:
        """See `types.Model.stream`."""
        return retried(lambda: self._once(request))

    async def _once(self, request: Request) -> AsyncGenerator[Delta, None]:
        messages = request.messages if self.info.system else without_system(request.messages)
        answer = self.lender.stream(self.model, messages, request.max_tokens)
        deltas = watched(answer, self.patience, "the editor's model")
        if tag := self.info.reasoning_tag:
            deltas = parted(deltas, tag, self.info.reasoning_open)
        said: list[str] = []
        async with contextlib.aclosing(deltas) as pieces:
            async for delta in pieces:
                if isinstance(delta, Finish):
                    if not said:
                        raise ModelError("empty", errors.EMPTY, retryable=False)
                    yield await self._used(messages, said)
                elif isinstance(delta, Text | Reasoning):
                    said.append(delta.text)
                yield delta

    async def count(self, texts: Sequence[str]) -> list[int]:
        """See `types.Model.count`: always the estimate."""
        factor = counted(self.info.name).factor
        guessed = await asyncio.to_thread(estimates, texts)
        return [math.ceil(count * factor) for count in guessed]

    async def _used(self, messages: Sequence[Message], said: Sequence[str]) -> Usage:
        """No client tells; the estimate does."""
        *prompt, answer = await self.count([*(one.content for one in messages), "".join(said)])
        info, total = self.info, sum(prompt)
        if info.price_in is None or info.price_out is None:
            return Usage(total, answer)
        return Usage(total, answer, cost=total * info.price_in + answer * info.price_out)


def is_lent(name: str) -> bool:
    """Whether a model of that name is the client's."""
    return name == LENT or name.startswith(f"{LENT}/")


async def lent(lender: Lender | None, settings: Settings) -> LentModel:
    """The model that `settings` name. Raises ModelError with what to do where there is none."""
    name = settings.name
    wanted = name.removeprefix(LENT).removeprefix("/")
    found = await lender.describe(wanted) if lender is not None else None
    if lender is None or found is None:
        raise ModelError("auth", _none(wanted, lender is not None), retryable=False)
    name = f"{LENT}/{found.model}"
    known = Known(LENT, found.window, found.output or OUTPUT, sampling=False)
    info = catalog.lent(name, known, settings)
    patience = Patience(settings.timeout, settings.stall)
    return LentModel(lender, info, found.model, patience)


def _none(wanted: str, lends: bool) -> str:
    if not lends:
        return (
            "pairwright.model.name asks for a model of the editor, and this editor lends none. Set it to another "
            "model (for example anthropic/claude-sonnet-4-5), or empty it for the model on this machine."
        )
    which = f"no model {wanted}" if wanted else "no model"
    return (
        f"The editor has {which}. Sign in to a provider there (in VS Code: GitHub Copilot), or set "
        "pairwright.model.name to another model."
    )
