"""Counting before sending, and the order in which things are left out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.engine import budget
from pairwright.engine.budget import (
    Counter,
    Counts,
    Fitted,
    TooLong,
    TooMuch,
    fit,
    output_tokens,
    price,
)
from pairwright.llm.types import Delta, Message, ModelError, ModelInfo, Request
from pairwright.prompts.build import Chunks, FileText, parts
from pairwright.text.estimate import estimate


@dataclass
class Words:
    """A model that counts words; `trouble` makes its count fail in some way."""

    info: ModelInfo = field(default_factory=lambda: ModelInfo("words"))
    trouble: str = ""
    asked: int = 0

    def stream(self, request: Request) -> AsyncIterator[Delta]:
        raise AssertionError("nothing is sent here")

    async def count(self, texts: Sequence[str]) -> list[int]:
        self.asked += len(texts)
        if self.trouble == "error":
            raise ModelError("transport", "gone", retryable=True)
        if self.trouble == "slow":
            await asyncio.sleep(60)
        if self.trouble == "short":
            return [1]
        if self.trouble == "zero":
            return [0 for _ in texts]
        return [len(text.split()) for text in texts]


def words(count: int) -> str:
    return " ".join(["word"] * count)


FULL = Chunks(
    "ask",
    "Why?",
    map=words(1000),
    history=(Message("user", words(500)), Message("assistant", words(500))),
    second_map=words(100),
    files=(FileText("a.py", words(2000)), FileText("b.py", words(1000))),
)
SHORT = replace(FULL, files=(FileText("a.py", words(50), partial=True),))


async def check(room: int, left_out: tuple[str, ...], aim: int | None = None) -> Fitted:
    fitted = await fit(Counter(Words()), FULL, SHORT, room, aim)
    assert isinstance(fitted, Fitted)
    assert fitted.left_out == left_out and fitted.total <= room
    assert list(fitted.tokens) == list(parts(fitted.chunks)), "counted is what is sent"
    return fitted


async def test_the_order_of_leaving_out() -> None:
    await check(10_000, ())
    without_map = await check(4_400, ("map",))
    assert without_map.chunks.map == without_map.chunks.second_map == ""
    assert without_map.chunks.history
    assert (await check(3_300, ("map", "history"))).chunks.files == FULL.files
    assert (await check(300, ("map", "history", "whole files"))).chunks.files == SHORT.files


async def test_what_does_not_fit_is_refused_with_the_numbers() -> None:
    refused = await fit(Counter(Words()), FULL, SHORT, 50)
    assert isinstance(refused, TooMuch)
    for said in ("files 3,0", "map 1,0", "history 1,008", "room for 50"):
        assert said in refused.message
    assert isinstance(await fit(Counter(Words()), FULL, FULL, 2_000), TooMuch)


async def test_an_aim_is_no_limit() -> None:
    await check(10_000, ("map", "history"), aim=3_300)
    await check(10_000, ("map", "history", "whole files"), aim=10)


@pytest.mark.parametrize("trouble", ["error", "slow", "short", "zero"])
async def test_a_count_that_fails_is_an_over_estimate(
    trouble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "COUNT_SECONDS", 0.05)
    texts = {"one": "some words in a row", "two": words(300)}
    counted = await Counter(Words(trouble=trouble)).count(texts)
    assert all(counted[name] >= estimate(text) for name, text in texts.items())


async def test_a_thread_measures_with_the_model_s_count_and_asks_once() -> None:
    model = Words()
    measure = Counter(model).measure()
    counts = await asyncio.to_thread(lambda: [measure(words(5)), measure(words(5)), measure("")])
    assert counts == [5, 5, 0] and model.asked == 2
    assert measure.name == "words"


@pytest.mark.parametrize("trouble", ["error", "slow"])
async def test_a_measure_that_fails_once_goes_on_with_the_estimate(
    trouble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "COUNT_SECONDS", 0.05)
    model = Words(trouble=trouble)
    measure = Counter(model).measure()
    texts = [words(number) for number in range(5, 25)]
    counts = await asyncio.to_thread(lambda: list(map(measure, texts)))
    assert counts == list(map(estimate, texts))
    assert model.asked == 1 and measure.name == "estimate"


async def test_a_fault_of_ours_is_not_hidden() -> None:
    class Broken(Words):
        async def count(self, texts: Sequence[str]) -> list[int]:
            raise KeyError("ours")

    with pytest.raises(KeyError):
        await Counter(Broken()).count({"one": "x"})


async def test_each_text_is_counted_once() -> None:
    model = Words()
    await fit(Counter(model), FULL, SHORT, 300)
    assert model.asked == len(parts(FULL)) + 1


def test_room_for_the_answer() -> None:
    info = ModelInfo("m", window=8_000, max_output=2_000)
    assert output_tokens(info, 0) == 2_000
    assert output_tokens(info, 500) == 500
    assert output_tokens(info, 9_000) == 4_000


def test_the_price_of_a_usual_answer_and_of_the_longest() -> None:
    info = ModelInfo("m", price_in=3e-6, price_out=15e-6)
    usual, most = price(info, 10_000, 64_000) or (0, 0)
    assert usual == pytest.approx(0.03 + 4_096 * 15e-6) and most == pytest.approx(0.99)
    assert price(ModelInfo("m"), 10_000, 64_000) is None


sizes = st.integers(0, 400)


@given(sizes, sizes, sizes, sizes, st.integers(10, 1_500))
def test_no_more_is_left_out_than_has_to_be(
    map_: int, said: int, file: int, cut: int, room: int
) -> None:
    """Each step of the order is taken only where the one before does not fit, and nothing that fits is refused."""
    full = Chunks(
        "ask", "Why?", map=words(map_) if map_ else "", files=(FileText("a.py", words(file)),)
    )
    if said:
        full = replace(full, history=(Message("user", words(said)), Message("assistant", "Yes.")))
    short = replace(full, files=(FileText("a.py", words(min(cut, file)), partial=True),))
    steps = [full, replace(full, map=""), replace(full, map="", history=())]
    steps.append(replace(steps[-1], files=short.files))

    async def fitted() -> tuple[list[int], Fitted | TooMuch]:
        counter = Counter(Words())
        totals = [sum((await counter.count(parts(step))).values()) for step in steps]
        return totals, await fit(counter, full, short, room)

    totals, found = asyncio.run(fitted())
    fitting = [step for step, total in zip(steps, totals, strict=True) if total <= room]
    assert (found.chunks == fitting[0]) if isinstance(found, Fitted) else (fitting == [])


async def test_what_was_counted_for_one_request_is_known_to_the_next() -> None:
    model, counts = Words(), Counts()
    for _ in range(2):
        await fit(Counter(model, counts), FULL, SHORT, 300)
    assert model.asked == len(parts(FULL)) + 1
    assert (await Counter(Words(), counts).count({"one": "x"})) == {"one": 1 + 8}
    other = Words(info=ModelInfo("other"))
    await fit(Counter(other, counts), FULL, SHORT, 300)
    assert other.asked == len(parts(FULL)) + 1, "each model counts for itself"


async def test_an_estimate_is_not_remembered_as_a_count() -> None:
    counts = Counts()
    await Counter(Words(trouble="error"), counts).count({"one": "some words"})
    assert (await Counter(Words(), counts).count({"one": "some words"})) == {"one": 2 + 8}


def test_counts_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "_REMEMBERED", 100)
    counts = Counts()
    for number in range(10):
        counts.put("m", f"{number}" * 30, number)
        assert counts.get("m", "0" * 30) == 0, "what is asked for stays"
    assert counts.get("m", "1" * 30) is None and counts.get("m", "9" * 30) == 9
    counts.put("m", "9" * 30, 9)
    assert counts.get("m", "8" * 30) == 8, "one text counts once"


async def test_after_an_overflow_exactly_one_step_more_is_left_out() -> None:
    counter = Counter(Words())
    for tokens, left_out in ((5_000, ("map",)), (3_900, ("map", "history"))):
        found = await fit(counter, FULL, SHORT, 10_000, below=TooLong(tokens))
        assert isinstance(found, Fitted) and found.left_out == left_out
    last = await fit(counter, SHORT, SHORT, 10_000, below=TooLong(40, "too much"))
    assert isinstance(last, TooMuch) and "40 tokens" in last.message and "too much" in last.message


async def test_references_are_left_out_first() -> None:
    shown = replace(FULL, references=(FileText("other/a.py:1-9", words(300)),))
    whole = await fit(Counter(Words()), FULL, SHORT, 10_000)
    assert isinstance(whole, Fitted)
    fitted = await fit(Counter(Words()), shown, SHORT, whole.total + 100)
    assert isinstance(fitted, Fitted)
    assert fitted.left_out == ("references",) and fitted.chunks.map
