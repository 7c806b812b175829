"""The embedded model, seen from the server: a process of our own, loaded on demand, stopped when
idle.

It is reached like any server of one's own, through the model process as `openai/embedded`; only
loading, counting and stopping go over its pipes.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pairwright.llm.process import Child
from pairwright.llm.remote import Target, send
from pairwright.llm.retry import retried
from pairwright.llm.types import Delta, Loading, ModelError, ModelInfo, Request
from pairwright.text.estimate import estimates


@dataclass(frozen=True, slots=True)
class Load:
    """What is loaded and how. `threads`: 0 = one a core. `idle_stop`: seconds without a request."""

    path: Path
    window: int
    threads: int = 0
    idle_stop: float = 900.0


@dataclass(frozen=True, slots=True)
class Address:
    """Where the loaded model answers. `base` ends in /v1. `control`: ids of tokens that a grammar
    would let through unseen."""

    pid: int
    base: str
    key: str
    control: tuple[int, ...]


class Engine:
    """The process that runs one GGUF file. `use` keeps it from being stopped."""

    def __init__(self, load: Load, env: Mapping[str, str], log: Path | None = None) -> None:
        self.load = load
        self._child = Child(
            "pairwright.llm.engine_child", {**env, "OMP_WAIT_POLICY": "PASSIVE"}, log
        )
        self._loading = asyncio.Lock()
        self._ready: Address | None = None
        self._users = 0
        self._idle: asyncio.TimerHandle | None = None
        self._stopping: asyncio.Task[None] | None = None
        self._retired = False

    @property
    def running(self) -> bool:
        """Loaded and alive."""
        return self._ready is not None and self._ready.pid == self._child.pid

    @property
    def pid(self) -> int | None:
        """The process; None when there is none."""
        return self._child.pid

    @contextlib.contextmanager
    def use(self) -> Iterator[None]:
        """While open, the engine is not idle."""
        self._users += 1
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        try:
            yield
        finally:
            self._users -= 1
            if not self._users:
                self._rest()

    async def address(self) -> Address:
        """Where the loaded model answers; loads it first. Raises ModelError."""
        async with self._loading:
            if self.running and self._ready is not None:
                return self._ready
            key = secrets.token_urlsafe(24)
            value = await self._child.call(
                "start",
                path=str(self.load.path),
                window=self.load.window,
                threads=self.load.threads,
                key=key,
            )
            pid = self._child.pid
            if pid is None:
                text = "The local model's process ended while it loaded. Ask again."
                raise ModelError("transport", text, retryable=True)
            control = tuple(value["control"])
            self._ready = Address(pid, f"{value['base']}/v1", key, control)
            return self._ready

    async def count(self, texts: Sequence[str]) -> list[int]:
        """Exact token counts; loads the model first. Raises ModelError."""
        with self.use():
            await self.address()
            counts: list[int] = await self._child.call("count", texts=list(texts))
            return counts

    def retire(self) -> None:
        """Another engine takes over: stop as soon as nobody uses this one."""
        self._retired = True
        if not self._users:
            self._rest()

    async def close(self) -> None:
        """Stop the process."""
        if self._idle is not None:
            self._idle.cancel()
        self._ready = None
        await self._child.close()

    def _rest(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        seconds = 0.0 if self._retired else self.load.idle_stop
        self._idle = asyncio.get_running_loop().call_later(seconds, self._stop_idle)

    def _stop_idle(self) -> None:
        if not self._users:
            self._stopping = asyncio.ensure_future(self.close())


@dataclass(frozen=True, slots=True)
class EmbeddedModel:
    """The embedded model. Implements `types.Model`. `child`: the model process its requests go
    through."""

    child: Child
    engine: Engine
    info: ModelInfo
    target: Target

    def stream(self, request: Request) -> AsyncIterator[Delta]:
        """See `types.Model.stream`. `Loading` comes first when the model has to be loaded;
        `Reading` is the engine's own count of prompt tokens, 64 at a time."""
        return retried(lambda: self._once(request))

    async def count(self, texts: Sequence[str]) -> list[int]:
        """See `types.Model.count`: exact, loading the model if need be; estimated if it cannot
        be."""
        try:
            return await self.engine.count(texts)
        except ModelError:
            return estimates(texts)

    async def _once(self, request: Request) -> AsyncGenerator[Delta, None]:
        with self.engine.use():
            if not self.engine.running:
                yield Loading(self.info.name)
            # Side by side: each takes seconds the first time.
            at, _ = await asyncio.gather(self.engine.address(), self.child.call("warm"))
            body: dict[str, Any] = {"return_progress": True, "cache_prompt": True}
            if request.grammar is not None:
                body["logit_bias"] = [[token, False] for token in at.control]
            target = replace(self.target, api_base=at.base, key=at.key, body=body)
            sending = send(self.child, target, self.info, request, ())
            async with contextlib.aclosing(sending) as deltas:
                async for delta in deltas:
                    yield delta
