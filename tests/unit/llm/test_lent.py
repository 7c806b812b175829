"""A model that the client lends: what is known of it, what it is sent, how its answer ends."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from pairwright.config.schema import Model as Settings
from pairwright.llm.lent import Lent, LentModel, is_lent, lent
from pairwright.llm.models import ConfiguredModels
from pairwright.llm.types import Delta, Finish, Message, ModelError, Reasoning, Request, Text, Usage

ASK = Request((Message("system", "Be brief."), Message("user", "Hello?")), 64)


@dataclass
class Scripted:
    """A client with the models of `has`, of which the first is the one it likes."""

    has: tuple[Lent, ...]
    answer: tuple[Delta, ...] = ()
    asked: list[tuple[str, tuple[Message, ...], int]] = field(default_factory=list)
    open: int = 0

    async def describe(self, model: str) -> Lent | None:
        return next((one for one in self.has if model in ("", one.model)), None)

    async def stream(
        self, model: str, messages: Sequence[Message], max_tokens: int
    ) -> AsyncGenerator[Delta, None]:
        self.asked.append((model, tuple(messages), max_tokens))
        self.open += 1
        try:
            for delta in self.answer:
                yield delta
        finally:
            self.open -= 1


GPT = Lent("copilot/gpt-4o", 60_000)
CLAUDE = Lent("copilot/claude-sonnet-4", 100_000, 16_000)


async def check(name: str, expected: dict[str, Any], **settings: Any) -> None:
    """What is known of the model `name` of a client that has two."""
    model = await lent(Scripted((GPT, CLAUDE)), Settings(name=name, **settings))
    assert {key: getattr(model.info, key) for key in expected} == expected


async def test_the_window_is_what_the_client_says_and_the_answer_beside_it() -> None:
    await check("client", {"name": "client/copilot/gpt-4o", "window": 64_096, "max_output": 4_096})
    await check("client/copilot/claude-sonnet-4", {"window": 116_000, "max_output": 16_000})
    await check("client", {"window": 9_000, "max_output": 100}, window=9_000, max_output=100)


async def test_what_goes_beyond_plain_messages_is_not_asked_of_it() -> None:
    plain = {"system": False, "images": False, "cache": False, "session_key": False}
    rest = {
        "prefill": False,
        "temperature": None,
        "price_in": None,
        "local": False,
        "loopback": False,
    }
    await check("client/copilot/claude-sonnet-4", {**plain, **rest})


async def test_the_catalog_and_the_users_word_hold_for_it() -> None:
    await check("client", {"format": "udiff"}, overrides={"gpt-4o": {"format": "udiff"}})
    await check("client", {"price_in": 0.0}, overrides={"client/*": {"price_in": 0.0}})


async def test_an_answer_is_its_text_then_the_estimated_usage() -> None:
    scripted = Scripted((GPT,), (Reasoning("Hm. "), Text("Hel"), Text("lo."), Finish("length")))
    model = await lent(scripted, Settings(name="client"))
    found = [delta async for delta in model.stream(ASK)]
    usage = found[-2]
    assert isinstance(usage, Usage) and usage.prompt >= 4 and usage.completion >= 3
    assert [*found[:-2], found[-1]] == list(scripted.answer)
    [(name, messages, most)] = scripted.asked
    assert (name, most) == ("copilot/gpt-4o", 64)
    assert messages == (Message("user", "Be brief.\n\nHello?", marks=messages[0].marks),)


async def test_an_empty_answer_is_a_failure_and_a_closed_one_is_given_up() -> None:
    scripted = Scripted((GPT,), (Finish("stop"),))
    model = await lent(scripted, Settings(name="client"))
    with pytest.raises(ModelError) as caught:
        [delta async for delta in model.stream(ASK)]
    assert caught.value.kind == "empty"
    scripted.answer = (Text("One"), Text("two"), Finish("stop"))
    stream = model.stream(ASK)
    assert await anext(stream) == Text("One")
    await stream.aclose()  # type: ignore[attr-defined]
    assert scripted.open == 0


async def test_names() -> None:
    assert [
        name for name in ("client", "client/x", "clients/x", "", "openai/client") if is_lent(name)
    ] == [
        "client",
        "client/x",
    ]


async def test_where_there_is_none_the_user_is_told_what_to_do() -> None:
    with pytest.raises(ModelError, match=r"has no model gpt-9\..*another model"):
        await lent(Scripted((GPT,)), Settings(name="client/gpt-9"))
    with pytest.raises(ModelError, match=r"has no model\. Sign in"):
        await lent(Scripted(()), Settings(name="client"))
    models = ConfiguredModels(Settings(name="client"), {}, servers=())
    with pytest.raises(ModelError, match="this editor lends none"):
        await models.get()


async def test_it_answers_in_every_role_unless_others_are_named() -> None:
    models = ConfiguredModels(
        Settings(name="client"), {}, servers=(), lender=Scripted((GPT, CLAUDE))
    )
    assert (await models.get("weak")).info.name == "client/copilot/gpt-4o"
    models.configure(Settings(name="client", editor="client/copilot/claude-sonnet-4"))
    editor = await models.get("editor")
    assert isinstance(editor, LentModel)
    assert editor.info.name == "client/copilot/claude-sonnet-4"
