"""What turns say and cost, on one real server: four conversations at once, the table of tokens, a limit that ends a
turn with its numbers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.endpoint import Endpoint
from tests.support.served import Served, served

FILES = {
    "a.py": "def add(a, b):\n    return a + b\n",
    "b.py": "import a\n",
    "c.py": "def use():\n    pass\n",
}
LIMITS = {"session_cost": 1.0, "day_cost": 0, "tell_cost": 0.001}
# Else a model on loopback costs nothing.
PRICES = {"openai/scripted": {"price_in": 1e-5, "price_out": 1e-5}}


@pytest.fixture
async def at(tmp_path: Path) -> AsyncIterator[tuple[Served, Endpoint]]:
    with Endpoint() as endpoint:
        async with served(
            tmp_path, FILES, endpoint=endpoint, budget=LIMITS, model={"overrides": PRICES}
        ) as made:
            yield made, endpoint


def words(body: dict[str, Any]) -> str:
    """An answer of its own for each conversation: the last word of the request, many times."""
    messages = [str(m["content"]) for m in body["messages"] if m["role"] == "user"]
    name = messages[-1].split()[-1]
    return f"{name} " * 400


async def test_what_turns_say_and_cost(at: tuple[Served, Endpoint]) -> None:
    made, endpoint = at
    uri = (made.root / "a.py").as_uri()
    await four_at_once(made, endpoint, uri)
    await table(made, uri)
    await limit(made, endpoint, uri)


async def four_at_once(made: Served, endpoint: Endpoint, uri: str) -> None:
    """Four conversations stream side by side, each whole and in its own order."""
    endpoint.otherwise = words
    names = [f"word{number}" for number in range(4)]
    ends = await asyncio.gather(
        *(made.turn("pairwright.ask", uri=uri, text=f"Say {n}", session=n) for n in names)
    )
    sent = ("pairwright/chat/delta", "pairwright/turn/event")
    spoken = [m["params"] for m in made.editor.received if m["method"] in sent]
    for name, end in zip(names, ends, strict=True):
        assert end["outcome"] == "done" and end["text"] == f"{name} " * 400, end
        of_turn = [m for m in spoken if m["id"] == end["id"]]
        assert [m["seq"] for m in of_turn] == list(range(1, len(of_turn) + 1))
        assert "".join(m["text"] for m in of_turn if m["kind"] == "text") == end["text"]
        told = [m["text"] for m in of_turn if m["kind"] == "status"]
        assert any(text.startswith("sending about $0.") for text in told), told


async def table(made: Served, uri: str) -> None:
    """`pairwright.tokens` counts what would be sent in a conversation, and what it has cost."""
    found = await made.editor.command(
        "pairwright.tokens", uri=uri, text="And b?", session="word1", read=["b.py"]
    )
    parts = {part["part"]: part["tokens"] for part in found["parts"]}
    assert {"system", "history", "map", "files", "request"} <= set(parts)
    assert found["total"] == sum(parts.values()) and found["most"] >= found["cost"] > 0
    assert [(file["path"], file["editable"]) for file in found["files"]] == [
        ("a.py", True),
        ("b.py", False),
    ]
    assert found["session"]["requests"] == 1 and found["day"]["requests"] == 4
    assert found["session"]["costLimit"] == 1.0 and found["day"]["costLimit"] is None
    assert found["day"]["cost"] > found["session"]["cost"] > 0
    assert "# What would be sent to openai/scripted" in found["text"]


async def limit(made: Served, endpoint: Endpoint, uri: str) -> None:
    """A limit ends the turn with its numbers, and another conversation goes on."""
    endpoint.say(
        "Much.", usage={"prompt_tokens": 99_000, "completion_tokens": 900, "total_tokens": 99_900}
    )
    await made.turn("pairwright.ask", uri=uri, text="Go on", session="word2")
    before = len(endpoint.requests)
    end = await made.turn("pairwright.ask", uri=uri, text="Go on", session="word2")
    assert (end["outcome"], end["reason"]) == ("stop", "budget")
    assert "$1.00 are spent" in end["message"] and "budget.session_cost" in end["message"]
    assert len(endpoint.requests) == before, "nothing was sent"
    other = await made.turn("pairwright.ask", uri=uri, text="Say word9", session="word9")
    assert other["outcome"] == "done"
