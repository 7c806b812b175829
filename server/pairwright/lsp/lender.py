"""Models that the client lends: `pairwright/model/describe`, `pairwright/model/stream`, `pairwright/model/delta`.

Implements `llm.lent.Lender`. An answer is a request to the client that ends when the answer does; its text comes
before that by notifications, which carry the id of the stream.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from pairwright.llm import errors
from pairwright.llm.errors import Facts
from pairwright.llm.lent import Lent
from pairwright.llm.types import Delta, ErrorKind, Finish, Message, ModelError, Reasoning, Text
from pairwright.lsp.errors import RequestFailed

if TYPE_CHECKING:
    from pairwright.lsp.session import Session

DESCRIBE = "pairwright/model/describe"
STREAM = "pairwright/model/stream"
DELTA = "pairwright/model/delta"
PATIENCE = 300.0
"""Seconds for a description: the client may be asking the user to sign in."""

_KINDS = ("auth", "rate", "context", "transport", "refused")


class ClientLender:
    """The streams under way, by their ids. Changed on the loop only."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._heard: dict[str, asyncio.Queue[Delta | None]] = {}

    async def describe(self, model: str) -> Lent | None:
        """See `llm.lent.Lender.describe`."""
        try:
            answer = await self._session.request(DESCRIBE, {"model": model}, PATIENCE)
        except RequestFailed as error:
            raise _failed(str(error)) from None
        found = _fields(answer)
        name = found.get("model")
        if not isinstance(name, str) or not name:
            return None
        return Lent(name, _tokens(found.get("window")), _tokens(found.get("output")))

    async def stream(
        self, model: str, messages: Sequence[Message], max_tokens: int
    ) -> AsyncGenerator[Delta, None]:
        """See `llm.lent.Lender.stream`."""
        ident = uuid.uuid4().hex
        heard: asyncio.Queue[Delta | None] = asyncio.Queue()
        self._heard[ident] = heard
        said = [{"role": one.role, "content": one.content} for one in messages]
        params = {"id": ident, "model": model, "messages": said, "maxTokens": max_tokens}
        asking = asyncio.create_task(self._session.request(STREAM, params))
        # Its answer comes behind the last delta, on one connection.
        asking.add_done_callback(lambda _: heard.put_nowait(None))
        try:
            while (delta := await heard.get()) is not None:
                yield delta
            yield _end(asking)
        finally:
            del self._heard[ident]
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)

    def take(self, params: object) -> None:
        """A piece of an answer; one of a stream that was given up is no event."""
        found = _fields(params)
        heard = self._heard.get(str(found.get("id")))
        text = found.get("text")
        if heard is not None and isinstance(text, str) and text:
            kind = Reasoning if found.get("kind") == "reasoning" else Text
            heard.put_nowait(kind(text))


def _end(asking: asyncio.Task[Any]) -> Finish:
    """How the answer ended. Raises ModelError."""
    try:
        answer = _fields(asking.result())
    except RequestFailed as error:
        raise _failed(str(error)) from None
    except asyncio.CancelledError:
        raise _failed("the request was cancelled") from None
    if answer.get("error") is not None:
        found = _fields(answer["error"])
        raise _failed(str(found.get("message") or "no reason given"), str(found.get("kind")))
    return Finish("length" if answer.get("finish") == "length" else "stop")


def _failed(said: str, kind: str = "") -> ModelError:
    """What the client says of a failure. Never tried again: the client has done what can be done."""
    if kind in _KINDS:
        text = f"The editor's model: {errors.scrub(said)}"
        return ModelError(cast(ErrorKind, kind), text, retryable=False)
    facts = Facts(frozenset(), (errors.scrub(said),))
    found = errors.classify(facts, model="the editor's model", api_base="", timeout=0)
    return ModelError(found.kind, found.message, retryable=False)


def _fields(value: object) -> Mapping[str, Any]:
    """A JSON object; empty for anything else."""
    return value if isinstance(value, Mapping) else {}


def _tokens(value: object) -> int:
    is_count = isinstance(value, int) and not isinstance(value, bool)
    return max(0, cast(int, value)) if is_count else 0
