"""Limits in money and tokens: never exceeded, said with their numbers, kept across turns and servers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.engine.test_door import FILES, parcel

from pairwright.config.schema import Budget
from pairwright.engine.door import Door, Ready
from pairwright.engine.events import Stop
from pairwright.engine.spend import LEAST_ANSWER, Reserved, Spending, Wanted, settled, within
from pairwright.llm.types import Delta, Finish, ModelError, ModelInfo, Request, Text, Usage
from pairwright.memory.ledger import Ledger, Spent, Total
from pairwright.prompts.build import Chunks
from pairwright.text.estimate import estimate

PRICED = ModelInfo("m", window=200_000, max_output=8_000, price_in=1e-5, price_out=1e-4)
UNPRICED = ModelInfo("u", window=200_000, max_output=8_000)
LOCAL = replace(PRICED, price_in=0.0, price_out=0.0, local=True)
NOON = datetime(2026, 11, 30, 12).timestamp()


def check(limits: Budget, spent: Spent, wanted: Wanted, *said: str) -> int:
    """The tokens of the answer that are paid for; -1 with a refusal that holds all of `said`."""
    found = within(limits, spent, wanted)
    if isinstance(found, Wanted):
        assert not said and (found.info, found.prompt) == (wanted.info, wanted.prompt)
        return found.output
    assert said and all(word in found for word in said), found
    return -1


def spent(session: float = 0.0, day: float = 0.0, tokens: int = 0) -> Spent:
    return Spent(Total(session, tokens, tokens), Total(day, tokens, tokens))


def test_a_limit_in_money_names_its_numbers_its_setting_and_its_end() -> None:
    wanted = Wanted(PRICED, 100_000, 8_000)
    assert check(Budget(), spent(), wanted) == 8_000
    told = (
        "about $1.41",
        "$4.50 of this session's $5.00",
        "another session",
        "budget.session_cost",
    )
    check(Budget(), spent(4.5, 4.5), wanted, *told)
    check(
        Budget(), spent(0, 19.5), wanted, "$19.50 of today's $20.00", "midnight", "budget.day_cost"
    )
    check(Budget(request_cost=1.0), spent(), wanted, "$1.00 is the most", "budget.request_cost")


def test_near_a_limit_the_answer_is_made_shorter_before_anything_is_refused() -> None:
    wanted = Wanted(PRICED, 100_000, 8_000)
    assert check(Budget(), spent(3.5), wanted) == 5_000
    assert check(Budget(), spent(3.5, 18.75), wanted) == 2_500
    assert check(Budget(), spent(5 - 1 - LEAST_ANSWER * 1e-4 - 1e-9), wanted) == LEAST_ANSWER
    check(Budget(), spent(5 - 1 - (LEAST_ANSWER - 1) * 1e-4), wanted, "session_cost")
    assert check(Budget(), spent(3.99), Wanted(PRICED, 100_000, 50)) == 50, "no longer was wanted"


def test_without_a_price_tokens_are_limited() -> None:
    wanted = Wanted(UNPRICED, 100_000, 8_000)
    assert check(Budget(), spent(100, 100, 1_000_000), wanted) == 8_000
    assert check(Budget(), spent(tokens=1_898_000), wanted) == 2_000
    told = (
        "100,000 tokens to read",
        "1,950,000 of this session's 2,000,000 tokens",
        "session_tokens",
    )
    check(Budget(), spent(tokens=1_950_000), wanted, *told)
    check(Budget(session_tokens=0), spent(tokens=9_950_000), wanted, "of today's 10,000,000 tokens")


def test_tokens_of_priced_requests_count_where_that_is_asked_for() -> None:
    wanted = Wanted(PRICED, 1_000, 8_000)
    assert check(Budget(), spent(tokens=10**9), wanted) == 8_000
    check(Budget(count_tokens="all"), spent(tokens=10**9), wanted, "session_tokens")


def test_zero_is_no_limit_and_local_models_have_none() -> None:
    free = Budget(session_cost=0, day_cost=0, session_tokens=0, day_tokens=0)
    for info in (PRICED, UNPRICED):
        assert check(free, spent(10**6, 10**6, 10**12), Wanted(info, 100_000, 8_000)) == 8_000
    tight = Budget(session_tokens=1, day_tokens=1, session_cost=0.01, count_tokens="all")
    assert check(tight, spent(tokens=10**9), Wanted(LOCAL, 100_000, 8_000)) == 8_000


def test_a_server_on_this_machine_that_has_a_price_is_limited_by_it() -> None:
    """A proxy of the company's that listens on loopback, with prices from `model.overrides`."""
    check(Budget(), spent(4.5), Wanted(replace(PRICED, local=True), 100_000, 8_000), "session_cost")


money = st.floats(0, 30, allow_nan=False)


@given(money, money, st.integers(0, 400_000), st.integers(1, 64_000))
def test_no_answer_however_long_exceeds_a_limit(
    session: float, day: float, prompt: int, output: int
) -> None:
    found = within(Budget(), spent(session, day), Wanted(PRICED, prompt, output))
    if isinstance(found, Wanted):
        assert found.output >= min(output, LEAST_ANSWER)
        assert session + found.amount.dollars <= 5 + 1e-9
        assert day + found.amount.dollars <= 20 + 1e-9


def test_what_a_request_came_to() -> None:
    assert settled(PRICED, Usage(1_000, 100, cost=0.5)).dollars == 0.5
    assert settled(PRICED, Usage(1_000, 100)).dollars == pytest.approx(0.02)
    assert settled(UNPRICED, Usage(1_000, 100)).tokens == 1_100


def spending(limits: Budget = Budget(), ledger: Ledger | None = None) -> Spending:  # noqa: B008
    return Spending(ledger or Ledger(None), lambda: limits, "folder", lambda: NOON)


async def test_turns_side_by_side_stay_within_a_limit_together() -> None:
    kept = spending(Budget(session_cost=3.0))
    wanted = Wanted(PRICED, 100_000, 1_024)
    found = await asyncio.gather(*(kept.reserve("s", wanted) for _ in range(6)))
    sent = [one for one in found if isinstance(one, Reserved)]
    assert len(sent) == 2 and all(
        "$2.20 of this session's" in one for one in found if isinstance(one, str)
    )
    await kept.settle(sent[0], Usage(100_000, 10))
    await kept.release(sent[1])
    assert isinstance(await kept.reserve("s", wanted), Reserved), "what was not used is free again"
    assert isinstance(await kept.reserve("other", wanted), Reserved)


async def test_sessions_without_a_name_and_of_other_folders_are_apart() -> None:
    ledger = Ledger(None)
    one, two = spending(ledger=ledger), spending(ledger=ledger)
    other = Spending(ledger, Budget, "elsewhere", lambda: NOON)
    await one.reserve("", Wanted(PRICED, 1_000, 1))
    await one.reserve("named", Wanted(PRICED, 1_000, 1))
    assert [(await kept.spent("")).session.requests for kept in (one, two)] == [1, 0]
    assert [(await kept.spent("named")).session.requests for kept in (one, two, other)] == [1, 1, 0]
    assert (await other.spent("")).day.requests == 2


async def test_a_day_is_the_user_s_own_calendar_day() -> None:
    now = [datetime(2026, 11, 30, 23, 59).timestamp()]
    kept = Spending(Ledger(None), Budget, "folder", lambda: now[0])
    await kept.reserve("s", Wanted(PRICED, 1_000, 1))
    now[0] += 120
    found = await kept.spent("s")
    assert (found.day.requests, found.session.requests) == (0, 1)


async def test_a_turn_cancelled_while_it_reserves_leaves_nothing_reserved() -> None:
    kept = spending()
    task = asyncio.ensure_future(kept.reserve("s", Wanted(PRICED, 1_000, 1)))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    for _ in range(100):
        await asyncio.sleep(0.005)
        if (await kept.spent("s")).day == Total():
            return
    raise AssertionError("the reservation stays")


# --- through the door


class Paid:
    """A model with a price that says what it is told to."""

    info = PRICED

    def __init__(self, *script: Delta | ModelError | None) -> None:
        self.script = script

    async def stream(self, request: Request) -> AsyncIterator[Delta]:
        for delta in self.script:
            if isinstance(delta, ModelError):
                raise delta
            if delta is None:
                await asyncio.sleep(60)
            else:
                yield delta

    async def count(self, texts: Sequence[str]) -> list[int]:
        return [1_000 for _ in texts]


GONE = ModelError("transport", "gone", retryable=True)


class View:
    """As much of a snapshot as the door asks for where no file is sent."""

    root = "/nowhere"

    def ignored(self, path: str) -> bool:
        return path not in FILES


async def left(model: Paid, stop_after: int | None = None) -> Total:
    """What a request to `model` comes to, read to its end or closed after so many pieces."""
    door = Door(spending=spending())
    ready = await door.prepare(model, parcel(Chunks("ask", "x")), View(), ask=_never)  # type: ignore[arg-type]
    assert isinstance(ready, Ready)
    stream, read = door.send(ready), 0
    try:
        async for _ in stream:
            read += 1
            if read == stop_after:
                break
    except ModelError:
        pass
    await stream.aclose()  # type: ignore[attr-defined]
    return (await door.spending.spent("")).day


async def _never(question: str, options: Sequence[str]) -> str | None:
    raise AssertionError(question)


async def test_a_finished_request_is_settled_by_the_provider_s_figures() -> None:
    assert await left(Paid(Text("a"), Usage(2_000, 10, cost=0.75), Finish("stop"))) == Total(
        0.75, 0, 2_010, 1
    )


async def test_without_figures_the_estimate_is_settled() -> None:
    total = await left(Paid(Text("some words "), Text("more"), Finish("stop")))
    prompt = 2 * 1_008
    answer = estimate("some words more")
    assert total == Total(pytest.approx(prompt * 1e-5 + answer * 1e-4), 0, prompt + answer, 1)  # type: ignore[arg-type]


async def test_a_cancelled_answer_costs_what_came_of_it() -> None:
    total = await left(Paid(Text("some words"), None), stop_after=1)
    assert total.tokens == 2 * 1_008 + estimate("some words")


async def test_an_error_before_the_first_word_costs_nothing() -> None:
    assert await left(Paid(GONE)) == Total()
    assert (await left(Paid(Text("half"), GONE))).tokens == 2 * 1_008 + estimate("half")


async def test_a_killed_server_leaves_what_it_reserved(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "spending.db"
    door = Door(spending=spending(ledger=Ledger(path)))
    ready = await door.prepare(Paid(), parcel(Chunks("ask", "x")), View(), ask=_never)  # type: ignore[arg-type]
    assert isinstance(ready, Ready)
    found = Ledger(path).spent("", "2026-11-30").day
    assert found.dollars == pytest.approx(2 * 1_008 * 1e-5 + 8_000 * 1e-4)


async def test_the_user_is_asked_above_one_amount_and_told_above_another() -> None:
    asked: list[str] = []

    async def ask(question: str, options: Sequence[str]) -> str | None:
        asked.append(question)
        return "Cancel"

    async def prepared(limits: Budget) -> Ready | Stop:
        door = Door(spending=spending(limits))
        found = await door.prepare(Paid(), parcel(Chunks("ask", "x")), View(), ask=ask)  # type: ignore[arg-type]
        kept = (await door.spending.spent("")).day.requests
        assert kept == isinstance(found, Ready), "a request that is not sent reserves nothing"
        return found

    told = await prepared(Budget(tell_cost=0.1))
    assert isinstance(told, Ready) and not asked
    assert told.notes == ("sending about $0.43, $0.82 at most (2,016 tokens to read)",)
    quiet = await prepared(Budget(tell_cost=0.45))
    assert isinstance(quiet, Ready) and quiet.notes == ()
    stopped = await prepared(Budget(ask_cost=0.4))
    assert (
        isinstance(stopped, Stop) and stopped.message == "Not sent: it would have cost about $0.43."
    )
    assert asked == [
        "This request to m costs about $0.43, $0.82 at most (2,016 tokens to read). Send it?"
    ]


async def test_a_limit_on_the_prompt_leaves_things_out_in_order() -> None:
    chunks = Chunks("ask", "x", map="b.py:\ndef f():")
    door = Door(spending=spending(Budget(request_tokens=2_500)))
    ready = await door.prepare(Paid(), parcel(chunks), View(), ask=_never)  # type: ignore[arg-type]
    assert isinstance(ready, Ready) and ready.manifest.left_out == ("map",)
