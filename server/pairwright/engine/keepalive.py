"""A provider's prefix cache is kept from expiring while the user thinks: the last request of a chat again, for one
token. A setting, off by default. Knows no provider; everything leaves through the door.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Protocol

from pairwright.engine.door import Ready
from pairwright.engine.events import Stop
from pairwright.llm.types import Delta, ModelError

log = logging.getLogger(__name__)

EVERY = 295.0
"""Seconds between two pings: caches are kept for 300."""


class Sender(Protocol):
    """The door, as far as a ping needs it."""

    async def again(self, ready: Ready, output: int) -> Ready | Stop: ...

    def send(self, ready: Ready) -> AsyncIterator[Delta]: ...


class KeepAlive:
    """Pings by chat; one writer, the event loop. `most`: pings behind one request, 0 = none; asked each time."""

    def __init__(self, door: Sender, most: Callable[[], int], every: float = EVERY) -> None:
        self._door = door
        self._most = most
        self._every = every
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def answered(self, session: str, ready: Ready) -> None:
        """`ready` was answered: keep what the provider remembers of it."""
        self.stop(session)
        if ready.model.info.cache and self._most() > 0:
            self._tasks[session] = asyncio.ensure_future(self._ping(ready))

    def stop(self, session: str) -> None:
        """Another request goes in `session`, or it ends."""
        task = self._tasks.pop(session, None)
        if task is not None:
            task.cancel()

    def close(self) -> None:
        """No more pings at all."""
        for session in list(self._tasks):
            self.stop(session)

    async def _ping(self, ready: Ready) -> None:
        sent = 0
        while sent < self._most():
            await asyncio.sleep(self._every)
            sent += 1
            again = await self._door.again(ready, 1)
            if isinstance(again, Stop):
                log.info("the prefix cache is not kept any longer: %s", again.message)
                return
            try:
                # The door's stream is a generator; its type says only that it can be iterated.
                async with aclosing(self._door.send(again)) as deltas:  # type: ignore[type-var]
                    async for _ in deltas:
                        pass
            except ModelError as error:
                log.info("the prefix cache is not kept any longer: %s", error.message)
                return
