"""A model behind the model process: requests out, deltas back, errors without keys, retries.

Used for every model, the embedded one too: that is a server like any other once it runs.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import math
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from pairwright.llm.catalog import counted
from pairwright.llm.errors import scrub
from pairwright.llm.process import Child
from pairwright.llm.reasoning import parted
from pairwright.llm.retry import retried
from pairwright.llm.stall import Patience, watched
from pairwright.llm.types import (
    Delta,
    Finish,
    Message,
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
    environment. `timeout`: seconds until the first token. `stall`: seconds between two. `extra`: keyword
    parameters of the user's; `body`: fields added to the request's JSON."""

    model: str
    api_base: str = ""
    key: str = ""
    timeout: float = 600.0
    stall: float = 120.0
    extra: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RemoteModel:
    """One model over HTTP. Implements `types.Model`. `secrets`: values that no message may hold. `refused`:
    called when the key was not accepted. `unsent`: why no key was sent, which such a failure says instead."""

    child: Child
    info: ModelInfo
    target: Target
    secrets: tuple[str, ...] = ()
    refused: Callable[[], None] | None = None
    unsent: str = ""

    def stream(self, request: Request) -> AsyncIterator[Delta]:
        """See `types.Model.stream`."""
        return retried(lambda: self._once(request))

    async def _once(self, request: Request) -> AsyncGenerator[Delta, None]:
        try:
            sending = send(self.child, self.target, self.info, request, self.secrets)
            async with contextlib.aclosing(sending) as deltas:
                async for delta in deltas:
                    yield delta
        except ModelError as error:
            if error.kind == "auth" and self.refused is not None:
                self.refused()
            if error.kind == "auth" and self.unsent:
                raise ModelError("auth", self.unsent, retryable=False) from None
            raise

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
    where = target.api_base or f"the provider of {info.name}"
    # The process may have to be started, which takes seconds: no model is waited for meanwhile.
    await child.call("warm")
    stream = watched(
        _received(child, _asked(target, info, request), (*secrets, target.key)),
        Patience(target.timeout, target.stall),
        where if info.name != "embedded" else "the embedded model",
    )
    if info.reasoning_tag:
        stream = parted(stream, info.reasoning_tag, info.reasoning_open)
    async with contextlib.aclosing(stream) as deltas:
        async for delta in deltas:
            yield delta


def _asked(target: Target, info: ModelInfo, request: Request) -> Frame:
    """The request as the model process takes it."""
    messages = request.messages if info.system else without_system(request.messages)
    body = dict(target.body)
    if info.session_key and request.session:
        digest = hashlib.sha256(request.session.encode()).hexdigest()
        body["prompt_cache_key"] = f"pairwright-{digest[:24]}"
    temperature = info.temperature if request.temperature is None else request.temperature
    return {
        "model": target.model,
        "api_base": target.api_base,
        "api_key": target.key,
        "timeout": target.timeout,
        "window": info.window,
        "prices": (info.price_in, info.price_out),
        "streaming": info.streaming,
        "cache": info.cache,
        "messages": [asdict(message) for message in messages],
        "max_tokens": request.max_tokens,
        "temperature": temperature,
        "grammar": request.grammar,
        "stop": list(request.stop),
        "extra": {**target.extra, **request.extra},
        "body": body,
    }


def without_system(messages: Sequence[Message]) -> tuple[Message, ...]:
    """`messages` with the system message at the head of the first user message, for models that take none."""
    if len(messages) < 2 or messages[0].role != "system" or messages[1].role != "user":
        return tuple(messages)
    system, first = messages[:2]
    lead = f"{system.content}\n\n"
    ends = (*system.marks, *((len(system.content),) if system.cache else ()))
    marks = (*ends, *(len(lead) + mark for mark in first.marks))
    return (replace(first, content=lead + first.content, marks=marks), *messages[2:])


async def _received(
    child: Child, ask: Frame, secrets: Sequence[str]
) -> AsyncGenerator[Delta, None]:
    try:
        async with contextlib.aclosing(child.stream("stream", **ask)) as frames:
            async for frame in frames:
                yield _delta(frame)
    except ModelError as error:
        raise ModelError(
            error.kind,
            scrub(error.message, secrets),
            retryable=error.retryable,
            retry_after=error.retry_after,
        ) from None


def _delta(frame: Frame) -> Delta:
    match frame["kind"]:
        case "text":
            return Text(frame["text"])
        case "reasoning":
            return Reasoning(frame["text"])
        case "reading":
            return Reading(frame["done"], frame["total"])
        case "usage":
            return Usage(frame["prompt"], frame["completion"], frame["cached"], frame["cost"])
        case _:
            return Finish(frame["reason"])
