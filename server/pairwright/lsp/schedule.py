"""When and where work runs: the thread pool, cancel tokens, one-running-one-waiting queues,
debounce.

Knows nothing of LSP. A background job that fails is logged with its traceback and never takes the
queue down.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

log = logging.getLogger(__name__)
T = TypeVar("T")


class Cancelled(Exception):
    """Raised inside a pool job by `CancelToken.check`."""


class CancelToken:
    """Told by the loop, asked by a thread."""

    __slots__ = ("_event",)

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        self._event.set()

    @property
    def cancelled(self) -> bool:
        return self._event.is_set()

    def check(self) -> None:
        """Raise Cancelled if the client no longer wants the answer; call it in every long loop."""
        if self._event.is_set():
            raise Cancelled


class Pool:
    """Threads for work on immutable snapshots; created at first use."""

    def __init__(self, workers: int = 4) -> None:
        self._workers = workers
        self._executor: ThreadPoolExecutor | None = None
        self._lock = threading.Lock()

    def run(self, job: Callable[[], T]) -> asyncio.Future[T]:
        """`job` in a thread; the future belongs to the running loop."""
        return asyncio.get_running_loop().run_in_executor(self._threads(), job)

    def submit(self, job: Callable[[], None]) -> None:
        """`job` in a thread some time, its failure logged; called from any thread."""

        def run() -> None:
            try:
                job()
            except Exception:
                log.exception("background work in a thread failed")

        self._threads().submit(run)

    def _threads(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._executor is None:
                self._executor = ThreadPoolExecutor(self._workers, "pairwright")
            return self._executor

    def close(self) -> None:
        """Drop what has not started; what runs is abandoned."""
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)


class OpQueue:
    """Background work by kind: at most one running and one waiting. A later request replaces the
    one that waits, since it sees all that the earlier would have seen."""

    def __init__(self) -> None:
        self._running: dict[str, asyncio.Task[None]] = {}
        self._waiting: dict[str, Callable[[], Awaitable[Any]]] = {}

    def request(self, kind: str, work: Callable[[], Awaitable[Any]]) -> None:
        """Run `work` now, or after the one of its kind that runs."""
        if kind in self._running:
            self._waiting[kind] = work
        else:
            self._start(kind, work)

    def busy(self) -> tuple[str, ...]:
        """Kinds that run, sorted."""
        return tuple(sorted(self._running))

    async def close(self) -> None:
        """Cancel everything and wait for the end of it."""
        self._waiting.clear()
        tasks = [self._running[kind] for kind in sorted(self._running)]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _start(self, kind: str, work: Callable[[], Awaitable[Any]]) -> None:
        task = asyncio.get_running_loop().create_task(self._run(kind, work))
        self._running[kind] = task

    async def _run(self, kind: str, work: Callable[[], Awaitable[Any]]) -> None:
        try:
            await work()
        except Exception:
            log.exception("background work %s failed", kind)
        finally:
            self._running.pop(kind, None)
            if (next_ := self._waiting.pop(kind, None)) is not None:
                self._start(kind, next_)


class Debounce:
    """Calls `action` once things have been quiet for `delay` seconds."""

    def __init__(self, delay: float, action: Callable[[], None]) -> None:
        self._delay = delay
        self._action = action
        self._timer: asyncio.TimerHandle | None = None

    def touch(self) -> None:
        """Something happened: start waiting anew."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(self._delay, self._fire)

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _fire(self) -> None:
        self._timer = None
        try:
            self._action()
        except Exception:
            log.exception("work after a pause failed")


class Ticker:
    """Calls `action` every `period` seconds until stopped."""

    def __init__(self, period: float, action: Callable[[], None]) -> None:
        self._period = period
        self._action = action
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        if self._timer is None:
            self._next()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _next(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self._period, self._fire)

    def _fire(self) -> None:
        try:
            self._action()
        except Exception:
            log.exception("periodic work failed")
        self._next()
