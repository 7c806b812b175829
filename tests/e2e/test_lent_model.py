"""A client that lends its own model, scripted, and the real server that asks it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import pytest_asyncio
from tests.support.editor import Editor
from tests.support.serving import COMMAND, environment

pytestmark = pytest.mark.asyncio(loop_scope="module")
CODE = "def total(lines):\n    acc = 0\n    return acc\n"
EDIT = (
    "app.py\n```python\n<<<<<<< SEARCH\n    acc = 0\n=======\n    acc = 1\n>>>>>>> REPLACE\n```\n"
)


@dataclass
class Lender:
    """What a client with one model does. `pieces`: of its next answer; `end`: what it answers then, None = nothing,
    ever."""

    editor: Editor
    pieces: list[dict[str, Any]] = field(default_factory=list)
    end: dict[str, Any] | None = field(default_factory=dict)
    described: list[Any] = field(default_factory=list)
    asked: list[Any] = field(default_factory=list)

    def say(self, text: str, size: int = 7, end: dict[str, Any] | None = None) -> None:
        self.pieces = [{"text": text[at : at + size]} for at in range(0, len(text), size)]
        self.end = {"finish": "stop"} if end is None else end

    def describe(self, params: Any) -> dict[str, Any]:
        self.described.append(params)
        if params["model"] not in ("", "copilot/gpt-4o"):
            return {"model": None}
        return {"model": "copilot/gpt-4o", "window": 60_000}

    async def stream(self, params: Any) -> dict[str, Any]:
        self.asked.append(params)
        for piece in self.pieces:
            self.editor.notify("pairwright/model/delta", {"id": params["id"], **piece})
        if self.end is None:
            await asyncio.Event().wait()
        return self.end or {}

    async def turn(self, command: str, **args: Any) -> dict[str, Any]:
        """Run a request to its end; what the end says."""
        since = len(self.editor.received)
        started = await self.editor.command(f"pairwright.{command}", **args)
        end = await self.editor.wait_for(
            "the end",
            lambda m: (
                m.get("method") == "pairwright/turn/end" and m["params"]["id"] == started["id"]
            ),
            since=since,
        )
        return dict(end["params"])


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def lender(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Lender]:
    folder = tmp_path_factory.mktemp("lent")
    root = folder / "work"
    root.mkdir()
    (root / "app.py").write_text(CODE)
    capabilities = {
        "experimental": {"pairwright": {"protocol": 1, "models": True}},
        "workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True}},
    }
    options = {"model": {"name": "client"}, "git": {"mode": "off"}}
    editor = await Editor.start(
        root, capabilities, init_options=options, env=environment(folder), command=COMMAND
    )
    async with editor:
        made = Lender(editor)
        editor.answers["pairwright/model/describe"] = made.describe
        editor.answers["pairwright/model/stream"] = made.stream
        editor.open(root / "app.py")
        yield made


async def test_the_clients_model_answers_in_pieces(lender: Lender) -> None:
    lender.say("It adds up the lines.")
    end = await lender.turn("ask", text="What does total do?")
    assert (end["outcome"], end["text"]) == ("done", "It adds up the lines.")
    [asked] = lender.asked
    assert asked["model"] == "copilot/gpt-4o"
    assert asked["maxTokens"] > 0
    roles = {message["role"] for message in asked["messages"]}
    assert roles <= {"user", "assistant"}, "models of clients take no system message"
    assert "What does total do?" in asked["messages"][-1]["content"]
    usage = [m["params"] for m in lender.editor.received if kind(m) == "usage"]
    assert usage[-1]["prompt"] > 100 and usage[-1]["completion"] > 3
    assert usage[-1]["cost"] is None


async def test_its_edits_are_proposals_like_any_others(lender: Lender) -> None:
    lender.say(EDIT)
    uri = lender.editor.root.joinpath("app.py").as_uri()
    end = await lender.turn("edit", uri=uri, text="Begin at one")
    assert end["proposal"] and not end["missing"]
    await lender.editor.command("pairwright.reject", proposal=end["proposal"])


async def test_what_the_client_says_of_a_failure_is_told(lender: Lender) -> None:
    error = {"kind": "auth", "message": "You have not allowed it. Do so in the editor."}
    lender.say("", end={"error": error})
    end = await lender.turn("ask", text="And?")
    assert end["outcome"] == "stop"
    assert "You have not allowed it." in end["message"]
    lender.say("")
    assert "empty answer" in (await lender.turn("ask", text="And now?"))["message"]


async def test_a_cancel_reaches_the_client(lender: Lender) -> None:
    lender.say("Some words", end={})
    lender.end = None
    before, seen = len(lender.asked), len(lender.editor.received)
    started = await lender.editor.command("pairwright.ask", text="Talk")
    await lender.editor.wait_for(
        "words", lambda m: m.get("method") == "pairwright/chat/delta", since=seen
    )
    await lender.editor.command("pairwright.cancel", id=started["id"])
    cancelled = await lender.editor.wait_for(
        "the cancel", lambda m: m.get("method") == "$/cancelRequest", since=seen
    )
    asks = [m["id"] for m in lender.editor.received if m.get("method") == "pairwright/model/stream"]
    assert cancelled["params"]["id"] == asks[-1]
    assert len(lender.asked) == before + 1


async def test_a_model_that_the_client_has_not_is_named(lender: Lender) -> None:
    settings = {"pairwright": {"model": {"name": "client/copilot/gpt-9"}}}
    lender.editor.notify("workspace/didChangeConfiguration", {"settings": settings})
    end = await lender.turn("ask", text="Who are you?")
    assert "The editor has no model copilot/gpt-9." in end["message"]


def kind(message: dict[str, Any]) -> str:
    if message.get("method") != "pairwright/turn/event":
        return ""
    return str(message["params"]["kind"])
