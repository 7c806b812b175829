"""The map of a conversation through the real server: frozen, completed, redone, turned off, and its budget."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.support.editor import Editor
from tests.support.endpoint import Endpoint

CAPABILITIES = {"experimental": {"pairwright": {"protocol": 1}}}
Open = Callable[..., AbstractAsyncContextManager[Editor]]


def word(number: int) -> str:
    """A word of its own for each number."""
    parts = [
        "ba",
        "ce",
        "di",
        "fo",
        "gu",
        "ha",
        "je",
        "ki",
        "lo",
        "mu",
        "na",
        "pe",
        "ri",
        "so",
        "tu",
    ]
    return parts[number // 225] + parts[number // 15 % 15] + parts[number % 15]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Three hundred modules with two functions each: more than any map of these tests holds."""
    folder = tmp_path / "work"
    folder.mkdir()
    for number in range(300):
        name, other = word(number), word(number * 7 % 300)
        text = (
            f"from m{number * 7 % 300:03} import load_{other}\n\n\n"
            f"def load_{name}(source, retries):\n    return source\n\n\n"
            f"def close_{name}(source):\n    return load_{other}(source, 1)\n"
        )
        (folder / f"m{number:03}.py").write_text(text)
    return folder


@pytest.fixture
def opened(root: Path, tmp_path: Path) -> Open:
    @asynccontextmanager
    async def start(endpoint: Endpoint, **settings: Any) -> AsyncIterator[Editor]:
        options = {"model": endpoint.settings(), **settings}
        env = dict(
            os.environ,
            PAIRWRIGHT_DATA=str(tmp_path / "data"),
            PAIRWRIGHT_CACHE=str(tmp_path / "cache"),
            OPENAI_API_KEY="scripted-key",
        )
        editor = await Editor.start(root, CAPABILITIES, init_options=options, env=env)
        async with editor:
            yield editor

    return start


async def asked(editor: Editor, text: str, **args: Any) -> list[dict[str, Any]]:
    """Ask and wait for the end; the events of the turn."""
    started = await editor.command("pairwright.ask", text=text, **args)
    await editor.wait_for(
        "the end of the turn",
        lambda m: m["method"] == "pairwright/turn/end" and m["params"]["id"] == started["id"],
        60,
    )
    events = [m["params"] for m in editor.received if m["method"] == "pairwright/turn/event"]
    return [event for event in events if event["id"] == started["id"]]


def shown(prompt: str) -> list[str]:
    """The definitions in the maps of a prompt, in order; those of files sent whole have a body."""
    return re.findall(r"^def (\w+)\(source.*\n(?! )", prompt, re.M)


def about(names: list[str]) -> set[str]:
    """The words of the modules that `names` belong to."""
    return {name.rpartition("_")[2] for name in names}


def tokens(events: list[dict[str, Any]]) -> dict[str, int]:
    parts = next(event for event in events if event["kind"] == "started")["parts"]
    return {part["part"]: part["tokens"] for part in parts}


async def test_the_map_of_a_conversation(root: Path, opened: Open) -> None:
    with Endpoint() as endpoint:
        endpoint.otherwise = lambda body: "Yes."
        async with opened(endpoint, map={"tokens": 200}) as editor:
            here = {"uri": (root / "m000.py").as_uri(), "session": "s"}
            await editor.command("pairwright.map", budget=50)
            await asked(editor, f"What of load_{word(120)}?", **here)
            await asked(editor, f"And load_{word(111)}?", **here)
            await asked(editor, f"And load_{word(111)}?", **here, chat=["m111.py"])
            await asked(editor, f"And load_{word(111)}?", **here, freshMap=True)
        first, second, third, fresh = (shown(request.text) for request in endpoint.requests)
    assert about(first) >= {word(120)} and word(111) not in about(first)
    assert second[: len(first)] == first, "the frozen map is sent again as it was"
    more = second[len(first) :]
    assert word(111) in about(more) and not set(more) & set(first)
    assert f"load_{word(0)}" not in second, "it is sent whole"
    assert third[: len(first)] != first and word(111) not in about(third), "the files changed"
    assert word(111) in about(fresh) and fresh[: len(first)] != first


async def test_the_budget_follows_the_window_and_the_files(root: Path, opened: Open) -> None:
    with Endpoint() as endpoint:
        endpoint.otherwise = lambda body: "Yes."
        async with opened(endpoint, model={**endpoint.settings(), "window": 16_384}) as editor:
            await editor.command("pairwright.map", budget=50)
            with_file = tokens(await asked(editor, "Go", uri=(root / "m000.py").as_uri()))
            without = tokens(await asked(editor, "Go", session="other"))
    around = 40  # the part's own heading, and what stands between parts
    assert 0.95 * 2048 <= with_file["map"] <= 2048 + around
    assert 0.95 * 4096 <= without["map"] <= 4096 + around


async def test_a_map_that_is_off_says_so(root: Path, opened: Open) -> None:
    with Endpoint() as endpoint:
        endpoint.otherwise = lambda body: "Yes."
        async with opened(endpoint, map={"tokens": 0}) as editor:
            made = await editor.command("pairwright.map")
            events = await asked(editor, "Go")
        assert made["text"] == "" and made["budget"] == 0 and "is off" in made["reason"]
        assert any("is off" in event.get("text", "") for event in events)
        assert "map" not in tokens(events) and not shown(endpoint.requests[0].text)
