"""A model behind the model process: requests out, deltas back, errors without keys, retries.

Used for every model, the embedded one too: that is a server like any other once it runs.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from pairwright.llm.catalog import counted
from pairwright.llm.errors import scrub
from pairwright.llm.process import Child
from pairwright.llm.retry import retried
from pairwright.llm.types import (
    Delta,
    Finish,
    ModelError,
    ModelInfo,
    Reading,
    Reasoning,
    Request,
    Text,
    Usage,
)
from pairwright.llm.wire import Frame
from pairwright.text.estimate import estimates


@dataclass(frozen=True, slots=True)
class Target:
    """Where a request goes. `model`: litellm's `provider/model`. `key`: empty = the one in the
    environment. `timeout`: seconds without a byte. `extra`: keyword parameters of the user's;
    `body`: fields added to the request's JSON."""

    model: str
    api_base: str = ""
    key: str = ""
    timeout: float = 600.0
    extra: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RemoteModel:
    """One model over HTTP. Implements `types.Model`. `secrets`: values that no message may hold."""

    child: Child
    info: ModelInfo
    target: Target
    secrets: tuple[str, ...] = ()

    def stream(self, request: Request) -> AsyncIterator[Delta]:
        """See `types.Model.stream`."""
        return retried(lambda: send(self.child, self.target, self.info, request, self.secrets))

    async def count(self, texts: Sequence[str]) -> list[int]:
        """See `types.Model.count`: exact by the model process for tokenizers it has, else the
        estimate, stretched by what is known of the family."""
        row = counted(self.info.name)
        if row.tokenizer:
            with contextlib.suppress(ModelError):
                return list(
                    await self.child.call("count", tokenizer=row.tokenizer, texts=list(texts))
                )
        guessed = await asyncio.to_thread(estimates, texts)
        return [math.ceil(count * row.factor) for count in guessed]


async def send(
    child: Child, target: Target, info: ModelInfo, request: Request, secrets: Sequence[str]
) -> AsyncGenerator[Delta, None]:
    """One try of one request. Closing it closes the HTTP stream at once. Raises ModelError."""
    ask = {
        "model": target.model,
        "api_base": target.api_base,
        "api_key": target.key,
        "timeout": target.timeout,
        "window": info.window,
        "messages": [asdict(message) for message in request.messages],
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "grammar": request.grammar,
        "stop": list(request.stop),
        "extra": {**target.extra, **request.extra},
        "body": dict(target.body),
    }
    try:
        async with contextlib.aclosing(child.stream("stream", **ask)) as frames:
            async for frame in frames:
                yield _delta(frame, info)
    except ModelError as error:
        raise ModelError(
            error.kind,
            scrub(error.message, (*secrets, target.key)),
            retryable=error.retryable,
            retry_after=error.retry_after,
        ) from None


def _delta(frame: Frame, info: ModelInfo) -> Delta:
    match frame["kind"]:
        case "text":
            return Text(frame["text"])
        case "reasoning":
            return Reasoning(frame["text"])
        case "reading":
            return Reading(frame["done"], frame["total"])
        case "usage":
            cost = 0.0 if info.local else frame["cost"] if info.price_in is not None else None
            return Usage(frame["prompt"], frame["completion"], frame["cached"], cost)
        case _:
            return Finish(frame["reason"])
