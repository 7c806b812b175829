"""What a turn says reaches the client whole, in order and at a pace the client can take."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from typing import Any

import pytest

from pairwright.engine.events import Event, Proposed, Reflected, Said, Started, Status, Used
from pairwright.llm.types import Usage
from pairwright.lsp import stream
from pairwright.lsp.stream import DELTA, EVENT, Stream
from pairwright.lsp.transport import Frames, PipeWriter


class Pipe:
    """The real writer over a pipe that is read when the test says so."""

    def __init__(self) -> None:
        self.reader, self._fd = os.pipe()
        self.writer = PipeWriter(self._fd)
        self.reports: list[str] = []

    @property
    def backlog(self) -> int:
        return self.writer.backlog

    def notify(self, method: str, params: Any) -> None:
        body = json.dumps({"method": method, "params": params}).encode()
        self.writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def stream(self, speaks: bool = True) -> Stream:
        return Stream(self, "t1", lambda text, percent: self.reports.append(text), speaks)

    async def read(self) -> list[dict[str, Any]]:
        """Everything sent, to the end."""
        found: list[dict[str, Any]] = []
        ended = asyncio.get_running_loop().run_in_executor(None, self._drain, found)
        while self.backlog:
            await asyncio.sleep(0.001)
        os.close(self._fd)
        await ended
        return found

    def _drain(self, found: list[dict[str, Any]]) -> None:
        frames = Frames()
        while data := os.read(self.reader, 1 << 16):
            found += frames.feed(data)


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    made = Pipe()
    yield made
    made.writer.close()
    os.close(made.reader)


def told(messages: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """The kinds sent, with their text."""
    assert [m["params"]["seq"] for m in messages] == list(range(1, len(messages) + 1))
    assert all(
        (m["method"] == DELTA) == (m["params"]["kind"] in ("text", "reasoning")) for m in messages
    )
    return [(m["params"]["kind"], m["params"].get("text", "")) for m in messages]


async def check(pipe: Pipe, events: list[Event], expected: list[tuple[str, str]]) -> None:
    sent = pipe.stream()
    for event in events:
        sent(event)
    sent.finish()
    assert told(await pipe.read()) == expected


async def test_text_and_events_keep_their_order(pipe: Pipe) -> None:
    events: list[Event] = [
        Said("hm", reasoning=True),
        Said("a"),
        Said("b"),
        Said("c", reasoning=True),
        Reflected("edit-match", "no such lines"),
        Said("d"),
        Proposed("p1"),
    ]
    expected = [
        ("reasoning", "hm"),
        ("text", "ab"),
        ("reasoning", "c"),
        ("reflected", "no such lines"),
        ("text", "d"),
        ("proposed", ""),
    ]
    await check(pipe, events, expected)


async def test_fields_of_events(pipe: Pipe) -> None:
    sent = pipe.stream()
    sent(Started("m", (("system", 3), ("request", 4)), 0.25))
    sent(Used(Usage(10, 2, 1, 0.5)))
    sent.finish()
    started, used = (m["params"] for m in await pipe.read())
    assert started["parts"] == [{"part": "system", "tokens": 3}, {"part": "request", "tokens": 4}]
    assert (started["model"], started["cost"]) == ("m", 0.25) and "tokens" not in started
    assert used == {
        "id": "t1",
        "seq": 2,
        "kind": "usage",
        "prompt": 10,
        "completion": 2,
        "cached": 1,
        "cost": 0.5,
    }


async def test_a_lone_piece_does_not_wait_and_a_burst_is_joined(pipe: Pipe) -> None:
    sent = pipe.stream()
    for word in ("a", "b", "c", "d"):
        sent(Said(word))
    assert len(pipe.reports) == 1, "the first piece went out at once"
    await asyncio.sleep(5 * stream.GATHER)
    sent(Said("e"))
    sent.finish()
    assert told(await pipe.read()) == [("text", "a"), ("text", "bcd"), ("text", "e")]


async def test_a_client_that_does_not_read_loses_nothing_and_costs_no_more_than_the_text(
    pipe: Pipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "GATHER", 0.0)
    monkeypatch.setattr(stream, "BEHIND", 0.001)
    sent, piece = pipe.stream(), "x" * 4096
    for number in range(400):
        sent(Said(piece))
        sent(Status("reading", number % 100))
        await asyncio.sleep(0)
    assert pipe.backlog < stream.BACKLOG + 3 * len(piece), "the rest waits where it is joined"
    sent(Status("left out: a.py"))
    sent(Status("left out: b.py"))
    sent(Proposed("p1"))
    sent.finish()
    found = told(await pipe.read())
    assert sum(len(text) for kind, text in found if kind == "text") == 400 * len(piece)
    assert found[-3:] == [
        ("status", "left out: a.py"),
        ("status", "left out: b.py"),
        ("proposed", ""),
    ]


async def test_a_client_that_comes_back_gets_what_waited(
    pipe: Pipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "BEHIND", 0.001)
    sent = pipe.stream()
    for _ in range(200):
        sent(Said("x" * 4096))
        sent(Proposed("p"))
    assert pipe.backlog < stream.BACKLOG + 2 * 4096
    found: list[dict[str, Any]] = []
    reading = asyncio.get_running_loop().run_in_executor(None, pipe._drain, found)
    while sum(m["method"] == EVENT for m in found) < 200:
        await asyncio.sleep(0.001)
    os.close(pipe._fd)
    await reading
    assert sum(len(text) for kind, text in told(found) if kind == "text") == 200 * 4096


async def test_a_plain_client_sees_progress_only(pipe: Pipe) -> None:
    sent = pipe.stream(speaks=False)
    sent(Status("reading the prompt", 10))
    sent(Said("abc"))
    sent(Reflected("edit-match", "…"))
    sent.finish()
    assert await pipe.read() == []
    assert pipe.reports == [
        "reading the prompt",
        "answering, 3 characters",
        "asking again: edit-match",
    ]


async def test_a_client_that_is_gone_holds_nothing_up(pipe: Pipe) -> None:
    gone = Pipe()
    os.close(gone.reader)
    sent = gone.stream()
    sent(Said("x"))
    while gone.backlog:
        await asyncio.sleep(0.001)
    sent(Said("y"))
    sent.finish()
    gone.writer.close()
