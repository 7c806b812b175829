"""The embedded model for real: loading, reading, answering, cancel, grammar, idle stop, crash."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from pairwright.config.schema import Model as Settings
from pairwright.llm.embedded import EmbeddedModel
from pairwright.llm.grammar import MARKERS, replace_lines
from pairwright.llm.models import ConfiguredModels
from pairwright.llm.types import (
    Delta,
    Finish,
    Loading,
    Message,
    ModelError,
    Reading,
    Request,
    Text,
    Usage,
)
from pairwright.text.estimate import estimates

pytestmark = [pytest.mark.model, pytest.mark.asyncio(loop_scope="module")]

SYSTEM = Message("system", "You are a terse programmer.")
CODE = "".join(f"def add_{n}(x):\n    return x + {n}\n\n" for n in range(20))


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def model(
    embedded_model_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[EmbeddedModel]:
    cache = tmp_path_factory.mktemp("cache")
    env = {**os.environ, "PAIRWRIGHT_CACHE": str(cache)}
    # A proxy must not stand between the server and its own model.
    env |= {"HTTP_PROXY": "http://127.0.0.1:9", "http_proxy": "http://127.0.0.1:9"}
    models = ConfiguredModels(Settings(name="embedded", path=str(embedded_model_path)), env)
    got = await models.get()
    assert isinstance(got, EmbeddedModel)
    yield got
    await models.close()


def ask(text: str, tokens: int = 24, **more: Any) -> Request:
    return Request((SYSTEM, Message("user", text)), tokens, **more)


async def hear(model: EmbeddedModel, request: Request) -> list[Delta]:
    return [delta async for delta in model.stream(request)]


def text_of(deltas: list[Delta]) -> str:
    return "".join(delta.text for delta in deltas if isinstance(delta, Text))


def check(deltas: list[Delta], *, fresh: bool = False) -> None:
    """An answer in order: loading if it was not loaded, reading up to the whole prompt, text,
    usage, finish."""
    kinds = [type(delta) for delta in deltas]
    order = [kind for i, kind in enumerate(kinds) if i == 0 or kinds[i - 1] is not kind]
    assert order == [*([Loading] if fresh else []), Reading, Text, Usage, Finish]
    reading = [delta for delta in deltas if isinstance(delta, Reading)]
    assert [r.done for r in reading] == sorted(r.done for r in reading)
    usage = next(delta for delta in deltas if isinstance(delta, Usage))
    assert reading[-1].done == reading[-1].total == usage.prompt
    assert usage.cost == 0.0


async def test_it_answers(model: EmbeddedModel) -> None:
    assert (model.info.name, model.info.small, model.info.grammar) == ("embedded", True, True)
    deltas = await hear(model, ask(f"{CODE}\nWhat does add_7 return? One short sentence."))
    check(deltas, fresh=True)
    assert len([d for d in deltas if isinstance(d, Reading)]) > 3, "reading shows as it goes on"
    assert text_of(deltas).strip()


async def test_a_stable_prefix_is_not_read_again(model: EmbeddedModel) -> None:
    await hear(model, ask(f"{CODE}\nIs this Python? Yes or no.", 4))
    deltas = await hear(model, ask(f"{CODE}\nIs this Rust? Yes or no.", 4))
    check(deltas)
    usage = next(delta for delta in deltas if isinstance(delta, Usage))
    assert usage.cached > 0.9 * usage.prompt


async def test_counts_are_exact_and_the_estimate_is_above(model: EmbeddedModel) -> None:
    texts = ["", "hello world 123", "x = 1\n" * 50, CODE, "naïve café, ünïcode — 你好，世界 😀"]
    counts = await model.count(texts)
    assert counts[:3] == [0, 6, 250]
    for count, above in zip(counts, estimates(texts), strict=True):
        assert count <= above <= 3 * count
    usage = next(d for d in await hear(model, ask(CODE, 2)) if isinstance(d, Usage))
    assert 0 < usage.prompt - counts[3] < 40, "what the chat template adds"


async def test_cancel_while_reading_frees_the_engine(model: EmbeddedModel) -> None:
    long = "".join(f"x_{n} = {n * 7919 % 1000}\n" for n in range(60))
    deltas = model.stream(ask(f"{long}\nSum them.", 4))
    async for delta in deltas:
        if isinstance(delta, Reading) and delta.done:
            break
    async with aclosing(deltas):  # type: ignore[type-var]
        pass
    before = time.monotonic()
    first = await anext(model.stream(ask("Say hi.", 2)))
    # One batch of 64 tokens is read to its end: about 1 s when idle.
    assert isinstance(first, Reading | Text)
    assert time.monotonic() - before < 20


async def test_html_under_the_grammar(model: EmbeddedModel) -> None:
    head = "a.html\n```html\n<<<<<<< SEARCH\n<p>old</p>\n=======\n"
    tail = ">>>>>>> REPLACE\n```"
    grammar = replace_lines(head, tail, (*MARKERS, "```"))
    request = ask("Replace the line <p>old</p> of a.html by <p>new</p>.", 60, grammar=grammar)
    deltas = await hear(model, request)
    answer = text_of(deltas)
    assert answer.startswith(head)
    lines = answer.removeprefix(head).split("\n")
    if deltas[-1] == Finish("stop"):
        assert answer.endswith(tail)
        lines = lines[:-2]
    assert not {line.rstrip() for line in lines[:-1]} & {*MARKERS, "```"}


async def test_what_it_refuses(model: EmbeddedModel) -> None:
    for request, kind in [
        (ask("x", 4, grammar="root ::= ("), "refused"),
        (ask("one two three " * 4000, 4), "context"),
    ]:
        with pytest.raises(ModelError) as caught:
            await hear(model, request)
        assert (caught.value.kind, caught.value.retryable) == (kind, False)
    check(await hear(model, ask("Say hi.", 2)))


async def test_a_crash_is_survived(model: EmbeddedModel) -> None:
    pid = model.engine.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    async with asyncio.timeout(20):
        while model.engine.running:
            await asyncio.sleep(0.05)
    check(await hear(model, ask("Say hi.", 2)), fresh=True)
    assert model.engine.pid not in (None, pid)


async def test_a_marker_cannot_hide_behind_a_control_token(model: EmbeddedModel) -> None:
    """Control tokens pass a grammar by their names and show as nothing."""
    for marker in ("```", "======="):
        grammar = replace_lines("", "END", (marker,))
        words = f"Output exactly the line {marker} three times and nothing else."
        answer = text_of(await hear(model, ask(words, 20, grammar=grammar)))
        assert marker not in {line.rstrip() for line in answer.split("\n")[:-1]}


async def test_it_stops_when_idle_and_when_it_is_replaced(model: EmbeddedModel) -> None:
    await model.engine.close()
    path = str(model.engine.load.path)
    models = ConfiguredModels(Settings(path=path, idle_stop=0.5), os.environ)
    short = await models.get()
    assert isinstance(short, EmbeddedModel)
    check(await hear(short, ask("Say hi.", 2)), fresh=True)
    assert short.engine.running
    await asyncio.sleep(1.5)
    assert not short.engine.running
    under_way = asyncio.ensure_future(hear(short, ask("Count to ten.", 12)))
    while not short.engine.running:
        await asyncio.sleep(0.05)
    models.configure(Settings(path=path, window=2048))
    assert (await models.get()).info.window == 2048
    check(await under_way, fresh=True)
    await asyncio.sleep(0.3)
    assert not short.engine.running
    await models.close()


async def test_a_file_that_is_no_model(tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF and then nothing of use" * 100)
    env = {**os.environ, "PAIRWRIGHT_CACHE": str(tmp_path)}
    models = ConfiguredModels(Settings(path=str(broken)), env)
    got = await models.get()
    with pytest.raises(ModelError) as caught:
        async for _ in got.stream(ask("hi", 2)):
            pass
    assert "could not be loaded" in caught.value.message
    assert "pairwright.model.path" in caught.value.message
    assert await got.count(["hello"]) == estimates(["hello"])
    await models.close()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (Settings(path="/nowhere/x.gguf"), "names no file: /nowhere/x.gguf"),
        (Settings(name="embedded"), "pairwright model fetch"),
    ],
)
async def test_a_missing_file_is_named(settings: Settings, words: str, tmp_path: Path) -> None:
    models = ConfiguredModels(settings, {"PAIRWRIGHT_MODELS": str(tmp_path)})
    with pytest.raises(ModelError, match=words):
        await models.get()
    assert "xllamacpp" not in sys.modules, "the engine never loads into the server"
