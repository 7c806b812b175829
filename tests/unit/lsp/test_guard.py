"""Every request is answered exactly once, whatever its handler does."""

from __future__ import annotations

import asyncio
import logging
import threading
from dataclasses import dataclass, field
from typing import Any

import pytest

from pairwright.llm.types import ModelError
from pairwright.lsp.errors import InvalidParams, Refused, UnknownCommand
from pairwright.lsp.guard import Call, Guard, Job, Route, answer_now
from pairwright.lsp.schedule import CancelToken, Pool

CANCELLED, MODIFIED, FAILED = -32800, -32801, -32803


@dataclass
class Letters:
    """The answers as a client would get them."""

    found: list[tuple[Any, Any]] = field(default_factory=list)
    broken: bool = False

    def send_result(self, msg_id: Any, result: object) -> None:
        if self.broken:
            raise TypeError("cannot be sent")
        self.found.append((msg_id, result))

    def send_error(self, msg_id: Any, code: int, message: str) -> None:
        self.found.append((msg_id, int(code)))


@dataclass
class Shown:
    """What a session showed."""

    texts: list[str] = field(default_factory=list)

    def show(self, kind: str, text: str) -> None:
        self.texts.append(text)


async def settled(letters: Letters, count: int = 1) -> None:
    for _ in range(200):
        if len(letters.found) >= count:
            break
        await asyncio.sleep(0.005)
    await asyncio.sleep(0.02)


async def check(route: Route, expected: Any) -> None:
    letters, pool = Letters(), Pool(2)
    guard = Guard(letters, pool)
    guard.request(route, _call(7), lambda: {"x": 1})
    await settled(letters)
    assert letters.found == [(7, expected)]
    guard.cancel(7)
    assert letters.found == [(7, expected)]
    pool.close()


def _call(msg_id: int | None) -> Call:
    return Call(None, msg_id)  # type: ignore[arg-type]


async def _async(value: Any) -> Any:
    await asyncio.sleep(0)
    if isinstance(value, BaseException):
        raise value
    return value


def _raise(error: BaseException) -> Any:
    raise error


async def test_results() -> None:
    await check(Route("loop", lambda call, params: params["x"]), 1)
    await check(Route("task", lambda call, params: _async(2)), 2)
    await check(Route("pool", lambda call, params: Job(lambda token: 3)), 3)
    await check(Route("pool", lambda call, params: None), None)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InvalidParams("x"), -32602),
        (UnknownCommand("x"), -32602),
        (Refused("x"), FAILED),
        (ModelError("auth", "no key", retryable=False), FAILED),
        (asyncio.CancelledError(), CANCELLED),
        (ZeroDivisionError("x"), -32603),
    ],
)
async def test_errors(error: BaseException, code: int) -> None:
    await check(Route("task", lambda call, params: _async(error)), code)
    if isinstance(error, Exception):
        await check(Route("loop", lambda call, params: _raise(error)), code)
        await check(Route("pool", lambda call, params: Job(lambda token: _raise(error))), code)


async def test_a_fault_of_ours_is_logged_with_its_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    await check(Route("loop", lambda call, params: _raise(KeyError("inside"))), -32603)
    assert any(record.exc_info for record in caplog.records)
    assert "Traceback" in caplog.text


async def test_an_answer_that_cannot_be_sent_becomes_an_error() -> None:
    letters = Letters(broken=True)
    Guard(letters, Pool()).request(Route("loop", lambda call, params: 1), _call(1), dict)
    assert letters.found == [(1, -32603)]


async def test_bad_parameters_never_reach_the_handler() -> None:
    letters, called = Letters(), []
    route = Route("loop", lambda call, params: called.append(params))
    Guard(letters, Pool()).request(route, _call(1), lambda: _raise(InvalidParams("no position")))
    assert letters.found == [(1, -32602)]
    assert called == []


async def test_cancel_answers_a_task_at_once_and_stops_it() -> None:
    letters, stopped = Letters(), asyncio.Event()

    async def slow(call: Call, params: Any) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            stopped.set()

    guard = Guard(letters, Pool())
    guard.request(Route("task", slow), _call(1), dict)
    await asyncio.sleep(0)
    guard.cancel(1)
    assert letters.found == [(1, CANCELLED)]
    await asyncio.wait_for(stopped.wait(), 1)
    await settled(letters, 2)
    assert letters.found == [(1, CANCELLED)]


async def test_cancel_answers_a_job_at_once_and_tells_its_thread() -> None:
    letters, started, seen = Letters(), threading.Event(), threading.Event()

    def slow(token: CancelToken) -> str:
        started.set()
        while not token.cancelled:
            pass
        seen.set()
        token.check()
        return "too late"

    pool = Pool(1)
    guard = Guard(letters, pool)
    guard.request(Route("pool", lambda call, params: Job(slow)), _call(1), dict)
    await asyncio.to_thread(started.wait, 2)
    guard.cancel(1)
    assert letters.found == [(1, CANCELLED)]
    assert await asyncio.to_thread(seen.wait, 2)
    await settled(letters, 2)
    assert letters.found == [(1, CANCELLED)]
    pool.close()


async def test_a_job_that_ignores_the_token_is_still_answered_once() -> None:
    letters, go = Letters(), threading.Event()
    pool = Pool(1)
    guard = Guard(letters, pool)
    route = Route("pool", lambda call, params: Job(lambda token: go.wait(2)))
    guard.request(route, _call(1), dict)
    guard.cancel(1)
    go.set()
    await settled(letters, 2)
    assert letters.found == [(1, CANCELLED)]
    pool.close()


async def test_positions_of_a_text_that_moved_are_not_sent() -> None:
    await check(Route("pool", lambda call, params: Job(lambda token: 1, lambda: False)), MODIFIED)


async def test_a_task_answers_early_and_what_fails_then_is_shown() -> None:
    letters, shown, go = Letters(), Shown(), asyncio.Event()
    early: list[bool] = []

    async def work(call: Call, params: Any) -> None:
        early.extend([answer_now(), answer_now()])
        await go.wait()
        raise Refused("nothing to undo")

    guard = Guard(letters, Pool())
    guard.request(Route("task", work), Call(shown, 1), dict)  # type: ignore[arg-type]
    await settled(letters)
    assert letters.found == [(1, None)]
    go.set()
    await settled(letters, 2)
    assert letters.found == [(1, None)]
    assert early == [True, False]
    assert shown.texts == ["Pairwright: nothing to undo"]
    assert not answer_now(), "nothing is asked for here"


async def test_shutdown_answers_everything() -> None:
    letters = Letters()
    guard = Guard(letters, Pool())
    for number in range(3):
        guard.request(Route("task", lambda call, params: asyncio.sleep(60)), _call(number), dict)
    guard.cancel_all()
    await settled(letters, 4)
    assert sorted(letters.found) == [(0, CANCELLED), (1, CANCELLED), (2, CANCELLED)]


async def test_a_failing_notification_is_logged_and_answers_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    letters = Letters()
    guard = Guard(letters, Pool())
    with caplog.at_level(logging.ERROR):
        guard.notification(
            Route("loop", lambda call, params: _raise(ValueError("x"))), _call(None), dict
        )
        guard.notification(
            Route("task", lambda call, params: _async(ValueError("y"))), _call(None), dict
        )
        await asyncio.sleep(0.05)
    assert letters.found == []
    assert len([record for record in caplog.records if record.exc_info]) == 2
