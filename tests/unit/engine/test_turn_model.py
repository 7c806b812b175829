"""Turns with the embedded model: form and bytes, never wording."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio
from tests.support.fixture import files
from tests.support.turns import Room

from pairwright.config.schema import Model as ModelSettings
from pairwright.edits.diff import apply
from pairwright.engine.events import Done, Status
from pairwright.engine.recall import recall
from pairwright.engine.summary import Desk, summarise
from pairwright.engine.turn import Turn
from pairwright.llm.models import ConfiguredModels
from pairwright.memory.chat import Exchange

pytestmark = [pytest.mark.model, pytest.mark.asyncio(loop_scope="module")]

REPO = """\
-- shop/cart.py --
from shop.money import round_up


class Cart:
    def __init__(self):
        self.rows = []

    def total(self, discount):
        value = sum(row.price for row in self.rows)
        if not self.rows:
            return 0
        # members pay less
        if discount:
            self.log("discount", discount)
        self.log("total")
        return round_up(value * (1 - discount))

    def log(self, *words):
        print(*words)
-- shop/money.py --
def round_up(value):
    return int(value + 0.99)
"""

TALK = tuple(
    (
        f"Why is {name} in the shop?",
        f"{name} is there because {why}. It is called by the cart when an order is paid, it changes nothing "
        "else, and it is covered by the tests of the cart. If it were left out, the amounts on the bill and "
        "in the books would differ by some cents, which nobody would notice before the end of the year, and "
        "then somebody would have to look through all the orders.",
    )
    for name, why in (
        ("`round_up`", "prices are whole numbers"),
        ("`Cart.log`", "the discount has to be written down"),
        ("`Cart.total`", "members pay less than guests"),
        ("`Cart.rows`", "a cart holds several things"),
    )
)
"""Each turn takes about a quarter of what a small model is sent of a conversation."""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def models(embedded_model_path: Path) -> AsyncIterator[ConfiguredModels]:
    settings = ModelSettings(name="embedded", path=str(embedded_model_path))
    made = ConfiguredModels(settings, os.environ, servers=())
    yield made
    await made.close()


async def test_a_local_renamed_on_distant_lines_of_the_named_method_is_two_hunks(
    tmp_path: Path, models: ConfiguredModels
) -> None:
    room = Room.of(tmp_path, files(REPO), models)
    text = files(REPO)["shop/cart.py"]
    words = "In `Cart.total`, rename the local variable value to amount."
    turn = Turn("edit", words, chat=("shop/cart.py",))
    outcome = await room.run(turn)
    assert isinstance(outcome, Done) and outcome.proposal, outcome
    (change,) = room.proposals[outcome.proposal]
    assert change.before == text.encode()
    assert len(change.hunks) == 2
    assert apply(change.before, change.hunks) == change.after
    want = text.replace("        value = sum", "        amount = sum")
    assert change.after == want.replace("round_up(value *", "round_up(amount *").encode()
    (manifest,) = room.door.manifests
    assert manifest.total < 1_500
    assert any(isinstance(e, Status) and e.percent is not None for e in room.events), "progress"


async def test_a_question_is_answered_from_a_short_prompt(
    tmp_path: Path, models: ConfiguredModels
) -> None:
    room = Room.of(tmp_path, files(REPO), models)
    at = files(REPO)["shop/cart.py"].index("value = sum")
    outcome = await room.run(Turn("ask", "What does this do?", "shop/cart.py", (at, at + 5)))
    assert isinstance(outcome, Done) and len(outcome.text) > 20
    assert room.said == outcome.text
    assert room.door.manifests[0].total < 600


async def test_cancel_while_the_prompt_is_read_leaves_the_model_ready(
    tmp_path: Path, models: ConfiguredModels
) -> None:
    room = Room.of(tmp_path, files(REPO), models)
    task = asyncio.ensure_future(room.run(Turn("ask", "List all numbers. " * 60, "shop/cart.py")))
    while not any("reading" in status for status in room.statuses):
        await asyncio.sleep(0.05)
        assert not task.done()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    outcome = await asyncio.wait_for(room.run(Turn("ask", "Say yes.", "shop/money.py")), 60)
    assert isinstance(outcome, Done) and outcome.text


async def test_the_older_part_of_a_conversation_is_summarised(
    tmp_path: Path, models: ConfiguredModels
) -> None:
    room = Room.of(tmp_path, files(REPO), models)
    for question, answer in TALK:
        room.sessions.add("", Exchange(question, answer))
    desk = Desk(lambda: room.settings, models, room.door, room.sessions, room.host.snapshot)
    assert await summarise(desk, "") == ""
    chat = room.sessions.chat("")
    assert chat.summary is not None and chat.summarised == 3
    assert len(chat.summary.text) > 20 and "```" not in chat.summary.text
    (manifest,) = room.door.manifests
    assert manifest.total < 600
    recalled, _ = recall(chat, room.host.snapshot(), (await models.get()).info)
    assert chat.summary.text[:20] in recalled.messages[0].content
    assert TALK[3][1] == recalled.messages[-1].content


async def test_help_is_answered_from_the_manual_by_the_embedded_model(
    tmp_path: Path, models: ConfiguredModels
) -> None:
    room = Room.of(tmp_path, {}, models)
    room.settings = replace(room.settings, model=replace(room.settings.model, max_output=32))
    outcome = await room.run(Turn("help", "Which command takes back an edit?"))
    assert isinstance(outcome, Done) and outcome.text == room.said
    assert ".md" in outcome.text, "it names its page"
    (manifest,) = room.door.manifests
    assert dict(manifest.tokens)["manual"] > 50 and manifest.total < 600
