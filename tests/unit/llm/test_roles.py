"""Which model answers in which role, with which key, and what its catalog row does to a request, over real HTTP."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.support.endpoint import Endpoint

from pairwright.config.schema import Model as Settings
from pairwright.engine.roles import by_weak, weak_or_main
from pairwright.llm.keys import KeyFile
from pairwright.llm.models import ConfiguredModels
from pairwright.llm.remote import RemoteModel, without_system
from pairwright.llm.types import (
    Finish,
    Message,
    Model,
    ModelError,
    Reasoning,
    Request,
    Text,
    Usage,
)

pytestmark = pytest.mark.asyncio(loop_scope="session")
ASK = Request((Message("system", "Be brief."), Message("user", "Hello?")), 64)


@pytest.fixture
def models(models_everywhere: ConfiguredModels) -> ConfiguredModels:
    return models_everywhere


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as endpoint:
        yield endpoint


async def text(model: Model, request: Request = ASK) -> str:
    return "".join([d.text async for d in model.stream(request) if isinstance(d, Text)])


async def check(models: ConfiguredModels, settings: Settings, **names: str) -> None:
    """The names of the models by role."""
    models.configure(settings)
    found = {role: (await models.get(role)).info.name for role in ("main", "weak", "editor")}  # type: ignore[arg-type]
    assert found == names


async def test_roles(models: ConfiguredModels) -> None:
    gpt, mini = "openai/gpt-5", "openai/gpt-5-mini"
    await check(models, Settings(name=gpt), main=gpt, weak=mini, editor=gpt)
    await check(models, Settings(name="openai/o3"), main="openai/o3", weak=mini, editor=gpt)
    await check(models, Settings(name="gpt", aliases={"gpt": gpt}), main=gpt, weak=mini, editor=gpt)
    named = Settings(
        name=gpt, weak="openai/gpt-4o-mini", editor="me", aliases={"me": "openai/gpt-4.1"}
    )
    await check(models, named, main=gpt, weak="openai/gpt-4o-mini", editor="openai/gpt-4.1")


async def test_a_server_of_ones_own_answers_in_every_role(
    models: ConfiguredModels, endpoint: Endpoint
) -> None:
    """What the catalog has beside a name is the provider's, who is not asked here."""
    settings = Settings(name="openai/gpt-5", api_base=endpoint.url)
    await check(models, settings, main="openai/gpt-5", weak="openai/gpt-5", editor="openai/gpt-5")
    named = Settings(name="openai/big", api_base=endpoint.url, weak="openai/little", window=9000)
    models.configure(named)
    weak = await models.get("weak")
    assert weak.info.window != 9000, "the window is the main model's"
    endpoint.say("hi")
    assert await text(weak) == "hi"
    assert endpoint.requests[0].body["model"] == "little"


async def test_a_weak_model_that_fails_is_replaced_once(
    models: ConfiguredModels, endpoint: Endpoint
) -> None:
    models.configure(Settings(**endpoint.settings(), weak="openai/little"))
    asked = []

    async def once(model: Model) -> str:
        asked.append(model.info.name)
        return await text(model)

    endpoint.fail(404)
    endpoint.say("from the main one")
    assert await by_weak(models, once) == "from the main one"
    assert asked == ["openai/little", "openai/scripted"]
    for _ in range(2):
        endpoint.fail(404)
    with pytest.raises(ModelError, match="openai/scripted"):
        await by_weak(models, once)
    models.configure(Settings(**endpoint.settings(), weak="anthropic/claude-haiku-4-5"))
    endpoint.say("without the weak one's key")
    assert await by_weak(models, once) == "without the weak one's key"
    assert (await weak_or_main(models)).info.name == "openai/scripted"
    models.configure(Settings(**endpoint.settings()))
    endpoint.fail(404)
    with pytest.raises(ModelError):
        await by_weak(models, once)
    assert len(endpoint.requests) == 6, "the same model is not asked twice"


# --- keys


async def test_a_stored_key_goes_to_its_provider_and_to_nobody_else(
    models: ConfiguredModels, endpoint: Endpoint, tmp_path: Path
) -> None:
    env = {**os.environ, "PAIRWRIGHT_CONFIG": str(tmp_path), "ANTHROPIC_API_KEY": ""}
    KeyFile(tmp_path / "keys.json").write("anthropic", "stored-for-anthropic")
    mine = ConfiguredModels(Settings(name="anthropic/claude-sonnet-4-5"), env, servers=())
    # The process of the others: starting another one takes seconds.
    own, mine._child = mine._child, models._child
    await own.close()
    model = await mine.get()
    assert isinstance(model, RemoteModel) and model.target.key == "stored-for-anthropic"
    weak = await mine.get("weak")
    assert isinstance(weak, RemoteModel) and weak.target.key == "stored-for-anthropic"
    mine.configure(Settings(name="anthropic/claude-sonnet-4-5", api_base=endpoint.url))
    model = await mine.get()
    assert isinstance(model, RemoteModel) and model.target.key == ""


async def test_the_clients_key_is_asked_for_again_when_it_was_refused(
    models: ConfiguredModels, endpoint: Endpoint
) -> None:
    asked: list[tuple[str, bool]] = []

    async def secret(provider: str, refused: bool) -> str:
        asked.append((provider, refused))
        return f"client-key-{len(asked)}"

    env = {**os.environ, "ANTHROPIC_API_KEY": ""}
    mine = ConfiguredModels(Settings(name="anthropic/claude-sonnet-4-5"), env, secret=secret)
    own, mine._child = mine._child, models._child
    await own.close()
    for expected in ("client-key-1", "client-key-1"):
        model = await mine.get()
        assert isinstance(model, RemoteModel) and model.target.key == expected
    base = endpoint.url.removesuffix("/v1")
    here = RemoteModel(model.child, model.info, _at(model, base), model.secrets, model.refused)
    endpoint.fail(401, "invalid x-api-key: client-key-1")
    with pytest.raises(ModelError) as caught:
        await text(here)
    assert "client-key-1" not in caught.value.message
    assert endpoint.requests[0].headers["x-api-key"] == "client-key-1"
    model = await mine.get()
    assert isinstance(model, RemoteModel) and model.target.key == "client-key-2"
    assert asked == [("anthropic", False), ("anthropic", True)]


async def test_the_environments_key_goes_where_the_user_vouches_for(
    models: ConfiguredModels, tmp_path: Path
) -> None:
    env = {**os.environ, "PAIRWRIGHT_CONFIG": str(tmp_path), "OPENAI_API_KEY": "from-the-env"}

    async def at(base: str, own: tuple[str, ...] | None = (), **fields: Any) -> Any:
        settings = Settings(name="openai/x", api_base=base, **fields)
        mine = ConfiguredModels(settings, env, own=own)
        own_child, mine._child = mine._child, models._child
        await own_child.close()
        model = await mine.get()
        assert isinstance(model, RemoteModel)
        return model

    # The process of the fixture has the key too; no key named here is the one it has.
    for base, own in (
        ("https://api.openai.com/v1", ()),
        ("http://127.0.0.1:1/v1", ()),
        ("https://llm.example/v1", ("llm.example",)),
        ("https://llm.example/v1", None),
    ):
        assert ((model := await at(base, own)).target.key, model.unsent) == ("", "")
    model = await at("https://evil.example/v1")
    assert model.target.key == "none" and "was not sent to evil.example" in model.unsent
    plain = await at("http://llm.example/v1", None)
    assert plain.target.key == "none" and "use https" in plain.unsent
    assert (await at("http://llm.example/v1", None, plain_http=True)).target.key == ""
    KeyFile(tmp_path / "keys.json").write("llm.example", "stored-for-it")
    assert (await at("https://llm.example/v1")).target.key == "stored-for-it"
    with pytest.raises(ModelError, match=r"key of llm\.example was not sent"):
        await at("http://llm.example/v1")
    assert (await at("http://llm.example/v1", plain_http=True)).target.key == "stored-for-it"


async def test_a_server_that_wants_the_key_it_did_not_get(
    models: ConfiguredModels, endpoint: Endpoint
) -> None:
    models.configure(Settings(**endpoint.settings()))
    model = await models.get()
    assert isinstance(model, RemoteModel)
    endpoint.fail(401, "no key")
    with pytest.raises(ModelError, match="because") as caught:
        await text(replace(model, unsent="Not sent, because it may be anybody's."))
    assert caught.value.kind == "auth"


def _at(model: RemoteModel, base: str) -> Any:
    return replace(model.target, api_base=base)


# --- what a row does to a request


async def sent(
    models: ConfiguredModels, endpoint: Endpoint, request: Request, **fields: Any
) -> Any:
    """The body that arrives for `request` where these fields of the model hold."""
    settings = {"overrides": {"openai/scripted": fields}, **endpoint.settings()}
    models.configure(Settings(**settings))
    endpoint.say("ok")
    assert await text(await models.get(), request) == "ok"
    return endpoint.requests[-1].body


async def test_the_sessions_id_is_sent_as_a_digest(
    models: ConfiguredModels, endpoint: Endpoint
) -> None:
    one = Request(ASK.messages, 8, session="my private plans")
    body = await sent(models, endpoint, one, session_key=True)
    again = await sent(models, endpoint, one, session_key=True)
    other = await sent(models, endpoint, Request(ASK.messages, 8, session="s2"), session_key=True)
    assert body["prompt_cache_key"] == again["prompt_cache_key"] != other["prompt_cache_key"]
    assert "private" not in json.dumps(body)
    assert "prompt_cache_key" not in await sent(models, endpoint, one)


async def test_at_most_four_cache_marks(models: ConfiguredModels, endpoint: Endpoint) -> None:
    words = ["one ", "two ", "three "]
    marks = tuple(len("".join(words[:n])) for n in (1, 2))
    messages = (
        Message("system", "rules", cache=True),
        Message("user", "".join(words), cache=True, marks=marks),
        Message("assistant", "yes"),
        Message("user", "now", cache=True),
    )
    body = await sent(models, endpoint, Request(messages, 8), cache=True)
    blocks = [b for m in body["messages"] if isinstance(m["content"], list) for b in m["content"]]
    assert [b["text"] for b in blocks] == ["rules", "one two ", "three ", "now"]
    marked = [b["text"] for b in blocks if "cache_control" in b]
    assert marked == ["rules", "one two ", "three ", "now"]
    plain = await sent(models, endpoint, Request(messages, 8))
    assert all(isinstance(m["content"], str) for m in plain["messages"])


async def test_a_model_without_a_system_message(
    models: ConfiguredModels, endpoint: Endpoint
) -> None:
    body = await sent(models, endpoint, ASK, system=False)
    assert body["messages"] == [{"role": "user", "content": "Be brief.\n\nHello?"}]


async def test_marks_stay_where_they_were() -> None:
    messages = (Message("system", "ab", cache=True), Message("user", "cdef", marks=(2,)))
    (joined,) = without_system(messages)
    assert [joined.content[:end] for end in joined.marks] == ["ab", "ab\n\ncd"]
    assert without_system(messages[1:]) == messages[1:]


@pytest.mark.parametrize(
    ("prices", "cost"),
    [
        ({}, 0.0),
        ({"price_in": 0.5, "price_out": 2.0}, 7 * 0.5 + 5 * 2.0),
    ],
)
async def test_what_an_answer_costs(
    models: ConfiguredModels, endpoint: Endpoint, prices: dict[str, float], cost: float
) -> None:
    """Nothing on this machine, unless it is said to cost something."""
    models.configure(Settings(**endpoint.settings(), overrides={"openai/*": prices}))
    endpoint.say("ok")
    deltas = [delta async for delta in (await models.get()).stream(ASK)]
    assert [d.cost for d in deltas if isinstance(d, Usage)] == [cost]


async def test_a_model_that_does_not_stream(models: ConfiguredModels, endpoint: Endpoint) -> None:
    settings = {"overrides": {"openai/scripted": {"streaming": False}}, **endpoint.settings()}
    models.configure(Settings(**settings))
    model = await models.get()
    endpoint.at_once("all of it", reasoning="hm")
    deltas = [delta async for delta in model.stream(ASK)]
    assert deltas[:2] == [Reasoning("hm"), Text("all of it")] and deltas[-1] == Finish("stop")
    assert not endpoint.requests[0].body.get("stream")
    endpoint.at_once("", finish="length")
    with pytest.raises(ModelError, match="output limit"):
        await text(model)


async def test_thinking_in_the_text_is_told_apart(
    models: ConfiguredModels, endpoint: Endpoint
) -> None:
    row = {"reasoning_tag": "think", "reasoning_open": True}
    models.configure(Settings(**endpoint.settings(), overrides={"openai/*": row}))
    endpoint.say("let me see</think>\n\nIt is so.", size=3)
    deltas = [delta async for delta in (await models.get()).stream(ASK)]
    assert "".join(d.text for d in deltas if isinstance(d, Reasoning)) == "let me see"
    assert "".join(d.text for d in deltas if isinstance(d, Text)) == "It is so."


async def test_a_file_of_certificates_that_is_not_there(models: ConfiguredModels) -> None:
    gone = ConfiguredModels(Settings(name="openai/gpt-5", ca_file="/nonexistent.pem"), {})
    with pytest.raises(ModelError, match="ca_file names no file"):
        await gone.get()
    await gone.close()
