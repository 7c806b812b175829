"""Queues, pauses and tokens."""

from __future__ import annotations

import asyncio

import pytest

from pairwright.lsp.schedule import Cancelled, CancelToken, Debounce, OpQueue, Pool, Ticker


async def test_one_runs_and_the_last_one_asked_for_waits() -> None:
    queue, ran, gate = OpQueue(), [], asyncio.Event()

    def work(name: str):  # type: ignore[no-untyped-def]
        async def run() -> None:
            ran.append(name)
            await gate.wait()

        return run

    for name in ("a", "b", "c"):
        queue.request("scan", work(name))
    queue.request("other", work("x"))
    await asyncio.sleep(0)
    assert ran == ["a", "x"]
    assert queue.busy() == ("other", "scan")
    gate.set()
    await asyncio.sleep(0.01)
    assert ran == ["a", "x", "c"]
    assert queue.busy() == ()


async def test_a_failure_is_logged_and_the_queue_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    queue, done = OpQueue(), asyncio.Event()

    async def fail() -> None:
        raise ValueError("broken")

    async def good() -> None:
        done.set()

    queue.request("k", fail)
    queue.request("k", good)
    await asyncio.wait_for(done.wait(), 1)
    assert "broken" in caplog.text


async def test_closing_cancels_what_runs_and_drops_what_waits() -> None:
    queue, ended = OpQueue(), []

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("cancelled")

    async def never() -> None:
        ended.append("ran")

    queue.request("k", work)
    queue.request("k", never)
    await asyncio.sleep(0)
    await asyncio.wait_for(queue.close(), 1)
    assert ended == ["cancelled"]


async def test_debounce_fires_once_after_the_last_touch() -> None:
    fired = []
    pause = Debounce(0.03, lambda: fired.append(1))
    for _ in range(5):
        pause.touch()
        await asyncio.sleep(0.005)
    assert fired == []
    await asyncio.sleep(0.06)
    assert fired == [1]
    pause.touch()
    pause.cancel()
    await asyncio.sleep(0.06)
    assert fired == [1]


async def test_a_ticker_survives_a_failure_and_stops(caplog: pytest.LogCaptureFixture) -> None:
    ticks = []

    def tick() -> None:
        ticks.append(1)
        raise ValueError("tick")

    ticker = Ticker(0.005, tick)
    ticker.start()
    ticker.start()
    await asyncio.sleep(0.05)
    ticker.stop()
    count = len(ticks)
    assert count >= 2
    await asyncio.sleep(0.03)
    assert len(ticks) == count


def test_a_token_says_stop() -> None:
    token = CancelToken()
    token.check()
    token.cancel()
    with pytest.raises(Cancelled):
        token.check()


async def test_the_pool_logs_background_failures(caplog: pytest.LogCaptureFixture) -> None:
    pool = Pool(1)

    def fail() -> None:
        raise ValueError("in a thread")

    pool.submit(fail)
    assert await pool.run(lambda: 1) == 1
    pool.close()
    assert "in a thread" in caplog.text
