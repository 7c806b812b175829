"""Runs a route and answers its request exactly once, whatever happens inside.

A failure of ours stops here: it is logged with its traceback and answered in words a user can act
on. A notification that fails is logged; the client shows no pop-up for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from lsprotocol.types import ErrorCodes, LSPErrorCodes

from pairwright.lsp.errors import InvalidParams, Refused, UnknownCommand
from pairwright.lsp.protocol import MsgId
from pairwright.lsp.schedule import Cancelled, CancelToken, Pool

if TYPE_CHECKING:
    from pairwright.lsp.session import Session

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Job:
    """The second half of a `pool` route: `run` gets a token and works in a thread on values it
    captured. `fresh`, asked on the loop when it is done: False answers ContentModified, since the
    positions no longer fit."""

    run: Callable[[CancelToken], Any]
    fresh: Callable[[], bool] = lambda: True


@dataclass(frozen=True, slots=True)
class Call:
    """What a handler knows of its call besides the parameters. `work_token`: the client's token for
    work-done progress, None if it gave none."""

    session: Session
    id: MsgId | None = None
    work_token: MsgId | None = None


@dataclass(frozen=True, slots=True)
class Route:
    """How a method or command runs.

    `loop`: `run(call, params)` answers at once, within a frame. `task`: `async run(call, params)`
    on the loop. `pool`: `run(call, params)` converts and takes its snapshot on the loop, then
    returns a `Job` (or None for the answer null).
    """

    how: Literal["loop", "task", "pool"]
    run: Callable[[Call, Any], Any]


class Outbox(Protocol):
    """Where answers go."""

    def send_result(self, msg_id: MsgId, result: object) -> None: ...

    def send_error(self, msg_id: MsgId | None, code: int, message: str) -> None: ...


class Guard:
    """The running requests of one connection."""

    def __init__(self, outbox: Outbox, pool: Pool) -> None:
        self._outbox = outbox
        self._pool = pool
        self._cancel: dict[MsgId, Callable[[], None]] = {}
        # The loop keeps only weak references to its tasks.
        self._tasks: set[asyncio.Future[Any]] = set()

    def request(self, route: Route, call: Call, params: Callable[[], Any]) -> None:
        """Run `route` for the request `call.id`; `params` structures them and may raise."""
        reply = _Reply(self._outbox, call)
        try:
            answer = route.run(call, params())
            if route.how == "task":
                self._follow_task(reply, answer)
            elif route.how == "pool" and answer is not None:
                self._follow_job(reply, answer)
            else:
                reply.result(answer)
        except Exception as error:
            reply.failed(error)

    def notification(self, route: Route, call: Call, params: Callable[[], Any]) -> None:
        """Run `route`, which is `loop` or `task`."""
        try:
            answer = route.run(call, params())
            if route.how == "task":
                self.spawn(answer)
        except InvalidParams as error:
            log.warning("notification ignored: %s", error)
        except Exception:
            log.exception("a notification failed")

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run `work` on the loop; a failure is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._spawned)
        return task

    def cancel(self, msg_id: MsgId) -> None:
        """The client gave up `msg_id`: answer RequestCancelled at once and stop the work."""
        if (stop := self._cancel.pop(msg_id, None)) is not None:
            stop()

    def cancel_all(self) -> None:
        """Answer everything that still runs; used at shutdown, which must not wait for a model."""
        for msg_id in list(self._cancel):
            self.cancel(msg_id)
        for task in list(self._tasks):
            task.cancel()

    def _follow_task(self, reply: _Reply, work: Coroutine[Any, Any, Any]) -> None:
        context = copy_context()
        context.run(_ANSWERING.set, reply)
        task = asyncio.get_running_loop().create_task(work, context=context)

        def stop() -> None:
            reply.cancelled()
            task.cancel()

        self._follow(reply, task, stop, lambda: True)

    def _follow_job(self, reply: _Reply, job: Job) -> None:
        token = CancelToken()
        future = self._pool.run(lambda: job.run(token))

        def stop() -> None:
            token.cancel()
            reply.cancelled()

        self._follow(reply, future, stop, job.fresh)

    def _follow(
        self,
        reply: _Reply,
        future: asyncio.Future[Any],
        stop: Callable[[], None],
        fresh: Callable[[], bool],
    ) -> None:
        self._tasks.add(future)
        if reply.id is not None:
            self._cancel[reply.id] = stop

        def done(settled: asyncio.Future[Any]) -> None:
            self._tasks.discard(settled)
            if reply.id is not None and self._cancel.get(reply.id) is stop:
                del self._cancel[reply.id]
            _settle(reply, settled, fresh)

        future.add_done_callback(done)

    def _spawned(self, task: asyncio.Future[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a task failed", exc_info=error)


def _settle(reply: _Reply, future: asyncio.Future[Any], fresh: Callable[[], bool]) -> None:
    if future.cancelled():
        reply.cancelled()
        return
    error = future.exception()
    if error is not None:
        reply.failed(error)
    elif fresh():
        reply.result(future.result())
    else:
        reply.error(LSPErrorCodes.ContentModified, "The document changed meanwhile.")


class _Reply:
    """The one answer of one request; whatever comes second is dropped."""

    def __init__(self, outbox: Outbox, call: Call) -> None:
        self._outbox = outbox
        self._open = True
        self._is_early = False
        self._session = call.session
        self.id = call.id

    def early(self) -> bool:
        """Answer before the work is done; False when it has been answered."""
        if not self._open or self.id is None:
            return False
        self._is_early = True
        self.result(None)
        return True

    def result(self, value: object) -> None:
        if not self._open or self.id is None:
            return
        try:
            self._outbox.send_result(self.id, value)
        except Exception as error:
            self.failed(error)
        else:
            self._open = False

    def error(self, code: int, message: str) -> None:
        if self._open and self.id is not None:
            self._open = False
            self._outbox.send_error(self.id, code, message)
        elif self._is_early and code != LSPErrorCodes.RequestCancelled:
            self._session.show("error", f"Pairwright: {message}")

    def cancelled(self) -> None:
        self.error(LSPErrorCodes.RequestCancelled, "The request was cancelled.")

    def failed(self, error: BaseException) -> None:
        if isinstance(error, (Cancelled, asyncio.CancelledError)):
            self.cancelled()
        elif isinstance(error, (InvalidParams, UnknownCommand)):
            self.error(ErrorCodes.InvalidParams, str(error))
        elif isinstance(error, Refused) or _is_model_error(error):
            self.error(LSPErrorCodes.RequestFailed, str(error))
        else:
            log.error("request %r failed", self.id, exc_info=error)
            words = f"{type(error).__name__} inside Pairwright; the log has the details."
            self.error(ErrorCodes.InternalError, words)


_ANSWERING: ContextVar[_Reply | None] = ContextVar("answering", default=None)


def answer_now() -> bool:
    """Answer null to the request that this work is for; False where there is none or it has its answer.

    For what goes on only once the client has it; a failure of the rest is shown as a message."""
    reply = _ANSWERING.get()
    return reply is not None and reply.early()


def _is_model_error(error: BaseException) -> bool:
    from pairwright.llm.types import ModelError

    return isinstance(error, ModelError)
