"""The model process: litellm and the tokenizers live here, so that their import, prints, memory
and crashes do not touch the server. Speaks frames (`llm.wire`) over the pipes it was started with.

Requests: {id, op, ...}. Answers carry the same id and end with one frame of kind `end`, `error` or
`cancelled`. Ops: `warm`, `stream`, `count`, `describe`, `probe`, and `cancel` (of the same id).
The process ends when its stdin closes.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import sys
import traceback
from collections.abc import Callable
from typing import Any

from pairwright.llm import wire
from pairwright.llm.probe import probe
from pairwright.llm.types import ModelError
from pairwright.llm.wire import Frame


class Desk:
    """Takes requests off the wire and runs each as a task. The only writer of `sink`."""

    def __init__(self, sink: int) -> None:
        self._sink = sink
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._client: asyncio.Future[Any] | None = None

    async def serve(self, source: int) -> None:
        """Until the other side closes its end."""
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader()
        await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(source, "rb", buffering=0)
        )
        while (frame := await wire.read(reader)) is not None:
            self._take(frame)

    def _take(self, frame: Frame) -> None:
        number = int(frame["id"])
        if frame["op"] == "cancel":
            task = self._tasks.get(number)
            if task is None:
                self._send(number, kind="cancelled")
            else:
                task.cancel()
            return
        task = asyncio.ensure_future(self._run(frame))
        self._tasks[number] = task
        task.add_done_callback(lambda done: self._ended(done, frame))

    async def _run(self, frame: Frame) -> None:
        number = int(frame["id"])
        match frame["op"]:
            case "warm":
                await self._litellm()
            case "stream":
                client = await self._litellm()
                async for delta in client.stream(frame):
                    self._send(number, **delta)
            case "count":
                counts = await asyncio.to_thread(_count, frame["tokenizer"], frame["texts"])
                self._send(number, kind="value", value=counts)
            case "describe":
                client = await self._litellm()
                self._send(number, kind="value", value=client.describe(frame["model"]))
            case "probe":
                self._send(
                    number, kind="value", value=await probe(frame["bases"], frame["timeout"])
                )

    def _ended(self, task: asyncio.Task[None], frame: Frame) -> None:
        number = int(frame["id"])
        del self._tasks[number]
        if task.cancelled():
            self._send(number, kind="cancelled")
            return
        error = task.exception()
        if error is None:
            self._send(number, kind="end")
            return
        told = self._told(error, frame)
        self._send(
            number,
            kind="error",
            error=told.kind,
            message=told.message,
            retryable=told.retryable,
            retry_after=told.retry_after,
        )

    def _told(self, error: BaseException, frame: Frame) -> ModelError:
        if isinstance(error, ModelError):
            return error
        if frame["op"] == "stream" and self._client is not None and self._client.done():
            failure: Callable[..., ModelError] = self._client.result().failure
            return failure(error, frame)
        traceback.print_exception(error)
        text = f"The model process failed at {frame['op']!r}: {type(error).__name__}: {error}"
        return ModelError("transport", text, retryable=False)

    async def _litellm(self) -> Any:
        """The module that knows litellm, imported once, in a thread: cancel and the end of stdin
        are seen meanwhile."""
        if self._client is None:
            self._client = asyncio.ensure_future(asyncio.to_thread(_load))
        return await asyncio.shield(self._client)

    def _send(self, number: int, **fields: Any) -> None:
        wire.write_blocking(self._sink, {"id": number, **fields})


def _count(tokenizer: str, texts: list[str]) -> list[int]:
    from pairwright.llm.counting import count

    return count(tokenizer, texts)


def _load() -> Any:
    # The import makes millions of objects that stay; looking for garbage among them takes a fifth of its time.
    gc.disable()
    try:
        import pairwright.llm.litellm_client as client

        gc.freeze()
    finally:
        gc.enable()
    return client


def main() -> None:
    """Run until stdin closes, then leave at once, whatever is still going on."""
    source, sink = wire.take_stdio()
    desk = Desk(sink)
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):
        asyncio.run(_until_closed(desk, source))
    sys.stderr.flush()
    os._exit(0)


async def _until_closed(desk: Desk, source: int) -> None:
    await desk.serve(source)
    # asyncio.run would wait for an import or a tokenizer that still runs in a thread.
    os._exit(0)


if __name__ == "__main__":
    main()
