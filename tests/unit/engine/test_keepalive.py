"""A provider's prefix cache is kept while the user thinks: counted, paid for, and never longer than wanted."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.endpoint import Endpoint
from tests.support.turns import Room

from pairwright.config.schema import Model as Settings
from pairwright.engine.context import Turn
from pairwright.engine.events import Done
from pairwright.engine.keepalive import KeepAlive
from pairwright.llm.models import ConfiguredModels

pytestmark = pytest.mark.asyncio(loop_scope="session")
ASK = Turn("ask", "What is size?", "app.py", session="s")


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as made:
        yield made


def kept(
    tmp_path: Path, endpoint: Endpoint, models: ConfiguredModels, most: int, marks: bool = True
) -> Room:
    """A room whose chats are kept alive so many times, ten times a second."""
    row = {"openai/*": {"cache": marks}}
    models.configure(Settings(**endpoint.settings(), overrides=row))
    room = Room.of(tmp_path, {"app.py": "def size(a):\n    return a\n"}, models)
    room.keep = KeepAlive(room.door, lambda: most, every=0.1)
    return room


async def check(room: Room, endpoint: Endpoint, pings: int) -> None:
    """One answer, then exactly so many repetitions of its request for one token."""
    endpoint.say("It returns a.")
    assert isinstance(await room.run(ASK), Done)
    for _ in range(pings):
        endpoint.say("", finish="length")
    await asyncio.to_thread(endpoint.wait, 1 + pings)
    await asyncio.sleep(0.3)
    first, *others = endpoint.requests
    assert len(others) == pings
    for other in others:
        assert other.body["messages"] == first.body["messages"]
        assert (first.body["max_tokens"] > 1, other.body["max_tokens"]) == (True, 1)
    assert len(room.door.manifests) == 1 + pings, "each can be read afterwards"


async def test_so_many_times_and_not_more(
    tmp_path: Path, endpoint: Endpoint, models_everywhere: ConfiguredModels
) -> None:
    await check(kept(tmp_path, endpoint, models_everywhere, 2), endpoint, 2)


async def test_off_by_default_and_where_a_provider_has_no_marks(
    tmp_path: Path, endpoint: Endpoint, models_everywhere: ConfiguredModels
) -> None:
    assert Settings().keep_alive == 0
    await check(kept(tmp_path, endpoint, models_everywhere, 0), endpoint, 0)
    endpoint.requests.clear()
    await check(kept(tmp_path, endpoint, models_everywhere, 5, marks=False), endpoint, 0)


async def test_a_failure_ends_it(
    tmp_path: Path, endpoint: Endpoint, models_everywhere: ConfiguredModels
) -> None:
    room = kept(tmp_path, endpoint, models_everywhere, 5)
    endpoint.say("It returns a.")
    endpoint.fail(401)
    assert isinstance(await room.run(ASK), Done)
    await asyncio.to_thread(endpoint.wait, 2)
    await asyncio.sleep(0.3)
    assert len(endpoint.requests) == 2


@pytest.mark.parametrize("how", ["another request", "the end of the session"])
async def test_it_stops(
    tmp_path: Path, endpoint: Endpoint, models_everywhere: ConfiguredModels, how: str
) -> None:
    room = kept(tmp_path, endpoint, models_everywhere, 50)
    assert room.keep is not None
    endpoint.say("It returns a.")
    assert isinstance(await room.run(ASK), Done)
    if how == "another request":
        endpoint.say("slow", first=0.5)
        assert isinstance(await room.run(ASK), Done)
    room.keep.close()
    before = len(endpoint.requests)
    await asyncio.sleep(0.3)
    assert len(endpoint.requests) == before == (2 if how == "another request" else 1)
