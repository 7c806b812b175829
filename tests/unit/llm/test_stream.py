"""Requests through the real model process and real HTTP to a scripted endpoint."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from email.utils import formatdate
from typing import Any

import pytest
from tests.support.endpoint import Endpoint
from tests.support.models import SECRET

from pairwright.config.schema import Model as Settings
from pairwright.llm.models import ConfiguredModels, Server
from pairwright.llm.remote import RemoteModel
from pairwright.llm.types import (
    Delta,
    Finish,
    Message,
    ModelError,
    Reasoning,
    Request,
    Retrying,
    Text,
    Usage,
)

pytestmark = pytest.mark.asyncio(loop_scope="session")

ASK = Request((Message("system", "Be brief."), Message("user", "Hello?")), 64)
KEYS = {"OPENAI_API_KEY": SECRET, "ANTHROPIC_API_KEY": ""}


@pytest.fixture
def models(models_everywhere: ConfiguredModels) -> ConfiguredModels:
    return models_everywhere


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as endpoint:
        yield endpoint


@dataclass
class Heard:
    """What one request brought."""

    deltas: list[Delta]
    error: ModelError | None

    @property
    def text(self) -> str:
        return "".join(d.text for d in self.deltas if isinstance(d, Text))

    def of(self, kind: type) -> list[Any]:
        return [d for d in self.deltas if isinstance(d, kind)]


async def model_at(models: ConfiguredModels, endpoint: Endpoint, **settings: Any) -> RemoteModel:
    named = {"name": "openai/scripted", "api_base": endpoint.url, **settings}
    models.configure(Settings(**named))
    model = await models.get()
    assert isinstance(model, RemoteModel)
    return model


async def hear(model: RemoteModel, request: Request = ASK) -> Heard:
    deltas: list[Delta] = []
    try:
        async for delta in model.stream(request):
            deltas.append(delta)
    except ModelError as error:
        return Heard(deltas, error)
    return Heard(deltas, None)


def check(
    heard: Heard, *, text: str = "", error: str | None = None, retryable: bool = False
) -> None:
    """A whole answer ends with Finish; a failed one never does, and its message says what to do."""
    assert heard.text == text
    assert (heard.error.kind if heard.error else None) == error
    finishes = heard.of(Finish)
    if heard.error is None:
        assert finishes and heard.deltas[-1] is finishes[0] and len(finishes) == 1
    else:
        assert not finishes
        assert heard.error.retryable is retryable
        assert SECRET not in heard.error.message
        assert heard.error.message.endswith((".", ")", "/v1)."))


async def test_an_answer_comes_in_order(models: ConfiguredModels, endpoint: Endpoint) -> None:
    usage = {
        "prompt_tokens": 40,
        "completion_tokens": 6,
        "total_tokens": 46,
        "prompt_tokens_details": {"cached_tokens": 30},
    }
    endpoint.say("Ünïcode 😀 and\r\nlines\x0c.", size=3, reasoning="thinking", usage=usage)
    heard = await hear(await model_at(models, endpoint))
    check(heard, text="Ünïcode 😀 and\r\nlines\x0c.")
    assert heard.deltas[0] == Reasoning("thinking")
    assert heard.deltas[-2:] == [Usage(40, 6, 30, 0.0), Finish("stop")]


async def test_the_request_arrives_as_it_was_made(
    models: ConfiguredModels, endpoint: Endpoint
) -> None:
    endpoint.say("ok")
    model = await model_at(models, endpoint, extra={"seed": 7})
    request = Request(ASK.messages, 33, 0.5, "root ::= [a-z]+", ("STOP",), {"top_p": 0.25})
    check(await hear(model, request), text="ok")
    body = endpoint.requests[0].body
    assert body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hello?"},
    ]
    wanted = {
        "model": "scripted",
        "max_tokens": 33,
        "temperature": 0.5,
        "grammar": "root ::= [a-z]+",
        "stop": ["STOP"],
        "seed": 7,
        "top_p": 0.25,
        "stream": True,
    }
    assert {key: body[key] for key in wanted} == wanted


async def test_ollama_is_told_the_window(models: ConfiguredModels, endpoint: Endpoint) -> None:
    """Left alone it cuts a long prompt silently."""
    base = endpoint.url.removesuffix("/v1")
    model = await model_at(models, endpoint, name="ollama_chat/x", api_base=base, window=12345)
    endpoint.fail(400)
    check(await hear(model), error="refused")
    assert endpoint.requests[0].path == "/api/chat"
    assert endpoint.requests[0].body["options"]["num_ctx"] == 12345


async def test_a_prefix_mark_reaches_claude(models: ConfiguredModels, endpoint: Endpoint) -> None:
    base = endpoint.url.removesuffix("/v1")
    name, extra = "anthropic/claude-sonnet-4-5", {"api_key": "any"}
    model = await model_at(models, endpoint, name=name, api_base=base, extra=extra)
    endpoint.fail(400)
    request = Request((Message("user", "a long prefix", cache=True), Message("user", "q")), 9)
    check(await hear(model, request), error="refused")
    assert '"cache_control": {"type": "ephemeral"}' in json.dumps(endpoint.requests[0].body)


async def test_no_temperature_leaves_it_out(models: ConfiguredModels, endpoint: Endpoint) -> None:
    endpoint.say("ok")
    overrides = {"openai/scripted": {"temperature": None}}
    await hear(await model_at(models, endpoint, overrides=overrides))
    assert "temperature" not in endpoint.requests[0].body


async def test_the_output_limit_shows(models: ConfiguredModels, endpoint: Endpoint) -> None:
    endpoint.say("half a sen", finish="length")
    heard = await hear(await model_at(models, endpoint))
    check(heard, text="half a sen")
    assert heard.deltas[-1] == Finish("length")


@pytest.mark.parametrize(
    ("status", "message", "kind"),
    [
        (401, f"Incorrect API key provided: {SECRET}", "auth"),
        (403, "no access to this model", "auth"),
        (404, "no such model", "refused"),
        (400, "bad value", "refused"),
        (422, "unprocessable", "refused"),
        (429, "You exceeded your current quota, check billing", "rate"),
    ],
)
async def test_failures_that_do_not_pass(
    models: ConfiguredModels, endpoint: Endpoint, status: int, message: str, kind: str
) -> None:
    endpoint.fail(status, message)
    heard = await hear(await model_at(models, endpoint))
    check(heard, error=kind)
    assert not heard.of(Retrying)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 529])
async def test_failures_that_pass_are_tried_again(
    models: ConfiguredModels, endpoint: Endpoint, status: int
) -> None:
    endpoint.fail(status)
    endpoint.fail(status)
    endpoint.say("at last")
    heard = await hear(await model_at(models, endpoint))
    check(heard, text="at last")
    assert [r.delay for r in heard.of(Retrying)] == [0.125, 0.25]
    assert len(endpoint.requests) == 3


async def test_retry_after_is_honoured(models: ConfiguredModels, endpoint: Endpoint) -> None:
    endpoint.fail(429, retry_after=1)
    endpoint.say("ok")
    heard = await hear(await model_at(models, endpoint))
    check(heard, text="ok")
    assert [r.delay for r in heard.of(Retrying)] == [1.0]
    first, second = endpoint.requests
    assert second.started_at - first.started_at >= 1.0


async def test_every_form_of_retry_after(models: ConfiguredModels, endpoint: Endpoint) -> None:
    """A date, in whole seconds; milliseconds, which come before seconds; and what is none of these."""
    soon = formatdate(time.time() + 3, usegmt=True)
    endpoint.fail(429, headers={"Retry-After": soon})
    endpoint.fail(503, headers={"Retry-After": "9", "Retry-After-Ms": "300"})
    endpoint.fail(503, headers={"Retry-After": "soon"})
    endpoint.say("ok")
    heard = await hear(await model_at(models, endpoint))
    check(heard, text="ok")
    first, *others = [r.delay for r in heard.of(Retrying)]
    assert 0.125 <= first <= 3
    assert others == [0.3, 0.5]


async def test_a_long_retry_after_is_left_to_the_user(
    models: ConfiguredModels, endpoint: Endpoint
) -> None:
    endpoint.fail(429, retry_after=3600)
    heard = await hear(await model_at(models, endpoint))
    check(heard, error="rate", retryable=True)
    assert heard.error and heard.error.retry_after == 3600
    assert not heard.of(Retrying)


@pytest.mark.parametrize("words", ["openai", "llama.cpp"])
async def test_overflow(models: ConfiguredModels, endpoint: Endpoint, words: str) -> None:
    if words == "openai":
        endpoint.overflow()
    else:
        endpoint.fail(
            400,
            "request (5031 tokens) exceeds the available context size (2048 tokens)",
            kind="exceed_context_size_error",
        )
    check(await hear(await model_at(models, endpoint)), error="context")


async def test_html_with_status_200_is_an_error(
    models: ConfiguredModels, endpoint: Endpoint
) -> None:
    endpoint.html()
    heard = await hear(await model_at(models, endpoint))
    check(heard, error="transport")
    assert heard.error and "OpenAI form" in heard.error.message


async def test_an_empty_answer_is_an_error(models: ConfiguredModels, endpoint: Endpoint) -> None:
    endpoint.empty()
    check(await hear(await model_at(models, endpoint)), error="empty")


async def test_the_providers_filter_is_told_from_other_refusals(
    models: ConfiguredModels, endpoint: Endpoint
) -> None:
    endpoint.say("I will", finish="content_filter")
    check(await hear(await model_at(models, endpoint)), text="I will", error="filtered")


@pytest.mark.parametrize("way", ["cut", "error", "no-end"])
async def test_a_broken_stream_never_ends_well(
    models: ConfiguredModels, endpoint: Endpoint, way: str
) -> None:
    if way == "cut":
        endpoint.cut("a partial answer")
    elif way == "error":
        endpoint.error_in_stream("a partial answer")
    else:
        endpoint.without_done("a partial answer")
    heard = await hear(await model_at(models, endpoint))
    assert "a partial answer".startswith(heard.text)
    check(heard, text=heard.text, error="transport", retryable=True)
    assert heard.error and "broke" in heard.error.message
    assert len(endpoint.requests) == 1, "an answer that has begun is not asked for again"


async def test_a_missing_done_mark_is_forgiven(
    models: ConfiguredModels, endpoint: Endpoint
) -> None:
    endpoint.without_done("whole", finish="stop")
    check(await hear(await model_at(models, endpoint)), text="whole")


async def test_a_cut_before_the_first_text_is_tried_again(
    models: ConfiguredModels, endpoint: Endpoint
) -> None:
    endpoint.cut("")
    endpoint.say("ok")
    heard = await hear(await model_at(models, endpoint))
    check(heard, text="ok")
    assert len(heard.of(Retrying)) == 1


async def test_a_stalled_stream_times_out(models: ConfiguredModels, endpoint: Endpoint) -> None:
    endpoint.stall("some words")
    heard = await hear(await model_at(models, endpoint, timeout=1))
    assert "some words".startswith(heard.text)
    check(heard, text=heard.text, error="transport")
    assert time.monotonic() - endpoint.requests[0].started_at < 10


async def test_nothing_listens(models: ConfiguredModels, endpoint: Endpoint) -> None:
    model = await model_at(models, endpoint, api_base="http://127.0.0.1:9/v1")
    heard = await hear(model)
    check(heard, error="transport")
    assert heard.error and "Nothing listens at http://127.0.0.1:9/v1" in heard.error.message


@pytest.mark.parametrize("how", ["close", "cancel", "before the first byte"])
async def test_cancel_closes_the_connection(
    models: ConfiguredModels, endpoint: Endpoint, how: str
) -> None:
    model = await model_at(models, endpoint)
    if how == "before the first byte":
        endpoint.say("late", first=30)
    else:
        endpoint.say("x" * 4000, delay=0.05)
    before = await _cancelled(model, endpoint, how)
    closed = await asyncio.to_thread(endpoint.wait_closed)
    assert closed - before < 1.0
    endpoint.say("the next one")
    check(await hear(model), text="the next one")


async def _cancelled(model: RemoteModel, endpoint: Endpoint, how: str) -> float:
    if how == "close":
        deltas = model.stream(ASK)
        assert await anext(deltas) == Text("x" * 12)
        before = time.monotonic()
        async with aclosing(deltas):  # type: ignore[type-var]
            pass
        return before
    task = asyncio.ensure_future(hear(model))
    await asyncio.to_thread(endpoint.wait)
    await asyncio.sleep(0.2)
    before = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    return before


async def test_cancel_during_a_pause_between_tries(
    models: ConfiguredModels, endpoint: Endpoint
) -> None:
    endpoint.fail(429, retry_after=30)
    deltas = (await model_at(models, endpoint)).stream(ASK)
    assert isinstance(await anext(deltas), Retrying)
    before = time.monotonic()
    async with aclosing(deltas):  # type: ignore[type-var]
        pass
    assert time.monotonic() - before < 0.1


@pytest.mark.usefixtures("cold")
async def test_a_process_that_does_not_cancel_is_killed(endpoint: Endpoint) -> None:
    """A process with its own number for once: a fork would not stop with the one that stands for it."""
    models = ConfiguredModels(Settings(), {**os.environ, **KEYS}, servers=())
    model = await model_at(models, endpoint)
    endpoint.say("x" * 4000, delay=0.05)
    deltas = model.stream(ASK)
    await anext(deltas)
    pid = model.child.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    async with aclosing(deltas):  # type: ignore[type-var]
        pass
    await asyncio.to_thread(endpoint.wait_closed)
    endpoint.say("a new process")
    check(await hear(model), text="a new process")
    assert model.child.pid not in (None, pid)
    await models.close()


async def test_a_crash_before_the_first_text_is_tried_again(
    models: ConfiguredModels, endpoint: Endpoint
) -> None:
    model = await model_at(models, endpoint)
    endpoint.say("never", first=30)
    endpoint.say("after the crash")
    task = asyncio.ensure_future(hear(model))
    await asyncio.to_thread(endpoint.wait)
    assert model.child.pid is not None
    os.kill(model.child.pid, signal.SIGKILL)
    heard = await task
    check(heard, text="after the crash")
    assert "signal 9" in heard.of(Retrying)[0].reason


async def test_a_crash_in_the_middle_is_an_error(
    models: ConfiguredModels, endpoint: Endpoint
) -> None:
    model = await model_at(models, endpoint)
    endpoint.say("x" * 4000, delay=0.05)
    deltas = model.stream(ASK)
    await anext(deltas)
    assert model.child.pid is not None
    os.kill(model.child.pid, signal.SIGKILL)
    with pytest.raises(ModelError) as caught:
        async for delta in deltas:
            assert isinstance(delta, Text)
    assert caught.value.kind == "transport"
    endpoint.say("the next one")
    check(await hear(model), text="the next one")


async def test_twenty_in_a_row_and_three_at_once(
    models: ConfiguredModels, endpoint: Endpoint
) -> None:
    endpoint.otherwise = lambda body: f"echo {body['messages'][1]['content']}"
    model = await model_at(models, endpoint)

    async def one(number: int) -> None:
        request = Request((ASK.messages[0], Message("user", f"n{number}")), 8)
        check(await hear(model, request), text=f"echo n{number}")

    for number in range(20):
        await one(number)
    await asyncio.gather(*(one(number) for number in range(3)))


async def test_counting_goes_on_beside_a_stream(
    models: ConfiguredModels, endpoint: Endpoint
) -> None:
    model = await model_at(models, endpoint, name="openai/gpt-4o")
    endpoint.say("x" * 1200, delay=0.05)
    deltas = model.stream(ASK)
    await anext(deltas)
    source = "def add(left, right):\n    return left + right\n"
    assert await model.count(["", source, source * 400]) == [0, 12, 4800]
    assert isinstance(await anext(deltas), Text)
    async with aclosing(deltas):  # type: ignore[type-var]
        pass


async def test_the_loop_stays_free(models: ConfiguredModels, endpoint: Endpoint) -> None:
    """No stall above 20 ms in the server while an answer streams (the median of the worst of
    five)."""
    model = await model_at(models, endpoint)
    worst: list[float] = []
    for _ in range(5):
        endpoint.say("words " * 400, size=6, delay=0.001)
        task = asyncio.ensure_future(hear(model))
        stalls = []
        while not task.done():
            before = time.perf_counter()
            await asyncio.sleep(0.002)
            stalls.append(time.perf_counter() - before - 0.002)
        check(await task, text="words " * 400)
        worst.append(max(stalls))
    assert statistics.median(worst) < 0.02


async def test_latency_of_a_token(models: ConfiguredModels, endpoint: Endpoint) -> None:
    """From the endpoint's socket to the delta: the goal is a median under 5 ms (one clock for
    both)."""
    model = await model_at(models, endpoint)
    endpoint.stamps(60, delay=0.01)
    late = []
    async for delta in model.stream(ASK):
        if isinstance(delta, Text):
            late.append(time.monotonic() - float(delta.text))
    assert len(late) == 60
    assert statistics.median(late) < 0.005


async def test_prints_do_not_reach_the_wire(models: ConfiguredModels, endpoint: Endpoint) -> None:
    """Names that make litellm print its list of providers, and a failure that makes it print
    help."""
    for name in ("nosuchprovider/x", "openai/my-local-model", "ollama/foo-coder", "x"):
        model = await model_at(models, endpoint, name=name)
        await model.count(["a b c"])
    endpoint.fail(400)
    check(await hear(await model_at(models, endpoint)), error="refused")
    endpoint.say("still in step")
    check(await hear(await model_at(models, endpoint)), text="still in step")


# --- choosing a model


async def test_limits_and_prices_are_known_offline(models: ConfiguredModels) -> None:
    models.configure(Settings(name="openai/gpt-5"))
    info = (await models.get()).info
    assert info.window == 272_000 and info.max_output == 128_000
    assert info.price_in == 1.25e-6 and not info.local and not info.small
    models.configure(Settings(name="openai/gpt-5", window=9000, max_output=500, format="udiff"))
    info = (await models.get()).info
    assert (info.window, info.max_output, info.format) == (9000, 500, "udiff")


@pytest.mark.parametrize("name", ["openai/my-local-model", "my-local-model", "org/Model-3B"])
async def test_unknown_models_have_safe_defaults(
    models: ConfiguredModels, endpoint: Endpoint, name: str
) -> None:
    info = (await model_at(models, endpoint, name=name)).info
    assert (info.window, info.max_output, info.local) == (8192, 2048, True)
    endpoint.say("works")
    check(await hear(await model_at(models, endpoint, name=name)), text="works")


async def refused(models: ConfiguredModels, settings: Settings) -> ModelError:
    models.configure(settings)
    with pytest.raises(ModelError) as caught:
        await models.get()
    return caught.value


async def test_a_missing_key_is_named_before_anything_is_sent(models: ConfiguredModels) -> None:
    error = await refused(models, Settings(name="anthropic/claude-sonnet-4-5"))
    assert error.kind == "auth" and "ANTHROPIC_API_KEY" in error.message


async def test_a_name_without_a_provider(models: ConfiguredModels) -> None:
    error = await refused(models, Settings(name="nosuchprovider/x"))
    assert "provider/model" in error.message


async def found(servers: Sequence[Server], settings: Settings | None = None) -> Any:
    env = {
        **os.environ,
        **KEYS,
        "PAIRWRIGHT_MODELS": "/nonexistent",
        "PAIRWRIGHT_CACHE": "/nonexistent",
    }
    models = ConfiguredModels(settings or Settings(), env, servers=servers)
    try:
        model = await models.get()
        return model, await hear(model) if isinstance(model, RemoteModel) else None
    finally:
        await models.close()


async def test_a_server_on_loopback_is_found_and_gets_no_key() -> None:
    names = ["nomic-embed-text", "llama3.2:3b", "qwen2.5-coder:3b"]
    with Endpoint(models=names) as endpoint:
        endpoint.say("hello")
        nobody = Server("nobody", "http://127.0.0.1:9/v1")
        model, heard = await found([nobody, Server("Ollama", endpoint.url, 4096)])
        check(heard, text="hello")
        assert model.info.name == "openai/qwen2.5-coder:3b"
        assert (model.info.window, model.info.small, model.info.local) == (4096, True, True)
        assert SECRET not in str(endpoint.requests[0].headers)


async def test_with_nothing_at_all_one_message_offers_both_ways() -> None:
    with pytest.raises(ModelError) as caught:
        await found([Server("nobody", "http://127.0.0.1:9/v1")])
    message = caught.value.message
    assert caught.value.kind == "auth"
    for part in (
        "pairwright model fetch",
        "1.1 GB",
        "OPENAI_API_KEY is set",
        "pairwright.model.name",
    ):
        assert part in message
    assert SECRET not in message and "ANTHROPIC_API_KEY is set" not in message


async def test_a_server_by_address_alone() -> None:
    with Endpoint(models=["only-one"]) as endpoint:
        endpoint.say("hello")
        model, heard = await found([], Settings(api_base=endpoint.url))
        check(heard, text="hello")
        assert model.info.name == "openai/only-one"
