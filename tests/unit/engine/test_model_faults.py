"""Whatever a model's server does, through real HTTP and the whole turn: the user sees one clear message, nothing of
the failed turn is left, and the next turn works."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.endpoint import Endpoint
from tests.support.turns import Room

from pairwright.config.schema import Model as ModelSettings
from pairwright.engine.context import Turn
from pairwright.engine.events import Done, Outcome, Stop
from pairwright.llm.models import ConfiguredModels

pytestmark = pytest.mark.asyncio(loop_scope="session")
FILES = {"app.py": "def size(a):\n    return a\n"}
ASK = Turn("ask", "What is size?", "app.py")


@pytest.fixture
def room(tmp_path: Path, endpoint: Endpoint, models: ConfiguredModels) -> Room:
    models.configure(ModelSettings(**endpoint.settings()))
    return Room.of(tmp_path, FILES, models)


async def check(room: Room, endpoint: Endpoint, words: str, requests: int = 1) -> Stop:
    """The turn ends with one message that holds `words`, after so many requests; the next one works and knows
    nothing of it."""
    outcome = await room.run(ASK)
    assert isinstance(outcome, Stop)
    assert words in outcome.message, outcome.message
    assert "\n" not in outcome.message and "Traceback" not in outcome.message
    assert len(outcome.message) < 500
    assert len(endpoint.requests) == requests
    endpoint.forget()
    assert isinstance(room.models, ConfiguredModels)
    room.models.configure(ModelSettings(**endpoint.settings()))
    await works(room, endpoint)
    return outcome


async def works(room: Room, endpoint: Endpoint) -> None:
    """The next turn goes well, and its messages alternate as if nothing had been before."""
    endpoint.say("It returns a.")
    outcome: Outcome = await room.run(ASK)
    assert isinstance(outcome, Done) and outcome.text == "It returns a."
    roles = [message["role"] for message in endpoint.requests[-1].body["messages"]]
    assert roles == ["system", "user"]


def overflow(words: str, status: int = 400) -> Callable[[Endpoint], None]:
    def script(endpoint: Endpoint) -> None:
        endpoint.fail(status, words, kind="invalid_request_error")
        endpoint.fail(status, words, kind="invalid_request_error")

    return script


Script = Callable[[Endpoint], None]
ONCE: dict[str, tuple[Script, str]] = {
    "401": (
        lambda e: e.fail(401, "Incorrect API key provided: sk-0123456789abcdef"),
        "was not accepted",
    ),
    "402": (lambda e: e.fail(402, "Payment required"), "may not use"),
    "403": (lambda e: e.fail(403, "no access"), "may not use"),
    "404": (lambda e: e.fail(404, "The model does not exist"), "does not know"),
    "400": (lambda e: e.fail(400, "bad value"), "refused the request"),
    "no quota": (lambda e: e.fail(429, "You exceeded your current quota"), "quota is used up"),
    "a long pause": (lambda e: e.fail(429, retry_after=3600), "asks for a pause"),
    "a stall": (lambda e: e.stall("Some words"), "stalled: no token for 0.5 s"),
    "a stall with signs of life": (lambda e: e.pings("Some words"), "stalled: no token for 0.5 s"),
    "a silence": (lambda e: e.stall(""), "Nothing came from"),
    "a silence with signs of life": (lambda e: e.pings(""), "Nothing came from"),
    "cut in a token": (lambda e: e.cut("Some words"), "broke in the middle"),
    "cut in a character": (lambda e: e.cut_inside_a_character("Some words"), "broke in the middle"),
    "no end": (lambda e: e.without_done("Some words"), "broke in the middle"),
    "an error in the stream": (lambda e: e.error_in_stream("Some words"), "broke in the middle"),
    "malformed": (lambda e: e.malformed("Some words"), "broke in the middle"),
    "html": (lambda e: e.html(), "did not answer in the OpenAI form"),
    "the filter": (lambda e: e.say("I", finish="content_filter"), "content filter"),
    "nothing but thinking": (lambda e: e.say("", finish="length", reasoning="hm"), "output limit"),
}


@pytest.mark.parametrize("name", sorted(ONCE))
async def test_one_clear_message(
    room: Room, endpoint: Endpoint, models: ConfiguredModels, name: str
) -> None:
    script, words = ONCE[name]
    script(endpoint)
    if "stall" in name:
        models.configure(ModelSettings(**endpoint.settings(), stall=0.5))
    if "silence" in name:
        models.configure(ModelSettings(**endpoint.settings(), timeout=3))
    stop = await check(room, endpoint, words)
    assert "0123456789abcdef" not in stop.message
    assert not [status for status in room.statuses if "trying again" in status]


async def test_an_empty_answer_is_asked_for_once_more(room: Room, endpoint: Endpoint) -> None:
    endpoint.empty()
    endpoint.empty()
    await check(room, endpoint, "sent an empty answer", requests=2)


WORDINGS = {
    "OpenAI": "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.",
    "Anthropic": "prompt is too long: 210000 tokens > 200000 maximum",
    "Anthropic with output": "input length and `max_tokens` exceed context limit: 190000 + 21333 > 200000",
    "Gemini": "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    "xAI": "This model's maximum prompt length is 131072 but the request contains 200000 tokens.",
    "Groq": "Please reduce the length of the messages or completion.",
    "Mistral": "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
    "Bedrock": "Input is too long for requested model.",
    "llama.cpp": "request (5031 tokens) exceeds the available context size (2048 tokens)",
    "LM Studio": "Trying to keep the first 9000 tokens when context the overflows. Load a larger one.",
    "Together": "`inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000 `inputs` tokens",
    "vLLM": "the prompt is longer than the maximum model length of 4096",
}


@pytest.mark.parametrize("name", sorted(WORDINGS))
async def test_a_prompt_that_the_provider_finds_too_long(
    room: Room, endpoint: Endpoint, name: str
) -> None:
    """One step is left out and it is sent once more; then one message, however the provider words it."""
    overflow(WORDINGS[name], 413 if name == "Groq" else 400)(endpoint)
    outcome = await room.run(ASK)
    assert isinstance(outcome, Stop)
    assert len(endpoint.requests) <= 2
    assert "the model found the prompt too long; sending less" in room.statuses
    endpoint.forget()
    await works(room, endpoint)


PASSING: dict[str, Script] = {
    "429 with a pause": lambda e: e.fail(429, retry_after=0.3),
    "500": lambda e: e.fail(500),
    "529": lambda e: e.fail(529, "Overloaded"),
    "no choices": lambda e: e.no_choices(),
    "malformed before the first word": lambda e: e.malformed(),
    "cut before the first word": lambda e: e.cut(""),
    "dropped": lambda e: e.drop(),
}


@pytest.mark.parametrize("name", sorted(PASSING))
async def test_what_passes_is_tried_again(room: Room, endpoint: Endpoint, name: str) -> None:
    """Bursts of failures cost a line of progress each and no message."""
    PASSING[name](endpoint)
    PASSING[name](endpoint)
    await works(room, endpoint)
    assert len(endpoint.requests) == 3
    assert len([status for status in room.statuses if "trying again" in status]) == 2


async def test_nothing_listens(room: Room, endpoint: Endpoint, models: ConfiguredModels) -> None:
    models.configure(ModelSettings(name="openai/scripted", api_base="http://127.0.0.1:9/v1"))
    outcome = await room.run(ASK)
    assert isinstance(outcome, Stop)
    assert "Nothing listens at http://127.0.0.1:9/v1" in outcome.message
    models.configure(ModelSettings(**endpoint.settings()))
    await works(room, endpoint)


MOMENTS: dict[str, Script] = {
    "before the first byte": lambda e: e.say("late", first=30),
    "while it streams": lambda e: e.say("words " * 400, delay=0.05),
    "in a stall": lambda e: e.stall("Some words"),
    "in the pause before the next try": lambda e: e.fail(429, retry_after=30),
}


@pytest.mark.parametrize("moment", sorted(MOMENTS))
async def test_a_cancelled_turn_leaves_nothing(room: Room, endpoint: Endpoint, moment: str) -> None:
    MOMENTS[moment](endpoint)
    task = asyncio.ensure_future(room.run(ASK))
    request = await asyncio.to_thread(endpoint.wait)
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        async with asyncio.timeout(0.2):
            await task
    if moment != "in the pause before the next try":
        assert await asyncio.to_thread(request.done.wait, 5)
        assert request.closed_at is not None
    await works(room, endpoint)


async def test_two_turns_at_once(room: Room, endpoint: Endpoint) -> None:
    """Each gets its own answer, and a cancel of one does not touch the other."""
    endpoint.otherwise = lambda body: (
        "about " + body["messages"][-1]["content"].rsplit("Q", 1)[1][:1]
    )
    turns = [replace(ASK, instruction=f"Q{n}", session=f"s{n}") for n in range(4)]
    outcomes = await asyncio.gather(*map(room.run, turns))
    assert [o.text for o in outcomes if isinstance(o, Done)] == [f"about {n}" for n in range(4)]
    endpoint.say("words " * 40, delay=0.02)
    slow = asyncio.ensure_future(room.run(turns[0]))
    await asyncio.to_thread(endpoint.wait, 5)
    quick = await room.run(turns[1])
    assert isinstance(quick, Done) and quick.text == "about 1"
    assert not slow.done()
    other = asyncio.ensure_future(room.run(turns[2]))
    other.cancel()
    assert isinstance(await slow, Done)


async def test_a_turn_is_cancelled_while_it_connects(
    room: Room, endpoint: Endpoint, models: ConfiguredModels
) -> None:
    """A host that takes no connection: its queue is full."""
    with socket.socket() as full, contextlib.ExitStack() as waiting:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for _ in range(2):
            one = waiting.enter_context(socket.socket())
            one.setblocking(False)
            one.connect_ex(full.getsockname())
        base = f"http://127.0.0.1:{full.getsockname()[1]}/v1"
        models.configure(ModelSettings(name="openai/scripted", api_base=base))
        task = asyncio.ensure_future(room.run(ASK))
        await asyncio.sleep(0.5)
        assert not task.done()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            async with asyncio.timeout(0.2):
                await task
    models.configure(ModelSettings(**endpoint.settings()))
    await works(room, endpoint)
