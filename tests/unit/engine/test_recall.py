"""What of a conversation is sent again, over real HTTP: no trace of what failed, one edit format, a summary of the
older part."""

from __future__ import annotations

import asyncio
import statistics
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
from tests.support.endpoint import Endpoint
from tests.support.fixture import files
from tests.support.prefix import flat, shared
from tests.support.turns import Room

from pairwright.config.schema import History
from pairwright.config.schema import Model as ModelSettings
from pairwright.engine.events import Done, Stop
from pairwright.engine.ports import Models
from pairwright.engine.summary import Desk, pieces, summarise
from pairwright.engine.turn import Turn
from pairwright.llm.models import ConfiguredModels
from pairwright.llm.types import Model
from pairwright.memory.chat import Exchange, Fact
from pairwright.memory.history import NOTE, recalled
from pairwright.text.estimate import estimate

pytestmark = pytest.mark.asyncio(loop_scope="session")

REPO = """\
-- shop/cart.py --
from shop.money import round_up


class Cart:
    def total(self):
        value = sum(row.price for row in self.rows)
        return round_up(value)
-- shop/money.py --
def round_up(value):
    return int(value + 0.99)
"""
EDIT = """\
I round down.

shop/cart.py
```python
<<<<<<< SEARCH
        return round_up(value)
=======
        return int(value)
>>>>>>> REPLACE
```
"""
WINDOW = 16_384
"""A history of 1,024 tokens."""


@pytest.fixture
def room(tmp_path: Path, endpoint: Endpoint, models: ConfiguredModels) -> Room:
    models.configure(ModelSettings(**endpoint.settings(), window=WINDOW, max_output=1_000))
    return Room.of(tmp_path / "work", files(REPO), models)


def desk(room: Room) -> Desk:
    return Desk(lambda: room.settings, room.models, room.door, room.sessions, room.host.snapshot)


def ask(words: str, **more: Any) -> Turn:
    return Turn(mode="ask", instruction=words, path="shop/cart.py", **more)


def edit(words: str = "Round down.", **more: Any) -> Turn:
    return Turn(mode="edit", instruction=words, path="shop/cart.py", **more)


def messages(endpoint: Endpoint, number: int = -1) -> list[dict[str, Any]]:
    return list(endpoint.requests[number].body["messages"])


def check_clean(endpoint: Endpoint, words: str) -> None:
    """The last request alternates strictly and knows nothing of `words`."""
    found = messages(endpoint)
    roles = [m["role"] for m in found]
    assert roles[0] == "system"
    assert roles[1:] == ["user", "assistant"] * ((len(roles) - 1) // 2) + ["user"]
    assert words not in flat(found)


# --- what failed leaves no trace


async def test_a_cancelled_turn_leaves_no_trace(room: Room, endpoint: Endpoint) -> None:
    endpoint.say("It adds up.")
    await room.run(ask("What is it?"))
    endpoint.say("Half an answer, and then some more of it", size=1, delay=0.02)
    task = asyncio.ensure_future(room.run(ask("Something never finished?")))
    while "Half" not in room.said:
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    endpoint.say("Fine.")
    assert isinstance(await room.run(ask("And then?")), Done)
    check_clean(endpoint, "never finished")
    assert "Half" not in flat(messages(endpoint))
    assert [e.request for e in room.sessions.exchanges("")] == ["What is it?", "And then?"]


@pytest.mark.parametrize("status", [401, 400])
async def test_a_refused_request_leaves_no_trace(
    room: Room, endpoint: Endpoint, status: int
) -> None:
    endpoint.say("It adds up.")
    await room.run(ask("What is it?"))
    endpoint.fail(status, "no")
    assert isinstance(await room.run(edit("Something that failed")), Stop)
    endpoint.say("Fine.")
    assert isinstance(await room.run(ask("And then?")), Done)
    check_clean(endpoint, "that failed")


async def test_a_request_the_user_did_not_pay_for_leaves_no_trace(
    room: Room, endpoint: Endpoint
) -> None:
    endpoint.say("It adds up.")
    await room.run(ask("What is it?"))
    room.models, usual = _Other(room.models, price_in=1e-3, price_out=1e-3), room.models
    room.answer = "Cancel"
    outcome = await room.run(ask("Something too dear"))
    assert isinstance(outcome, Stop) and outcome.reason == "budget" and room.asked
    room.models = usual
    endpoint.say("Fine.")
    assert isinstance(await room.run(ask("And then?")), Done)
    check_clean(endpoint, "too dear")


class _Other:
    """The same models with something else known of them."""

    def __init__(self, models: Models, **known: Any) -> None:
        self._models, self._known = models, known

    async def get(self, role: Literal["main", "weak", "editor"] = "main") -> Model:
        model = await self._models.get(role)
        return replace(model, info=replace(model.info, **self._known))  # type: ignore[type-var]


async def test_a_correction_is_no_part_of_the_history(room: Room, endpoint: Endpoint) -> None:
    endpoint.say(EDIT.replace("round_up(value)", "nowhere(value)"))
    endpoint.say(EDIT)
    assert isinstance(await room.run(edit()), Done)
    endpoint.say("Fine.")
    await room.run(ask("And then?"))
    check_clean(endpoint, "nowhere")


# --- what is told


async def test_the_next_request_says_what_became_of_each_file(
    room: Room, endpoint: Endpoint
) -> None:
    endpoint.say(EDIT)
    assert isinstance(await room.run(edit()), Done)
    endpoint.say("One.")
    await room.run(ask("Is it in?"))
    assert "- shop/cart.py: proposed, not accepted yet" in flat(messages(endpoint))
    text = (room.proposals["p1"][0].after or b"").decode()
    room.type("shop/cart.py", text)
    document = room.host.snapshot().document("shop/cart.py")
    assert document is not None
    room.sessions.tell("", Fact("accepted", "shop/cart.py", "c0ffee0011", "p1", document.digest))
    endpoint.say("Two.")
    await room.run(ask("And is it now?"))
    assert "- shop/cart.py: accepted (checkpoint c0ffee0)" in messages(endpoint)[-1]["content"]
    room.type("shop/cart.py", text.replace("int(value)", "round(value)"), 2)
    endpoint.say("Three.")
    await room.run(ask("And now?"))
    said = messages(endpoint)[-1]["content"]
    assert "- shop/cart.py: changed by hand since" in said and "accepted" not in said
    endpoint.say("Four.")
    await room.run(ask("And?"))
    assert "Since the last answer" not in messages(endpoint)[-1]["content"]
    assert "(shop/cart.py: changed by hand since)\nRequest: And now?" in flat(messages(endpoint))


async def test_a_request_that_tells_nothing_leaves_it_to_the_next(
    room: Room, endpoint: Endpoint
) -> None:
    room.sessions.tell("", Fact("rejected", "shop/cart.py", proposal="p0"))
    room.models = _Other(room.models, small=True, grammar=True)
    at = files(REPO)["shop/cart.py"].index("value = sum")
    endpoint.say("    def total(self):\n        value = 0\n        return round_up(value)\n```")
    outcome = await room.run(edit("Begin with nothing.", selection=(at, at + 5)))
    assert isinstance(outcome, Done) and outcome.proposal, outcome
    assert "rejected" not in flat(messages(endpoint))
    endpoint.say("No.")
    await room.run(ask("Was it taken?"))
    assert "- shop/cart.py: rejected" in messages(endpoint)[-1]["content"]


async def test_another_format_never_has_the_old_one_in_view(
    room: Room, endpoint: Endpoint, models: ConfiguredModels
) -> None:
    endpoint.say(EDIT)
    await room.run(edit())
    room.sessions.tell("", Fact("accepted", "shop/cart.py", "c0ffee0011", "p1"))
    udiff = ModelSettings(**endpoint.settings(), window=WINDOW, max_output=1_000, format="udiff")
    models.configure(udiff)
    endpoint.say("Fine.")
    await room.run(ask("And then?"))
    said = flat(messages(endpoint))
    assert "<<<<<<<" not in said
    assert "I round down.\n\n(edit of shop/cart.py, accepted)" in said


# --- the summary


def long_chat(room: Room, many: int = 12) -> None:
    for number in range(many):
        request = f"Question {number} on round_up?"
        room.sessions.add("", Exchange(request, f"Answer {number}. " + "It rounds a value. " * 25))


async def test_the_older_part_is_summarised_and_the_newer_kept(
    room: Room, endpoint: Endpoint
) -> None:
    long_chat(room)
    endpoint.say("<think>hm</think>Notes: They talked of round_up.\n\n```python\nx = 1\n```\n")
    assert await summarise(desk(room), "") == ""
    asked = flat(messages(endpoint))
    assert "You keep the notes" in asked and "Question 0 on" in asked
    summary = room.sessions.chat("").summary
    assert summary is not None and summary.text == "They talked of round_up."
    assert await summarise(desk(room), "") == "", "once is enough"
    assert len(endpoint.requests) == 1
    endpoint.say("Fine.")
    await room.run(ask("And then?"))
    check_clean(endpoint, "Question 0 on")
    said = flat(messages(endpoint))
    assert f"{NOTE}\nThey talked of round_up." in said
    assert "Question 11 on" in said
    many = room.sessions.chat("").summarised
    assert f"Question {many - 1} on" not in said and f"Question {many} on" in said


async def test_a_summary_that_fails_costs_only_the_older_turns(
    room: Room, endpoint: Endpoint
) -> None:
    long_chat(room)
    endpoint.fail(400, "no")
    assert "no" in await summarise(desk(room), "")
    assert room.sessions.chat("").summary is None
    endpoint.say("Fine.")
    await room.run(ask("And then?"))
    check_clean(endpoint, "Question 0 on")
    assert "Question 11 on" in flat(messages(endpoint))
    endpoint.say("They talked of round_up.")
    assert await summarise(desk(room), "") == ""
    assert room.sessions.chat("").summary is not None


async def test_a_summary_under_way_is_dropped_whole(room: Room, endpoint: Endpoint) -> None:
    long_chat(room)
    endpoint.say("They talked of round_up and of more", size=1, delay=0.05)
    task = asyncio.ensure_future(summarise(desk(room), ""))
    await asyncio.to_thread(endpoint.wait, 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert room.sessions.chat("").summary is None


async def test_of_a_conversation_deleted_meanwhile_nothing_is_kept(
    room: Room, endpoint: Endpoint
) -> None:
    long_chat(room)
    endpoint.say("They talked of round_up.", first=0.3)
    task = asyncio.ensure_future(summarise(desk(room), ""))
    await asyncio.to_thread(endpoint.wait, 1)
    key = room.sessions.key("")
    await room.sessions.delete("")
    assert await task == ""
    assert room.sessions.chat(key).summary is None


async def test_what_is_too_long_is_summarised_in_pieces_oldest_first(
    room: Room, endpoint: Endpoint, models: ConfiguredModels
) -> None:
    narrow = ModelSettings(**endpoint.settings(), window=2_500, max_output=300)
    models.configure(narrow)
    long_chat(room, 30)
    endpoint.otherwise = lambda body: f"Notes {len(endpoint.requests)}."
    assert await summarise(desk(room), "") == ""
    many = len(endpoint.requests)
    assert many > 1
    for number, request in enumerate(endpoint.requests):
        assert ("Notes on what came before" in request.text) == (number > 0)
        if number:
            assert f"Notes {number}." in request.text
    covered = room.sessions.chat("").summarised
    sent = "\n".join(request.text for request in endpoint.requests)
    for number in range(covered):
        assert sent.count(f"Question {number} on") == 1, "each once, none lost"
    summary = room.sessions.chat("").summary
    assert summary is not None and summary.text == f"Notes {many}."


async def test_nothing_is_summarised_where_it_is_not_wanted(room: Room, endpoint: Endpoint) -> None:
    room.settings = replace(room.settings, history=History(summarize=False))
    long_chat(room)
    assert await summarise(desk(room), "") == "" and endpoint.requests == []


async def test_a_secret_in_a_conversation_does_not_leave_for_its_summary(
    room: Room, endpoint: Endpoint
) -> None:
    # In two pieces: a scanner that reads this file must find nothing.
    secret = "ghp_" + "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"
    room.sessions.add("", Exchange(f"Is {secret} good?", "It is."))
    long_chat(room)
    endpoint.say("They talked of REDACTED_SECRET_1.")
    room.door._privacy = lambda: replace(room.settings.privacy, redact="always")
    assert await summarise(desk(room), "") == ""
    assert secret not in endpoint.requests[0].text


async def test_pieces_hold_every_word_in_order() -> None:
    texts = ["one two three\n" * 40, "short", "x" * 3_000]
    found = pieces(texts, 100)
    assert "".join(part for piece in found for part in piece) == "".join(texts)


# --- a long conversation


async def test_a_long_conversation_stays_in_its_budget_and_in_the_cache(
    room: Room, endpoint: Endpoint
) -> None:
    endpoint.otherwise = _answer
    before, shares = "", []
    for number in range(24):
        at = len(endpoint.requests)
        outcome = await room.run(ask(f"Question {number}: what does round_up do to {number}?"))
        assert isinstance(outcome, Done)
        now = flat(messages(endpoint, at))
        check_clean(endpoint, "\0")
        assert room.door.manifests[-1].total <= WINDOW - 1_000
        sent = room.sessions.chat("")
        history = recalled(sent, 1_024, estimate, "diff")
        assert sum(estimate(m.content) for m in history) <= 1_024
        if before:
            shares.append(shared(before, now))
        before = now
        assert await summarise(desk(room), "") == ""
        if len(endpoint.requests) > at + 1:
            # The next request begins with another summary.
            before = ""
    assert statistics.median(shares) >= 0.6
    assert len(shares) < 23, "it was summarised at least once"


def _answer(body: dict[str, Any]) -> str:
    said = str(body["messages"][0]["content"])
    if said.startswith("You keep the notes"):
        return "They talk of round_up."
    return "It adds 0.99 and cuts off what is behind the point. " * 6
