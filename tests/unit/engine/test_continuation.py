"""Replies that were cut off or came empty: how two pieces are joined, and whole turns over real HTTP."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio
from hypothesis import given
from hypothesis import strategies as st
from tests.support.endpoint import Endpoint
from tests.support.turns import Room

from pairwright.config.schema import Model as ModelSettings
from pairwright.engine.continuation import Joining, overlap, runs_away, split
from pairwright.engine.events import Done, Drafted, Event, Reflected, Said, Stop
from pairwright.engine.turn import Turn
from pairwright.llm.models import ConfiguredModels

FILES = {
    "a.py": "def f():\n    # ---\n    # ---\n    return 1\n\n\ndef g():\n    return 2\n",
    "b.md": "Words.\n",
}
REPLY = """\
I change both.

a.py
```python
<<<<<<< SEARCH
def f():
    # ---
    # ---
    return 1
=======
def f():
    # ---
    # ---
    return 10
>>>>>>> REPLACE
```

a.py
```python
<<<<<<< SEARCH
    return 2
=======
    return 20
>>>>>>> REPLACE
```

Run it:

```sh
python a.py
```
"""
AFTER = FILES["a.py"].replace("return 1\n", "return 10\n").replace("return 2\n", "return 20\n")
CUTS = {
    "in prose": "I change",
    "in SEARCH, mid-line": "    # -",
    "in SEARCH, at a line that occurs again": "SEARCH\ndef f():\n    # ---\n",
    "in REPLACE, mid-line": "    return 1",
    "in REPLACE, at a line end": "=======\ndef f():\n",
    "at the divider": "    return 1\n====",
    "behind a block, in the fence": ">>>>>>> REPLACE\n",
    "in the closing fence": ">>>>>>> REPLACE\n``",
    "between blocks": "```\n\n",
    "in the shell fence": "```sh\n",
}


def at(mark: str) -> int:
    """Where the reply is cut: behind the first `mark`."""
    return REPLY.index(mark) + len(mark)


# --- pieces


@pytest.mark.parametrize("cut", CUTS)
def test_a_continuation_from_the_next_line_is_the_reply(cut: str) -> None:
    base, _ = split(REPLY[: at(CUTS[cut])])
    more = REPLY[len(base) :]
    if base:
        assert base + more[overlap(base, more) :] == REPLY


@given(st.integers(1, len(REPLY) - 1), st.integers(1, 9))
def test_what_is_said_again_is_left_out(cut: int, repeated: int) -> None:
    base, _ = split(REPLY[:cut])
    rows = base.splitlines(keepends=True)
    again = "".join(rows[-repeated:])
    more = REPLY[len(base) :]
    if sum(map(str.isalnum, again)) < 4 or base.count(again) > 1:
        return
    assert base + (again + more)[overlap(base, again + more) :] == REPLY


def test_a_fence_that_is_opened_again_is_left_out() -> None:
    base, more = REPLY[: at("=======\ndef f():\n")], REPLY[at("=======\ndef f():\n") :]
    for opened in ("```python\n", "```\n"):
        assert (opened + more)[overlap(base, opened + more) :] == more
    behind, rest = REPLY[: at(">>>>>>> REPLACE\n")], REPLY[at(">>>>>>> REPLACE\n") :]
    assert rest.startswith("```\n") and overlap(behind, rest) == 0, "this one closes the fence"


def test_a_reply_without_a_line_end_is_gone_on_with() -> None:
    assert split("Yes, be") == ("", "Yes, be")
    assert overlap("Yes, be", "cause it is.") == 0
    assert overlap("Yes, be", "Yes, because") == len("Yes, be")


def test_a_reply_that_repeats_itself_runs_away() -> None:
    assert runs_away("a = 1\n" + "    x += 1\n" * 200)
    assert not runs_away("x" * 1199) and not runs_away("".join(map(str, range(1000))))


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_what_is_shown_of_a_continuation_is_new(size: int) -> None:
    shown: list[Event] = []
    base, rest = "first\nsecond\n", "thr"
    joining = Joining(base, rest, shown.append)
    more = "second\nthree\nfour\n"
    for start in range(0, len(more), size):
        joining(Said(more[start : start + size]))
    joining.end()
    assert "".join(event.text for event in shown if isinstance(event, Said)) == "ee\nfour\n"
    assert joining.skip == len("second\n")


# --- turns


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def models() -> AsyncIterator[ConfiguredModels]:
    made = ConfiguredModels(ModelSettings(), os.environ, servers=())
    yield made
    await made.close()


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as made:
        yield made


@pytest.fixture
def room(tmp_path: Path, endpoint: Endpoint, models: ConfiguredModels) -> Room:
    models.configure(ModelSettings(**endpoint.settings()))
    return Room.of(tmp_path / "work", FILES, models)


EDIT = Turn("edit", "Make them ten times as large.", path="a.py")


class Prefilled:
    """The models of `inner`, said to go on with an answer that was begun."""

    def __init__(self, inner: ConfiguredModels) -> None:
        self._inner = inner

    async def get(self, role: str = "main") -> object:
        model = await self._inner.get()
        return replace(model, info=replace(model.info, prefill=True))  # type: ignore[type-var]


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("prefill", [False, True], ids=["asked", "prefilled"])
@pytest.mark.parametrize("cut", CUTS)
async def test_a_cut_reply_is_continued(
    room: Room, endpoint: Endpoint, models: ConfiguredModels, cut: str, prefill: bool
) -> None:
    if prefill:
        room.models = Prefilled(models)  # type: ignore[assignment]
    first = REPLY[: at(CUTS[cut])]
    kept = first.rstrip() if prefill else split(first)[0] or first
    endpoint.say(first, finish="length")
    endpoint.say(REPLY[len(kept) :])
    outcome = await room.run(EDIT)
    assert outcome == Done(REPLY, "p1", ("python a.py",))
    assert room.proposals["p1"][0].after == AFTER.encode()
    (reflected,) = [event for event in room.events if isinstance(event, Reflected)]
    assert reflected.reason == "truncated"
    sent = endpoint.requests[1].body["messages"]
    assert [m["role"] for m in sent] == [
        "system",
        "user",
        "assistant",
        *([] if prefill else ["user"]),
    ]
    assert sent[2]["content"] == kept
    drafted = {(e.old, e.new) for e in room.events if isinstance(e, Drafted)}
    assert ("    return 2", "    return 20") in drafted, "the hunks on their way go on being shown"


@pytest.mark.asyncio(loop_scope="module")
async def test_a_reply_is_continued_three_times_at_most(room: Room, endpoint: Endpoint) -> None:
    rows = [f"Point {n} of what I have to say.\n" for n in range(10)]
    for n in range(4):
        endpoint.say("".join(rows[2 * n : 2 * n + 2]), finish="length")
    outcome = await room.run(Turn("ask", "What is there to say?"))
    assert isinstance(outcome, Stop) and outcome.reason == "truncated"
    assert outcome.text == "".join(rows[:8]) and "cut off" in outcome.message
    assert len(endpoint.requests) == 4
    endpoint.say("Fine.")
    assert await room.run(Turn("ask", "And then?")) == Done("Fine."), "the next turn works"
    assert "Point 3" not in endpoint.requests[-1].text


@pytest.mark.asyncio(loop_scope="module")
async def test_a_reply_that_runs_away_is_not_continued(room: Room, endpoint: Endpoint) -> None:
    endpoint.say("x = 1\n" * 400, finish="length")
    outcome = await room.run(Turn("ask", "What is there to say?"))
    assert isinstance(outcome, Stop) and outcome.reason == "truncated"
    assert len(endpoint.requests) == 1


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("mode", ["ask", "edit"])
async def test_an_empty_reply_is_asked_for_once_more(
    room: Room, endpoint: Endpoint, mode: str
) -> None:
    turn = Turn(mode, "What is there to say?", path="a.py")  # type: ignore[arg-type]
    endpoint.say(" \n")
    endpoint.say("Nothing.")
    outcome = await room.run(turn)
    assert outcome == Done("Nothing.")
    first, second = (request.body["messages"] for request in endpoint.requests)
    assert [m["role"] for m in second] == ["system", "user"], "no invented reply between them"
    assert second[1]["content"].startswith(first[1]["content"])
    assert "was empty" in second[1]["content"]
    endpoint.say("\n")
    endpoint.say("\n")
    outcome = await room.run(turn)
    assert isinstance(outcome, Stop) and outcome.reason == "empty" and len(endpoint.requests) == 4
    assert "empty reply twice" in outcome.message


@pytest.mark.asyncio(loop_scope="module")
async def test_a_refusal_is_an_answer(room: Room, endpoint: Endpoint) -> None:
    endpoint.say("I cannot help with that: the function is not mine to change.")
    outcome = await room.run(EDIT)
    assert isinstance(outcome, Done) and outcome.proposal is None
    assert len(endpoint.requests) == 1


@pytest.mark.asyncio(loop_scope="module")
async def test_a_filtered_reply_ends_with_a_message(room: Room, endpoint: Endpoint) -> None:
    endpoint.say(REPLY[:200], finish="content_filter")
    outcome = await room.run(EDIT)
    assert isinstance(outcome, Stop) and "filter" in outcome.message, outcome
    assert len(endpoint.requests) == 1 and room.proposals == {}
